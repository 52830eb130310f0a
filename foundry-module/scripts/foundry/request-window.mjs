/** *Ask for a check*: the form of the table page in a window. It follows the table while it is open. */

/** @import { TableModel } from "../forms/model.mjs" */
/** @import { Asked } from "../forms/request-state.mjs" */

import { el } from "../cards/dom.mjs";
import { onEscape } from "../forms/keys.mjs";
import { RequestForm } from "../forms/request-form.mjs";
import { link } from "./link.mjs";
import { saveForm } from "./save-form.mjs";
import { Listening, openWindow, stateHint } from "./windows.mjs";

const CALM_MS = 60;

class RequestContent {
  #listening = new Listening();
  #later = 0;
  /** @type {TableModel | null} what the form was made for */
  #model = null;
  /** @type {RequestForm | null} */
  #form = null;

  /**
   * @param {Asked} asked
   * @param {{again: () => void, close: () => void, isOpen: () => boolean}} handle
   */
  constructor(asked, handle) {
    this.asked = asked;
    this.handle = handle;
    this.#listening.until(link.on("entries", () => this.#soon()));
    this.#listening.until(link.on("state", () => this.#soon()));
  }

  build() {
    const { model } = link;
    if (model === null || !link.isGm) return stateHint("request-away");
    const { words } = model;
    const form = new RequestForm(model, (text) => ui.notifications?.info(text), this.asked);
    this.#model = model;
    this.#form = form;
    return saveForm({
      attributes: { "data-testid": "request-window", onkeydown: onEscape(this.handle.close) },
      body: form.root,
      cancel: this.handle.close,
      submit: el("button", { type: "submit", "data-primary": true, "data-testid": "request-ask" }, words.say("request.ask")),
      save: () => form.save(),
      done: this.handle.close,
    });
  }

  shown() {
    this.#form?.action.focus();
  }

  closed() {
    window.clearTimeout(this.#later);
    this.#listening.stop();
  }

  #soon() {
    window.clearTimeout(this.#later);
    this.#later = window.setTimeout(() => {
      if (!this.handle.isOpen()) return;
      if (this.#form === null || this.#model !== link.model) this.handle.again();
      else this.#form.update();
    }, CALM_MS);
  }
}

/** @param {Asked} [asked] what is filled in already */
export function openRequest(asked = {}) {
  const { words } = link;
  openWindow({
    id: "boonbridge-request", title: words.say("request.title"), icon: "clipboard-question", kind: "boonbridge-request", width: 460,
  }, (handle) => new RequestContent(asked, handle));
}
