/** The Boons of the whole group, and the game's own moves for those who may make them. */

/** @import { PoolEntry, VerbSpec } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { el } from "../cards/dom.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { isOn, verbsOf } from "./verbs.mjs";

/** More than these are told in words only. */
const PIPS = 20;

/**
 * How many are held, as dots.
 *
 * @param {PoolEntry} pool
 */
export const pips = ({ cap, held }) => el("span", { class: "pips", "aria-hidden": "true" },
  cap <= PIPS ? Array.from({ length: cap }, (_, index) => el("span", { class: "pip", "data-full": index < held })) : []);

export class PoolView {
  /**
   * @param {TableModel} model
   * @param {(verb: VerbSpec) => void} use
   */
  constructor(model, use) {
    this.model = model;
    this.use = use;
    this.root = el("section", { class: "panel pool", hidden: true, "data-testid": "pool" });
  }

  draw() {
    const { pool } = this.model;
    const verbs = verbsOf(this.model);
    this.root.hidden = pool === undefined && verbs.length === 0;
    if (pool !== undefined) this.root.dataset.held = String(pool.held);
    keepPlace(this.root, () => this.root.replaceChildren(
      ...this.#pool(),
      ...(verbs.length === 0 ? [] : [el("div", { class: "verbs" }, verbs.map((verb) => this.#verb(verb)))]),
    ));
  }

  #pool() {
    const { pool, words } = this.model;
    if (pool === undefined) return [];
    return [
      el("h2", {}, words.say("pool.title")),
      pips(pool),
      el("span", { class: "pool-words" }, words.say("pool.held", { held: pool.held, cap: pool.cap })),
    ];
  }

  /** @param {VerbSpec} verb */
  #verb(verb) {
    const { params = [] } = verb;
    const pressed = params.length === 1 && params[0].kind === "flag" ? String(isOn(this.model, verb)) : null;
    return el("button", {
      type: "button",
      class: "button small",
      "data-verb": verb.key,
      "data-focus": `verb ${verb.key}`,
      title: verb.help || null,
      "aria-pressed": pressed,
      onclick: () => this.use(verb),
    }, verb.label);
  }
}
