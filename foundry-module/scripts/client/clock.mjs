/** @import { Clock } from "./types.mjs" */

/** @type {Clock} */
export const systemClock = {
  now: () => Date.now(),
  after(ms, then) {
    const timer = globalThis.setTimeout(then, ms);
    return () => globalThis.clearTimeout(timer);
  },
};

/**
 * How long to wait before try number `tries` (from 0): doubling, never twice the same, at most 15 s.
 *
 * @param {number} tries
 * @param {number} share a number from 0 to 1
 */
export function backoff(tries, share) {
  const ceiling = Math.min(15_000, 500 * 2 ** Math.min(tries, 10));
  return Math.round(ceiling * (0.5 + share / 2));
}
