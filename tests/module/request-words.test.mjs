import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { announcementOf } from "../../foundry-module/scripts/cards/card.mjs";
import { CheckIndex } from "../../foundry-module/scripts/cards/check-index.mjs";
import { linesOf } from "../../foundry-module/scripts/cards/lines.mjs";
import { requestOf } from "../../foundry-module/scripts/cards/request-card.mjs";
import { checksLine, groupWords, requestTitle, whyGroup } from "../../foundry-module/scripts/cards/request-words.mjs";
import { Words, dictionaryLookup } from "../../foundry-module/scripts/client/words.mjs";
import { AnswerState } from "../../foundry-module/scripts/forms/answer-state.mjs";
import { RequestState } from "../../foundry-module/scripts/forms/request-state.mjs";
import { OPEN_HABIT } from "../../foundry-module/scripts/forms/roll-mode.mjs";
import { modeOfCommit, publicPart } from "../../foundry-module/scripts/foundry/news.mjs";
import { storedCard } from "../../foundry-module/scripts/foundry/stored-card.mjs";

const dictionary = JSON.parse(readFileSync(new URL("../../foundry-module/lang/en.json", import.meta.url), "utf8"));

const STR = { key: "ability", label: "Ability", kind: "number", required: true, choices: [{ value: "str", label: "STR" }, { value: "agi", label: "AGI" }] };
const DC = { key: "dc", label: "DC", kind: "integer", difficulty: true, required: true, ladder: [{ value: 10, label: "fair" }, { value: 14, label: "hard" }] };
const RULESET = {
  id: "toy", title: "Toy", options: {}, optionSpecs: [], numbers: [], roles: [],
  outcomes: [{ key: "success", label: "Success", tone: "success" }, { key: "failure", label: "Failure", tone: "failure" }],
  words: { "group.success": "The group succeeds", "group.tie": "A tie" },
  checks: [
    { key: "task", label: "Task", params: [STR, DC], targets: "none" },
    { key: "shove", label: "Shove", params: [STR, { key: "against", label: "Against", kind: "number", ofTarget: true, choices: [{ value: "agi", label: "AGI" }] }, { ...DC, required: false }], targets: "optional" },
    { key: "share", label: "Share", params: [STR], targets: "none", asked: true },
  ],
  groups: [
    { key: "each", label: "Each for himself" },
    { key: "one_success", label: "One success is enough", checks: ["task"] },
    { key: "challenge", label: "Challenge", checks: ["share"], perMember: true, difficulty: { key: "sum", label: "Sum", kind: "integer", difficulty: true, required: true, ladder: [{ value: 7, label: "easy" }, { value: 9, label: "fair" }, { value: 11, label: "hard" }] } },
  ],
};

const NAMES = { a: "Ana", b: "Bela", c: "Cass" };
const rows = (...actors) => actors.map((actor) => ({ actor, name: NAMES[actor], status: "sent" }));
const asked = (check, params = {}) => ({ check, params });
const record = (more = {}) => ({ id: "5", by: "gm", checks: [asked("task", { ability: "str", dc: 14 })], rows: rows("a", "b", "c"), mode: "public", group: "each", shown: true, ...more });
const commit = (seq, ...events) => ({ t: "logged", seq, at: 0, hash: "", seedHash: "", by: "gm", events });

function view(more = {}) {
  const checks = new CheckIndex();
  return {
    words: new Words(dictionaryLookup(dictionary), RULESET),
    ruleset: RULESET,
    viewer: { user: "gm", role: "gm" },
    actorName: (id) => NAMES[id],
    personName: (id) => (id === "gm" ? "Rin" : undefined),
    numberName: () => undefined,
    owns: () => false,
    pending: () => undefined,
    checks,
    choose: null, verify: null, goTo: null,
    clock: () => "",
    ...more,
  };
}

function rolled(check, actor, total, success) {
  return { t: "CheckRolled", mode: "public", sources: [], rolled: { check, actor, name: NAMES[actor], kind: "task", params: {}, request: "5" }, result: { dice: [{ role: "d", sides: 20, face: total, kept: true, mark: "" }], net: 0, boons: 0, banes: 0, bonus: 0, total, outcome: success ? "success" : "failure", success } };
}

