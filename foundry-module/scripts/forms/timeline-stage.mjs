/**
 * One moment of the log as it was: its cards, what came of them later, and beside them how the table stood. It is given what it
 * shows.
 *
 * Hooks: moment; later [data-seq, data-kind]; stood (forms/timeline-stood.mjs).
 */

/** @import { Commit } from "../client/types.mjs" */
/** @import { Words } from "../client/words.mjs" */
/** @import { LaterLine } from "./timeline-later.mjs" */
/** @import { PastModel } from "./timeline-past.mjs" */

import { announcementOf, cardsOf } from "../cards/card.mjs";
import { el, phrase } from "../cards/dom.mjs";
import { unique } from "./parts.mjs";
import { stoodView } from "./timeline-stood.mjs";

export class TimelineStage {
  /**
   * @param {Words} words
   * @param {(seq: number) => void} goTo
   */
  constructor(words, goTo) {
    this.words = words;
    this.goTo = goTo;
    this.moment = el("div", { class: "timeline-cards", "data-testid": "moment" });
    this.later = el("ul", { class: "timeline-later", hidden: true });
    const heading = unique("stood");
    this.stoodTitle = el("h3", { id: heading });
    this.stood = el("div", { class: "timeline-table" });
    this.root = el("div", { class: "timeline-stage", tabindex: "0", role: "group", "aria-label": words.say("replay.stage") },
      el("div", { class: "timeline-then" }, this.moment, this.later),
      el("section", { class: "timeline-stood", "aria-labelledby": heading, "data-testid": "stood" }, this.stoodTitle, this.stood));
  }

  /** @param {boolean} busy another moment is being read */
  set busy(busy) {
    if (busy) this.root.setAttribute("aria-busy", "true");
    else this.root.removeAttribute("aria-busy");
  }

  clear() {
    for (const place of [this.moment, this.later, this.stood, this.stoodTitle]) place.replaceChildren();
  }

  /** There is not one commit of which this person can see anything. */
  empty() {
    this.clear();
    this.later.hidden = true;
    this.moment.append(el("div", { class: "empty" }, el("p", {}, el("strong", {}, this.words.say("replay.empty"))), el("p", {}, this.words.say("replay.emptyNext"))));
  }

  /**
   * @param {PastModel} past
   * @param {number} seq
   * @param {Commit | undefined} commit
   * @returns {string} the same in a sentence, for those who do not see it
   */
  show(past, seq, commit) {
    const { words } = past;
    const context = past.cardContext(this.goTo);
    const cards = commit === undefined ? [] : cardsOf(context, commit);
    this.moment.replaceChildren(...(cards.length > 0
      ? cards
      : [el("p", { class: "help timeline-nothing" }, words.say(commit?.t === "logged" ? "replay.quiet" : "replay.hidden", { seq }))]));
    this.stoodTitle.replaceChildren(...phrase(words, "replay.stood", { seq }));
    this.stood.replaceChildren(...stoodView(past).filter((each) => each !== null));
    const told = commit === undefined ? "" : announcementOf(context, commit);
    return told === "" ? this.moment.textContent ?? "" : words.say("replay.said", { seq, what: told });
  }

  /** @param {readonly LaterLine[]} lines what came of it later */
  showLater(lines) {
    this.later.hidden = lines.length === 0;
    this.later.replaceChildren(...lines.map(({ key, seq }) => el("li", { "data-seq": seq, "data-kind": key.slice("replay.later.".length), "data-testid": "later" },
      el("button", { type: "button", class: "bb-link", onclick: () => this.goTo(seq) }, this.words.say(key, { seq })))));
  }
}
