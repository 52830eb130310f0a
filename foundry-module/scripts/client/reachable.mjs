/** Which of a table's addresses this page can try, best first. Nothing is tried that cannot work or must not be tried. */

import { isBlocked, isLoopback, socketUrl } from "./address.mjs";

/** @typedef {{protocol: string, hostname: string}} Page */

/** @param {string} host */
export function isPrivate(host) {
  const name = host.replace(/^\[|\]$/g, "").toLowerCase();
  if (/^10\.|^192\.168\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\./.test(name)) return true;
  return /^(f[cd]|fe[89ab])[0-9a-f]{2}:/.test(name) || name.endsWith(".local") || name.endsWith(".lan") || name.endsWith(".home.arpa");
}

/** @param {string} host */
const isPublic = (host) => !isLoopback(host) && !isPrivate(host);

/**
 * An address of this very machine means another machine on every other page; one of a home network is nobody's
 * business from a page of the internet.
 *
 * @param {string} socket
 * @param {Page} page
 */
export function fits(socket, page) {
  const { hostname } = new URL(socket);
  if (isBlocked(socket, page)) return false;
  if (isLoopback(hostname)) return isLoopback(page.hostname);
  return !(isPrivate(hostname) && isPublic(page.hostname));
}

/**
 * @param {readonly string[]} addresses as typed, or as the bridge gives them
 * @param {Page} page
 * @returns {string[]} websocket addresses, each once
 */
export function reachable(addresses, page) {
  const sockets = addresses.map((address) => socketUrl(address, page)).filter((socket) => socket !== null);
  return [...new Set(sockets)].filter((socket) => fits(socket, page));
}

/**
 * Why none of these can be tried from here, as the key of a sentence.
 *
 * @param {readonly string[]} addresses
 * @param {Page} page
 * @returns {"none" | "loopback" | "blocked" | "private" | "bad"}
 */
export function whyNot(addresses, page) {
  if (addresses.length === 0) return "none";
  const sockets = addresses.map((address) => socketUrl(address, page)).filter((socket) => socket !== null);
  if (sockets.length === 0) return "bad";
  if (sockets.some((socket) => isBlocked(socket, page))) return "blocked";
  return sockets.every((socket) => isLoopback(new URL(socket).hostname)) ? "loopback" : "private";
}
