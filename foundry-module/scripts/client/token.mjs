/** When a token is renewed. It is read without being checked: only the bridge can do that. */

const HALF_OF_UNKNOWN_MS = 15 * 24 * 3600 * 1000;

/**
 * @param {string} token
 * @returns {{iat?: number, exp?: number}}
 */
function claims(token) {
  try {
    const middle = (token.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/");
    const value = JSON.parse(globalThis.atob(middle));
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

/**
 * The time from which the bridge gives a fresh one: half of its life.
 *
 * @param {string} token
 * @param {number} expiresAt milliseconds
 */
export function renewableFrom(token, expiresAt) {
  const { iat } = claims(token);
  return typeof iat === "number" && Number.isFinite(iat) && iat * 1000 < expiresAt
    ? (iat * 1000 + expiresAt) / 2
    : expiresAt - HALF_OF_UNKNOWN_MS;
}
