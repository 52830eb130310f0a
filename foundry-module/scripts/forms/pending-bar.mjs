/**
 * What waits for this person's roll, as one wide button where he types. What was asked first is answered first; it goes when
 * nothing waits any more. On the page all of it stands on top (request-prompt.mjs).
 * Hooks: pending-bar [data-count] (pending-roll [data-request, data-actor]); pending-said.
 */

/** @import { RequestRecord } from "../client/types.mjs" */
/** @import { Words } from "../client/words.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { bdi, el, phrase } from "../cards/dom.mjs";
import { requestTitle } from "../cards/request-words.mjs";
import { button } from "./parts.mjs";
import { mineIn, openRequests } from "./play.mjs";

/** How many rolls wait, read aloud when one more does. What went needs no word. */
export class WaitsAloud {
  #count = 0;

  /** @param {Words} words */
  constructor(words) {
    this.words = words;
    this.root = el("div", { class: "bb-unseen", role: "status", "data-testid": "pending-said" });
  }

  /** @param {number} count */
  say(count) {
    if (count > this.#count) this.root.textContent = this.words.count("request.barSaid", count);
    else if (count === 0) this.root.textContent = "";
    this.#count = count;
  }
}

export class PendingBar {
  /** @type {{request: RequestRecord, actor: string} | null} what a click answers */
  #next = null;

  /**
   * @param {TableModel} model
   * @param {(request: RequestRecord, actor: string) => void} answer opens the window in which it is rolled
   */
  constructor(model, answer) {
    this.model = model;
    this.context = model.cardContext(() => {});
    // One button for all of them, so that who is on it stays there while requests come and go.
    this.button = button("", () => this.#next !== null && answer(this.#next.request, this.#next.actor), { "data-primary": true, "data-testid": "pending-roll" });
    this.bar = el("div", { class: "pending-bar", hidden: true, "data-testid": "pending-bar" }, this.button);
    this.waits = new WaitsAloud(model.words);
    this.root = el("div", { class: "pending-place" }, this.bar, this.waits.root);
  }

  draw() {
    const { model, context } = this;
    const { words } = model;
    const waiting = openRequests(model).reverse().flatMap((request) => mineIn(model, request).map((row) => ({ request, row })));
    const [first] = waiting;
    this.#next = first === undefined ? null : { request: first.request, actor: first.row.actor };
    this.bar.hidden = first === undefined;
    this.bar.dataset.count = String(waiting.length);
    if (first !== undefined) {
      const { request, row } = first;
      this.button.dataset.request = request.id;
      this.button.dataset.actor = row.actor;
      this.button.replaceChildren(
        el("span", {}, el("span", {}, phrase(words, "request.rollFor", { name: row.name })), el("small", {}, bdi(requestTitle(context, request)))),
        ...(waiting.length === 1 ? [] : [el("small", { class: "pending-more" }, words.count("request.barMore", waiting.length - 1))]),
      );
    }
    this.waits.say(waiting.length);
  }
}
