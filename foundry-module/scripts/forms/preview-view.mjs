/** What is about to be rolled: dice, what counts of the sources, and the exact chance of each row. */

/** @import { DieSpec, Previewed, PreviewRow } from "../client/types.mjs" */
/** @import { Child } from "../cards/dom.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { NoAnswer } from "../client/asker.mjs";
import { oddsBar, percentOf, totalsCurve } from "../cards/chance.mjs";
import { bdi, el, phrase } from "../cards/dom.mjs";
import { MARKS, dieShape } from "../cards/shapes.mjs";

const SMALL = 6;

/**
 * What is left of all that helps and hinders.
 *
 * @param {TableModel} model
 * @param {PreviewRow} row
 * @returns {Child}
 */
export function netWords({ words }, { net, boons = 0, banes = 0 }) {
  if (net === 0) return boons > 0 && banes > 0 ? words.say("preview.even") : "";
  const sign = net > 0 ? "boon" : "bane";
  return [
    el("span", { class: "bb-mark", "data-sign": sign, "aria-hidden": "true" }, MARKS[sign]),
    ` ${words.count(`preview.net.${sign}`, Math.abs(net))}`,
  ];
}

/** @param {PreviewRow} row */
function bonusWords({ bonus = 0 }) {
  return bonus === 0 ? null : el("span", { class: "bb-bonus" }, bonus < 0 ? `\u2212\u2009${-bonus}` : `+\u2009${bonus}`);
}

/** @param {string} chance as n/d */
function share(chance) {
  const [n, d = 1] = chance.split("/").map(Number);
  return n / d;
}

export class PreviewView {
  /** @type {readonly PreviewRow[]} what was shown last */
  rows = [];
  /** Whether something at the table, and nothing in the form, is why it is asked anew. */
  #isNews = false;

  /** @param {TableModel} model */
  constructor(model) {
    this.model = model;
    this.root = el("div", { class: "preview", "data-testid": "preview", "aria-live": "polite" });
    this.clear();
  }

  clear() {
    this.root.dataset.state = "empty";
    this.root.replaceChildren(el("p", { class: "help" }, this.model.words.say("preview.empty")));
  }

  /** The answer to an earlier question still stands there while the next one is under way. */
  wait() {
    this.#isNews = false;
    this.root.dataset.waiting = "true";
  }

  /** Something changed at the table: where that moves the chance, it is to be seen. */
  follow() {
    if (this.root.dataset.waiting === undefined) this.#isNews = true;
  }

  /** Draw the eye to what is wrong. */
  point() {
    if (this.root.dataset.state !== "refused") return;
    this.root.removeAttribute("data-pointed");
    void this.root.offsetWidth;
    this.root.dataset.pointed = "true";
  }

  /** @param {Previewed | NoAnswer} answer */
  show(answer) {
    delete this.root.dataset.waiting;
    if (answer instanceof NoAnswer) {
      this.root.dataset.state = "refused";
      this.root.dataset.code = answer.code;
      this.root.replaceChildren(el("p", { class: "hint" }, this.model.words.refusal(answer)));
      return;
    }
    this.root.dataset.state = "shown";
    delete this.root.dataset.code;
    const { rows } = answer;
    const before = this.#isNews && this.rows.length === 1 && rows.length === 1 ? this.rows[0].odds?.success : undefined;
    this.#isNews = false;
    this.rows = rows;
    const many = rows.length > 1;
    this.root.toggleAttribute("data-many", many);
    // What scrolls can be reached with the keyboard.
    if (many) this.root.tabIndex = 0;
    else this.root.removeAttribute("tabindex");
    this.root.replaceChildren(...rows.map((row) => (many ? this.#slim(row) : this.#row(row, before))));
  }

  /**
   * @param {PreviewRow} row
   * @param {string} [before] the chance that stood here until something happened at the table
   */
  #row(row, before) {
    const { words, ruleset } = this.model;
    const moved = row.odds && before !== undefined && before !== row.odds.success ? { from: before, up: share(row.odds.success) > share(before) } : null;
    const chance = row.odds
      ? el("p", { class: "preview-chance", "data-moved": moved === null ? null : moved.up ? "up" : "down" },
        el("strong", { "data-testid": "chance" }, percentOf(row.odds.success)),
        // In its place, so that nothing else moves.
        el("span", { class: moved === null ? null : "bb-unseen" }, words.say("preview.success")),
        moved === null ? null : el("span", { class: "preview-was", "data-testid": "chance-was" }, words.say("preview.was", { chance: percentOf(moved.from) })))
      : null;
    return el(
      "div",
      { class: "preview-row", "data-testid": "preview-row" },
      el("div", { class: "preview-head" }, chance, el("div", { class: "preview-dice" }, row.dice.flatMap((die) => this.#dice(die)), bonusWords(row))),
      row.odds ? oddsBar(row.odds, words, ruleset) : null,
      this.#curve(row),
      this.#again(row),
    );
  }

  /** @param {PreviewRow} row */
  #again({ retry }) {
    return retry === "warn" ? el("p", { class: "help", "data-testid": "retry-hint" }, this.model.words.say("retry.hint")) : null;
  }

  /**
   * One of several targets: a line and a thin bar.
   *
   * @param {PreviewRow} row
   */
  #slim(row) {
    const { model } = this;
    return el(
      "div",
      { class: "preview-row preview-slim", "data-testid": "preview-row" },
      el("h4", {}, bdi(row.opponentName || row.name)),
      el("p", { class: "net" }, netWords(model, row)),
      el("strong", { "data-testid": "chance" }, row.odds ? percentOf(row.odds.success) : ""),
      row.odds ? oddsBar(row.odds, model.words, model.ruleset, true) : null,
      this.#curve(row),
      this.#again(row),
    );
  }

  /** @param {PreviewRow} row */
  #curve(row) {
    const { words } = this.model;
    if (!row.curve) return null;
    const name = row.opponentName || row.name;
    return [el("p", { class: "help" }, phrase(words, "preview.hidden", { name })), totalsCurve(row.curve, words)];
  }

  /** @param {DieSpec} die */
  #dice({ role, sides, count = 1 }) {
    const { ruleset } = this.model;
    const word = ruleset.roles.find((each) => each.key === role);
    const title = `${count > 1 ? count : ""}d${sides}${word?.label ? ` ${word.label}` : ""}`;
    const shown = Math.min(count, SMALL);
    return [
      ...Array.from({ length: shown }, (_, index) =>
        el("span", { class: "preview-die", "data-sign": word?.sign ?? null, title, "aria-hidden": index > 0 },
          dieShape(sides, String(sides)), index === 0 ? el("span", { class: "bb-unseen" }, title) : null)),
      count > shown ? el("span", { class: "bb-dice-more" }, `\u00d7\u2009${count}`) : null,
    ];
  }
}
