/** What a tracker's places mean for the bridge: once, forwards, and in the order of the game. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { Fight, PASSING_MS } from "../../foundry-module/scripts/foundry/tracker-steps.mjs";

const place = (round, combatant, more = {}) => ({ round, combatant, actor: combatant === null ? null : `Actor.${combatant}`, nth: 0, order: "abc".indexOf(combatant ?? "?"), ...more });

/** Tell places one after the other. */
function tell(fight, ...places) {
  return places.flatMap((each) => {
    const steps = fight.steps(each);
    fight.reached(each);
    return steps.map(({ cmd }) => `${cmd.t} ${cmd.round}${cmd.actor ? ` ${cmd.actor.at(-1)}` : ""}`);
  });
}

test("a turn ends, a round ends, the next turn begins", () => {
  const fight = new Fight("Combat.1");
  assert.deepEqual(tell(fight, place(1, "a"), place(1, "b"), place(2, "a")),
    ["StartTurn 1 a", "EndTurn 1 a", "StartTurn 1 b", "EndTurn 1 b", "EndRound 1", "StartTurn 2 a"]);
});

test("going back tells nothing, however it is noticed, and going on from there neither", () => {
  const fight = new Fight("Combat.1");
  tell(fight, place(1, "a"), place(1, "b"), place(2, "a"));
  assert.deepEqual(tell(fight, place(1, "b"), place(1, "a", { back: true }), place(1, "b"), place(2, "a")), []);
  assert.deepEqual(tell(fight, place(2, "b")), ["EndTurn 2 a", "StartTurn 2 b"]);
  assert.deepEqual(tell(fight, place(2, "a")), [], "whose turn of this round was");
});

test("somebody unknown has no turn, and none ends; who becomes known has one", () => {
  const fight = new Fight("Combat.1");
  const unknown = place(1, "b", { actor: null });
  assert.deepEqual(tell(fight, place(1, "a"), unknown, place(1, "b"), place(1, "c")), ["StartTurn 1 a", "EndTurn 1 a", "StartTurn 1 b", "EndTurn 1 b", "StartTurn 1 c"]);
});

test("a place is heard once, and a turn that was taken back at once was none", () => {
  const fight = new Fight("Combat.1");
  fight.hear(place(1, "a"), 0);
  fight.hear(place(1, "a", { back: true }), 1);
  assert.deepEqual(fight.trail.map(({ combatant, back }) => [combatant, back]), [["a", true]]);
  fight.hear(place(1, "b"), 1000);
  fight.hear(place(1, null), 1000 + PASSING_MS - 1);
  assert.deepEqual(fight.trail.map(({ combatant }) => combatant), ["a", null]);
  fight.hear(place(1, "b"), 2000);
  fight.hear(place(1, null), 2000 + PASSING_MS);
  assert.deepEqual(fight.trail.map(({ combatant }) => combatant), ["a", null, "b", null]);
});

test("a page that takes over goes on from where the bridge is", () => {
  const fight = new Fight("Combat.1");
  for (const [nth, each] of [place(1, "a"), place(1, "b"), place(1, "c")].entries()) fight.hear(each, nth * 1000);
  const find = (actor) => ({ combatant: actor.at(-1), nth: 0, order: "abc".indexOf(actor.at(-1)) });
  fight.resume({ combat: "Combat.1", round: 1, actor: "Actor.b" }, find);
  assert.deepEqual(fight.trail.map(({ combatant }) => combatant), ["c"]);
  assert.deepEqual(tell(fight, ...fight.trail), ["EndTurn 1 b", "StartTurn 1 c"]);
});

test("what began in a round is remembered when the bridge is asked where it stands", () => {
  const fight = new Fight("Combat.1");
  tell(fight, place(1, "c"), place(1, "b"));
  fight.resume({ combat: "Combat.1", round: 1, actor: "Actor.b" }, () => ({ combatant: "b", nth: 0, order: 1 }));
  assert.deepEqual(tell(fight, place(1, "c")), []);
  fight.resume({ combat: "Combat.2", round: 7, actor: "Actor.x" }, () => null);
  assert.deepEqual(tell(fight, place(1, "a")), ["EndTurn 1 b", "StartTurn 1 a"], "another fight says nothing of this one");
});

test("rounds that nobody told are told, but not without end", () => {
  const fight = new Fight("Combat.1");
  fight.resume({ combat: "Combat.1", round: 2, actor: null }, () => null);
  assert.deepEqual(tell(fight, place(4, "a")), ["EndRound 2", "EndRound 3", "StartTurn 4 a"]);
  fight.resume({ combat: "Combat.1", round: 5, actor: null }, () => null);
  assert.equal(tell(fight, place(500, "a")).length, 21);
  assert.deepEqual(tell(fight, place(3, "a")), []);
});

test("an earlier place that nobody saw the tracker come to is told carefully", () => {
  const fight = new Fight("Combat.1");
  fight.resume({ combat: "Combat.1", round: 1, actor: "Actor.c" }, () => ({ combatant: "c", nth: 0, order: 2 }));
  assert.deepEqual(fight.steps(place(1, "a")).map(({ cmd, onlyIfNew }) => [cmd.t, onlyIfNew === true]), [["StartTurn", true], ["EndTurn", false]]);
});
