/** Which evening it is; for GMs, where it begins and ends. Hooks: session [data-number, data-running] (start-session, end-session). */

/** @import { TableModel } from "./model.mjs" */

import { el } from "../cards/dom.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { button } from "./parts.mjs";
import { sessionOf } from "./play.mjs";
import { sessionTitle } from "./session-acts.mjs";

/**
 * @typedef {object} SessionDoing
 * @property {() => void} start
 * @property {() => void} end
 */

export class SessionView {
  /**
   * @param {TableModel} model
   * @param {SessionDoing} doing
   */
  constructor(model, doing) {
    this.model = model;
    this.doing = doing;
    this.root = el("section", { class: "panel session", hidden: true, "data-testid": "session" });
  }

  draw() {
    const { model, doing } = this;
    const { words, isGm } = model;
    const session = sessionOf(model);
    const running = session?.running === true;
    // An older bridge knows no evenings.
    this.root.hidden = !model.client.can("requests") || (session === undefined && !isGm);
    this.root.dataset.number = String(session?.number ?? 0);
    this.root.dataset.running = String(running);
    const title = session === undefined ? words.say("session.none") : running ? sessionTitle(model, session) : words.say("session.last", { n: session.number });
    keepPlace(this.root, () => this.root.replaceChildren(
      el("p", { class: running ? "session-now" : "quiet-text" }, title),
      ...(isGm
        ? [running
          ? button(words.say("session.end"), () => doing.end(), { class: "button small", "data-testid": "end-session", "data-focus": "session" })
          : button(words.say("session.start"), () => doing.start(), { class: "button small", "data-testid": "start-session", "data-focus": "session" })]
        : []),
    ));
  }
}
