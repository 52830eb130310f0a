/**
 * One button in a token's HUD, with a palette: what helps and hinders it, and a click for what a GM gives. Foundry builds the HUD
 * anew whenever it likes, and scales it with the map; the palette keeps what was set and typed, its place, and its own size.
 *
 * Hooks: hud-button, hud-palette (boon-palette of palette.mjs in it).
 */

/** @import { Chosen } from "../forms/roll-state.mjs" */
/** @import { PaletteState } from "../forms/palette-state.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */
/** @typedef {import("./compat.mjs").Loose} Loose */

import { el } from "../cards/dom.mjs";
import { Palette } from "../forms/palette.mjs";
import { freshPalette } from "../forms/palette-state.mjs";
import { chosen } from "./actors.mjs";
import { elementOf, on } from "./compat.mjs";
import { link } from "./link.mjs";
import { paletteDoing } from "./palette-doing.mjs";
import { faIcon, stateHint } from "./windows.mjs";

const NAME = "boonbridge";
const EDGE = 8;
/** As many tokens as are remembered. */
const MOST = 50;

/** @type {Map<string, PaletteState>} by the uuid of the token */
const states = new Map();
/** @type {{uuid: string, model: TableModel, palette: Palette, opened: boolean, focus: string | null, top: number} | null} of the HUD that is open */
let now = null;

export function watchHud() {
  // A system may have a class of its own, which is Foundry's or only something like it.
  for (const hook of ["renderTokenHUD", "renderBasePlaceableHUD"]) on(hook, rendered);
  for (const hook of ["closeTokenHUD", "closeBasePlaceableHUD"]) on(hook, closed);
  on("controlToken", again);
  on("deleteToken", (token) => states.delete(token?.uuid));
  on("canvasPan", () => {
    const place = document.getElementById(`${NAME}-hud-palette`);
    if (place?.classList.contains("active")) fit(place);
  });
  link.on("entries", again);
  link.on("state", again);
}

/** What was set is kept; that it was open is not. @param {Loose} hud */
function closed(hud) {
  if (document.getElementById(`${NAME}-hud-palette`) === null || hud === /** @type {Loose} */ (canvas)?.hud?.token) now = null;
}

/**
 * @param {Loose} hud
 * @param {Loose} html
 */
function rendered(hud, html) {
  const root = elementOf(html) ?? elementOf(hud?.element);
  const token = hud?.object;
  if (root === null || token?.document?.documentName !== "Token" || root.querySelector(`.${NAME}-hud-button`) !== null) return;
  const one = chosen(token.actor, token.document);
  if (one === null || token.actor.isOwner !== true) return;
  // A system's own HUD may know nothing of palettes.
  const toggles = typeof hud.togglePalette === "function";
  const label = link.words.say("foundry.hud.open", { name: one.name });
  const place = el("div", { class: `palette boonbridge ${NAME}-palette`, id: `${NAME}-hud-palette`, role: "group", "aria-label": label, "data-palette": NAME, "data-testid": "hud-palette" });
  const button = el("button", {
    type: "button",
    class: `control-icon ${NAME}-hud-button`,
    "data-action": toggles ? "togglePalette" : null,
    "data-palette": NAME,
    "data-tooltip": label,
    "aria-label": label,
    "aria-controls": place.id,
    "data-testid": "hud-button",
  }, faIcon("scale-balanced"));
  if (!toggles) button.addEventListener("click", () => show(button, place, !place.classList.contains("active")));
  // What is set in here changes nothing of the token: Foundry would send its form.
  for (const type of ["change", "input", "submit"]) place.addEventListener(type, (event) => event.stopPropagation());
  const column = root.querySelector(".col.right") ?? root.querySelector(".col.left") ?? root;
  column.append(button, place);
  fill(token, place);
  show(button, place, toggles ? hud.activePalette === NAME : now?.opened === true);
  new MutationObserver(() => shown(button, place)).observe(place, { attributeFilter: ["class"] });
}

/**
 * @param {HTMLElement} button
 * @param {HTMLElement} place
 * @param {boolean} open
 */
function show(button, place, open) {
  for (const part of [button, place]) part.classList.toggle("active", open);
  shown(button, place);
}

/**
 * Whoever opened or closed it.
 *
 * @param {HTMLElement} button
 * @param {HTMLElement} place
 */
