/**
 * A request that waits for one's own actor: in sight whatever else is open, with the button that answers it.
 * Hooks: request-prompts; request-prompt [data-request] (prompt-row [data-actor] with answer, decline).
 */

/** @import { RequestDoing } from "../cards/context.mjs" */
/** @import { RequestRecord, RequestRow } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { bdi, el, phrase } from "../cards/dom.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { checksLine, groupWords, listed } from "../cards/request-words.mjs";
import { button } from "./parts.mjs";
import { WaitsAloud } from "./pending-bar.mjs";
import { mineIn, openRequests } from "./play.mjs";

export class RequestPrompts {
  /**
   * @param {TableModel} model
   * @param {RequestDoing} asks
   */
  constructor(model, asks) {
    this.model = model;
    this.asks = asks;
    this.context = model.cardContext(() => {});
    this.rows = el("section", { class: "request-prompts", hidden: true, "aria-label": model.words.say("request.pending"), "data-testid": "request-prompts" });
    this.waits = new WaitsAloud(model.words);
    this.root = el("div", { class: "request-place" }, this.rows, this.waits.root);
  }

  draw() {
    const { model } = this;
    const waiting = openRequests(model).flatMap((request) => {
      const rows = mineIn(model, request);
      return rows.length === 0 ? [] : [this.#prompt(request, rows)];
    });
    this.rows.hidden = waiting.length === 0;
    keepPlace(this.rows, () => this.rows.replaceChildren(...waiting));
    this.waits.say(this.rows.querySelectorAll(".request-prompt-row").length);
  }

  /**
   * @param {RequestRecord} request
   * @param {readonly RequestRow[]} rows
   */
  #prompt(request, rows) {
    const { model, context } = this;
    const { words } = model;
    const who = context.personName(request.by) ?? words.say("choice.theGm");
    const together = groupWords(context, request);
    return el(
      "div",
      { class: "request-prompt", "data-request": request.id, "data-testid": "request-prompt" },
      el("div", { class: "request-prompt-words" },
        el("p", { class: "quiet-text" }, phrase(words, "request.asks", { who, name: listed(rows.map((row) => row.name)) }), request.expiresAt ? ` \u00b7 ${words.say("request.until", { time: context.clock(request.expiresAt) })}` : ""),
        request.action ? el("p", {}, el("strong", {}, bdi(request.action))) : null,
        el("p", { class: request.action ? "quiet-text" : "" }, checksLine(context, request), together === "" ? "" : ` \u00b7 ${together}`)),
      el("div", { class: "request-prompt-rows" }, rows.map((row) => this.#row(request, row))),
    );
  }

  /**
   * @param {RequestRecord} request
   * @param {RequestRow} row
   */
  #row(request, row) {
    const { words } = this.model;
    return el(
      "div",
      { class: "request-prompt-row", "data-actor": row.actor, "data-testid": "prompt-row" },
      button(words.say("request.rollFor", { name: row.name }), () => this.asks.answer(request, row.actor), { "data-primary": true, "data-testid": "answer", "data-focus": `answer ${request.id} ${row.actor}` }),
      this.model.pace.atOnce()
        ? button(words.say("request.look"), () => this.asks.look(request, row.actor), { class: "bb-link", "aria-label": `${words.say("request.look")}: ${row.name}`, "data-testid": "look", "data-focus": `look ${request.id} ${row.actor}` })
        : null,
      button(words.say("request.decline"), () => this.asks.decline(request, row.actor), { class: "bb-link", "aria-label": `${words.say("request.decline")}: ${row.name}`, "data-testid": "decline", "data-focus": `decline ${request.id} ${row.actor}` }),
    );
  }
}
