/**
 * A correction put together: take it back, decide it otherwise, show it, let it count. What it would change, and what it
 * could not bring back, is told before it is confirmed; the bridge works both out.
 *
 * Hooks: correction-form, correction-what, correction-outcome, correction-reason, foreseen (`data-state` waiting, shown,
 * refused), foreseen-shows, foreseen-changes, foreseen-left.
 */

/** @import { Command, Source, TableEvent } from "../client/types.mjs" */
/** @import { CardContext, Correctable } from "../cards/context.mjs" */
/** @import { Line } from "../cards/lines.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Tell } from "./standing-acts.mjs" */

import { NoAnswer } from "../client/asker.mjs";
import { effectLines, leftLines } from "../cards/correction-words.mjs";
import { bdi, el, phrase } from "../cards/dom.mjs";
import { linesOf } from "../cards/lines.mjs";
import { toneIcon, unseenIcon } from "../cards/shapes.mjs";
import { field, marked, segments, unique } from "./parts.mjs";

/** @typedef {"void" | "override" | "reveal" | "settle"} Deed */

export class CorrectionForm {
  /** @type {Deed} */
  #deed;
  #outcome = "";
  /** Whether what was told leaves something as it is. */
  #leaves = false;
  #asked = 0;

  /**
   * @param {TableModel} model
   * @param {Correctable} about
   * @param {Tell} tell
   */
  constructor(model, about, tell) {
    const { words } = model;
    this.model = model;
    this.about = about;
    this.tell = tell;
    this.context = model.cardContext(() => {});
    const deeds = deedsFor(model, about);
    this.#deed = deeds[0];
    this.#outcome = outcomesFor(model, about)[0]?.key ?? "";
    this.submit = el("button", { type: "submit", class: "button", "data-primary": true, "data-testid": "correction-do" });
    this.reason = el("input", { type: "text", maxlength: 500, "data-testid": "correction-reason" });
    this.reasonField = field(words.say("correction.reason"), this.reason, words.say("correction.reasonHelp"));
    this.help = el("p", { class: "help" });
    this.outcomes = el("div", {});
    this.foreseen = el("div", { class: "foreseen", role: "status", "data-testid": "foreseen" });
    this.root = el(
      "div",
      { class: "bb-form correction-form", "data-testid": "correction-form" },
      el("p", { class: "correction-title" }, bdi(about.title)),
      deeds.length < 2 ? null : segments({
        label: words.say("correction.what"),
        options: deeds.map((value) => ({ value, label: words.say(`correction.do.${value}`) })),
        value: this.#deed,
        choose: (deed) => {
          this.#deed = deed;
          this.#draw();
        },
        testid: "correction-what",
        quiet: true,
      }),
      this.help,
      this.outcomes,
      this.reasonField,
      this.foreseen,
    );
    this.#draw();
  }

  /** What the button that sends says. */
  get label() {
    return this.model.words.say(`correction.do.${this.#deed}`);
  }

  /** The table changed: what this would come to may be something else now. */
  update() {
    void this.#foresee();
  }

