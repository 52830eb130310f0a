/** Help that is offered to whoever is about to roll and waits for the GM's word: said in his form, before he rolls without it. */

/** @import { TableModel } from "./model.mjs" */

import { el, phrase } from "../cards/dom.mjs";

export class OfferedHelp {
  /**
   * @param {TableModel} model
   * @param {() => string | null} actor who rolls
   */
  constructor(model, actor) {
    this.model = model;
    this.actor = actor;
    this.root = el("div", { class: "offered-help", role: "status", "data-testid": "offered-help" });
  }

  draw() {
    const { model } = this;
    const actor = this.actor();
    const offers = actor === null ? [] : model.assists(actor);
    const lines = offers.map((offer) => phrase(model.words, "underway.waits", { name: model.actor(offer.helper)?.name ?? model.words.say("somebody") }));
    const now = lines.map((pieces) => pieces.map((piece) => piece.textContent).join("")).join("\n");
    // What is read aloud is drawn anew only where it is another.
    if (this.root.dataset.said === now) return;
    this.root.dataset.said = now;
    this.root.replaceChildren(...lines.map((pieces) => el("p", { class: "help" }, pieces)));
  }
}
