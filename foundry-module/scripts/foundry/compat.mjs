/**
 * What differs between generations 13 and 14 of Foundry, and everything their published types do not know. No other
 * file asks which generation it runs in.
 */

/** @import { RollData } from "./roll-data.mjs" */

/** @typedef {any} Loose a thing of Foundry's whose type differs between generations */

/** @returns {number} */
const generation = () => Number(game.release?.generation ?? 13);

const MODES = new Map([
  ["publicroll", "public"], ["gmroll", "gm"], ["blindroll", "blind"], ["selfroll", "self"],
  ["public", "public"], ["gm", "gm"], ["blind", "blind"], ["self", "self"],
]);

/**
 * How this person's rolls are seen unless something says otherwise. Generation 14 renamed the setting and its values.
 *
 * @returns {"public" | "gm" | "blind" | "self"}
 */
export function usualMode() {
  for (const key of generation() >= 14 ? ["messageMode", "rollMode"] : ["rollMode"]) {
    try {
      const mode = MODES.get(String(/** @type {Loose} */ (game.settings).get("core", key)));
      if (mode !== undefined) return /** @type {any} */ (mode);
    } catch {
      // This generation has no such setting.
    }
  }
  return "public";
}

/**
 * Foundry's own dice as a message that is seen like one of our rolls. What only GMs may know at all Foundry cannot do: it is whispered.
 *
 * @param {Loose} roll
 * @param {object} data
 * @param {"public" | "gm" | "blind" | "secret" | "self"} mode
 * @returns {Promise<Loose>}
 */
export function rollToMessage(roll, data, mode) {
  const seen = mode === "secret" ? (game.user?.isGM ? "gm" : "blind") : mode;
  return roll.toMessage(data, generation() >= 14 ? { messageMode: seen } : { rollMode: `${seen}roll` });
}

/**
 * A slash command. Generation 14 rejects words it does not know before any hook hears of them, and gives markup.
 *
 * @param {string} word
 * @param {(text: string) => void} act
 */
export function registerCommand(word, act) {
  const pattern = new RegExp(`^(?:<p>)?\\s*/${word}(?:\\s|&nbsp;|</p>|$)([\\s\\S]*)`, "i");
  const run = (/** @type {string} */ text) => {
    const match = pattern.exec(text);
    if (match === null) return false;
    act(plain(match[1]));
    return true;
  };
  const log = /** @type {Loose} */ (foundry.applications).sidebar?.tabs?.ChatLog;
  if (generation() >= 14 && log?.CHAT_COMMANDS !== undefined) {
    log.CHAT_COMMANDS[`boonbridge-${word}`] = {
      rgx: pattern,
      fn: (/** @type {string} */ command, /** @type {RegExpMatchArray} */ match) => {
        if (!run(command)) act(plain(match?.[1] ?? ""));
        return false;
      },
    };
    return;
  }
  Hooks.on("chatMessage", /** @type {Loose} */ ((/** @type {unknown} */ _log, /** @type {string} */ text) => !run(text)));
}

/** @param {string} markup */
function plain(markup) {
  return markup.replace(/<[^>]*>/g, " ").replace(/&nbsp;/g, " ").replace(/&lt;/g, "<").replace(/&gt;/g, ">")
    .replace(/&amp;/g, "&").replace(/\s+/g, " ").trim();
}

/**
 * A roll whose faces are known, of Foundry's own class: systems put others first in their list.
 *
 * @param {RollData} data
 * @returns {Loose}
 */
export function rollOf(data) {
  const roll = /** @type {Loose} */ (foundry.dice.Roll).fromData(data);
  roll._total = data.total;
  return roll;
}

/**
 * What the rolls of a message came to, and their faces in order.
 *
 * @param {Loose} rolls
 * @returns {{total: number, faces: number[]}[]}
 */
export const facesOfRolls = (rolls) => (Array.isArray(rolls) ? rolls : []).map((roll) => ({
  total: Number(roll?.total),
  faces: (Array.isArray(roll?.terms) ? roll.terms : []).flatMap((/** @type {Loose} */ term) =>
    (Array.isArray(term?.results) ? term.results.map((/** @type {Loose} */ each) => Number(each?.result)) : [])),
}));

/**
 * Create a message under the id it has.
 *
 * @param {object} data
 * @returns {Promise<Loose>}
 */
export const createMessage = (data) => /** @type {Loose} */ (foundry.documents.ChatMessage).create(data, { keepId: true });

/**
 * What a hook gives as element: an element, or a wrapping of an older kind around it.
 *
 * @param {Loose} html
 * @returns {HTMLElement | null}
 */
export function elementOf(html) {
  const element = html?.nodeType === 1 ? html : html?.[0];
  return element?.nodeType === 1 ? element : null;
}

