/** Short news at the edge of the page, some with a way back; and one place that is read aloud. */

/** @import { Words } from "../client/words.mjs" */

import { el } from "../cards/dom.mjs";
import { keepPlace } from "../cards/keep-place.mjs";

const STAY_MS = 8_000;
const MOST = 2;

export class Notices {
  /** @param {Words} words */
  constructor(words) {
    this.words = words;
    /** @type {import("../forms/standing-acts.mjs").Tell} */
    this.tell = (text, how) => this.show(text, how);
    this.live = el("div", { class: "bb-unseen", role: "status", "aria-live": "polite", "data-testid": "announcer" });
    this.shelf = el("div", { class: "notices", "data-testid": "notices" });
  }

  /** @param {string} text */
  announce(text) {
    if (text !== "") this.live.textContent = text;
  }

  /** What was said to somebody who may know more than whoever he is now. */
  forget() {
    this.shelf.replaceChildren();
    this.live.textContent = "";
  }

  /**
   * @param {string} text
   * @param {{undo?: (() => void) | null, tone?: "plain" | "trouble"}} [how]
   */
  show(text, { undo = null, tone = "plain" } = {}) {
    const note = el("div", { class: "notice", role: tone === "trouble" ? "alert" : "status", "data-tone": tone }, el("span", {}, text));
    // Who pressed a button of it is not sent to the top of the page.
    const away = () => keepPlace(this.shelf, () => note.remove());
    if (undo !== null) {
      note.append(el("button", {
        type: "button",
        class: "bb-link",
        "data-testid": "undo",
        onclick: () => {
          away();
          undo();
        },
      }, this.words.say("page.undo")));
    }
    this.shelf.append(note);
    while (this.shelf.childElementCount > MOST) this.shelf.firstElementChild?.remove();
    setTimeout(away, STAY_MS);
  }
}
