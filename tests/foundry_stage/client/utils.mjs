/** `foundry.utils`, as far as modules of this kind use it. */

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

export function randomID(length = 16) {
  const bytes = crypto.getRandomValues(new Uint32Array(length));
  return Array.from(bytes, (value) => LETTERS[value % LETTERS.length]).join("");
}

export function getType(value) {
  if (value === undefined) return "undefined";
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value;
  if (Array.isArray(value)) return "Array";
  if (value instanceof Set) return "Set";
  if (value instanceof Map) return "Map";
  if (value instanceof Promise) return "Promise";
  if (value instanceof Error) return "Error";
  if (value instanceof HTMLElement) return "HTMLElement";
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null ? "Object" : "Unknown";
}

const plain = (value) => getType(value) === "Object";

export function deepClone(original, { strict = false } = {}) {
  if (typeof original !== "object" || original === null) return original;
  if (Array.isArray(original)) return original.map((value) => deepClone(value, { strict }));
  if (original instanceof Date) return new Date(original);
  if (!plain(original)) {
    if (strict) throw new Error("deepClone cannot clone advanced objects");
    return original;
  }
  return Object.fromEntries(Object.entries(original).map(([key, value]) => [key, deepClone(value, { strict })]));
}

export function duplicate(original) {
  return JSON.parse(JSON.stringify(original));
}

export function isEmpty(value) {
  switch (getType(value)) {
    case "undefined": case "null": return true;
    case "Array": return value.length === 0;
    case "Object": return Object.keys(value).length === 0;
    case "Set": case "Map": return value.size === 0;
    default: return false;
  }
}

export function hasProperty(object, key) {
  if (!key || !object) return false;
  let at = object;
  for (const part of key.split(".")) {
    if (typeof at !== "object" || at === null || !(part in at)) return false;
    at = at[part];
  }
  return true;
}

export function getProperty(object, key) {
  if (!key || !object) return undefined;
  if (key in object) return object[key];
  let at = object;
  for (const part of key.split(".")) {
    if (at === undefined || at === null) return undefined;
    at = at[part];
  }
  return at;
}

export function setProperty(object, key, value) {
  if (!key) return false;
  const parts = key.split(".");
  const last = parts.pop();
  let at = object;
  for (const part of parts) at = at[part] ??= {};
  const changed = at[last] !== value;
  at[last] = value;
  return changed;
}

export function expandObject(object) {
  const out = {};
  for (const [key, value] of Object.entries(object)) {
    const inner = plain(value) ? expandObject(value) : value;
    const held = getProperty(out, key);
    if (plain(held) && plain(inner)) mergeObject(held, inner);
    else setProperty(out, key, inner);
  }
  return out;
}

export function flattenObject(object) {
  const out = {};
  for (const [key, value] of Object.entries(object)) {
    if (plain(value) && !isEmpty(value)) {
      for (const [inner, leaf] of Object.entries(flattenObject(value))) out[`${key}.${inner}`] = leaf;
    } else out[key] = value;
  }
  return out;
}

export function mergeObject(original, other = {}, options = {}) {
  const { insertKeys = true, insertValues = true, overwrite = true, recursive = true, inplace = true, performDeletions = false } = options;
  const target = inplace ? original : deepClone(original);
  for (const [key, value] of Object.entries(expandObject(other))) {
    if (key.startsWith("-=") && performDeletions) {
      delete target[key.slice(2)];
    } else if (!(key in target)) {
      if (insertKeys) target[key] = deepClone(value);
    } else if (recursive && plain(target[key]) && plain(value)) {
      mergeObject(target[key], value, { ...options, insertKeys: insertValues, inplace: true });
    } else if (overwrite) target[key] = deepClone(value);
  }
  return target;
}