function shown(button, place) {
  const open = place.classList.contains("active");
  button.setAttribute("aria-expanded", String(open));
  if (now !== null) now.opened = open;
  if (!open) return;
  fit(place);
  if (now === null) return;
  place.scrollTop = now.top;
  const { focus } = now;
  if (focus !== null && place.ownerDocument.activeElement === place.ownerDocument.body) {
    /** @type {HTMLElement | null} */ (place.querySelector(`[data-focus="${CSS.escape(focus)}"]`))?.focus({ preventScroll: true });
  }
}

/**
 * @param {Loose} token
 * @param {HTMLElement} place
 */
function fill(token, place) {
  const { model } = link;
  const uuid = String(token.document.uuid);
  if (model === null) {
    place.replaceChildren(stateHint("hud-away"));
    return;
  }
  if (now === null || now.uuid !== uuid || now.model !== model) {
    now = { uuid, model, palette: new Palette(model, () => meant(token), stateOf(uuid), paletteDoing), opened: false, focus: null, top: 0 };
  } else now.palette.draw();
  place.replaceChildren(...(link.isLive ? [] : [stateHint("hud-away")]), now.palette.root);
  const kept = now;
  place.addEventListener("focusin", (event) => {
    kept.focus = /** @type {HTMLElement} */ (event.target).dataset.focus ?? null;
  });
  place.addEventListener("scroll", () => {
    if (place.isConnected) kept.top = place.scrollTop;
  });
}

/** @param {string} uuid */
function stateOf(uuid) {
  const state = states.get(uuid) ?? freshPalette();
  states.delete(uuid);
  states.set(uuid, state);
  if (states.size > MOST) states.delete(/** @type {string} */ (states.keys().next().value));
  return state;
}

/**
 * The token of the HUD; where it is one of several that are selected, all of them that are this person's and stand for somebody.
 *
 * @param {Loose} token
 * @returns {Chosen[]}
 */
function meant(token) {
  /** @type {Loose[]} */
  const selected = canvas?.ready === true ? canvas.tokens?.controlled ?? [] : [];
  const all = selected.includes(token) ? [token, ...selected.filter((each) => each !== token)] : [token];
  /** @type {Map<string, Chosen>} */
  const found = new Map();
  for (const each of all) {
    const one = each.actor?.isOwner === true ? chosen(each.actor, each.document) : null;
    if (one !== null) found.set(one.id, one);
  }
  return [...found.values()];
}

/** The table changed, or others are selected. */
function again() {
  const place = document.getElementById(`${NAME}-hud-palette`);
  const token = /** @type {Loose} */ (canvas)?.hud?.token?.object;
  if (place === null || !token?.document) return;
  if (link.model !== now?.model || place.querySelector("[data-testid=hud-away]") !== null || !link.isLive) fill(token, place);
  else now?.palette.draw();
  if (place.classList.contains("active")) fit(place);
}

/**
 * As large as everything else on the screen, however the map is scaled, and wholly on it.
 *
 * @param {HTMLElement} place
 */
function fit(place) {
  const view = place.ownerDocument.defaultView;
  if (view === null || place.offsetWidth === 0) return;
  place.style.transform = "none";
  const plain = place.getBoundingClientRect();
  const scale = plain.width / place.offsetWidth;
  const [width, height] = [place.offsetWidth, place.offsetHeight];
  const [from, to] = freeOf(view, width);
  const left = Math.max(from, Math.min(plain.left, to - width));
  const top = Math.max(EDGE, Math.min(plain.top, view.innerHeight - EDGE - height));
  place.style.transform = `translate(${(left - plain.left) / scale}px, ${(top - plain.top) / scale}px) scale(${1 / scale})`;
}

/**
 * What Foundry's own columns leave of the screen: they lie over every HUD. Where that is too little, the whole screen.
 *
 * @param {Window} view
 * @param {number} width
 * @returns {[number, number]}
 */
function freeOf(view, width) {
  const edge = (/** @type {string} */ id) => view.document.getElementById(id)?.getBoundingClientRect();
  const [from, to] = [(edge("scene-controls")?.right ?? 0) + EDGE, Math.min(view.innerWidth, edge("sidebar")?.left ?? view.innerWidth) - EDGE];
  return to - from >= width ? [from, to] : [EDGE, view.innerWidth - EDGE];
}
