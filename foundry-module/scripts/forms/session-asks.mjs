/**
 * What a GM is asked about the evening: whether a new one has begun, and whether it is over now that the last player has
 * left. Hooks: session-asks [data-asks] (new-evening, same-evening, close-evening, not-yet).
 */

/** @import { Person } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Tell } from "./standing-acts.mjs" */

import { el } from "../cards/dom.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { button } from "./parts.mjs";
import { sessionOf } from "./play.mjs";
import { sessionSend } from "./session-acts.mjs";

export class SessionAsks {
  #players = 0;
  #left = false;

  /**
   * @param {TableModel} model
   * @param {{tell: Tell, end: () => void}} doing `end`: ask how it ends
   */
  constructor(model, doing) {
    this.model = model;
    this.doing = doing;
    this.root = el("div", { class: "band session-asks", hidden: true, role: "status", "data-testid": "session-asks" });
  }

  /** @returns {"new_evening" | "close" | null} */
  get asks() {
    const { model } = this;
    const session = sessionOf(model);
    if (model.client.welcome === null || !model.isGm || session === undefined) return null;
    if (session.asks === "new_evening") return "new_evening";
    return this.#left && session.running ? "close" : null;
  }

  /** @param {readonly Person[]} people */
  presence(people) {
    const players = people.filter((person) => person.role === "player" && person.online).length;
    if (players > 0) this.#left = false;
    else if (this.#players > 0) this.#left = true;
    this.#players = players;
    this.draw();
  }

  draw() {
    const { asks, model } = this;
    const { words } = model;
    this.root.hidden = asks === null;
    this.root.dataset.asks = asks ?? "";
    if (asks === null) {
      this.root.replaceChildren();
      return;
    }
    const small = (/** @type {string} */ text, /** @type {string} */ testid, /** @type {() => void} */ click) =>
      button(text, click, { class: "button small", "data-testid": testid, "data-focus": testid });
    keepPlace(this.root, () => this.root.replaceChildren(
      el("p", {}, words.say(asks === "close" ? "session.asksClose" : "session.asksNew")),
      ...(asks === "close"
        ? [
          small(words.say("session.end"), "close-evening", () => this.doing.end()),
          small(words.say("session.notYet"), "not-yet", () => {
            this.#left = false;
            this.draw();
          }),
        ]
        : [
          small(words.say("session.new"), "new-evening", () => void this.#anew()),
          small(words.say("session.same"), "same-evening", () => void this.#send({ t: "ContinueSession" })),
        ]),
    ));
  }

  /** The one that still runs ends first. */
  async #anew() {
    if (sessionOf(this.model)?.running && !(await this.#send({ t: "EndSession" }))) return;
    await this.#send({ t: "StartSession" });
  }

  /** @param {import("../client/types.mjs").Command} cmd */
  async #send(cmd) {
    const wrong = await sessionSend(this.model, cmd);
    if (wrong !== null) this.doing.tell(wrong, { tone: "trouble" });
    return wrong === null;
  }
}