export function objectsEqual(a, b) {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((value, index) => objectsEqual(value, b[index]));
  if (!plain(a) || !plain(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => key in b && objectsEqual(a[key], b[key]));
}

export function diffObject(original, other) {
  const out = {};
  for (const [key, value] of Object.entries(other)) {
    if (!(key in original)) out[key] = deepClone(value);
    else if (plain(original[key]) && plain(value)) {
      const inner = diffObject(original[key], value);
      if (!isEmpty(inner)) out[key] = inner;
    } else if (!objectsEqual(original[key], value)) out[key] = deepClone(value);
  }
  return out;
}

export function escapeHTML(value) {
  const codes = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#x27;" };
  return String(value).replace(/[&<>"']/g, (letter) => codes[letter]);
}

export function debounce(callback, delay) {
  let timer;
  return function debounced(...args) {
    clearTimeout(timer);
    timer = setTimeout(() => callback.apply(this, args), delay);
  };
}

export function throttle(callback, delay) {
  let waiting = false;
  let again = null;
  return function throttled(...args) {
    if (waiting) {
      again = args;
      return;
    }
    callback.apply(this, args);
    waiting = true;
    setTimeout(() => {
      waiting = false;
      if (again) {
        const next = again;
        again = null;
        throttled.apply(this, next);
      }
    }, delay);
  };
}

export function isNewerVersion(v1, v0) {
  const parts = (version) => String(version).split(".");
  const [a, b] = [parts(v1), parts(v0)];
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [p, q] = [a[i] ?? "0", b[i] ?? "0"];
    if (p === q) continue;
    const [m, n] = [Number(p), Number(q)];
    return Number.isNaN(m) || Number.isNaN(n) ? p > q : m > n;
  }
  return false;
}

export function timeSince(stamp) {
  const seconds = Math.round((Date.now() - Number(stamp)) / 1000);
  if (seconds < 60) return "Now";
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ago`;
  return seconds < 86400 ? `${Math.floor(seconds / 3600)}h ago` : `${Math.floor(seconds / 86400)}d ago`;
}

export function parseUuid(uuid) {
  if (!uuid) return null;
  const parts = uuid.split(".");
  return { uuid, type: parts[parts.length - 2], id: parts[parts.length - 1], documentType: parts[0], documentId: parts[1] };
}

export function fromUuidSync(uuid) {
  const parts = String(uuid ?? "").split(".");
  const classes = globalThis.game.collections;
  let document = classes.get(parts.shift())?.get(parts.shift()) ?? null;
  while (document && parts.length) {
    const [kind, id] = [parts.shift(), parts.shift()];
    if (kind === "Actor" && document.documentName === "Token") document = document.actor?.id === id ? document.actor : null;
    else document = document.getEmbeddedDocument(kind, id) ?? null;
  }
  return document;
}

export async function fromUuid(uuid) {
  return fromUuidSync(uuid);
}

/** A Map whose iteration gives values. */
export class Collection extends Map {
  [Symbol.iterator]() {
    return this.values();
  }

  get contents() {
    return Array.from(this.values());
  }

  find(test) {
    for (const [index, value] of this.contents.entries()) if (test(value, index, this)) return value;
    return undefined;
  }

  filter(test) {
    return this.contents.filter((value, index) => test(value, index, this));
  }

  map(transform) {
    return this.contents.map((value, index) => transform(value, index, this));
  }

  reduce(reducer, initial) {
    return this.contents.reduce((sum, value, index) => reducer(sum, value, index, this), initial);
  }

  some(test) {
    return this.contents.some((value, index) => test(value, index, this));
  }

  forEach(does) {
    this.contents.forEach((value) => does(value));
  }

  get(key, { strict = false } = {}) {
    const value = super.get(key);
    if (strict && value === undefined) throw new Error(`The key ${key} does not exist in the ${this.constructor.name} Collection`);
    return value;
  }

  getName(name, { strict = false } = {}) {
    const value = this.find((entry) => entry.name === name);
    if (strict && value === undefined) throw new Error(`An entry with name ${name} does not exist in the collection`);
    return value;
  }

  toJSON() {
    return this.map((value) => value.toJSON?.() ?? value);
  }
}

export class EventEmitter {
  #listeners = new Map();

  addEventListener(type, listener, { once = false } = {}) {
    if (!this.#listeners.has(type)) this.#listeners.set(type, new Map());
    this.#listeners.get(type).set(listener, once);
  }

  removeEventListener(type, listener) {
    this.#listeners.get(type)?.delete(listener);
  }

  dispatchEvent(event) {
    for (const [listener, once] of [...(this.#listeners.get(event.type) ?? [])]) {
      listener(event);
      if (once) this.removeEventListener(event.type, listener);
    }
    return !event.defaultPrevented;
  }
}

let lists = null;

/** The allow-lists that the server uses, too. */
export async function loadAllowed(generation) {
  lists = await (await fetch("/stage/allowed_html.json")).json();
  if (generation >= 14) {
    lists.tags.push(...lists.added14.tags);
    for (const [tag, names] of Object.entries(lists.added14.attributes)) (lists.attributes[tag] ??= []).push(...names);
  }
  return lists;
}

export function cleanHTML(raw) {
  const template = document.createElement("template");
  template.innerHTML = raw;
  const walk = (node) => {
    for (const child of [...node.childNodes]) {
      if (child.nodeType === Node.COMMENT_NODE) child.remove();
      if (child.nodeType !== Node.ELEMENT_NODE) continue;
      const tag = child.localName;
      if (lists.dropWithText.includes(tag)) {
        child.remove();
        continue;
      }
      walk(child);
      if (!lists.tags.includes(tag)) {
        child.replaceWith(...child.childNodes);
        continue;
      }
      for (const { name, value } of [...child.attributes]) {
        const known = [...lists.attributes["*"], ...(lists.attributes[tag] ?? [])]
          .some((entry) => entry === name || (entry.endsWith("-*") && name.startsWith(entry.slice(0, -1))));
        const scheme = lists.schemedAttributes.includes(name) ? /^\s*([a-z][a-z0-9+.-]*):/i.exec(value)?.[1].toLowerCase() : null;
        if (!known || (scheme && !lists.schemes.includes(scheme))) child.removeAttribute(name);
      }
    }
  };
  walk(template.content);
  return template.innerHTML;
}

export const Semaphore = class Semaphore {
  #queue = [];
  #active = 0;

  constructor(max = 1) {
    this.max = max;
  }

  get active() {
    return this.#active;
  }

  get remaining() {
    return this.#queue.length;
  }

  add(fn, ...args) {
    return new Promise((resolve, reject) => {
      this.#queue.push([fn, args, resolve, reject]);
      this.#next();
    });
  }

  clear() {
    this.#queue.length = 0;
  }

  async #next() {
    if (!this.#queue.length || this.#active >= this.max) return;
    this.#active++;
    const [fn, args, resolve, reject] = this.#queue.shift();
    try {
      resolve(await fn(...args));
    } catch (error) {
      reject(error);
    }
    this.#active--;
    this.#next();
  }
};
