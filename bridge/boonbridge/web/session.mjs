/**
 * What this browser remembers: the token, the last commit it saw, how rolls usually are seen and begun,
 * the look.
 *
 * A tab keeps its own token, so that a GM and a player can sit side by side in one browser; what is kept beyond the
 * tab is the last one used. Neither a token nor a code stays in the address bar.
 */

/** @import { Position } from "../client/types.mjs" */

import { codeIn } from "../client/address.mjs";

import { OWN_MODES } from "../forms/roll-mode.mjs";

const TOKEN = "boonbridge.token";
const THEME = "boonbridge.theme";
const MODE = "boonbridge.rolls";
const AT_ONCE = "boonbridge.at_once";
const SEEN = "boonbridge.seen.";

/**
 * Storage may be switched off; then nothing is remembered and everything else works.
 *
 * @template Value
 * @param {() => Value} access
 * @returns {Value | null}
 */
function quietly(access) {
  try {
    return access();
  } catch {
    return null;
  }
}

/** @returns {string | null} the code of the address bar, which is emptied at once; it is kept nowhere. "": what stood there is none */
export function takeCode() {
  if (!new URLSearchParams(location.hash.slice(1)).has("code")) return null;
  const code = codeIn(location.hash) ?? "";
  emptyAddress();
  return code;
}

const emptyAddress = () => history.replaceState(null, "", location.pathname + location.search);

/** @returns {string | null} the token of the address bar, which is emptied at once, or the one kept */
export function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given !== null) {
    emptyAddress();
    if (given !== "") keepToken(given);
  }
  return quietly(() => sessionStorage.getItem(TOKEN)) ?? quietly(() => localStorage.getItem(TOKEN));
}

/** @param {string} token */
export function keepToken(token) {
  quietly(() => sessionStorage.setItem(TOKEN, token));
  quietly(() => localStorage.setItem(TOKEN, token));
}

export function forgetToken() {
  const mine = quietly(() => sessionStorage.getItem(TOKEN));
  quietly(() => sessionStorage.removeItem(TOKEN));
  if (mine === null || quietly(() => localStorage.getItem(TOKEN)) === mine) quietly(() => localStorage.removeItem(TOKEN));
}

/**
 * @param {string} table
 * @returns {Position | null}
 */
export function lastSeen(table) {
  const text = quietly(() => localStorage.getItem(SEEN + table));
  if (text === null) return null;
  const value = quietly(() => JSON.parse(text));
  const whole = Number.isSafeInteger(value?.epoch) && Number.isSafeInteger(value?.seq) && typeof value?.hash === "string";
  return whole ? { epoch: value.epoch, seq: value.seq, hash: value.hash } : null;
}

/**
 * @param {string} table
 * @param {Position} position
 */
export function keepSeen(table, position) {
  quietly(() => localStorage.setItem(SEEN + table, JSON.stringify(position)));
}

/** @typedef {typeof OWN_MODES[number]} OwnMode */

/** @returns {OwnMode} how this person's rolls are seen unless something says otherwise */
export function ownMode() {
  const kept = quietly(() => localStorage.getItem(MODE));
  return OWN_MODES.find((mode) => mode === kept) ?? "public";
}

/** @param {string} mode */
export function keepOwnMode(mode) {
  quietly(() => localStorage.setItem(MODE, mode));
}

/** Whether a request that leaves nothing to choose is rolled without being asked about. */
export const atOnce = () => quietly(() => localStorage.getItem(AT_ONCE)) === "yes";

/** @param {boolean} on */
export function keepAtOnce(on) {
  quietly(() => (on ? localStorage.setItem(AT_ONCE, "yes") : localStorage.removeItem(AT_ONCE)));
}

/** @typedef {"auto" | "light" | "dark"} Theme */

/** @returns {Theme} */
export function theme() {
  const kept = quietly(() => localStorage.getItem(THEME));
  return kept === "light" || kept === "dark" ? kept : "auto";
}

/** @param {Theme} wanted */
export function setTheme(wanted) {
  quietly(() => localStorage.setItem(THEME, wanted));
  showTheme();
}

export function showTheme() {
  const wanted = theme();
  if (wanted === "auto") document.documentElement.removeAttribute("data-theme");
  else document.documentElement.setAttribute("data-theme", wanted);
}
