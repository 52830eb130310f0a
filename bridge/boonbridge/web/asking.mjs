/**
 * Requests and evenings on the page: what waits for this person stands on top, with the windows in which it is answered,
 * asked for, begun and ended.
 *
 * Hooks: request-dialog (forms/request-form.mjs), answer-dialog (forms/answer-panel.mjs), missing-dialog, session-dialog,
 * end-dialog (forms/session-acts.mjs), request-prompts, session-asks.
 */

/** @import { RequestRecord } from "../client/types.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */
/** @import { Asked } from "../forms/request-state.mjs" */
/** @import { Notices } from "./notices.mjs" */

import { el } from "../cards/dom.mjs";
import { glyph } from "../cards/glyphs.mjs";
import { AnswerPanel } from "../forms/answer-panel.mjs";
import { answeredAtOnce } from "../forms/at-once.mjs";
import { unique } from "../forms/parts.mjs";
import { requestActs } from "../forms/request-acts.mjs";
import { RequestForm } from "../forms/request-form.mjs";
import { RequestPrompts } from "../forms/request-prompt.mjs";
import { SeenWatch } from "../forms/seen-watch.mjs";
import { endForm, startForm } from "../forms/session-acts.mjs";
import { SessionAsks } from "../forms/session-asks.mjs";
import { confirm, openDialog } from "./dialogs.mjs";

export class Asking {
  /** @type {Set<{update: () => void, live?: () => void}>} what is open and follows the table */
  #open = new Set();

  /**
   * @param {TableModel} model
   * @param {Notices} notices
   */
  constructor(model, notices) {
    this.model = model;
    this.notices = notices;
    this.acts = requestActs(model, notices.tell, {
      answer: async (request, actor) => {
        if (!(await answeredAtOnce(model, request, actor))) this.#answer(request, actor);
      },
      look: (request, actor) => this.#answer(request, actor),
      sure: (title, text, label, act) => confirm(model.words, { title, text, label, act }),
      ask: (title, body, label, act) => openDialog(model.words, { title, body, testid: "missing-dialog", done: { label, act } }),
    });
    model.asks = this.acts;
    this.prompts = new RequestPrompts(model, this.acts);
    this.asks = new SessionAsks(model, { tell: notices.tell, end: () => this.endSession() });
    this.seen = new SeenWatch(() => (model.client.welcome === null ? null : model));
  }

  /** The table changed. */
  draw() {
    this.prompts.draw();
    this.asks.draw();
    for (const open of [...this.#open]) open.update();
  }

  /** The bridge is back. */
  live() {
    for (const open of [...this.#open]) open.live?.();
  }

  /** Tell GMs which requests are on the screen. @param {HTMLElement} page */
  look(page) {
    this.seen.watch(page);
  }

  /** @param {Asked} [asked] */
  open(asked) {
    const { model, notices } = this;
    const { words } = model;
    const form = new RequestForm(model, notices.tell, asked);
    const { dialog } = openDialog(words, {
      title: words.say("request.title"),
      testid: "request-dialog",
      body: form.root,
      done: { label: words.say("request.ask"), act: () => form.save() },
    });
    this.#open.add(form);
    dialog.addEventListener("close", () => this.#open.delete(form));
    form.action.focus();
  }

  startSession() {
    const { words } = this.model;
    const form = startForm(this.model);
    openDialog(words, { title: words.say("session.startTitle"), testid: "session-dialog", body: form.root, done: { label: words.say("session.begin"), act: form.save } });
  }

  endSession() {
    const { words } = this.model;
    const form = endForm(this.model);
    openDialog(words, { title: words.say("session.endTitle"), testid: "end-dialog", body: form.root, done: { label: words.say("session.endLabel"), act: form.save } });
  }

  /**
   * @param {RequestRecord} request
   * @param {string} actor
   */
  #answer(request, actor) {
    const { model } = this;
    const { words } = model;
    const heading = unique("dialog");
    const dialog = el("dialog", { class: "dialog answer-dialog", "aria-labelledby": heading, "data-testid": "answer-dialog" });
    const close = () => dialog.close();
    const panel = new AnswerPanel(model, request, actor, { done: close, cancel: close });
    dialog.append(
      el("header", {}, el("h2", { id: heading }, panel.title),
        el("button", { type: "button", class: "icon-button", "aria-label": words.say("page.close"), onclick: close }, glyph("close"))),
      panel.root,
    );
    this.#open.add(panel);
    dialog.addEventListener("close", () => {
      this.#open.delete(panel);
      panel.forget();
      dialog.remove();
    });
    dialog.addEventListener("mousedown", (event) => event.target === dialog && close());
    document.body.append(dialog);
    dialog.showModal();
    panel.focus();
  }
}
