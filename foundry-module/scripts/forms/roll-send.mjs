/** From the click to the log: what is said beside the button while a command is on its way, and what came of it. */

/** @import { Command, Outcome, Progress } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { el } from "../cards/dom.mjs";

export class SendStatus {
  /** @param {TableModel} model */
  constructor(model) {
    this.model = model;
    this.root = el("p", { class: "send-status", role: "status", hidden: true, "data-testid": "send-status" });
  }

  /**
   * @param {Command} cmd
   * @returns {Promise<Outcome>}
   */
  async send(cmd) {
    this.clear();
    const outcome = await this.model.send(cmd, (progress) => this.#progress(progress));
    const { words } = this.model;
    this.root.dataset.code = outcome.code ?? "";
    if (!outcome.ok) this.say(words.refusal(outcome), outcome.code === "command.withdrawn" ? "warning" : "trouble");
    else if (outcome.late) this.say(words.say("send.late", { seq: outcome.seq ?? "" }), "warning");
    else if (outcome.changed === false) this.say(words.say("send.unchanged"));
    else this.clear();
    return outcome;
  }

  clear() {
    this.root.hidden = true;
    this.root.textContent = "";
  }

  /**
   * @param {string} text
   * @param {"plain" | "warning" | "trouble"} [tone]
   */
  say(text, tone = "plain") {
    this.root.textContent = text;
    this.root.dataset.tone = tone;
    this.root.hidden = false;
  }

  /** @param {Progress} progress */
  #progress({ phase, ms = 0 }) {
    if (phase === "sent") return;
    this.say(this.model.words.say(`send.${phase}`, { seconds: Math.ceil(ms / 1000) }), "warning");
  }
}
