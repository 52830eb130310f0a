/** How the line to the bridge is, in words: a small sign in the header, and a band under it when something is wrong. */

/** @import { ConnectionState } from "../client/types.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */

import { el } from "../cards/dom.mjs";
import { button } from "../forms/parts.mjs";

const PATIENCE_MS = 900;

export class StatusView {
  #timer = 0;
  #patience = 0;

  /**
   * @param {TableModel} model
   * @param {{leave: () => void}} does
   */
  constructor(model, { leave }) {
    this.model = model;
    this.leave = leave;
    this.sign = el("span", { class: "line-state", role: "status", "data-testid": "connection" });
    this.band = el("div", { class: "band", hidden: true, "data-testid": "band" });
    this.memory = el("div", { class: "band", hidden: true, "data-testid": "memory-band", "data-tone": "warning" });
  }

  /** @param {ConnectionState} state */
  show(state) {
    clearInterval(this.#timer);
    const { words } = this.model;
    const text = words.say(`connection.${state.state}`);
    this.sign.dataset.state = state.state;
    if (this.sign.textContent !== text) this.sign.replaceChildren(el("span", { class: "dot", "aria-hidden": "true" }), text);
    const { tries = 0 } = state;
    const bad = state.state === "away" || state.state === "refused" || (state.state === "connecting" && tries > 0);
    clearTimeout(this.#patience);
    // A line that is back within the second needs no announcement.
    if (bad && state.state !== "refused" && tries < 2) {
      this.#patience = window.setTimeout(() => {
        this.band.hidden = false;
      }, PATIENCE_MS);
    } else this.band.hidden = !bad;
    if (!bad) return;
    this.band.dataset.tone = state.state === "refused" ? "trouble" : "warning";
    const next = el("span");
    // Who has been at the table is told what was done to him, and not what may be wrong with a link.
    const key = this.model.client.welcome !== null && words.has(`people.closed.${state.code}`) ? `people.closed.${state.code}` : `close.${state.code}`;
    const why = state.code !== undefined && state.code !== 1006 && words.has(key) ? words.say(key) : "";
    const first = state.state === "refused" ? "" : words.say("band.away");
    const act = state.state === "refused"
      ? state.code === 1008
        ? button(words.say("band.reload"), () => location.reload())
        : button(words.say("band.newLink"), this.leave)
      : button(words.say("band.tryNow"), () => this.model.client.test());
    this.band.replaceChildren(el("p", { role: "alert" }, [first, why].filter((each) => each !== "").join(" "), " ", next), act);
    if (state.state === "away" && state.retryAt !== undefined) {
      const { retryAt } = state;
      const tick = () => {
        const seconds = Math.ceil((retryAt - Date.now()) / 1000);
        next.textContent = seconds > 0 ? words.say("band.next", { seconds }) : words.say("band.trying");
      };
      tick();
      this.#timer = window.setInterval(tick, 1000);
    }
  }

  /** @param {{what: "behind" | "other" | "restored", remembered: {seq: number}, head: number}} news */
  remember({ what, remembered, head }) {
    const { words } = this.model;
    this.memory.hidden = false;
    this.memory.replaceChildren(
      el("p", { role: "alert" }, words.say(`memory.${what}`, { seen: remembered.seq, head })),
      button(words.say("page.understood"), () => {
        this.memory.hidden = true;
      }),
    );
  }
}