describe("what a request asks for", () => {
  const context = view();
  for (const [name, request, line] of [
    ["one check in full", record(), "Task \u00b7 STR (DC 14, hard)"],
    ["several of one kind as short as can be", record({ checks: [asked("task", { ability: "str", dc: 12 }), asked("task", { ability: "agi", dc: 14 })] }), "STR 12 or AGI 14 (hard)"],
    ["several of two kinds by their names", record({ checks: [asked("task", { ability: "str", dc: 12 }), asked("shove", { dc: 10 })] }), "Task \u00b7 STR 12 or Shove 10 (fair)"],
    ["a difficulty that is not known here", record({ shown: false, checks: [asked("task", { ability: "str" })] }), "Task \u00b7 STR, difficulty hidden"],
    ["nothing hidden where the group has the number", record({ shown: false, group: "challenge", checks: [asked("share")] }), "Share"],
  ]) test(name, () => assert.equal(checksLine(context, request), line));

  test("how the rolls belong together", () => {
    assert.equal(groupWords(context, record()), "");
    assert.equal(groupWords(context, record({ group: "one_success" })), "One success is enough");
    assert.equal(groupWords(context, record({ group: "challenge", difficulty: 27 })), "Challenge: Sum 27");
    assert.equal(groupWords(context, record({ group: "challenge", shown: false })), "Challenge: difficulty hidden");
  });

  test("what it is called", () => {
    assert.equal(requestTitle(context, record({ action: "over the wall" })), "over the wall");
    assert.equal(requestTitle(context, record()), "Task \u00b7 STR");
  });
});

describe("why it came to that", () => {
  const outcome = (more) => ({ outcome: "success", success: true, counted: 3, succeeded: 1, ...more });
  const done = (group) => record({ group, rows: [{ actor: "a", name: "Ana", status: "rolled", check: "6.1" }, { actor: "b", name: "Bela", status: "rolled", check: "7.1" }, { actor: "c", name: "Cass", status: "declined" }] });
  const read = view();
  read.checks.take(commit(6, rolled("6.1", "a", 15, true)));
  read.checks.take(commit(7, rolled("7.1", "b", 3, false)));
  for (const [context, who] of [[read, "everybody reads"], [view(), "nobody here reads"]]) {
    const named = context === read;
    for (const [group, result, sentence] of [
      ["one_success", outcome({}), named ? "One success was enough: Ana." : "One success was enough."],
      ["one_success", outcome({ outcome: "failure", success: false }), "Nobody succeeded."],
      ["one_failure", outcome({}), "Nobody failed."],
      ["one_failure", outcome({ outcome: "failure", success: false }), named ? "One failure was enough: Bela." : "One failure was enough."],
      ["challenge", outcome({ total: 27, target: 27 }), "27 together, and 27 were needed."],
      ["challenge", outcome({ total: 27 }), "27 together."],
      ["opposed", outcome({ outcome: "won", success: null, winners: ["a"] }), "Ana comes out on top."],
      ["opposed", outcome({ outcome: "tie", success: null, winners: ["a", "b"] }), "A tie: Ana, Bela."],
      ["each", outcome({ outcome: "each", success: null, counted: 2 }), "1 of 2 succeeded."],
      ["later_kind", outcome({ counted: 2 }), "1 of 2 succeeded."],
    ]) {
      test(`${group}, ${result.outcome}, of rolls that ${who}`, () => {
        const { key, values } = whyGroup(context, done(group), result);
        assert.equal(context.words.say(key, values), sentence);
      });
    }
  }
});

