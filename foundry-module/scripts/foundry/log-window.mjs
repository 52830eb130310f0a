/** The log as this person may read it: also what leaves nothing in chat. */

import { NoAnswer } from "../client/asker.mjs";
import { cardsOf } from "../cards/card.mjs";
import { el } from "../cards/dom.mjs";
import { link } from "./link.mjs";
import { canReplay, openReplay } from "./replay-window.mjs";
import { ownView } from "./view.mjs";
import { Listening, iconButton, openWindow } from "./windows.mjs";

const SHOWN = 40;
const CALM_MS = 80;

class LogContent {
  #listening = new Listening();
  #later = 0;
  #most = SHOWN;

  constructor() {
    this.list = el("ol", { class: "log-list", "data-testid": "log" });
    this.more = el("button", { type: "button", "data-testid": "older", onclick: () => void this.#older() }, link.words.say("log.older"));
    this.#listening.until(link.on("cards", () => this.#soon()));
    // Told the table anew, this page holds nothing of its past.
    this.#listening.until(link.on("state", ({ state }) => state === "live" && link.client?.commits.length === 0 && void this.#older()));
  }

  closed() {
    window.clearTimeout(this.#later);
    this.#listening.stop();
  }

  build() {
    this.#draw();
    void this.#older();
    const back = canReplay() ? iconButton("clock-rotate-left", link.words.say("replay.open"), () => openReplay(), { "data-testid": "open-replay" }) : null;
    return [back, this.list, this.more];
  }

  #soon() {
    window.clearTimeout(this.#later);
    this.#later = window.setTimeout(() => this.#draw(), CALM_MS);
  }

  #draw() {
    const { model } = link;
    if (model === null) return;
    const view = ownView(model);
    const items = model.client.commits.slice(-this.#most).map((commit) => cardsOf(view, commit)).filter((cards) => cards.length > 0)
      .map((cards) => el("li", {}, cards));
    this.list.replaceChildren(...items.reverse());
    if (items.length === 0) this.list.append(el("li", { class: "help" }, model.words.say("log.empty")));
  }

  async #older() {
    const { model } = link;
    if (model === null || !link.isLive) return;
    try {
      const { commits, more } = await model.client.history.older(SHOWN);
      for (const commit of commits) model.checks.take(commit);
      this.#most += commits.length;
      this.more.hidden = !more;
      this.#draw();
    } catch (why) {
      if (!(why instanceof NoAnswer)) throw why; // the button is still there
    }
  }
}

export function openLog() {
  openWindow({ id: "boonbridge-log", title: link.words.say("log.title"), icon: "book-open", kind: "boonbridge-log", width: 400 }, () => new LogContent());
}
