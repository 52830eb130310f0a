/** Hooks: synchronous; `call` stops at `false`; a handler that throws is reported and stops nobody else. */

/** @type {Map<string, {id: number, hook: string, fn: Function, once: boolean}[]>} */
const handlers = new Map();
const byId = new Map();
let nextId = 1;

export class Hooks {
  static get events() {
    return Object.fromEntries(handlers);
  }

  static on(hook, fn, { once = false } = {}) {
    const entry = { id: nextId++, hook, fn, once };
    if (!handlers.has(hook)) handlers.set(hook, []);
    handlers.get(hook).push(entry);
    byId.set(entry.id, entry);
    return entry.id;
  }

  static once(hook, fn) {
    return Hooks.on(hook, fn, { once: true });
  }

  static off(hook, fnOrId) {
    const list = handlers.get(hook);
    if (!list) return;
    const index = list.findIndex((entry) => (typeof fnOrId === "number" ? entry.id === fnOrId : entry.fn === fnOrId));
    if (index < 0) return;
    byId.delete(list[index].id);
    list.splice(index, 1);
  }

  static callAll(hook, ...args) {
    for (const entry of [...(handlers.get(hook) ?? [])]) Hooks.#run(entry, args);
    return true;
  }

  static call(hook, ...args) {
    for (const entry of [...(handlers.get(hook) ?? [])]) {
      // A promise is not `false`: a handler that is async cannot veto.
      if (Hooks.#run(entry, args) === false) return false;
    }
    return true;
  }

  static onError(location, error, { msg = "", notify = null, log = null, ...data } = {}) {
    if (!(error instanceof Error)) return;
    if (msg) error = new Error(`${msg}. ${error.message}`, { cause: error });
    if (log) console[log]?.(error);
    if (notify) globalThis.ui?.notifications?.[notify]?.(error.message);
    Hooks.callAll("error", location, error, data);
  }

  static #run(entry, args) {
    if (entry.once) Hooks.off(entry.hook, entry.id);
    try {
      return entry.fn(...args);
    } catch (error) {
      console.error(error);
      const problem = error instanceof Error ? error : new Error(String(error));
      if (entry.hook !== "error") {
        Hooks.onError("Hooks.#call", problem, { msg: `Error thrown in hooked function '${entry.fn.name}' for hook '${entry.hook}'` });
      }
      return undefined;
    }
  }
}
