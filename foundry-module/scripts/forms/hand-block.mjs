/** Dice that lie on a real table: a face for each die, in the order of the preview. Hooks: hand, hand-faces, hand-count. */

/** @import { RollState } from "./roll-state.mjs" */
/** @import { DieSpec, PreviewRow } from "../client/types.mjs" */

import { el } from "../cards/dom.mjs";
import { readFaces } from "../cards/hand-dice.mjs";
import { unique } from "./parts.mjs";

export class HandBlock {
  /** @type {readonly PreviewRow[]} */
  #rows = [];

  /** @param {Pick<RollState, "model" | "faces">} state */
  constructor(state) {
    const { words } = state.model;
    this.state = state;
    const id = unique("hand");
    this.count = el("p", { class: "help", id, "aria-live": "polite", "data-testid": "hand-count" });
    this.input = el("input", {
      type: "text",
      inputmode: "numeric",
      autocomplete: "off",
      placeholder: words.say("hand.placeholder"),
      "aria-label": words.say("hand.title"),
      "aria-describedby": id,
      "data-testid": "hand-faces",
      oninput: () => {
        state.faces = this.input.value;
        this.#say();
      },
    });
    this.root = el("details", { class: "fold hand", "data-testid": "hand" }, el("summary", {}, words.say("hand.title")),
      el("div", { class: "bb-form" }, this.input, this.count));
  }

  /** Whether this table takes such dice. */
  get isTaken() {
    return this.state.model.option("manual_dice") === true;
  }

  /** What was typed as it is now: after a roll the field is empty again. */
  draw() {
    if (this.input.value !== this.state.faces) this.input.value = this.state.faces;
    if (this.state.faces === "") this.root.open = false;
    this.#say();
  }

  /** @param {readonly PreviewRow[]} rows */
  judged(rows) {
    this.#rows = rows;
    this.#say();
  }

  /** @returns {boolean} whether what was typed can be sent; where not, the field has the focus */
  check() {
    if (!this.isTaken || readFaces(this.state.faces) !== null) return true;
    this.root.open = true;
    this.input.focus();
    return false;
  }

  #say() {
    const { words } = this.state.model;
    const faces = readFaces(this.state.faces);
    const dice = this.#rows.flatMap((row) => row.dice);
    const needed = dice.reduce((sum, die) => sum + (die.count ?? 1), 0);
    const given = faces?.length ?? 0;
    this.count.toggleAttribute("data-wrong", faces === null || given > needed);
    if (faces === null) this.count.textContent = words.say("hand.bad");
    else if (needed === 0) this.count.textContent = "";
    else {
      const values = { given, needed, dice: dice.map((die) => this.#name(die)).join(", ") };
      this.count.textContent = given === 0 ? words.count("hand.needed", needed, values) : words.say("hand.count", values);
    }
  }

  /** @param {DieSpec} die */
  #name({ role, sides, count = 1 }) {
    const label = this.state.model.ruleset.roles.find((each) => each.key === role)?.label ?? "";
    return `${count > 1 ? count : ""}d${sides}${label === "" ? "" : ` ${label}`}`;
  }
}
