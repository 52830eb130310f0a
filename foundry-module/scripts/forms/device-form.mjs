/**
 * Another device for somebody who is at the table: a short code to be typed there, and the same as a link and to be
 * scanned. Everybody may make one for himself, a GM for anybody.
 *
 * Hooks: device-code [data-state: asking, shown, over, failed], typed-code, invite-link, copy-link, qr, code-again.
 */

/** @import { TableModel } from "./model.mjs" */

import { NoAnswer } from "../client/asker.mjs";
import { el } from "../cards/dom.mjs";
import { linkBlock, typedBlock } from "./code-block.mjs";
import { button } from "./parts.mjs";

export class DeviceForm {
  /**
   * @param {TableModel} model
   * @param {{id: string, name: string}} person
   * @param {string} page address of the table page
   */
  constructor(model, person, page) {
    this.model = model;
    this.person = person;
    this.page = page;
    this.body = el("div", { class: "bb-form" });
    this.root = el("div", { class: "bb-form", "data-testid": "device-code" }, el("p", { class: "help" }, this.#say("help")), this.body);
    void this.make();
  }

  get mine() {
    return this.person.id === this.model.welcome.user;
  }

  /** @param {string} key */
  #say(key) {
    return this.model.words.say(`people.device.${key}.${this.mine ? "mine" : "other"}`, { name: this.person.name });
  }

  async make() {
    const { model, person, page } = this;
    const { words } = model;
    this.#show("asking", el("p", { class: "help", role: "status" }, words.say("people.device.asking")));
    const made = await model.client.makeCode({ kind: "typed", user: person.id, page });
    if (made instanceof NoAnswer) {
      this.#show("failed", el("p", { class: "trouble", role: "alert" }, words.refusal(made)), this.#again());
      return;
    }
    const typed = typedBlock(words, made, () => this.#over());
    const where = page.replace(/^https?:\/\/|\/$/g, "");
    this.#show(
      "shown",
      el("p", {}, words.say("people.device.type", { where })),
      typed,
      made.link ? linkBlock(words, made, words.say("people.device.link")).root : null,
    );
  }

  #over() {
    const { words } = this.model;
    this.#show("over", el("p", { class: "hint", role: "status" }, words.say("people.device.over")), this.#again());
  }

  #again() {
    return button(this.model.words.say("people.device.again"), () => void this.make(), { "data-primary": true, "data-testid": "code-again" });
  }

  /**
   * @param {"asking" | "shown" | "over" | "failed"} state
   * @param {...(HTMLElement | null)} parts
   */
  #show(state, ...parts) {
    this.root.dataset.state = state;
    this.body.replaceChildren(...parts.filter((part) => part !== null));
  }
}
