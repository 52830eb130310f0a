/** What helps and what hinders: what stands at the table, what is named for this roll, and the palette to name more. */

/** @import { PreviewRow, Source, SourceClaim } from "../client/types.mjs" */
/** @import { RollState } from "./roll-state.mjs" */

import { bdi, el, fill } from "../cards/dom.mjs";
import { onlyGms, sourceLine, whyWords } from "../cards/sources.mjs";
import { isEnter } from "./keys.mjs";
import { button, mark, marked, toggle, unique } from "./parts.mjs";
import { netWords } from "./preview-view.mjs";
import { ownSource } from "./slug.mjs";

const MOST = 9;
const SIGNS = /** @type {const} */ (["boon", "bane"]);

export class SourcesBlock {
  /** @type {Source[]} as the bridge judged them last */
  #judged = [];
  /** @type {"boon" | "bane" | null} */
  #open = null;

  /**
   * @param {Pick<RollState, "model" | "claims" | "off" | "claim">} state
   * @param {() => void} changed
   */
  constructor(state, changed) {
    const { words } = state.model;
    this.state = state;
    this.changed = changed;
    this.net = el("span", { class: "net", "data-testid": "net" });
    this.list = el("ul", { class: "source-list", "data-testid": "sources" });
    this.palette = el("div", { class: "palette", hidden: true, id: unique("palette"), "data-testid": "palette" });
    this.openers = SIGNS.map((sign) =>
      el(
        "button",
        {
          type: "button",
          class: "button small",
          "data-sign": sign,
          "aria-expanded": "false",
          "aria-controls": this.palette.id,
          "data-testid": `add-${sign}`,
          onclick: () => this.#togglePalette(sign),
        },
        mark(words, sign),
        words.say(`sources.add.${sign}`),
      ));
    this.root = el(
      "fieldset",
      { class: "sources" },
      el("legend", { class: "bb-unseen" }, words.say("sources.title")),
      el("div", { class: "legend-row" }, el("span", { "aria-hidden": "true" }, words.say("sources.title")), this.net),
      this.list,
      state.model.may("player_sources")
        ? [el("div", { class: "source-openers" }, this.openers), this.palette]
        : el("p", { class: "help" }, words.say("sources.gmNames")),
    );
    this.draw();
  }

  /** @param {readonly PreviewRow[]} rows */
  judged(rows) {
    /** @type {Map<string, Source>} */
    const lines = new Map();
    for (const source of rows.flatMap((row) => row.sources)) {
      const key = `${source.grant ?? ""} ${source.id} ${source.sign} ${source.origin ?? ""}`;
      // Of several targets, the one for which it counts is the more telling.
      if (!lines.has(key) || source.counted) lines.set(key, source);
    }
    this.#judged = [...lines.values()];
    this.net.replaceChildren();
    if (rows.length === 1) fill(this.net, [netWords(this.state.model, rows[0])]);
    this.draw();
  }

