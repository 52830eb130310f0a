import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { describe, test } from "node:test";

import { announcementOf } from "../../foundry-module/scripts/cards/card.mjs";
import { outcomesOf, percent, percentOf, share } from "../../foundry-module/scripts/cards/chance.mjs";
import { CheckIndex } from "../../foundry-module/scripts/cards/check-index.mjs";
import { arithmetic } from "../../foundry-module/scripts/cards/dice-row.mjs";
import { linesOf } from "../../foundry-module/scripts/cards/lines.mjs";
import { checkWords, effectWords } from "../../foundry-module/scripts/cards/sentences.mjs";
import { storyOf } from "../../foundry-module/scripts/cards/story.mjs";
import { Words, dictionaryLookup } from "../../foundry-module/scripts/client/words.mjs";

const here = (path) => new URL(`../../${path}`, import.meta.url);
const dictionary = JSON.parse(readFileSync(here("foundry-module/lang/en.json"), "utf8"));

const RULESET = {
  id: "toy", title: "Toy", outcomes: [{ key: "success", label: "Success", tone: "success" }], roles: [{ key: "bane", label: "bane", sign: "bane" }],
  conditions: [{ key: "exposed", label: "Exposed", counted: true }], numbers: [], optionSpecs: [{ key: "nat20", label: "A natural 20", values: [{ value: "hit", label: "hits" }] }],
  verbs: [],
  checks: [{
    key: "task", label: "Task", params: [
      { key: "ability", label: "Ability", kind: "number", choices: [{ value: "str", label: "STR" }] },
      { key: "skill", label: "Skill", kind: "number", group: "skill" },
      { key: "dc", label: "DC", kind: "integer", difficulty: true, ladder: [{ value: 14, label: "hard" }] },
      { key: "quick", label: "in haste", kind: "flag" },
      { key: "die", label: "Die", kind: "die" },
    ],
  }],
};

function context(more = {}) {
  const index = new CheckIndex();
  return {
    index,
    words: new Words(dictionaryLookup(dictionary), RULESET),
    ruleset: RULESET,
    viewer: { user: "u1", role: "gm" },
    actorName: (id) => ({ a1: "Mira", a2: "Gnoll" })[id],
    personName: (id) => ({ u1: "Anna" })[id],
    numberName: (actor, key) => (actor === "a1" && key === "skill.old_seals" ? "Old seals" : undefined),
    owns: () => false,
    pending: () => undefined,
    checks: index,
    choose: null,
    verify: null,
    goTo: null,
    clock: () => "",
    ...more,
  };
}

const die = (face, kept = true, role = "d20", sides = 20) => ({ role, sides, face, kept, mark: "" });
const result = (dice, total, bonus = 0) => ({ dice, net: 0, boons: 0, banes: 0, bonus, total, outcome: "success", success: true });
const rolled = (more = {}) => ({ check: "7.1", actor: "a1", name: "Mira", kind: "task", params: {}, action: "climb", ...more });
const checkRolled = (more = {}) => ({ t: "CheckRolled", rolled: rolled(), mode: "public", sources: [], result: result([die(9)], 9), ...more });
const commit = (events, seq = 7) => ({ t: "logged", seq, at: 1, hash: "", seedHash: "", by: "u1", id: "x", events });

describe("chances", () => {
  test("are exact fractions however long", () => {
    assert.equal(share("1/2"), 0.5);
    assert.equal(share(`${"3".repeat(2000)}/${"6".repeat(2000)}`), 0.5);
    assert.equal(share("0/1"), 0);
  });

  test("are never rounded to what is certain", () => {
    assert.deepEqual(["0/1", "1/100000000", "1/640", "1/2", "639/640", "1/1"].map(percentOf).map((text) => text.replace(/\u202f/g, " ")),
      ["0 %", "< 1 %", "< 1 %", "50 %", "> 99 %", "100 %"]);
    assert.equal(percent(0.995).replace(/\u202f/g, " "), "> 99 %");
  });

  test("fall into four outcomes that fill the bar", () => {
    const parts = outcomesOf({ success: "11/20", critical: "3/20", worst: "1/20" });
    assert.deepEqual(parts.map(({ tone }) => tone), ["critical", "success", "failure", "worst"]);
    assert.ok(Math.abs(parts.reduce((sum, { part }) => sum + part, 0) - 1) < 1e-9);
    assert.ok(Math.abs(parts[1].part - 0.4) < 1e-9);
  });
});