  /** @returns {Promise<string | null>} what is wrong */
  async save() {
    const { model, tell } = this;
    const { words } = model;
    if (this.#deed === "override" && this.#outcome === "") return words.say("correction.chooseOutcome");
    const outcome = await model.send(this.#command(this.#leaves));
    if (!outcome.ok) {
      // Something was used since this was told: it is told anew.
      if (outcome.code === "correction.used") await this.#foresee();
      return words.refusal(outcome);
    }
    tell(words.say(outcome.changed === false ? "send.unchanged" : `correction.done.${this.#deed}`));
    return null;
  }

  /**
   * @param {boolean} confirm
   * @returns {Command}
   */
  #command(confirm) {
    const { what, check = "" } = this.about;
    const reason = this.reason.value.trim();
    const said = { ...(reason !== "" && { reason }), ...(confirm && { confirm }) };
    switch (this.#deed) {
      case "void":
        return { t: "Void", what, ...said };
      case "override":
        return { t: "Override", check, outcome: this.#outcome, ...said };
      case "reveal":
        return { t: "Reveal", check };
      default:
        return { t: "Settle", check };
    }
  }

  #draw() {
    const { model, about } = this;
    const { words } = model;
    const deed = this.#deed;
    this.help.textContent = words.say(about.check === undefined && deed === "void" ? "correction.help.voidLine" : `correction.help.${deed}`);
    this.reasonField.hidden = deed === "reveal" || deed === "settle";
    this.outcomes.replaceChildren(...(deed === "override" ? [this.#outcomeChoice()] : []));
    this.outcomes.hidden = deed !== "override";
    this.submit.textContent = this.label;
    void this.#foresee();
  }

  #outcomeChoice() {
    const { words } = this.model;
    const name = unique("outcome");
    return el(
      "fieldset",
      { class: "targets", "data-testid": "correction-outcome" },
      el("legend", {}, words.say("correction.outcome")),
      el("div", { class: "chips" }, outcomesFor(this.model, this.about).map(({ key, label, tone }) => {
        const radio = el("input", {
          type: "radio",
          name,
          value: key,
          checked: key === this.#outcome,
          onchange: () => {
            this.#outcome = key;
            void this.#foresee();
          },
        });
        return el("label", { class: "chip check-chip", "data-outcome": key, "data-tone": tone }, radio, toneIcon(tone), label);
      })),
    );
  }

  /** Ask the bridge what it would come to. Only the last question counts. */
  async #foresee() {
    this.#asked += 1;
    const asked = this.#asked;
    const { words } = this.model;
    this.foreseen.dataset.state = "waiting";
    const answer = await this.model.client.foresee(this.#command(true));
    if (asked !== this.#asked) return;
    if (answer instanceof NoAnswer) {
      this.#leaves = false;
      this.foreseen.dataset.state = "refused";
      this.submit.disabled = answer.code !== "away" && answer.code !== "unanswered";
      this.foreseen.replaceChildren(el("p", { class: "trouble" }, words.refusal(answer)));
      return;
    }
    this.submit.disabled = false;
    const { changes, left, shows } = told(this.context, answer.events);
    this.#leaves = left.length > 0;
    this.foreseen.dataset.state = "shown";
    const list = (/** @type {readonly Line[]} */ lines) => el("ul", { class: "change-list" }, lines.map((line) => el("li", {}, phrase(words, line.key, line.values, line.fallback))));
    this.foreseen.replaceChildren(
      ...(shows.length === 0
        ? []
        : [el("div", { class: "foreseen-shows", "data-testid": "foreseen-shows" },
          el("p", {}, unseenIcon(), " ", el("strong", {}, words.say("correction.shows"))),
          el("ul", { class: "change-list" }, shows.map(({ sign, label, counted }) => el("li", {}, counted ? marked(words, sign, label) : el("s", {}, marked(words, sign, label))))))]),
      changes.length === 0
        ? el("p", { "data-testid": "foreseen-changes" }, words.say("correction.nothing"))
        : el("div", { "data-testid": "foreseen-changes" }, el("p", {}, words.say("correction.changes")), list(changes)),
      ...(left.length === 0
        ? []
        : [el("div", { class: "foreseen-left", "data-testid": "foreseen-left" }, el("p", {}, el("strong", {}, words.say("correction.left"))), list(left))]),
    );
  }
}

/**
 * What can be done about something, what is most often wanted first.
 *
 * @param {TableModel} model
 * @param {Correctable} about
 * @returns {Deed[]}
 */
export function deedsFor(model, { check, hidden = false, settled = false, alone = false }) {
  if (check === undefined) return ["void"];
  if (!model.isGm || alone) return ["reveal", "void"];
  return ["void", "override", ...(hidden ? /** @type {Deed[]} */ (["reveal"]) : []), ...(hidden && !settled ? /** @type {Deed[]} */ (["settle"]) : [])];
}

/**
 * The outcomes of the game besides the one that stands.
 *
 * @param {TableModel} model
 * @param {Correctable} about
 */
const outcomesFor = ({ ruleset }, { outcome }) => ruleset.outcomes.filter(({ key }) => key !== outcome);

/**
 * What the events of a correction would change, what they would leave, and what only GMs knew that everybody would read.
 *
 * @param {CardContext} context
 * @param {readonly TableEvent[]} events
 * @returns {{changes: Line[], left: Line[], shows: Source[]}}
 */
export function told(context, events) {
  /** @type {{changes: Line[], left: Line[], shows: Source[]}} */
  const all = { changes: [], left: [], shows: [] };
  for (const event of events) {
    switch (event.t) {
      case "Voided":
      case "Overridden":
      case "Revealed":
      case "Settled":
        all.changes.push(...effectLines(context, event));
        if (event.t === "Revealed") all.shows.push(...(event.sources ?? []).filter((source) => source.hidden));
        break;
      case "GroupRecounted":
      case "GroupTold":
        // What it does, and what it leaves, is told by itself.
        all.changes.push(...linesOf(context, { ...event, effects: [], ...(event.t === "GroupRecounted" && { brings: [], left: [] }) }, null), ...effectLines(context, event));
        break;
      default:
        all.changes.push(...linesOf(context, event, null));
    }
    if ("left" in event) all.left.push(...leftLines(context, event));
  }
  return all;
}
