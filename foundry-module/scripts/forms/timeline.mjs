/**
 * Looking back through a table's log: one moment at a time, its cards as they were then, and how the table stood. It asks the
 * bridge and nothing else: it posts nothing, throws no dice, changes nothing of what the client holds, and says aloud only
 * what somebody asked it for. A roll that arrives meanwhile does not move it.
 *
 *     const timeline = new Timeline({ model });   // only where model.client.can("replay")
 *     place.append(timeline.root);                // fills the height of its place, and scrolls in itself
 *     timeline.open(seq);                         // or open() for the newest card; may be called again
 *     timeline.focus();                           // once it is in the page
 *     timeline.closed();                          // its window is gone: nothing is asked or heard any more
 *
 * Keys: arrows step, Home and End go to the first and the last; closing by Escape is its window's business.
 *
 * Hooks: timeline [data-seq, data-state (reading, shown, trouble, empty)]; forms/timeline-bar.mjs, forms/timeline-jumps.mjs;
 * forms/timeline-looking.mjs; forms/timeline-stage.mjs; timeline-none, timeline-trouble (again), timeline-news (newest),
 * timeline-said.
 */

/** @import { Commit } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Look } from "./timeline-looking.mjs" */

import { cardsOf } from "../cards/card.mjs";
import { el, phrase } from "../cards/dom.mjs";
import { NoAnswer } from "../client/asker.mjs";
import { GIVEN_UP } from "../client/replay.mjs";
import { TimelineBar } from "./timeline-bar.mjs";
import { TimelineJumps } from "./timeline-jumps.mjs";
import { laterOf } from "./timeline-later.mjs";
import { TimelineLog } from "./timeline-log.mjs";
import { TimelineLooking } from "./timeline-looking.mjs";
import { PastModel } from "./timeline-past.mjs";
import { TimelineStage } from "./timeline-stage.mjs";

const SLIDING_MS = 120;

export class Timeline {
  #seq = 0;
  #head = 0;
  /** @type {number | null} when the commit was that is shown */
  #at = null;
  /** Of the moment that is in sight: 0 while none is. */
  #shown = 0;
  #reading = false;
  #sliding = 0;
  /** @type {{way: 1 | -1} | null} a step that is under way */
  #stepping = null;
  #gone = new AbortController();
  /** @type {(() => void)[]} */
  #stops = [];

