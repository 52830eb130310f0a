/**
 * For GMs: open requests, wherever the log has scrolled to, and where a new one begins.
 * Hooks: requests; ask-check; open-request [data-request] (answer, roll-missing, close-request, show-request).
 */

/** @import { RequestDoing } from "../cards/context.mjs" */
/** @import { RequestRecord } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { bdi, el } from "../cards/dom.mjs";
import { glyph } from "../cards/glyphs.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { checksLine, missingIn, requestTitle } from "../cards/request-words.mjs";
import { button } from "./parts.mjs";
import { openRequests } from "./play.mjs";

export class RequestsView {
  /**
   * @param {TableModel} model
   * @param {RequestDoing & {open: () => void, show: ((seq: number) => void) | null}} doing
   */
  constructor(model, doing) {
    this.model = model;
    this.doing = doing;
    this.context = model.cardContext(() => {});
    this.root = el("section", { class: "panel requests", hidden: true, "data-testid": "requests" });
  }

  draw() {
    const { model } = this;
    const { words, isGm } = model;
    this.root.hidden = !model.client.can("requests") || !isGm;
    if (this.root.hidden) return;
    const open = openRequests(model);
    keepPlace(this.root, () => this.root.replaceChildren(
      button(words.say("request.open"), () => this.doing.open(), { class: "button small ask-check", "data-testid": "ask-check", "data-focus": "ask-check" }),
      ...(open.length === 0 ? [] : [el("ul", { class: "open-requests" }, open.map((request) => this.#request(request)))]),
    ));
    this.root.querySelector(".ask-check")?.prepend(glyph("people"));
  }

  /** @param {RequestRecord} request */
  #request(request) {
    const { model, doing, context } = this;
    const { words } = model;
    const missing = missingIn(request).length;
    const all = request.rows.length;
    const small = (/** @type {string} */ text, /** @type {string} */ testid, /** @type {() => void} */ click) =>
      button(text, click, { class: "button small", "data-testid": testid, "data-focus": `${testid} ${request.id}` });
    return el(
      "li",
      { class: "open-request", "data-request": request.id, "data-testid": "open-request" },
      el("p", {}, el("strong", {}, bdi(requestTitle(context, request))), request.action ? el("small", {}, ` ${checksLine(context, request)}`) : null),
      el("p", { class: "quiet-text" }, words.say("request.progress", { done: all - missing, all })),
      el("div", { class: "open-request-buttons" },
        missing > 0 ? small(words.say("request.rollMissing"), "roll-missing", () => doing.rollMissing(request)) : null,
        small(words.say("request.close"), "close-request", () => doing.close(request)),
        doing.show === null ? null : small(words.say("request.show"), "show-request", () => doing.show?.(Number(request.id)))),
    );
  }
}