describe("a request as the log tells it", () => {
  test("fills as they answer, and is over", () => {
    const { checks } = view();
    assert.deepEqual(checks.take(commit(5, { t: "CheckRequested", request: record() })), []);
    assert.deepEqual(checks.take(commit(6, rolled("6.1", "a", 15, true), { t: "RequestAnswered", request: "5", actor: "a", check: "6.1" })), [5]);
    checks.take(commit(7, { t: "Declined", request: "5", actor: "b" }));
    checks.take(commit(8, { t: "RequestExpired", request: "5", actors: ["c"] }, { t: "RequestClosed", request: "5", why: "closed" }));
    const now = checks.requests.record("5");
    assert.deepEqual(now.rows.map(({ status }) => status), ["rolled", "declined", "expired"]);
    assert.equal(now.over, "closed");
    assert.equal(checks.requests.outcome("5"), null);
  });

  test("whatever order the pages of the log come in", () => {
    const { checks } = view();
    checks.take(commit(8, { t: "RequestClosed", request: "5", why: "complete", result: { outcome: "success", success: true, counted: 1, succeeded: 1 } }));
    checks.take(commit(6, { t: "RequestAnswered", request: "5", actor: "a", check: "6.1" }));
    assert.equal(checks.requests.record("5"), undefined);
    checks.take(commit(5, { t: "CheckRequested", request: record({ rows: rows("a") }) }));
    checks.take(commit(8, { t: "RequestClosed", request: "5", why: "complete", result: { outcome: "success", success: true, counted: 1, succeeded: 1 } }));
    assert.equal(checks.requests.record("5").rows[0].status, "rolled");
    assert.equal(checks.requests.outcome("5").result.succeeded, 1);
  });

  test("a roll that was taken back leaves its row open again, and the result is counted anew", () => {
    const { checks } = view();
    checks.take(commit(5, { t: "CheckRequested", request: record() }));
    checks.take(commit(6, { t: "RequestAnswered", request: "5", actor: "a", check: "6.1" }));
    checks.take(commit(7, { t: "Voided", what: "check/6.1", effects: [{ t: "RowReopened", request: "5", actor: "a" }] }));
    assert.equal(checks.requests.record("5").rows[0].status, "sent");
    checks.take(commit(9, { t: "GroupRecounted", request: "5", result: { outcome: "failure", success: false, counted: 2, succeeded: 0 } }));
    assert.equal(checks.requests.outcome("5").anew, true);
  });

  test("what only GMs know is left out where everybody reads", () => {
    const { checks } = view();
    checks.take(commit(5, { t: "CheckRequested", request: record({ shown: false, checks: [asked("task")] }) }, { t: "DifficultiesSet", request: "5", checks: [asked("task", { dc: 17 })] }));
    assert.deepEqual(checks.requests.record("5").checks[0].params, { dc: 17 });
    assert.deepEqual(checks.requests.record("5", false).checks[0].params, {});
  });

  test("one that the table has no entry of is over", () => {
    const context = view({ request: () => undefined });
    context.checks.take(commit(5, { t: "CheckRequested", request: record() }));
    assert.equal(requestOf(context, "5").over, "gone");
    assert.equal(requestOf(view({ checks: context.checks }), "5").over, undefined);
  });
});