  /** @param {{model: TableModel}} parts */
  constructor({ model }) {
    const { client, words } = model;
    this.model = model;
    this.log = new TimelineLog(client);
    this.bar = new TimelineBar(words, {
      slide: (seq) => this.#slide(seq),
      step: (way) => this.step(way),
      end: (end) => this.toEnd(end),
    });
    this.jumps = new TimelineJumps(model, (way) => this.jump(way));
    const { back, buttons } = this.jumps;
    this.looking = new TimelineLooking(words, { back, buttons, long: () => this.#say(words.say("replay.lookingLong")) });
    this.said = el("p", { class: "bb-unseen", role: "status", "aria-live": "polite", "data-testid": "timeline-said" });
    this.none = el("p", { class: "help timeline-none", hidden: true, "data-testid": "timeline-none" });
    this.trouble = el("p", { class: "trouble", role: "alert", hidden: true, "data-testid": "timeline-trouble" });
    this.news = el("p", { class: "timeline-news", hidden: true, "data-testid": "timeline-news" });
    this.stage = new TimelineStage(words, (seq) => this.#want(seq));
    this.root = el(
      "section",
      { class: "timeline", tabindex: "-1", "aria-label": words.say("replay.title"), "data-state": "reading", "data-testid": "timeline", onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event) },
      el("div", { class: "timeline-controls" }, this.bar.root, el("div", { class: "timeline-jumps" }, this.jumps.fields, buttons, this.looking.root)),
      el("div", { class: "timeline-told" }, this.none, this.trouble),
      this.stage.root,
      this.news,
      this.said,
    );
    this.#stops.push(
      client.on("commit", () => this.#drawNews()),
      client.on("presence", () => this.jumps.draw()),
      client.on("welcome", (welcome) => (welcome.from === null || welcome.from === undefined) && this.#anew()),
      client.on("connection", ({ state }) => state === "live" && this.root.dataset.state === "trouble" && this.#again()),
    );
  }

  /** @param {number} [seq] left out: the newest card that is held here, or else the newest of which there is something to see */
  open(seq) {
    this.#head = this.log.head;
    this.#drawNews();
    const isThere = seq !== undefined && Number.isSafeInteger(seq) && seq >= 1 && seq <= this.#head;
    const at = isThere ? seq : (seq !== undefined && this.#seq) || this.#newestCard();
    if (at === undefined) this.toEnd(1);
    else this.#want(at);
    if (seq !== undefined && !isThere) this.#nothing("replay.noSuch", { seq, head: this.#head });
  }

  /** Who came and went is no good place to begin. */
  #newestCard() {
    const context = this.model.cardContext(() => {});
    const isCard = (/** @type {HTMLElement} */ shown) => shown.dataset.part === "card";
    return [...this.model.client.commits].reverse().find((commit) => cardsOf(context, commit).some(isCard))?.seq;
  }

  focus() {
    this.bar.slider.focus();
  }

  closed() {
    window.clearTimeout(this.#sliding);
    this.#gone.abort();
    this.looking.stop();
    for (const stop of this.#stops.splice(0)) stop();
  }

  /** @param {1 | -1} way */
  step(way) {
    // A key that is held down would ask for the same page again and again, and get nowhere on a slow line.
    if (this.#stepping?.way === way) return;
    const stepping = { way };
    void this.#look((how) => this.log.next(this.#seq, way, (commit) => this.#shows(commit), how), way === 1 ? "replay.noneOn" : "replay.noneBack")
      .finally(() => {
        if (this.#stepping === stepping) this.#stepping = null;
      });
    this.#stepping = stepping;
  }

  /** @param {1 | -1} end 1: the newest, also of what arrived meanwhile */
  toEnd(end) {
    if (end === 1) this.#head = this.log.head;
    const from = end === 1 ? this.#head + 1 : 0;
    void this.#look((how) => this.log.next(from, end === 1 ? -1 : 1, (commit) => this.#shows(commit), how), "replay.empty");
  }

  /** @param {1 | -1} way to the next of a kind, or the one before */
  jump(way) {
    const { wanted, words: what } = this.jumps;
    const plain = Object.keys(wanted).length === 0;
    if (plain) this.step(way);
    else void this.#look((how) => this.log.find(this.#seq, way, wanted, how), way === 1 ? "replay.noneFoundOn" : "replay.noneFoundBack", { what });
  }

  /**
   * Something that may take several questions. It can be given up, and the next one gives up the one before.
   *
   * @param {Look} look
   * @param {string} none what to say where there is nothing
   * @param {Record<string, unknown>} [values]
   */
  async #look(look, none, values = {}) {
    this.#tell(null);
    this.none.hidden = true;
    this.#stepping = null;
    const looked = await this.looking.run(look);
    if (looked === null) return; // another look came before its end, or it was given up
    if ("why" in looked) this.#tell(looked.why);
    else if (looked.found === null) this.#nothing(none, { ...values, seq: this.#seq });
    else this.#want(looked.found);
  }

  /**
   * @param {string} key
   * @param {Record<string, unknown>} values
   */
  #nothing(key, values) {
    const { words } = this.model;
    if (key === "replay.empty") {
      this.root.dataset.state = "empty";
      this.stage.empty();
    } else {
      this.none.replaceChildren(...phrase(words, key, values));
      this.none.hidden = false;
      this.#say(words.say(key, values));
    }
  }

  /** @param {number} seq where the slider is while it moves: what is held is shown at once, the rest when it rests */
  #slide(seq) {
    this.looking.stop();
    this.#seq = seq;
    this.#drawPlace();
    window.clearTimeout(this.#sliding);
    this.#sliding = window.setTimeout(() => this.#want(seq), SLIDING_MS);
  }

  /** @param {number} seq what is to be shown; while another is being read, only the last wish counts */
  #want(seq) {
    window.clearTimeout(this.#sliding);
    this.#seq = seq;
    this.#head = Math.max(this.#head, seq);
    this.none.hidden = true;
    this.#drawPlace();
    this.#drawNews();
    if (!this.#reading) void this.#read();
  }

  async #read() {
    this.#reading = true;
    this.root.dataset.state = "reading";
    this.stage.busy = true;
    /** @type {NoAnswer | null} */
    let wrong;
    let seq;
    do {
      seq = this.#seq;
      wrong = await this.#bring(seq);
    } while (seq !== this.#seq);
    this.#reading = false;
    this.stage.busy = false;
    if (wrong === null) this.root.dataset.state = "shown";
    if (wrong?.code !== GIVEN_UP) this.#tell(wrong);
  }

  /**
   * Read one moment and show it, unless another is wished for by then.
   *
   * @param {number} seq
   * @returns {Promise<NoAnswer | null>} what is wrong
   */
  async #bring(seq) {
    const { signal } = this.#gone;
    try {
      const [state, checks] = await Promise.all([
        this.model.client.replay.at(seq, signal),
        this.log.read(seq, signal).then(() => this.log.upTo(seq, signal)),
      ]);
      if (seq !== this.#seq) return null;
      this.#at = state.at;
      this.#shown = seq;
      this.#drawMoment(new PastModel(this.model, state.entries, checks), this.log.held(seq));
    } catch (why) {
      if (!(why instanceof NoAnswer)) throw why;
      return why;
    }
    void this.#bringLater(seq, signal);
    return null;
  }

  /**
   * What became of it later is read behind, and said quietly.
   *
   * @param {number} seq
   * @param {AbortSignal} signal
   */
  async #bringLater(seq, signal) {
    try {
      await this.log.learnLater(seq, signal);
    } catch (why) {
      if (!(why instanceof NoAnswer)) throw why;
      return; // what the cards show is whole without it
    }
    if (seq === this.#shown) this.#drawLater(seq);
  }

  /**
   * @param {PastModel} past
   * @param {Commit | undefined} commit
   */
  #drawMoment(past, commit) {
    const seq = this.#seq;
    this.root.dataset.seq = String(seq);
    const told = this.stage.show(past, seq, commit);
    this.jumps.draw(past.actors());
    this.#drawPlace();
    this.#drawLater(seq);
    this.#say(told);
  }

  #drawPlace() {
    const commit = this.log.held(this.#seq);
    const at = commit?.t === "logged" ? commit.at : this.#seq === this.#shown ? this.#at : null;
    this.bar.show(this.#seq, this.#head, at);
  }

  /** @param {number} seq */
  #drawLater(seq) {
    const commit = this.log.held(seq);
    this.stage.showLater(commit === undefined ? [] : laterOf(commit, [this.log.later, this.model.checks]));
  }

  /** What arrived since is said, and comes when it is asked for. */
  #drawNews() {
    const { words } = this.model;
    const more = this.log.head - this.#head;
    this.news.hidden = more <= 0;
    if (more > 0) {
      this.news.replaceChildren(el("span", {}, words.count("replay.news", more)), " ",
        el("button", { type: "button", class: "bb-link", "data-testid": "newest", onclick: () => this.toEnd(1) }, words.say("replay.newest")));
    }
  }

  /** The bridge told everything anew: what was read before may be another log, or more than this person may read now. */
  #anew() {
    this.looking.stop();
    this.log.forget();
    this.jumps.forget();
    this.#shown = 0;
    this.#head = this.log.head;
    this.stage.clear();
    this.said.textContent = "";
    this.#drawNews();
    this.#seq = Math.min(this.#seq, this.#head);
    this.root.dataset.state = "trouble"; // read again as soon as the line is live
  }

  #again() {
    if (this.#seq === 0) this.open();
    else this.#want(this.#seq);
  }

  /** @param {NoAnswer | null} why */
  #tell(why) {
    const { words } = this.model;
    this.trouble.hidden = why === null;
    if (why === null) return;
    this.root.dataset.state = "trouble";
    this.trouble.replaceChildren(why.code === "away" ? words.say("replay.away") : words.refusal(why), " ",
      el("button", { type: "button", class: "bb-link", "data-testid": "again", onclick: () => this.#again() }, words.say("replay.again")));
  }

  /** @param {string} text what was asked for, for those who do not see it */
  #say(text) {
    this.said.textContent = text;
  }

  /** @param {Commit} commit */
  #shows(commit) {
    return commit.t === "logged" && cardsOf(this.model.cardContext(() => {}), commit).length > 0;
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const { target } = event;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (target instanceof HTMLElement && target !== this.bar.slider && target.matches("select, input, textarea")) return;
    const acts = { ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => this.toEnd(-1), End: () => this.toEnd(1) };
    const act = Object.entries(acts).find(([key]) => key === event.key)?.[1];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  }
}