describe("signs between dice come from the numbers alone", () => {
  const signOf = (each) => (each.role === "bane" ? "bane" : null);

  test("kept dice are added", () => {
    assert.deepEqual(arithmetic(result([die(7), die(3, false), die(7)], 14), signOf), { added: true, subtracted: false });
  });

  test("those of Banes are subtracted where that is how the total came about", () => {
    assert.deepEqual(arithmetic(result([die(12), die(6, true, "bane", 6)], 7, 1), signOf), { added: true, subtracted: true });
  });

  test("no sign where neither fits", () => {
    assert.deepEqual(arithmetic(result([die(12), die(6)], 40), signOf), { added: false, subtracted: false });
  });
});

describe("one commit is one story", () => {
  test("a hidden target joins its check for those who may know it", () => {
    const story = storyOf(commit([checkRolled(), { t: "TargetFixed", check: "7.1", target: 13, odds: { success: "1/2", critical: "0/1", worst: "0/1" } }]));
    assert.equal(story.checks[0].target, 13);
    assert.equal(story.checks[0].odds.success, "1/2");
    assert.deepEqual(story.lines, []);
  });

  test("a choice that resolved with the roll belongs to it, one on an older check does not", () => {
    const chosen = (check) => ({ t: "Chosen", check, choice: "accept", actor: "a1", auto: true, effects: [{ t: "DutyNoted", duty: "consequence" }] });
    const story = storyOf(commit([chosen("3.1"), checkRolled(), chosen("7.1")]));
    assert.deepEqual([story.checks.length, story.checks[0].effects.length, story.later.length], [1, 1, 1]);
  });

  test("a hidden commit tells nothing", () => {
    assert.deepEqual(storyOf({ t: "hidden", seq: 7, hash: "", seedHash: "" }), { checks: [], dice: [], later: [], lines: [] });
  });

  test("a choice that only judges anew overtakes too, one that changes nothing does not", () => {
    const index = new CheckIndex();
    const chosen = (more) => ({ t: "Chosen", check: "7.1", choice: "stop", actor: "a1", ...more });
    const richer = chosen({ result: { ...result([die(9)], 9), outcome: "rich" } });
    // Pages may come newest first.
    index.take(commit([richer], 9));
    assert.deepEqual(index.take(commit([checkRolled()])), [9]);
    assert.equal(index.overtaken("7.1"), 9);
    assert.equal(index.changes(richer, 9), true);
    index.take(commit([chosen({ result: richer.result })], 11));
    assert.equal(index.overtaken("7.1"), 9);
    assert.equal(index.changes(chosen({ result: richer.result }), 11), false);
    assert.equal(index.changes(chosen({}), 12), false);
  });

  test("the index knows which card a later choice overtakes", () => {
    const index = new CheckIndex();
    index.take(commit([checkRolled()]));
    const changed = index.take(commit([{ t: "Chosen", check: "7.1", choice: "spend", actor: "a1", drawn: 1, result: result([die(9, false), die(12)], 12) }], 9));
    assert.deepEqual([changed, index.overtaken("7.1"), index.told("7.1").seq], [[7], 9, 7]);
    const again = index.take(commit([{ t: "Chosen", check: "7.1", choice: "spend", actor: "a1", drawn: 1, result: result([die(2)], 2) }], 11));
    assert.deepEqual([again, index.overtaken("7.1"), index.cardsOf("7.1")], [[7, 9], 11, [7, 9, 11]]);
    assert.deepEqual([index.before("7.1", 9).total, index.before("7.1", 11).total], [9, 12]);
    index.clear();
    assert.equal(index.told("7.1"), undefined);
  });
});

