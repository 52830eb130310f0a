/**
 * The table at a glance beside Foundry's list of players, for whoever wants to have it always in sight: a row for each character
 * and what the group holds. A click opens what can be done for one.
 *
 * Hooks: panel-dock (panel-rows of forms/panel-rows.mjs in it), dock-table; palette-window (palette-away).
 */

/** @import { ActorEntry } from "../client/types.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */

import { el } from "../cards/dom.mjs";
import { Palette } from "../forms/palette.mjs";
import { freshPalette } from "../forms/palette-state.mjs";
import { PanelRows } from "../forms/panel-rows.mjs";
import { on } from "./compat.mjs";
import { link } from "./link.mjs";
import { paletteDoing } from "./palette-doing.mjs";
import { dockPlace } from "./switches.mjs";
import { openTable } from "./table-window.mjs";
import { Listening, faIcon, idFor, openWindow, stateHint } from "./windows.mjs";

const CALM_MS = 60;

/** @type {{model: TableModel, rows: PanelRows, root: HTMLElement, pool: HTMLElement} | null} */
let dock = null;
let later = 0;

/** Once the world is there. */
export function watchDock() {
  on("renderPlayers", drawDock);
  for (const news of /** @type {const} */ (["entries", "people", "state"])) link.on(news, soon);
  drawDock();
  if (dockPlace() === "open") openTable();
}

function soon() {
  window.clearTimeout(later);
  later = window.setTimeout(drawDock, CALM_MS);
}

/** Where it belongs, or nowhere. */
export function drawDock() {
  const { model } = link;
  const players = document.getElementById("players");
  if (dockPlace() !== "players" || model === null || players === null) {
    dock?.root.remove();
    dock = null;
    return;
  }
  if (dock === null || dock.model !== model) {
    dock?.root.remove();
    dock = made(model);
  }
  // A child of the list would go with its next drawing.
  if (dock.root.nextElementSibling !== players) players.before(dock.root);
  const { pool, words } = model;
  dock.pool.hidden = pool === undefined;
  if (pool !== undefined) dock.pool.textContent = `${words.say("pool.title")} ${words.say("pool.held", { held: pool.held, cap: pool.cap })}`;
  dock.rows.draw();
}

/** @param {TableModel} model */
function made(model) {
  const { words } = model;
  const rows = new PanelRows(model, openPalette);
  const pool = el("span", { class: "help", "data-testid": "dock-pool" });
  const label = words.say("foundry.menu.table");
  const head = el("header", {}, el("strong", {}, words.say("actors.title")), pool,
    el("button", { type: "button", class: "icon-button", "aria-label": label, "data-tooltip": label, "data-testid": "dock-table", onclick: openTable }, faIcon("users")));
  const root = el("aside", { id: "boonbridge-dock", class: "boonbridge faded-ui", "aria-label": words.say("actors.title"), "data-testid": "panel-dock" }, head, rows.root);
  return { model, rows, root, pool };
}

/** What can be done for one, as long as the table knows of him. */
class PaletteWindow {
  #listening = new Listening();
  #state = freshPalette();
  /** @type {Palette | null} */
  #palette = null;

  /** @param {ActorEntry} actor */
  constructor({ id, name }) {
    this.id = id;
    this.name = name;
    this.away = el("div", {});
    this.place = el("div", {});
    this.root = el("div", { "data-testid": "palette-window" }, this.away, this.place);
    for (const news of /** @type {const} */ (["entries", "state"])) this.#listening.until(link.on(news, () => this.#draw()));
  }

  build() {
    this.#draw();
    return this.root;
  }

  closed() {
    this.#listening.stop();
  }

  #draw() {
    const { model } = link;
    this.away.replaceChildren(...(link.isLive ? [] : [stateHint("palette-away")]));
    if (model === null) {
      this.#palette = null;
      this.place.replaceChildren();
    } else if (this.#palette?.model === model) this.#palette.draw();
    else {
      // Another line: what is set and typed stays.
      this.#palette = new Palette(model, () => [{ id: this.id, name: model.actor(this.id)?.name ?? this.name }], this.#state, paletteDoing);
      this.place.replaceChildren(this.#palette.root);
    }
  }
}

/** @param {ActorEntry} actor */
function openPalette(actor) {
  openWindow({
    id: idFor("palette", actor.id),
    title: link.words.say("foundry.standing.title", { name: actor.name }),
    icon: "scale-balanced",
    kind: "boonbridge-palette-window",
    width: 360,
    stays: true,
  }, () => new PaletteWindow(actor));
}
