/**
 * The log: the newest card on top, beside the panel where it was rolled, older ones below and loaded on demand.
 */

/** @import { Commit } from "../client/types.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */
/** @import { Notices } from "./notices.mjs" */

import { announcementOf, cardsOf } from "../cards/card.mjs";
import { el } from "../cards/dom.mjs";
import { glyph } from "../cards/glyphs.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { NoAnswer } from "../client/asker.mjs";
import { button } from "../forms/parts.mjs";
import { replayDialog } from "./replay-dialog.mjs";

const PAGE = 40;
const FAR_PX = 240;
/** As many commits stay on the page while it follows the table: each that stands there costs a little with every roll. */
const SHOWN = 120;

/**
 * @param {HTMLLIElement} item marked where a card is in it, for its margins
 * @param {readonly HTMLElement[]} shown
 */
function fillItem(item, shown) {
  item.replaceChildren(...shown);
  item.toggleAttribute("data-card", shown.some((each) => each.classList.contains("bb-card")));
  apart(item);
  apart(item.nextElementSibling);
}

/** A card under a line stands apart from it. @param {Element | null} item */
function apart(item) {
  const above = item?.previousElementSibling;
  item?.toggleAttribute("data-apart", above !== null && above !== undefined && item.hasAttribute("data-card") && !above.hasAttribute("data-card"));
}

export class LogView {
  /** @type {Map<number, HTMLLIElement>} */
  #items = new Map();
  #loading = false;
  #unread = 0;
  /** Whether the newest card is in sight, as of the last scrolling: to ask at each card has the browser lay out everything each time. */
  #near = true;