describe("sentences", () => {
  test("say what was chosen for a check, in the table's words", () => {
    const params = { ability: "str", skill: "skill.old_seals", dc: 14, quick: true, die: 8, constructor: 1 };
    assert.equal(checkWords(context(), rolled({ params })), "Task \u00b7 STR \u00b7 Old seals \u00b7 in haste");
    assert.equal(checkWords(context(), rolled({ kind: "later" })), "later");
  });

  test("say what an effect did, and what it could not do", () => {
    const say = (effect) => {
      const told = effectWords(context(), effect);
      return told && context().words.say(told.key, told.values, told.fallback);
    };
    assert.equal(say({ t: "ResourceChanged", resource: "boons", asked: 1, applied: 1, reason: "given" }), "The group gains a Boon: given by the GM.");
    assert.equal(say({ t: "ResourceChanged", resource: "boons", asked: 1, applied: 0, reason: "given" }), "The group would gain a Boon (given by the GM), but holds as much as it can.");
    assert.equal(say({ t: "ResourceChanged", resource: "boons", asked: -2, applied: -2, reason: "spent_before" }), "The group spends 2 Boons: a negative chance bought off.");
    assert.equal(say({ t: "ConditionChanged", actor: "a1", condition: "exposed", change: 1, now: 2, until: "start_of_own_activation" }), "Mira: Exposed 2 until the own next activation begins.");
    assert.equal(say({ t: "ConditionChanged", actor: "a1", condition: "exposed", change: -1, now: 0 }), "Mira is no longer Exposed.");
    assert.equal(say({ t: "LockSet", actor: "a1", action: "" }), null);
    assert.equal(say({ t: "OnCritApplied", name: "Ignite", times: 2, amount: 2 }), "Ignite 2.");
    assert.equal(say({ t: "Later" }), dictionary["BOONBRIDGE.effect.other"]);
  });

  test("an unknown event is a plain line", () => {
    const [line] = linesOf(context(), { t: "FromTomorrow" }, "u1");
    assert.equal(context().words.say(line.key, line.values), "Anna: something this page does not know (FromTomorrow).");
  });

  test("name the reason of what was used up or taken back", () => {
    const stage = context();
    stage.index.take(commit([{ t: "Granted", grant: { id: "3.1", actor: "a1", sign: "boon", amount: 1, source: { id: "x", label: "Climbing kit" }, scope: {}, expiry: {}, by: "u1" } }], 3));
    const [line] = linesOf(stage, { t: "GrantSpent", actor: "a1", grant: "3.1", check: "7.1" }, "u1");
    assert.match(stage.words.say(line.key, line.values), /Climbing kit/);
  });

  test("an announcement is total, target and verdict", () => {
    const said = announcementOf(context(), commit([checkRolled({ rolled: rolled({ target: 8 }) })]));
    assert.equal(said, "Mira, climb: 9 against 8. Success.");
    assert.equal(announcementOf(context(), { t: "hidden", seq: 1, hash: "", seedHash: "" }), "");
  });
});

describe("every evening that is on record can be told", () => {
  for (const name of readdirSync(here("schemas/golden/log"))) {
    test(name, () => {
      const stage = context();
      for (const text of readFileSync(here(`schemas/golden/log/${name}`), "utf8").trim().split("\n")) {
        const stored = JSON.parse(text);
        const events = stored.parts.filter((part) => part !== "").flatMap((part) => JSON.parse(part).events);
        const told = { ...commit(events, stored.seq), by: stored.by };
        stage.index.take(told);
        const said = announcementOf(stage, told);
        assert.doesNotMatch(said, /BOONBRIDGE|\{\w+\}|undefined|\bnull\b|\b(event|effect|duty|announce)\.|does not know/, `#${stored.seq}: ${said}`);
      }
    });
  }
});
