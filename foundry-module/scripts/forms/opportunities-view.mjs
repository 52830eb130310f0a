/**
 * What waits beside the group's Boons: opportunities for whoever uses them, and resistance that somebody offers.
 * Hooks: waiting; opportunity [data-opportunity, data-sign] (drop), resistance [data-actor].
 */

/** @import { OpportunityRecord, ResistanceEntry } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Tell } from "./standing-acts.mjs" */

import { bdi, el, phrase } from "../cards/dom.mjs";
import { glyph } from "../cards/glyphs.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { opportunityWords } from "./opportunity-block.mjs";
import { mark } from "./parts.mjs";
import { opportunitiesOf, resistancesOf } from "./play.mjs";

export class OpportunitiesView {
  /**
   * @param {TableModel} model
   * @param {Tell} tell
   */
  constructor(model, tell) {
    this.model = model;
    this.tell = tell;
    this.root = el("section", { class: "panel waiting", hidden: true, "data-testid": "waiting" });
  }

  draw() {
    const lines = this.lines();
    this.root.hidden = lines.length === 0;
    keepPlace(this.root, () => this.root.replaceChildren(el("h2", {}, this.model.words.say("opportunity.title")), el("ul", { class: "bb-standings" }, lines)));
  }

  /** @returns {HTMLLIElement[]} one for each that waits */
  lines() {
    const { model } = this;
    return [
      ...opportunitiesOf(model).map((opportunity) => this.#opportunity(opportunity)),
      ...resistancesOf(model).map((resistance) => this.#resistance(resistance)),
    ];
  }

  /** @param {OpportunityRecord} opportunity */
  #opportunity(opportunity) {
    const { model } = this;
    const { id, sign, label, by } = opportunity;
    const creator = model.actor(by);
    const may = model.isGm || (creator !== undefined && model.owns(creator));
    return el(
      "li",
      { class: "bb-standing", "data-sign": sign, "data-opportunity": id, "data-testid": "opportunity" },
      el("span", { class: "bb-standing-words" },
        el("span", { class: "bb-standing-name" }, mark(model.words, sign), " ", bdi(label)),
        el("small", {}, opportunityWords(model, opportunity))),
      may ? el("span", { class: "bb-standing-buttons" }, this.#drop(id, label)) : null,
    );
  }

  /**
   * @param {string} id
   * @param {string} label
   */
  #drop(id, label) {
    const { words } = this.model;
    const text = words.say("opportunity.drop", { label });
    return el("button", { type: "button", class: "icon-button", "aria-label": text, title: text, "data-testid": "drop", "data-focus": `drop ${id}`, onclick: () => void this.#send(id) }, glyph("close"));
  }

  /** @param {string} id */
  async #send(id) {
    const outcome = await this.model.send({ t: "DropOpportunity", opportunity: id });
    if (!outcome.ok) this.tell(this.model.words.refusal(outcome), { tone: "trouble" });
  }

  /** @param {ResistanceEntry} resistance */
  #resistance({ actor, skill, difficulty }) {
    const { model } = this;
    const { words } = model;
    const holder = model.actor(actor);
    const label = holder?.numbers?.values?.find((number) => number.key === skill)?.label || words.number(skill);
    return el(
      "li",
      { class: "bb-standing", "data-actor": actor, "data-testid": "resistance" },
      el("span", { class: "bb-standing-words" },
        el("span", { class: "bb-standing-name" }, phrase(words, "opportunity.resists", { name: holder?.name ?? words.say("somebody"), skill: label, difficulty })),
        el("small", {}, words.say("opportunity.resistsDetail"))),
    );
  }
}