  /**
   * @param {TableModel} model
   * @param {Notices} notices
   */
  constructor(model, notices) {
    const { words } = model;
    this.model = model;
    this.notices = notices;
    this.context = model.cardContext((seq) => void this.goTo(seq));
    this.list = el("ol", { class: "log-list", reversed: true, "data-testid": "log" });
    this.empty = el("div", { class: "empty", hidden: true, "data-testid": "log-empty" },
      el("p", {}, el("strong", {}, words.say("log.empty"))), el("p", {}, words.say("log.emptyNext")));
    this.more = button(words.say("log.older"), () => void this.older(), { hidden: true, "data-testid": "older" });
    this.trouble = el("p", { class: "trouble", role: "alert", hidden: true });
    this.jump = button("", () => this.#toTop(), { class: "jump", hidden: true, "data-testid": "jump" });
    this.back = el("button", { type: "button", class: "button small log-back", "data-testid": "look-back", onclick: () => replayDialog(model) },
      glyph("clock"), words.say("replay.open"));
    this.root = el(
      "section",
      { class: "log", "aria-label": words.say("log.title"), "data-testid": "log-view" },
      model.client.can("replay") ? this.back : null, this.jump, this.empty, this.list, this.trouble, this.more,
    );
    document.addEventListener("scroll", () => {
      this.#near = this.#isNear();
      if (this.#near) this.#read();
    }, { passive: true, capture: true });
  }

  /** Everything anew: after a reset nothing that was shown counts. */
  clear() {
    this.#items.clear();
    this.list.replaceChildren();
    this.more.hidden = true;
    this.empty.hidden = true;
    this.model.checks.clear();
  }

  /** @param {Commit} commit */
  add(commit) {
    const changed = this.model.checks.take(commit);
    const fresh = commit.t === "logged" && commit.catchup !== true;
    const item = this.#item(commit);
    if (item !== null) {
      if (fresh) {
        item.dataset.fresh = "true";
        this.notices.announce(announcementOf(this.context, commit));
        if (this.#near) this.#trim();
        else this.#news();
      }
      this.list.prepend(item);
      apart(item.nextElementSibling);
    }
    this.#letGo();
    for (const seq of changed) this.redraw(seq);
    this.#showEmpty();
  }

  /** @param {number} seq */
  redraw(seq) {
    const item = this.#items.get(seq);
    const commit = this.model.client.commit(seq);
    if (item !== undefined && commit !== undefined) keepPlace(item, () => fillItem(item, cardsOf(this.context, commit)));
  }

  redrawAll() {
    for (const seq of this.#items.keys()) this.redraw(seq);
  }

  /** @returns {Promise<boolean>} whether there is more */
  async older() {
    if (this.#loading) return false;
    const held = this.#heldBelow();
    if (held.length > 0) {
      for (const commit of held) {
        const item = this.#item(commit);
        if (item === null) continue;
        this.list.append(item);
        apart(item);
      }
      this.more.hidden = held[held.length - 1].seq <= 1;
      return !this.more.hidden;
    }
    this.#loading = true;
    this.more.disabled = true;
    this.trouble.hidden = true;
    try {
      const { commits, more } = await this.model.client.history.older(PAGE);
      // Taken in order, so that a choice finds the check before it; shown the other way round.
      const touched = commits.flatMap((commit) => this.model.checks.take(commit));
      const items = commits.map((commit) => this.#item(commit)).filter((item) => item !== null);
      this.list.append(...items.reverse());
      for (const item of items) apart(item);
      for (const seq of touched) this.redraw(seq);
      const first = (commits[0]?.seq ?? 1) <= 1;
      this.more.hidden = !more || first || commits.length === 0;
      if (more && commits.length === 0) this.#complain(this.model.words.say("log.full"));
      this.#showEmpty();
      return !this.more.hidden;
    } catch (why) {
      if (!(why instanceof NoAnswer)) throw why;
      this.more.hidden = false;
      this.#complain(this.model.words.refusal(why));
      return false;
    } finally {
      this.#loading = false;
      this.more.disabled = false;
    }
  }

  /** @param {string} text */
  #complain(text) {
    this.trouble.textContent = text;
    this.trouble.hidden = false;
  }

  /**
   * Show the card of a commit, loading back to it where needed.
   *
   * @param {number} seq
   */
  async goTo(seq) {
    for (let pages = 0; !this.#items.has(seq) && pages < 20; pages += 1) {
      if (!(await this.older())) break;
    }
    const item = this.#items.get(seq);
    if (item === undefined) {
      this.notices.show(this.model.words.say("log.gone", { seq }));
      return;
    }
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    item.scrollIntoView({ block: "center", behavior: calm ? "auto" : "smooth" });
    item.dataset.pointed = "true";
    setTimeout(() => delete item.dataset.pointed, 1600);
  }

  /**
   * @param {Commit} commit
   * @returns {HTMLLIElement | null}
   */
  #item(commit) {
    const shown = cardsOf(this.context, commit);
    if (shown.length === 0) return null;
    const item = el("li", { value: commit.seq, "data-seq": commit.seq, "data-testid": "log-item" });
    fillItem(item, shown);
    this.#items.set(commit.seq, item);
    return item;
  }

  /** Who reads at the top does not need what is far below; *Show older* brings it back. */
  #trim() {
    while (this.list.childElementCount > SHOWN) {
      const last = /** @type {HTMLLIElement} */ (this.list.lastElementChild);
      this.#items.delete(last.value);
      last.remove();
      this.more.hidden = false;
    }
  }

  /** @returns {Commit[]} what is held and was taken off the page, the newest first, as many as are shown at once */
  #heldBelow() {
    const last = this.list.lastElementChild;
    if (!(last instanceof HTMLLIElement)) return [];
    const below = this.model.client.commits.filter((commit) => commit.seq < last.value && cardsOf(this.context, commit).length > 0);
    return below.slice(-PAGE).reverse();
  }

  /** What the client does not hold any more leaves the page too. */
  #letGo() {
    for (let last = this.list.lastElementChild; last instanceof HTMLLIElement; last = this.list.lastElementChild) {
      if (this.model.client.commit(last.value) !== undefined) return;
      this.#items.delete(last.value);
      last.remove();
      this.more.hidden = false;
    }
  }

  #showEmpty() {
    this.empty.hidden = this.list.querySelector("[data-part=card]") !== null || !this.more.hidden;
  }

  #isNear() {
    return this.root.getBoundingClientRect().top > -FAR_PX;
  }

  #news() {
    this.#unread += 1;
    this.jump.hidden = false;
    this.jump.textContent = this.model.words.count("log.unread", this.#unread);
  }

  #read() {
    this.#unread = 0;
    this.jump.hidden = true;
  }

  #toTop() {
    this.root.scrollIntoView({ block: "start" });
    this.#read();
  }
}
