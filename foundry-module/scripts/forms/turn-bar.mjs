/** The round, whose turn it is, and the public switches of the encounter: in sight of everybody, whatever else is open. */

/** @import { Words } from "../client/words.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { bdi, el, phrase } from "../cards/dom.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { button } from "./parts.mjs";

/**
 * @typedef {object} TurnDoing
 * @property {() => void} endRound
 * @property {() => void} endCombat
 * @property {() => boolean} [tracked] a tracker counts: nothing is to be done by hand
 */

export class TurnBar {
  /**
   * @param {TableModel} model
   * @param {TurnDoing} doing
   */
  constructor(model, doing) {
    this.model = model;
    this.doing = doing;
    this.root = el("div", { class: "turn-bar", hidden: true, "data-testid": "turn-bar" });
  }

  draw() {
    const { turn } = this.model;
    const marks = this.model.marks();
    this.root.hidden = turn === undefined && marks.length === 0;
    this.root.dataset.round = turn === undefined ? "" : String(turn.round);
    this.root.dataset.turn = turn?.actor ?? "";
    keepPlace(this.root, () => this.root.replaceChildren(...[this.#turn(), ...marks.map((mark) => this.#mark(mark)), this.#buttons()].filter((each) => each !== null)));
  }

  #turn() {
    const { turn, words } = this.model;
    if (turn === undefined) return null;
    const name = turn.actor ? this.model.actor(turn.actor)?.name ?? words.say("somebody") : null;
    return el("p", { class: "turn-now" }, el("strong", {}, words.say("turn.round", { round: turn.round })),
      name === null ? null : [" \u00b7 ", phrase(words, "turn.of", { name })]);
  }

  /** @param {ReturnType<TableModel["marks"]>[number]} mark */
  #mark({ spec, value }) {
    const label = spec.values.find((option) => option.value === value)?.label ?? String(value);
    return el(
      "p",
      { class: "turn-mark", "data-mark": spec.key, "data-value": String(value), "data-testid": "mark" },
      el("span", { class: "turn-mark-name" }, `${spec.label}: `, el("strong", {}, bdi(label))),
      // A reminder is of use while the switch is on.
      spec.help && value !== false ? el("small", {}, spec.help) : null,
    );
  }

  #buttons() {
    const { isGm, turn, words } = this.model;
    if (isGm && turn !== undefined && this.doing.tracked?.()) return el("p", { class: "help", "data-testid": "tracked" }, words.say("turn.tracked"));
    return isGm && turn !== undefined ? el("span", { class: "turn-buttons" }, roundButtons(words, this.doing)) : null;
  }
}

/**
 * @param {Words} words
 * @param {TurnDoing} doing
 */
export const roundButtons = (words, { endRound, endCombat }) => [
  button(words.say("turn.endRound"), endRound, { class: "button small", "data-testid": "end-round" }),
  button(words.say("turn.endCombat"), endCombat, { class: "button small", "data-testid": "end-combat" }),
];
