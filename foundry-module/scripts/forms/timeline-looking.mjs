/**
 * A look through the log that may take many questions: how far it has got, and the button that gives it up, in the place of
 * the buttons that began it. What is looked for, and what becomes of it, is not decided here.
 *
 * Hooks: looking, give-up.
 */

/** @import { Words } from "../client/words.mjs" */
/** @import { How } from "./timeline-log.mjs" */

import { NoAnswer } from "../client/asker.mjs";
import { GIVEN_UP } from "../client/replay.mjs";
import { el } from "../cards/dom.mjs";
import { button } from "./parts.mjs";

/** @typedef {(how: Required<How>) => Promise<number | null>} Look */

/** @typedef {{found: number | null} | {why: NoAnswer} | null} Looked null: it was given up */

export class TimelineLooking {
  /** @type {AbortController | null} what is under way */
  #looking = null;

  /**
   * @param {Words} words
   * @param {{buttons: HTMLElement, back: HTMLElement, long: () => void}} place `buttons`: in whose place it stands while it takes long, and
   *   `back`, which of them has the focus afterwards; `long`: it begins to take long
   */
  constructor(words, place) {
    this.words = words;
    this.place = place;
    this.progress = el("p", { class: "timeline-looked" });
    this.giveUp = button(words.say("page.cancel"), () => this.stop(), { "data-testid": "give-up" });
    this.root = el("div", { class: "timeline-find", hidden: true, "data-testid": "looking" }, this.progress, this.giveUp);
  }

  /**
   * Look; whatever was looked for before is given up.
   *
   * @param {Look} look
   * @returns {Promise<Looked>}
   */
  async run(look) {
    this.stop();
    const looking = new AbortController();
    this.#looking = looking;
    /** @type {Looked} */
    let looked;
    try {
      looked = { found: await look({ signal: looking.signal, tell: (seq) => this.#progress(seq) }) };
    } catch (why) {
      if (!(why instanceof NoAnswer)) throw why;
      looked = why.code === GIVEN_UP ? null : { why };
    }
    if (this.#looking !== looking) return null;
    this.stop();
    return looked;
  }

  /** Give up what is under way, if anything is. */
  stop() {
    this.#looking?.abort();
    this.#looking = null;
    if (this.root.hidden) return;
    const focused = this.root.contains(this.root.ownerDocument.activeElement);
    this.root.hidden = true;
    this.place.buttons.hidden = false;
    if (focused) this.place.back.focus();
  }

  /** @param {number} seq how far it has got */
  #progress(seq) {
    this.progress.textContent = this.words.say("replay.looking", { seq });
    if (!this.root.hidden) return;
    const focused = this.place.buttons.contains(this.root.ownerDocument.activeElement);
    this.root.hidden = false;
    this.place.buttons.hidden = true;
    if (focused) this.giveUp.focus();
    this.place.long();
  }
}
