/**
 * Where one stands in the log: a slider by number with its time said, and steps to the first, the one before, the next, the
 * last. It says what was wished for and decides nothing.
 *
 * Hooks: timeline-place, timeline-slider, first, step-back, step-on, last.
 */

/** @import { Words } from "../client/words.mjs" */

import { el, phrase } from "../cards/dom.mjs";
import { glyph } from "../cards/glyphs.mjs";

const WHEN = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const LONG_AGO = new Intl.DateTimeFormat(undefined, { day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" });
const HALF_A_YEAR_MS = 180 * 24 * 3600 * 1000;

/** @param {number} at */
const whenWords = (at) => (Date.now() - at > HALF_A_YEAR_MS ? LONG_AGO : WHEN).format(at);

/**
 * @typedef {object} BarDoing
 * @property {(seq: number) => void} slide
 * @property {(way: 1 | -1) => void} step
 * @property {(end: 1 | -1) => void} end to the first (-1) or the last
 */

export class TimelineBar {
  /**
   * @param {Words} words
   * @param {BarDoing} doing
   */
  constructor(words, { slide, step, end }) {
    this.words = words;
    this.place = el("p", { class: "timeline-place", "data-testid": "timeline-place" });
    this.slider = el("input", {
      type: "range",
      min: 1,
      step: 1,
      class: "timeline-slider",
      "aria-label": words.say("replay.slider"),
      "data-testid": "timeline-slider",
      oninput: () => slide(this.slider.valueAsNumber),
    });
    const icon = (/** @type {"first" | "earlier" | "later" | "last"} */ name, /** @type {string} */ testid, /** @type {string} */ label, /** @type {() => void} */ click) => {
      return el("button", { type: "button", class: "icon-button", "aria-label": label, title: label, "data-testid": testid, onclick: click }, glyph(name));
    };
    this.first = icon("first", "first", words.say("replay.first"), () => end(-1));
    this.back = icon("earlier", "step-back", words.say("replay.stepBack"), () => step(-1));
    this.on = icon("later", "step-on", words.say("replay.stepOn"), () => step(1));
    this.last = icon("last", "last", words.say("replay.last"), () => end(1));
    this.root = el("div", { class: "timeline-bar" },
      el("div", { class: "timeline-steps", role: "group", "aria-label": words.say("replay.steps") }, this.first, this.back, this.place, this.on, this.last),
      this.slider);
  }

  /**
   * @param {number} seq
   * @param {number} head
   * @param {number | null} at when it was; null: not known
   */
  show(seq, head, at) {
    const { words } = this;
    const when = at === null ? "" : whenWords(at);
    this.slider.max = String(Math.max(head, 1));
    this.slider.value = String(seq);
    this.slider.setAttribute("aria-valuetext", when === "" ? words.say("replay.numberOf", { seq, head }) : words.say("replay.numberAt", { seq, head, when }));
    this.place.replaceChildren(
      el("strong", {}, phrase(words, "replay.numberOf", { seq, head })),
      el("time", { datetime: at === null ? null : new Date(at).toISOString() }, at === null ? "\u00a0" : words.say("replay.when", { when })),
    );
    // A button that is disabled would lose the focus of whoever steps to the end.
    for (const [button, off] of /** @type {const} */ ([[this.first, seq <= 1], [this.back, seq <= 1], [this.on, seq >= head], [this.last, seq >= head]])) {
      button.setAttribute("aria-disabled", String(off));
    }
  }
}