describe("lines and what is read aloud", () => {
  const context = view();
  context.checks.take(commit(5, { t: "CheckRequested", request: record({ action: "over the wall", group: "one_success" }) }));
  const said = (event) => linesOf(context, event, "gm").map(({ key, values, fallback }) => context.words.say(key, values, fallback)).join(" ");
  for (const [event, text] of [
    [{ t: "CheckRequested", request: record() }, "Rin asks Ana, Bela, Cass for a check: Task \u00b7 STR (DC 14, hard)."],
    [{ t: "CheckRequested", request: record({ action: "over the wall" }) }, "Rin asks Ana, Bela, Cass: over the wall \u2013 Task \u00b7 STR (DC 14, hard)."],
    [{ t: "DifficultiesSet", request: "5", checks: [] }, ""],
    [{ t: "RequestAnswered", request: "5", actor: "a", check: "6.1" }, ""],
    [{ t: "RequestAnswered", request: "5", actor: "a" }, "Ana has rolled for #5."],
    [{ t: "Declined", request: "5", actor: "b" }, "Bela does not roll for #5."],
    [{ t: "RequestExpired", request: "5", actors: ["b", "c"] }, "Bela, Cass did not answer #5."],
    [{ t: "RequestClosed", request: "5", why: "closed" }, "Rin closes #5."],
    [{ t: "RequestClosed", request: "5", why: "expired" }, "The time for #5 is up."],
    [{ t: "RequestClosed", request: "5", why: "complete" }, "Everybody has answered #5."],
    [{ t: "RequestClosed", request: "5", why: "complete", result: { outcome: "success", success: true, counted: 1, succeeded: 1 } }, "over the wall: The group succeeds. One success was enough."],
    [{ t: "GroupTold", request: "5", result: { outcome: "success", success: true, counted: 1, succeeded: 1 } }, "over the wall: The group succeeds. One success was enough."],
    [{ t: "GroupRecounted", request: "5", result: null }, "over the wall: nothing is left to count."],
    [{ t: "GroupRecounted", request: "5", result: { outcome: "failure", success: false, counted: 1, succeeded: 0 },
      effects: [{ t: "XpChanged", actor: "a", change: -1, now: 2 }], brings: [{ t: "XpChanged", actor: "b", change: 1, now: 4 }],
      left: [{ what: "opportunity", label: "a gap", why: "used_since" }] },
    "over the wall, counted anew: Failure. Nobody succeeded. Ana spends 1 XP and has 2 left. Bela gets 1 XP back and has 4. The opportunity \u201ca gap\u201d was used in the meantime, and that stays."],
    [{ t: "SessionStarted", session: 3 }, "Evening 3 begins."],
    [{ t: "SessionStarted", session: 3, name: "Harbour" }, "Evening 3 begins: Harbour."],
    [{ t: "SessionEnded", session: 3, xp: [{ actor: "a", name: "Ana", amount: 2, now: 5 }], checks: ["6.1"], opportunities: ["7.1"] }, "Evening 3 ends. Ana earns 2 XP and has 5. What was still open on a check is closed. The opportunity \u201cOpportunity\u201d has passed."],
    [{ t: "SessionContinued" }, "Rin: it is still the same evening."],
    [{ t: "UnsettledDropped", checks: ["1.1", "2.1"] }, "2 hidden checks will do nothing to the table any more."],
    [{ t: "OpportunityUsed", opportunity: "7.1", check: "9.1" }, "The opportunity \u201cOpportunity\u201d is used."],
  ]) test(`${event.t}${event.why ? `, ${event.why}` : ""}`, () => assert.equal(said(event), text));

  test("an opportunity is called what it was when it stood", () => {
    context.checks.requests.learn({ id: "8.1", label: "a loose stone", sign: "boon", by: "a", name: "Ana" });
    assert.equal(said({ t: "OpportunityDropped", opportunity: "8.1" }), "The opportunity \u201ca loose stone\u201d has passed.");
  });

  test("a roll and what the group came to are read aloud in one go", () => {
    const last = commit(6, rolled("6.1", "a", 15, true), { t: "RequestAnswered", request: "5", actor: "a", check: "6.1" }, { t: "RequestClosed", request: "5", why: "complete", result: { outcome: "success", success: true, counted: 1, succeeded: 1 } });
    context.checks.take(last);
    assert.equal(announcementOf(context, last), "Ana, Task: 15. Success. over the wall: The group succeeds. One success was enough: Ana.");
  });
});

describe("in a chat that all read", () => {
  test("a request and its end are for everybody, one in secret is not", () => {
    const ended = { t: "RequestClosed", request: "5", why: "complete", result: { outcome: "success", success: true, counted: 1, succeeded: 1 } };
    const of = (event, mode) => modeOfCommit(commit(5, event), () => undefined, () => mode);
    assert.equal(of({ t: "CheckRequested", request: record() }), "public");
    assert.equal(of({ t: "CheckRequested", request: record({ mode: "gm" }) }), "public");
    assert.equal(of({ t: "CheckRequested", request: record({ mode: "secret" }) }), "secret");
    assert.equal(of(ended, "public"), "public");
    assert.equal(of(ended, "secret"), "secret");
    assert.equal(of(ended, undefined), "secret", "what is not known to be public is none of chat's business");
    assert.equal(of({ t: "RequestClosed", request: "5", why: "closed" }, "public"), "secret", "nothing to show");
  });

  test("and a message has nothing of what only GMs know", () => {
    const context = view();
    const made = commit(5, { t: "CheckRequested", request: record({ shown: false, checks: [asked("task")] }) }, { t: "DifficultiesSet", request: "5", checks: [asked("task", { dc: 17 })] });
    context.checks.take(made);
    const shown = storedCard(context, publicPart(made));
    assert.match(shown, /difficulty hidden/);
    assert.match(shown, /Asked: Ana, Bela, Cass/);
    assert.doesNotMatch(shown, /17/);
    const told = commit(6, { t: "GroupTold", request: "5", result: { outcome: "success", success: true, counted: 1, succeeded: 1 } });
    context.checks.take(told);
    assert.equal(storedCard(context, publicPart(told)), "");
  });
});

