/** What became later of what a commit tells: a line for each, with the way there. The card of that moment itself knows nothing of it. */

/** @import { CheckIndex } from "../cards/check-index.mjs" */
/** @import { Commit } from "../client/types.mjs" */

import { deedsOf } from "../cards/deeds.mjs";
import { storyOf } from "../cards/story.mjs";

/** @typedef {{key: string, seq: number}} LaterLine */

/**
 * @param {Commit} commit
 * @param {readonly CheckIndex[]} known what was read of the log; the first that knows it is asked
 * @returns {LaterLine[]} in order of the log, each commit once
 */
export function laterOf(commit, known) {
  const story = storyOf(commit);
  const corrected = story.corrections.flatMap((event) => (event.t === "Overridden" ? [event.check] : event.t === "Revealed" ? [event.rolled.check] : []));
  const checks = new Set([...story.checks.map(({ check }) => check), ...story.later.map(({ check }) => check), ...corrected]);
  const requests = story.lines.flatMap((event) => (event.t === "CheckRequested" ? [event.request.id] : []));
  /** @type {Map<number, LaterLine>} */
  const lines = new Map();
  const add = (/** @type {string} */ key, /** @type {number | undefined} */ seq) => {
    if (seq !== undefined && seq > commit.seq && !lines.has(seq)) lines.set(seq, { key: `replay.later.${key}`, seq });
  };
  for (const index of known) {
    const { corrections } = index;
    for (const check of checks) {
      add("voided", corrections.voidedCheck(check)?.seq);
      add("overridden", corrections.overridden(check)?.seq);
      add("revealed", corrections.revealed(check)?.seq);
      add("settled", corrections.settled(check));
      for (const seq of index.chosenIn(check)) add("decided", seq);
    }
    for (const deed of deedsOf(commit).values()) add("voided", corrections.voided(deed)?.seq);
    for (const request of requests) add("answered", index.requests.outcome(request)?.seq);
  }
  return [...lines.values()].sort((a, b) => a.seq - b.seq);
}
