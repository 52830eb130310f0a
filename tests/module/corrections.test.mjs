/** What was corrected, as lines, and what it says of the cards that came before it. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { announcementOf } from "../../foundry-module/scripts/cards/card.mjs";
import { CheckIndex } from "../../foundry-module/scripts/cards/check-index.mjs";
import { deedsOf } from "../../foundry-module/scripts/cards/deeds.mjs";
import { linesOf } from "../../foundry-module/scripts/cards/lines.mjs";
import { leftWords } from "../../foundry-module/scripts/cards/left-words.mjs";
import { effectWords } from "../../foundry-module/scripts/cards/sentences.mjs";
import { Words, dictionaryLookup } from "../../foundry-module/scripts/client/words.mjs";
import { deedsFor, told } from "../../foundry-module/scripts/forms/correction-form.mjs";
import { modeOfCommit, publicPart } from "../../foundry-module/scripts/foundry/news.mjs";
import { storedCard } from "../../foundry-module/scripts/foundry/stored-card.mjs";

const dictionary = JSON.parse(readFileSync(new URL("../../foundry-module/lang/en.json", import.meta.url), "utf8"));
const RULESET = {
  id: "toy", title: "Toy", optionSpecs: [], marks: [], numbers: [], verbs: [{ key: "give_boon", label: "Give a Boon" }],
  outcomes: [{ key: "success", label: "Success", tone: "success" }, { key: "failure", label: "Failure", tone: "failure" }],
  roles: [], conditions: [{ key: "exposed", label: "Exposed", counted: true }], checks: [{ key: "task", label: "Task", params: [] }],
};

function context(more = {}) {
  const checks = new CheckIndex();
  return {
    words: new Words(dictionaryLookup(dictionary), RULESET), ruleset: RULESET, viewer: { user: "u1", role: "gm" },
    actorName: (id) => ({ a1: "Mira", a2: "Gnoll" })[id], personName: (id) => ({ u1: "Anna" })[id],
    numberName: () => undefined, owns: () => false, pending: () => undefined, checks, choose: null, verify: null, goTo: null, clock: () => "", ...more,
  };
}

const die = (face) => ({ role: "d12", sides: 12, face, kept: true, mark: "" });
const result = (outcome, total = 5) => ({ dice: [die(total)], net: 0, boons: 0, banes: 0, bonus: 0, total, outcome, success: outcome === "success" });
const rolled = { check: "7.1", actor: "a1", name: "Mira", kind: "task", params: {}, action: "climb" };
const commit = (events, seq) => ({ t: "logged", seq, at: 1, hash: "", seedHash: "", by: "u1", id: "x", events });
const check = (more = {}) => ({ t: "CheckRolled", rolled, mode: "public", sources: [], result: result("failure"), ...more });
const lost = { t: "ResourceChanged", resource: "boons", asked: -1, applied: -1, reason: "taken_back", unearned: 1 };
const spent = { what: "resource", key: "boons", amount: 1, why: "spent_since" };
const voided = (more = {}) => ({ t: "Voided", what: "check/7.1", reason: "wrong wall", effects: [lost], left: [], ...more });
const overridden = (more = {}) => ({ t: "Overridden", check: "7.1", outcome: "success", reason: "", result: result("success"), effects: [lost], brings: [], left: [], ...more });
const grant = { id: "3.1", actor: "a1", sign: "boon", amount: 1, source: { id: "x", label: "Rope" }, scope: {}, expiry: { when: "none" }, by: "u1" };

const lines = (stage, event) => linesOf(stage, event, "u1").map((line) => stage.words.say(line.key, line.values, line.fallback));

describe("corrections are told", () => {
  test("who took which check back and why, what that changed, and what stays", () => {
    const stage = context();
    stage.checks.take(commit([check()], 7));
    assert.deepEqual(lines(stage, voided()), ["Anna took back #7: Mira, climb \u2013 \u201cwrong wall\u201d", "The group gives a Boon back."]);
    assert.deepEqual(lines(stage, voided({ reason: "", effects: [{ ...lost, applied: 0 }], left: [spent] })),
      ["Anna took back #7: Mira, climb.", "The group cannot give a Boon back: spent in the meantime."]);
    assert.deepEqual(lines(stage, overridden({ reason: "the rope held" })), ["Anna decided otherwise on #7, Mira: Success \u2013 \u201cthe rope held\u201d", "The group gives a Boon back."]);
  });

  test("a grant, a condition and a move are named in the words in which they were told", () => {
    const stage = context();
    stage.checks.take(commit([{ t: "Granted", grant }], 3));
    stage.checks.take(commit([{ t: "ConditionCleared", actor: "a2", key: "exposed" }, { t: "ConditionSet", actor: "a1", condition: { key: "exposed", amount: 2 } }], 4));
    stage.checks.take(commit([{ t: "Acted", verb: "give_boon", effects: [] }], 5));
    const say = (what, effects = []) => lines(stage, { t: "Voided", what, effects, left: [] });
    assert.deepEqual(say("grant/3.1", [{ t: "GrantTaken", actor: "a1", grant: "3.1" }]), ["Anna took back #3: Mira has a Boon: Rope.", "\u201cRope\u201d is taken from Mira."]);
    assert.deepEqual(say("condition/4.2", [{ t: "ConditionsPut", actor: "a1", condition: "exposed", held: [] }]), ["Anna took back #4: Mira: Exposed 2.", "Mira is no longer Exposed."]);
    assert.deepEqual(say("verb/5"), ["Anna took back #5: Anna: Give a Boon."]);
    assert.deepEqual(say("verb/1"), ["Anna took back #1: something of the table."]);
  });

  test("conditions of a commit are numbered as the bridge numbers them, those that were taken away too", () => {
    const events = [{ t: "ConditionCleared", actor: "a2", key: "exposed" }, { t: "Granted", grant }, { t: "ConditionSet", actor: "a1", condition: { key: "exposed" } }];
    assert.deepEqual([...deedsOf(commit(events, 4)).values()], ["condition/4.1", "grant/3.1", "condition/4.2"]);
  });

  test("effects that only corrections have", () => {
    const stage = context();
    const say = (effect) => {
      const line = effectWords(stage, effect);
      return stage.words.say(line.key, line.values);
    };
    assert.equal(say({ ...lost, asked: 2, applied: 2 }), "The group gets 2 Boons back.");
    assert.equal(effectWords(stage, { ...lost, applied: 0 }), null);
    assert.equal(say({ t: "ConditionsPut", actor: "a1", condition: "exposed", held: [{ key: "exposed", amount: 3, by: "a2" }] }), "Mira is as before: Exposed 3, from Gnoll.");
    assert.equal(say({ t: "GrantPut", grant }), "Mira has \u201cRope\u201d again.");
    assert.equal(say({ t: "GrantTaken", actor: "a1", grant: "9.9" }), "Something is taken from Mira.");
    assert.equal(say({ t: "AssistPut", assist: { id: "1.1", actor: "a1", helper: "a2", by: "u1" } }), "The offer of Gnoll to help Mira waits again.");
    assert.equal(say({ t: "RowReopened", request: "16", actor: "a1" }), "Mira may answer #16 once more.");
    assert.equal(say({ t: "MarkSet", mark: "initiative", value: null }), "initiative: as if it had never been set.");
    assert.equal(say({ t: "ResistanceTaken", actor: "a2" }), "Gnoll does not resist any more.");
    assert.equal(say({ t: "OpportunityPut", opportunity: { id: "1.1", label: "A gap", sign: "boon", by: "a1", name: "Mira" } }), "The opportunity \u201cA gap\u201d waits again.");
  });

  test("everything that may be left has a sentence, also what nobody foresaw", () => {
    const stage = context();
    const say = (left) => {
      const line = leftWords(stage, left);
      return stage.words.say(line.key, line.values);
    };
    assert.equal(say({ what: "resource", key: "boons", amount: 2, why: "full" }), "The group cannot get 2 Boons back: it holds as many as it may.");
    assert.equal(say({ what: "condition", key: "exposed", actor: "a1", amount: 2, why: "used_since" }), "Mira has used up Exposed 2 in the meantime, and that stays.");
    assert.equal(say({ what: "grant", key: "boon", actor: "a1", label: "Rope", why: "rolled_since" }), "\u201cRope\u201d does not come back to Mira: a roll since would have used it up.");
    assert.equal(say({ what: "opportunity", label: "A gap", why: "used_since" }), "The opportunity \u201cA gap\u201d was used in the meantime, and that stays.");
    assert.equal(say({ what: "xp", actor: "a1", amount: 3, why: "spent_since" }), "Mira cannot give 3 XP back: spent in the meantime.");
    assert.equal(say({ what: "choice", actor: "a1", label: "climb", why: "closed_by_it" }), "\u201cclimb\u201d: when this was rolled, the open choice of Mira took its default, and that stays.");
    assert.equal(say({ what: "assist", actor: "a1", label: "Help", why: "rolled_since" }), "The help that was offered to Mira does not wait again: a roll since would have used it.");
    assert.equal(say({ what: "resistance", actor: "a2", label: "Resistance", why: "rolled_since" }), "Gnoll does not offer resistance again: a roll since would have met it.");
    assert.equal(say({ what: "mark", key: "initiative", why: "from_tomorrow" }), "Something stays as it is: from tomorrow.");
  });
});

describe("the cards before a correction know of it", () => {
  test("whatever came first", () => {
    for (const order of [[0, 1], [1, 0]]) {
      const index = new CheckIndex();
      const log = [commit([check()], 7), commit([voided()], 9)];
      const changed = order.map((nth) => index.take(log[nth]));
      assert.deepEqual(changed.at(-1), [order[1] === 1 ? 7 : 9]);
      assert.equal(index.corrections.voidedCheck("7.1").event.reason, "wrong wall");
      assert.deepEqual(index.cardsOf("7.1"), [7, 9]);
    }
  });

  test("a GM's word overtakes the dice, and a later choice overtakes it", () => {
    const index = new CheckIndex();
    index.take(commit([check()], 7));
    index.take(commit([overridden({ result: result("failure"), outcome: "failure" })], 9));
    assert.deepEqual([index.overtaken("7.1"), index.standsIn("7.1")], [9, 9]);
    index.take(commit([{ t: "Chosen", check: "7.1", choice: "spend", actor: "a1", drawn: 1, result: result("success", 11) }], 11));
    assert.deepEqual([index.overtaken("7.1"), index.before("7.1", 11).outcome, index.cardsOf("7.1")], [11, "failure", [7, 9, 11, 9]]);
  });

  test("what is offered anew is known by its name", () => {
    const index = new CheckIndex();
    index.take(commit([check()], 7));
    index.take(commit([overridden({ choices: [{ id: "benefit", label: "Something more", who: "gm" }] })], 9));
    assert.equal(index.offer("7.1", "benefit").label, "Something more");
  });

  test("who did not see a roll has it from when it was shown; who did keeps it, and it stands there", () => {
    const shown = { t: "Revealed", rolled, mode: "gm", sources: [], result: result("failure"), effects: [] };
    const stranger = new CheckIndex();
    stranger.take(commit([shown], 9));
    assert.equal(stranger.told("7.1").seq, 9);
    const gm = new CheckIndex();
    gm.take(commit([check({ mode: "gm" })], 7));
    gm.take(commit([shown], 9));
    assert.deepEqual([gm.told("7.1").seq, gm.standsIn("7.1"), gm.overtaken("7.1")], [7, 9, undefined]);
  });

  test("lines that were taken back are drawn anew", () => {
    const index = new CheckIndex();
    index.take(commit([{ t: "Granted", grant }], 3));
    assert.deepEqual(index.take(commit([{ t: "Voided", what: "grant/3.1", effects: [], left: [] }], 8)), [3]);
  });
});

describe("before a correction is confirmed", () => {
  const gm = { isGm: true };
  test("a GM may do what fits, a player only what concerns nobody else", () => {
    assert.deepEqual(deedsFor(gm, { what: "grant/3.1", title: "" }), ["void"]);
    assert.deepEqual(deedsFor(gm, { what: "check/7.1", check: "7.1", title: "" }), ["void", "override"]);
    assert.deepEqual(deedsFor(gm, { what: "check/7.1", check: "7.1", title: "", hidden: true }), ["void", "override", "reveal", "settle"]);
    assert.deepEqual(deedsFor(gm, { what: "check/7.1", check: "7.1", title: "", hidden: true, settled: true }), ["void", "override", "reveal"]);
    assert.deepEqual(deedsFor({ isGm: false }, { what: "check/7.1", check: "7.1", title: "", hidden: true, alone: true }), ["reveal", "void"]);
  });

  test("what changes and what stays are told apart", () => {
    const stage = context();
    stage.checks.take(commit([check()], 7));
    const { changes, left } = told(stage, [voided({ left: [spent] })]);
    const say = (list) => list.map((line) => stage.words.say(line.key, line.values));
    assert.deepEqual([say(changes), say(left)], [["The group gives a Boon back."], ["The group cannot give a Boon back: spent in the meantime."]]);
  });
});

test("a group that is counted anew is told once, with what that changes and what stays", () => {
  const stage = context();
  stage.ruleset.groups = [{ key: "one_success", label: "One success is enough" }];
  const request = { id: "5", by: "u1", checks: [{ check: "task" }], action: "cross", group: "one_success", rows: [{ actor: "a1", name: "Mira", status: "rolled", check: "7.1" }] };
  stage.checks.take(commit([{ t: "CheckRequested", request }], 5));
  const event = { t: "GroupRecounted", request: "5", result: { outcome: "failure", success: false, counted: 1, succeeded: 0 }, effects: [lost], brings: [], left: [spent] };
  const { changes, left } = told(stage, [event]);
  const say = (list) => list.map((line) => stage.words.say(line.key, line.values));
  assert.equal(changes.length, 2);
  assert.match(say(changes)[0], /cross.*Failure/);
  assert.equal(say(changes)[1], "The group gives a Boon back.");
  assert.deepEqual(say(left), ["The group cannot give a Boon back: spent in the meantime."]);
});

describe("a correction in chat", () => {
  const mode = (events, of = "public") => modeOfCommit(commit(events, 9), () => undefined, () => undefined, () => of);

  test("is as open as what it corrects, and only that of a check is there", () => {
    assert.deepEqual([mode([voided()]), mode([voided()], "gm"), mode([overridden()], "secret")], ["public", "gm", "secret"]);
    assert.equal(mode([{ t: "Voided", what: "grant/3.1" }]), "secret");
    assert.equal(mode([{ t: "Revealed", rolled, mode: "blind", sources: [], result: result("failure") }]), "public");
    assert.equal(modeOfCommit(commit([voided()], 9), () => undefined), "secret", "of a check that nobody knows");
  });

  test("can be read by itself", () => {
    const stage = context();
    stage.checks.take(commit([check()], 7));
    const markup = storedCard(stage, publicPart(commit([voided({ left: [spent] })], 9)));
    for (const text of ["Mira", "Taken back \u00b7 climb \u00b7 on #7", "Because: wrong wall", "It was: <s>5 \u00b7 Failure</s>", "The group gives a Boon back.", "This stays as it is:", "spent in the meantime", "#9"]) assert.ok(markup.includes(text), `${text}: ${markup}`);
    const other = storedCard(stage, publicPart(commit([overridden({ reason: "<b>" })], 9)));
    assert.ok(other.includes("Because: &lt;b&gt;") && other.includes("\u2713 Success"), other);
    const shown = storedCard(stage, publicPart(commit([{ t: "Revealed", rolled, mode: "gm", sources: [], result: result("failure"), effects: [], alone: true }], 9)));
    assert.ok(shown.includes("rolled to the GM") && shown.includes("counts for nothing") && shown.includes("<strong>5</strong>"), shown);
    assert.equal(storedCard(stage, publicPart(commit([{ t: "Voided", what: "grant/3.1", effects: [] }], 9))), "");
  });

  test("is read aloud", () => {
    const stage = context();
    stage.checks.take(commit([check()], 7));
    assert.match(announcementOf(stage, commit([voided()], 9)), /Anna took back #7: Mira, climb/);
  });
});
