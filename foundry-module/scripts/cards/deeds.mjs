/** What a commit did that can be taken back, by the name under which it is: a check, a grant, a condition, a table move. */

/** @import { Commit, TableEvent } from "../client/types.mjs" */

/**
 * The names of what a commit did besides rolling. Conditions of a commit are numbered in the order of its events.
 *
 * @param {Commit} commit
 * @returns {Map<TableEvent, string>}
 */
export function deedsOf(commit) {
  /** @type {Map<TableEvent, string>} */
  const deeds = new Map();
  let nth = 0;
  for (const event of (commit.t === "logged" && commit.events) || []) {
    if (event.t === "Granted") deeds.set(event, `grant/${event.grant.id}`);
    else if (event.t === "Acted") deeds.set(event, `verb/${commit.seq}`);
    else if (event.t === "ConditionSet" || event.t === "ConditionCleared") {
      nth += 1;
      deeds.set(event, `condition/${commit.seq}.${nth}`);
    }
  }
  return deeds;
}

/** @param {string} check */
export const checkDeed = (check) => `check/${check}`;

/**
 * @param {string} deed
 * @returns {string | null} null: it is no check
 */
export const checkOf = (deed) => (deed.startsWith("check/") ? deed.slice("check/".length) : null);

/**
 * The commit in which something was done: its name begins with that.
 *
 * @param {string} deed
 */
export const seqOf = (deed) => Number.parseInt(deed.slice(deed.indexOf("/") + 1), 10);
