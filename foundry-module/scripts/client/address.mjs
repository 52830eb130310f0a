/** Which websocket address to use, from what a person typed and the page it is used on. */

/**
 * @typedef {object} PagePlace
 * @property {string} protocol `http:` or `https:`
 */

/** @param {string} host a host name, maybe in brackets */
export function isLoopback(host) {
  const name = host.replace(/^\[|\]$/g, "").toLowerCase();
  return name === "localhost" || name.endsWith(".localhost") || name === "::1" || /^127(\.\d{1,3}){3}$/.test(name);
}

/**
 * A whole address is taken as given. A bare host gets `wss` from a secure page, except on this very machine, where
 * nobody has a certificate and browsers allow plain `ws`; from a plain page everything is `ws`.
 *
 * @param {string} address
 * @param {PagePlace} page
 * @returns {string | null} null where it is no address
 */
export function socketUrl(address, page) {
  const text = address.trim();
  const scheme = /^([a-z]+):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && !["ws", "wss", "http", "https"].includes(scheme)) return null;
  let url;
  try {
    url = new URL(scheme === undefined ? `http://${text}` : text);
  } catch {
    return null;
  }
  if (url.hostname === "" || url.username !== "" || text === "") return null;
  const secure = scheme === undefined
    ? page.protocol === "https:" && !isLoopback(url.hostname)
    : scheme === "wss" || scheme === "https";
  const path = url.pathname.replace(/\/+$/, "");
  const whole = scheme === "ws" || scheme === "wss" ? path !== "" : path.endsWith("/ws");
  return `${secure ? "wss" : "ws"}://${url.host}${whole ? url.pathname : `${path}/ws`}`;
}

/**
 * A link to a table page with a code behind `#`, as it is sent to somebody.
 *
 * @param {string} text
 * @returns {{page: string, code: string} | null} null where it is none
 */
export function invitation(text) {
  let url;
  try {
    url = new URL(text.trim());
  } catch {
    return null;
  }
  const code = codeIn(url.hash);
  if (code === null || !["http:", "https:"].includes(url.protocol)) return null;
  return { page: url.origin + url.pathname, code };
}

/**
 * @param {string} hash of an address
 * @returns {string | null} null where it has no code
 */
export function codeIn(hash) {
  const code = new URLSearchParams(hash.replace(/^#/, "")).get("code")?.trim();
  return code === undefined || !/^[A-Za-z0-9 -]{1,20}$/.test(code) ? null : code;
}

/**
 * The websocket beside a page that the bridge itself serves.
 *
 * @param {string} href
 */
export function ownSocketUrl(href) {
  const url = new URL("ws", href);
  return `${url.protocol === "https:" ? "wss" : "ws"}://${url.host}${url.pathname}`;
}

/**
 * Whether a browser would block this address from this page: plain `ws` to another machine from a secure page.
 * It does so without telling the page why, so it has to be said before trying.
 *
 * @param {string} socket
 * @param {PagePlace} page
 */
export function isBlocked(socket, page) {
  const url = new URL(socket);
  return page.protocol === "https:" && url.protocol === "ws:" && !isLoopback(url.hostname);
}