  draw() {
    const { claims } = this.state;
    const focused = this.list.contains(document.activeElement) ? document.activeElement?.closest("li")?.getAttribute("data-key") : null;
    const standing = this.#judged.filter((source) => source.grant || !claims.has(source.id));
    const lines = [
      // Help that was meant for something else is missed where it does not count; of anything else that is plain.
      ...standing.filter((source) => source.why !== "not_this_check" || source.kind === "assist").map((source) => this.#standing(source)),
      ...[...claims.values()].map(({ claim, on }) => this.#claimed(claim, on)),
    ];
    this.list.replaceChildren(...lines);
    this.list.hidden = lines.length === 0;
    if (focused !== null) {
      const again = [...this.list.children].find((line) => line.getAttribute("data-key") === focused);
      /** @type {HTMLElement | null | undefined} */ (again?.querySelector("input, button"))?.focus();
    }
  }

  /** @param {Source} source */
  #standing(source) {
    const { state } = this;
    const { words, isGm } = state.model;
    const why = whyWords(words, source);
    if (source.why === "offered") {
      const claim = { id: source.id, label: source.label, sign: source.sign, kind: source.kind };
      return this.#line(source.id, source.sign, toggle({
        label: marked(words, source.sign, source.label),
        on: false,
        turn: () => {
          state.claim(claim);
          this.#change();
        },
        beside: why,
      }));
    }
    if (!isGm) return sourceLine(words, source);
    const label = marked(words, source.sign, source.label);
    return this.#line(source.id, source.sign, toggle({
      label: source.hidden ? [label, " ", onlyGms(words)] : label,
      on: !state.off.has(source.id),
      turn: (on) => {
        if (on) state.off.delete(source.id);
        else state.off.add(source.id);
        this.#change();
      },
      beside: why,
    }));
  }

  /**
   * @param {SourceClaim} claim
   * @param {boolean} on
   */
  #claimed(claim, on) {
    const { state } = this;
    const { words } = state.model;
    const judged = this.#judged.find((source) => source.id === claim.id && !source.grant);
    const { amount = 1 } = claim;
    const count = (/** @type {number} */ by) => {
      state.claims.set(claim.id, { claim: { ...claim, amount: Math.min(MOST, Math.max(1, amount + by)) }, on: true });
      this.#change();
    };
    return this.#line(
      claim.id,
      claim.sign,
      toggle({
        label: marked(words, claim.sign, claim.label),
        on,
        turn: (now) => {
          state.claims.set(claim.id, { claim, on: now });
          this.#change();
        },
        beside: on ? (judged ? whyWords(words, { ...judged, amount: 1 }) : "") : words.say("sources.off"),
      }),
      on
        ? el(
          "span",
          { class: "stepper" },
          el("button", { type: "button", class: "icon-button", "aria-label": words.say("sources.less", { label: claim.label }), disabled: amount <= 1, onclick: () => count(-1) }, "\u2212"),
          el("span", { class: "stepper-value" }, amount),
          el("button", { type: "button", class: "icon-button", "aria-label": words.say("sources.more", { label: claim.label }), disabled: amount >= MOST, onclick: () => count(1) }, "+"),
        )
        : null,
    );
  }

  /**
   * @param {string} key
   * @param {string} sign
   * @param {...(Node | null)} content
   */
  #line(key, sign, ...content) {
    return el("li", { class: "source-line", "data-key": key, "data-sign": sign, "data-source": key }, content);
  }

  #change() {
    this.draw();
    this.#drawPalette();
    this.changed();
  }

  /** @param {"boon" | "bane"} sign */
  #togglePalette(sign) {
    this.#open = this.#open === sign ? null : sign;
    for (const [index, opener] of this.openers.entries()) opener.setAttribute("aria-expanded", String(SIGNS[index] === this.#open));
    this.#drawPalette();
  }

  closePalette() {
    if (this.#open !== null) this.#togglePalette(this.#open);
  }

  #drawPalette() {
    const sign = this.#open;
    this.palette.hidden = sign === null;
    if (sign === null) return;
    const { state } = this;
    const { words, ruleset } = state.model;
    const add = (/** @type {SourceClaim} */ claim) => {
      state.claim(claim);
      this.#change();
    };
    const chips = (ruleset.circumstances ?? []).filter((each) => each.sign === sign && !state.claims.has(each.id)).map((each) =>
      el(
        "button",
        {
          type: "button",
          class: "chip",
          "data-sign": sign,
          title: each.example || null,
          "data-circumstance": each.id,
          onclick: () => add({ id: each.id, label: each.label, sign, kind: each.kind }),
        },
        mark(words, sign),
        bdi(each.label),
      ));
    const own = el("input", {
      type: "text",
      maxlength: 80,
      placeholder: words.say("sources.ownPlaceholder"),
      "aria-label": words.say("sources.own"),
      "data-testid": "own-reason",
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (!isEnter(event)) return;
        event.preventDefault();
        name();
      },
    });
    const name = () => {
      const label = own.value.trim();
      if (label === "") own.focus();
      else add({ ...ownSource(label), sign });
    };
    // Whoever goes through the palette with the keyboard stays in it.
    const within = [...this.palette.querySelectorAll("button, input")].indexOf(/** @type {any} */ (document.activeElement));
    this.palette.replaceChildren(
      el("div", { class: "chips" }, chips),
      el("div", { class: "own-reason" }, own, button(words.say("sources.addOwn"), name, { class: "button small", "data-testid": "add-own" })),
    );
    this.palette.dataset.sign = sign;
    if (within >= 0) /** @type {HTMLElement} */ (chips[within] ?? own).focus();
  }
}