/**
 * Entries of a window's header menu, for sheets of both kinds.
 *
 * @param {(actor: Loose) => {icon: string, label: string, action: string, act: () => void}[]} entries
 */
export function onActorSheetMenus(entries) {
  const add = (/** @type {Loose} */ app, /** @type {Loose[]} */ controls, /** @type {boolean} */ old) => {
    const actor = app?.document ?? app?.actor ?? app?.object;
    if (actor?.documentName !== "Actor" || !Array.isArray(controls)) return;
    for (const { icon, label, action, act } of entries(actor)) {
      if (controls.some((control) => (control.action ?? control.class) === action)) continue;
      controls.push(old ? { class: action, icon, label, onclick: act } : { action, icon, label, onClick: act });
    }
  };
  const on = /** @type {Loose} */ (Hooks.on).bind(Hooks);
  on("getHeaderControlsActorSheetV2", (/** @type {Loose} */ app, /** @type {Loose[]} */ controls) => add(app, controls, false));
  on("getActorSheetHeaderButtons", (/** @type {Loose} */ app, /** @type {Loose[]} */ controls) => add(app, controls, true));
}

/**
 * A button among the tools of the tokens. Either generation may leave a record of tools out.
 *
 * @param {Loose} controls
 * @param {{name: string, title: string, icon: string, act: () => void}} tool
 */
export function addTokenTool(controls, { name, title, icon, act }) {
  const tokens = controls?.tokens;
  if (tokens === undefined) return;
  tokens.tools ??= {};
  const order = Object.keys(tokens.tools).length;
  tokens.tools[name] = { name, title, icon, order, button: true, visible: true, onChange: act };
}

/**
 * Listen to a hook whose type the published types get wrong, or that another module brings.
 *
 * @param {string} name
 * @param {(...args: Loose[]) => unknown} listener
 */
export const on = (name, listener) => /** @type {Loose} */ (Hooks).on(name, listener);

/** @returns {Loose} the 3D dice of another module, where it is there and running */
export const dice3d = () => /** @type {Loose} */ (game).dice3d;

/**
 * A setting of ours that no form shows. The types of generation 13 take data models only, Foundry takes plain classes.
 *
 * @param {string} key
 * @param {{scope: "client" | "world", config: false, type: ObjectConstructor | ArrayConstructor, default: object, onChange?: () => void}} setting
 */
export const registerSetting = (key, setting) => /** @type {Loose} */ (game.settings).register("boonbridge", key, setting);

/**
 * A switch on Foundry's own page of settings, on unless somebody turns it off.
 *
 * @param {string} key
 * @param {{scope: "client" | "world", name: string, hint: string, default?: boolean, onChange: () => void}} setting its words by their keys
 */
export const registerSwitch = (key, setting) => /** @type {Loose} */ (game.settings).register("boonbridge", key, {
  config: true, type: Boolean, default: true, ...setting,
});

/**
 * One of a few, on Foundry's own page of settings.
 *
 * @param {string} key
 * @param {{scope: "client" | "world", name: string, hint: string, default: string, choices: Record<string, string>, onChange: () => void}} setting its words by their keys
 */
export const registerChoice = (key, setting) => /** @type {Loose} */ (game.settings).register("boonbridge", key, { config: true, type: String, ...setting });

/** @param {string} key @returns {string} what was chosen there */
export const chosenOf = (key) => String(/** @type {Loose} */ (game.settings).get("boonbridge", key));

/** @returns {{id: string, name: string, img?: string}[]} the status icons of this world; generation 14 answers by id, systems put lists or records there */
export function statusIcons() {
  const all = /** @type {Loose} */ (CONFIG).statusEffects ?? [];
  return (Array.isArray(all) ? all : Object.values(all)).filter((/** @type {Loose} */ each) => typeof each?.id === "string" && each.id !== "");
}

/**
 * Whom an effect changes: the actor it is on, or the one whose item carries it.
 *
 * @param {Loose} effect
 * @returns {Loose} null where nobody
 */
export function bearerOf(effect) {
  const parent = effect?.parent;
  if (parent?.documentName === "Actor") return parent;
  return parent?.documentName === "Item" && effect.transfer !== false && parent.parent?.documentName === "Actor" ? parent.parent : null;
}

/**
 * A key that people may change. Foundry writes modifiers as browsers do, its types otherwise.
 *
 * @param {string} action
 * @param {{name: string, key: string, modifiers: string[], act: () => void}} binding
 */
export function registerKey(action, { name, key, modifiers, act }) {
  const onDown = () => {
    act();
    return true;
  };
  /** @type {Loose} */ (game.keybindings).register("boonbridge", action, { name, editable: [{ key, modifiers }], onDown });
}

/** @param {{name: string, type: string, img: string, command: string}} data */
export const createMacro = (data) => /** @type {Loose} */ (foundry.documents.Macro).create(data);