// --- what is put together ----------------------------------------------------------------------------------------
const ACTORS = [
  { id: "a", name: "Ana", side: "party", owners: ["u1"] },
  { id: "b", name: "Bela", side: "party", owners: [] },
  { id: "w", name: "Watch", side: "opposition", owners: [] },
];

function model(entries = {}) {
  return {
    ruleset: RULESET,
    words: new Words(dictionaryLookup(dictionary), RULESET),
    actors: () => [...ACTORS],
    actor: (id) => ACTORS.find((actor) => actor.id === id),
    option: () => false,
    may: () => true,
    isGm: false,
    habit: OPEN_HABIT,
    client: { entry: (key) => entries[key] },
  };
}

describe("asking", () => {
  test("begins with the party, the first check and the middle of its ladder", () => {
    assert.deepEqual(new RequestState(model()).command(), {
      t: "RequestCheck", actors: ["a", "b"], checks: [{ check: "task", params: { dc: 10 } }], mode: "public", group: "each", shown: true,
    });
  });

  test("a ladder that goes by members follows them, and a number that was typed does not", () => {
    const state = new RequestState(model(), { group: "challenge" });
    assert.deepEqual(state.checks.map(({ key }) => key), ["share"]);
    assert.equal(state.command().difficulty, 18);
    state.actors.add("w");
    assert.equal(state.command().difficulty, 27);
    state.reachSet(33);
    state.actors.delete("w");
    assert.equal(state.command().difficulty, 22, "hard is 11 for each");
    state.reachSet(20);
    state.actors.add("w");
    assert.equal(state.command().difficulty, 20);
  });

  test("what cannot be asked for together is let go", () => {
    const state = new RequestState(model(), { group: "challenge" });
    state.group = "each";
    state.settle();
    assert.deepEqual(state.command().checks, [{ check: "task", params: { dc: 10 } }]);
    assert.equal(state.command().difficulty, undefined);
  });

  test("what a target resists with stands instead of a number", () => {
    const state = new RequestState(model(), { checks: [asked("shove", { dc: 14 })], target: "w" });
    assert.deepEqual(state.command().checks[0].params, { dc: 14 });
    state.rows[0].params.set("against", "agi");
    assert.deepEqual(state.command().checks[0].params, { against: "agi" });
    assert.equal(state.command().target, "w");
  });

  test("everything else goes along when it was said", () => {
    const state = new RequestState(model(), { action: " over the wall ", minutes: 5, note: "quick", mode: "gm", shown: false });
    state.claim({ id: "own.rain", label: "Rain", sign: "bane" });
    const { action, minutes, note, mode, shown, sources } = state.command();
    assert.deepEqual([action, minutes, note, mode, shown, sources.length], ["over the wall", 5, "quick", "gm", false, 1]);
  });
});

describe("answering", () => {
  const open = record({ checks: [asked("task", { ability: "str", dc: 12 }), asked("task", { dc: 14 })] });

  test("adds what the request left open, and never a difficulty", () => {
    const state = new AnswerState(model({ "request/5": open }), open, "a");
    assert.deepEqual(state.question(), { t: "AnswerRequest", request: "5", actor: "a", nth: 0, mode: "public" });
    state.nth = 1;
    state.settle();
    assert.deepEqual(state.question().params, { ability: "str" });
    state.opportunities.add("7.1");
    assert.deepEqual(state.command().opportunities, ["7.1"]);
  });

  test("is over when the row is answered or the request is", () => {
    const entries = { "request/5": open };
    const state = new AnswerState(model(entries), open, "a");
    assert.equal(state.isOpen, true);
    entries["request/5"] = { ...open, rows: [{ actor: "a", name: "Ana", status: "rolled" }] };
    assert.equal(state.isOpen, false);
    entries["request/5"] = { ...open, over: "closed" };
    assert.equal(state.isOpen, false);
    delete entries["request/5"];
    assert.equal(state.isOpen, false);
  });
});
