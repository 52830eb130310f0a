/**
 * A row for each character at the table; a click unfolds what can be done for it. Rows stay the same elements while the table
 * changes, so that nothing is lost under a hand.
 *
 * Hooks: panel-rows; panel-row [data-actor] (`data-online`, `data-boons`, `data-banes`, `data-waits`, `data-turn`).
 */

/** @import { ActorEntry } from "../client/types.mjs" */
/** @import { PaletteDoing } from "./palette.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { portrait } from "../cards/card-parts.mjs";
import { bdi, el } from "../cards/dom.mjs";
import { Palette } from "./palette.mjs";
import { freshPalette } from "./palette-state.mjs";
import { factsOf, ownerWords } from "./panel-facts.mjs";
import { mark, unique } from "./parts.mjs";

/** More conditions than these are told by their number. */
const FEW = 3;

/** @typedef {{root: HTMLElement, button: HTMLButtonElement, place: HTMLElement, palette: Palette | null, drawn: string}} Row */

export class PanelRows {
  /** @type {Map<string, Row>} */
  #rows = new Map();

  /**
   * @param {TableModel} model
   * @param {PaletteDoing | ((actor: ActorEntry) => void)} doing of a palette below the row; or what a click does instead
   */
  constructor(model, doing) {
    this.model = model;
    this.doing = doing;
    this.list = el("ul", { class: "panel-rows", "data-testid": "panel-rows" });
    this.root = el("section", { class: "panel panel-people", "aria-label": model.words.say("actors.title") }, this.list);
  }

  draw() {
    const all = this.model.actors();
    this.root.hidden = all.length === 0;
    const ids = new Set(all.map(({ id }) => id));
    for (const id of [...this.#rows.keys()]) if (!ids.has(id)) this.#rows.delete(id);
    const rows = all.map((actor) => this.#row(actor).root);
    // Moving an element would take the focus from what is in it.
    if (rows.length !== this.list.children.length || rows.some((row, nth) => row !== this.list.children[nth])) this.list.replaceChildren(...rows);
  }

  /** @param {ActorEntry} actor */
  #row(actor) {
    const row = this.#rows.get(actor.id) ?? this.#made(actor.id);
    this.#rows.set(actor.id, row);
    this.#fill(row, actor);
    row.palette?.draw();
    return row;
  }

  /**
   * @param {string} id
   * @returns {Row}
   */
  #made(id) {
    const place = el("div", { class: "panel-open", id: unique("palette"), hidden: true });
    const inline = typeof this.doing !== "function";
    const button = el("button", {
      type: "button",
      class: "panel-row",
      "data-actor": id,
      "data-focus": `row ${id}`,
      "data-testid": "panel-row",
      "aria-expanded": inline ? "false" : null,
      "aria-controls": inline ? place.id : null,
      onclick: () => this.#toggle(id),
    });
    return { root: el("li", { "data-actor": id }, button, place), button, place, palette: null, drawn: "" };
  }

  /** @param {string} id */
  #toggle(id) {
    const { model, doing } = this;
    const row = this.#rows.get(id);
    const actor = model.actor(id);
    if (row === undefined || actor === undefined) return;
    if (typeof doing === "function") {
      doing(actor);
      return;
    }
    if (row.palette === null) {
      row.palette = new Palette(model, () => [{ id, name: model.actor(id)?.name ?? actor.name }], freshPalette(), doing);
      row.place.replaceChildren(row.palette.root);
    }
    row.place.hidden = !row.place.hidden;
    row.button.setAttribute("aria-expanded", String(!row.place.hidden));
  }

  /**
   * @param {Row} row
   * @param {ActorEntry} actor
   */
  #fill(row, actor) {
    const { model } = this;
    const { words } = model;
    const facts = factsOf(model, actor);
    const drawn = JSON.stringify([actor.name, actor.side, facts, words.term("Boon")]);
    if (drawn === row.drawn) return;
    row.drawn = drawn;
    const { banes, boons, conditions, owners, turn, waits } = facts;
    const here = owners.length === 0 ? null : owners.some(({ online }) => online);
    Object.assign(row.button.dataset, { online: String(here ?? ""), boons: String(boons), banes: String(banes), waits: waits ?? "", turn: String(turn), side: actor.side });
    row.button.replaceChildren(
      portrait(actor.name),
      el("span", { class: "panel-who" },
        el("strong", {}, bdi(actor.name)),
        el("small", {},
          here === null ? words.say("actors.noOwner") : ownerWords(words, owners),
          turn ? [" \u00b7 ", el("span", { class: "panel-turn" }, words.say("turn.now"))] : null),
        waits === null ? null : el("span", { class: "tag" }, words.say(waits)),
        conditions.length === 0 ? null : el("span", { class: "panel-conditions" },
          conditions.slice(0, FEW).map(({ amount, key }) => el("span", { class: "bb-tag", "data-tone": model.conditionSpec(key)?.tone ?? "plain" }, words.condition(key, amount))),
          conditions.length > FEW ? el("span", { class: "bb-tag" }, words.say("panel.moreConditions", { n: conditions.length - FEW })) : null)),
      el("span", { class: "panel-counts" }, (/** @type {const} */ ([["boon", boons], ["bane", banes]])).filter(([, many]) => many > 0)
        .map(([sign, many]) => el("span", { class: "panel-count", "data-sign": sign }, mark(words, sign), String(many)))),
    );
  }
}
