/**
 * With which visibility a roll begins, why, and what else it may be. Dialogs, other dice, macros and chat commands all ask
 * here: a table's rule for its GM's rolls, what a request asks, and what somebody is used to come together in one place.
 */

/** @import { ActorEntry, RollCheck } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

/** @typedef {NonNullable<RollCheck["mode"]>} Mode */

/** How a request may be rolled, from open to hidden: what only its roller saw would answer nobody. */
export const ASKED_MODES = /** @type {const} */ (["public", "gm", "blind", "secret"]);
/** How somebody's rolls may usually be seen. */
export const OWN_MODES = /** @type {const} */ (["public", "gm", "blind", "self"]);
const MODES = /** @type {const} */ ([...ASKED_MODES, "self"]);
const ORDER = /** @type {const} */ (["public", "gm", "self", "blind", "secret"]);

/**
 * How this person's rolls are seen unless something says otherwise. The place knows: the page keeps it, Foundry has it.
 *
 * @typedef {object} Habit
 * @property {() => Mode} mode
 * @property {((mode: Mode) => void) | null} keep null: it is changed elsewhere
 * @property {string} said the sentence that says so
 * @property {boolean} stub whether a hidden roll leaves something that everybody's client gets
 */

/** @type {Habit} */
export const OPEN_HABIT = { mode: () => "public", keep: null, said: "mode.why.kept", stub: false };

/**
 * What a roll is about, as far as its visibility depends on it.
 *
 * @typedef {object} About
 * @property {string} who by ids; another is another roll
 * @property {readonly (Pick<ActorEntry, "side" | "owners"> | null)[]} rollers null: somebody the table does not know yet
 * @property {Mode | null} [asked] as a request asks for it
 * @property {boolean} [dice] other dice than those of a check
 */

/**
 * `why`: a key of the sentence that says why it does not begin open; empty where it does. `modes`: what it may be, from open
 * to hidden.
 *
 * @typedef {{mode: Mode, why: string, modes: readonly Mode[]}} Beginning
 */

/**
 * @param {TableModel} model
 * @param {Omit<About, "who">} about
 * @returns {Beginning}
 */
export function beginning(model, { rollers, asked = null, dice = false }) {
  const own = model.habit.mode();
  if (model.option("dice_public") === true) return { mode: "public", why: own === "public" ? "mode.allPublic" : "mode.allPublicOwn", modes: ["public"] };
  const refused = dice || !rollers.some((one) => one?.side === "party") ? [] : model.ruleset.partyRefuses ?? [];
  const offered = asked === null ? MODES : ASKED_MODES.slice(Math.max(0, ASKED_MODES.findIndex((mode) => mode === asked)));
  const modes = offered.filter((mode) => !refused.includes(mode));
  const usual = asked ?? (model.isGm && rollers.some((one) => isNobodys(model, one)) ? ruled(model) : "public");
  const wanted = stricter(usual, own);
  const mode = nearest(wanted, modes);
  if (mode !== usual) return { mode, why: mode === own ? model.habit.said : "mode.why.nearest", modes };
  return { mode, why: mode === "public" ? "" : asked === null ? "mode.why.npc" : "mode.why.asked", modes };
}

/** @param {TableModel} model @returns {Mode} */
function ruled(model) {
  const value = model.option("npc_rolls");
  return MODES.find((mode) => mode === value) ?? "public";
}

/**
 * Whether a GM plays somebody: he is not of the party, and no player owns him. Of somebody unknown that is believed.
 *
 * @param {TableModel} model
 * @param {Pick<ActorEntry, "side" | "owners"> | null} actor
 */
const isNobodys = ({ client }, actor) => actor === null || (actor.side !== "party" && actor.owners.every((owner) => client.person(owner)?.role === "gm"));

/**
 * @param {Mode} one
 * @param {Mode} other
 */
const stricter = (one, other) => (ORDER.indexOf(one) < ORDER.indexOf(other) ? other : one);

/**
 * What a roll may be, as hidden as it was wanted or else a little less.
 *
 * @param {Mode} wanted
 * @param {readonly Mode[]} modes
 */
function nearest(wanted, modes) {
  const may = ORDER.slice(0, ORDER.indexOf(wanted) + 1).filter((mode) => modes.includes(mode));
  return may[may.length - 1] ?? modes[0];
}

/** The visibility of the roll that is put together: as it begins, until somebody chooses another for this one roll. */
export class ModeChoice {
  /** @type {Mode | null} what was chosen */
  #chosen = null;
  #for = "";

  /**
   * @param {TableModel} model
   * @param {() => About} about
   */
  constructor(model, about) {
    this.model = model;
    this.about = about;
  }

  get begins() {
    return beginning(this.model, this.about());
  }

  /** @returns {Mode | null} what was chosen for this roll; null: nothing */
  get chosen() {
    return this.#chosen;
  }

  /** @returns {Mode} What was chosen for somebody else counts only where it hides more. */
  get mode() {
    const { mode, modes } = this.begins;
    if (this.#chosen === null) return mode;
    return nearest(this.#for === this.about().who ? this.#chosen : stricter(mode, this.#chosen), modes);
  }

  /** @param {Mode} mode */
  choose(mode) {
    this.#chosen = mode;
    this.#for = this.about().who;
  }

  /** The next roll begins anew. */
  forget() {
    this.#chosen = null;
  }
}
