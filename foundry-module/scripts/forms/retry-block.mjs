/** The same failed before: what is different now? Ready words, or words of one's own. Hooks: retry, retry-changed. */

/** @import { RollState } from "./roll-state.mjs" */
/** @import { PreviewRow } from "../client/types.mjs" */

import { el } from "../cards/dom.mjs";

export class RetryBlock {
  /** @param {Pick<RollState, "model" | "changed" | "mustSayChange">} state */
  constructor(state) {
    const { words } = state.model;
    this.state = state;
    this.chips = el("div", { class: "chips" });
    this.input = el("input", {
      type: "text",
      maxlength: 80,
      placeholder: words.say("retry.placeholder"),
      "aria-label": words.say("retry.what"),
      "data-testid": "retry-changed",
      oninput: () => this.#set(this.input.value),
    });
    this.root = el("fieldset", { class: "retry", hidden: true, "data-testid": "retry" }, el("legend", {}, words.say("retry.title")), this.chips, this.input);
  }

  /** Whether the roll still has to say what changed. */
  get isMissing() {
    return !this.root.hidden && this.state.changed.trim() === "";
  }

  /** @param {readonly PreviewRow[]} rows what the bridge says of the roll as it stands */
  judged(rows) {
    this.ask(rows.some((row) => row.retry === "ask"));
  }

  /** @param {boolean} asks whether the bridge wants to be told */
  ask(asks) {
    this.state.mustSayChange = asks;
    if (asks && this.root.hidden) this.#draw();
    this.root.hidden = !asks;
  }

  /** Draw the eye to what is missing. */
  point() {
    this.input.scrollIntoView({ block: "center" });
    this.input.focus();
  }

  #draw() {
    const { changes = [] } = this.state.model.ruleset;
    this.chips.hidden = changes.length === 0;
    this.chips.replaceChildren(...changes.map((change) =>
      el("button", { type: "button", class: "chip", "data-change": change, onclick: () => this.#set(this.state.changed === change ? "" : change, true) }, change)));
    this.#set(this.state.changed, true);
  }

  /**
   * @param {string} text
   * @param {boolean} [fill] the field shows it too
   */
  #set(text, fill = false) {
    this.state.changed = text;
    if (fill) this.input.value = text;
    for (const chip of this.chips.children) chip.setAttribute("aria-pressed", String(chip.textContent === text));
  }
}
