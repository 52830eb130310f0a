import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { describe, test } from "node:test";

import { announcementOf } from "../../foundry-module/scripts/cards/card.mjs";
import { outcomesOf, percent, percentOf, share } from "../../foundry-module/scripts/cards/chance.mjs";
import { clockWords } from "../../foundry-module/scripts/cards/clock-words.mjs";
import { CheckIndex } from "../../foundry-module/scripts/cards/check-index.mjs";
import { arithmetic } from "../../foundry-module/scripts/cards/dice-row.mjs";
import { readFaces } from "../../foundry-module/scripts/cards/hand-dice.mjs";
import { choiceLines, linesOf } from "../../foundry-module/scripts/cards/lines.mjs";
import { isRound } from "../../foundry-module/scripts/cards/round-card.mjs";
import { automaticWords, checkWords, effectWords } from "../../foundry-module/scripts/cards/sentences.mjs";
import { storyOf } from "../../foundry-module/scripts/cards/story.mjs";
import { Words, dictionaryLookup } from "../../foundry-module/scripts/client/words.mjs";

const here = (path) => new URL(`../../${path}`, import.meta.url);
const dictionary = JSON.parse(readFileSync(here("foundry-module/lang/en.json"), "utf8"));

const RULESET = {
  id: "toy", title: "Toy", outcomes: [{ key: "success", label: "Success", tone: "success" }], roles: [{ key: "bane", label: "bane", sign: "bane" }],
  conditions: [{ key: "exposed", label: "Exposed", counted: true }, { key: "impaired", label: "Impaired", of: [{ value: "wits", label: "Wits" }] }],
  marks: [{ key: "initiative", label: "Initiative", values: [{ value: "party", label: "the party" }] }], numbers: [], optionSpecs: [{ key: "nat20", label: "A natural 20", values: [{ value: "hit", label: "hits" }] }],
  verbs: [{ key: "give_boon", label: "Give a Boon" }],
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
    assert.deepEqual(storyOf({ t: "hidden", seq: 7, hash: "", seedHash: "" }), { checks: [], dice: [], later: [], corrections: [], lines: [] });
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

describe("what stands between the rolls, as lines", () => {
  const say = (event, stage = context()) => linesOf(stage, event, "u1").map((line) => stage.words.say(line.key, line.values, line.fallback));
  const grant = (more) => ({ id: "3.1", actor: "a1", sign: "boon", amount: 1, source: { id: "x", label: "Climbing kit" }, scope: {}, expiry: { when: "none" }, by: "u1", ...more });

  test("a grant says until when, and why it ended", () => {
    const stage = context();
    const granted = { t: "Granted", grant: grant({ amount: 2, expiry: { when: "turn_end", actor: "a2" } }) };
    stage.index.take(commit([granted], 3));
    assert.deepEqual(say(granted, stage), ["Mira has 2 Boons: Climbing kit, until Gnoll's turn ends."]);
    assert.deepEqual(say({ t: "GrantExpired", actor: "a1", grant: "3.1", why: "turn_end" }, stage), ["\u201cClimbing kit\u201d of Mira is over: a turn ended."]);
    assert.deepEqual(say({ t: "GrantExpired", actor: "a1", grant: "9.9", why: "from_tomorrow" }, stage), ["Something that Mira had is over: from tomorrow."]);
  });

  test("conditions say what they are about, how much, from whom, until when, and what is left", () => {
    assert.deepEqual(say({ t: "ConditionSet", actor: "a1", condition: { key: "exposed", amount: 2, by: "a2", expiry: { when: "turn_start", actor: "a1" } } }),
      ["Mira: Exposed 2, from Gnoll, until Mira's turn."]);
    assert.deepEqual(say({ t: "ConditionSet", actor: "a1", condition: { key: "impaired.wits" } }), ["Mira: Impaired (Wits)."]);
    assert.deepEqual(say({ t: "ConditionCleared", actor: "a1", key: "impaired.wits" }), ["Mira is no longer Impaired (Wits)."]);
    assert.deepEqual(say({ t: "ConditionExpired", actor: "a1", key: "exposed", amount: 1, now: 0, why: "turn_start" }), ["Mira is no longer Exposed: a turn began."]);
    assert.deepEqual(say({ t: "ConditionExpired", actor: "a1", key: "exposed", amount: 1, now: 2, why: "round_end" }), ["Mira: Exposed 2, 1 less: the round ended."]);
    assert.deepEqual(say({ t: "LuckDue", actor: "a1", key: "exposed" }), ["Mira may try luck to end Exposed."]);
  });

  test("turns, rounds and fights", () => {
    assert.deepEqual(say({ t: "TurnStarted", combat: "c", round: 2, turn: 0, actor: "a2" }), ["Round 2: Gnoll's turn begins."]);
    assert.deepEqual(say({ t: "TurnEnded", combat: "c", round: 2, turn: 0, actor: "gone" }), ["somebody's turn ends."]);
    assert.deepEqual(say({ t: "RoundEnded", combat: "c", round: 2 }), ["Round 2 ends."]);
    assert.deepEqual(say({ t: "CombatEnded", combat: "c" }), ["The fight ends."]);
  });

  test("help, offered and answered, also where the offer is not held any more", () => {
    const stage = context();
    const offered = { t: "AssistOffered", assist: { id: "7.2", actor: "a1", helper: "a2", action: "climb", by: "u1" } };
    assert.deepEqual(say({ t: "AssistAnswered", assist: "7.2", accepted: true }, stage), ["Anna agrees to the help that was offered."]);
    stage.index.take(commit([offered], 7));
    assert.deepEqual(say(offered, stage), ["Gnoll offers to help Mira: climb."]);
    assert.deepEqual(say({ t: "AssistAnswered", assist: "7.2", accepted: true }, stage), ["Anna lets Gnoll help Mira."]);
    assert.deepEqual(say({ t: "AssistAnswered", assist: "7.2", accepted: false }, stage), ["Gnoll does not help Mira this time."]);
  });

  test("a move of the game: who, and what came of it; one that is a switch says so once", () => {
    const given = { t: "ResourceChanged", resource: "boons", asked: 1, applied: 1, reason: "given" };
    assert.deepEqual(say({ t: "Acted", verb: "give_boon", effects: [given] }), ["Anna: Give a Boon.", "The group gains a Boon: given by the GM."]);
    assert.deepEqual(say({ t: "Acted", verb: "initiative", effects: [{ t: "MarkSet", mark: "initiative", value: "party" }] }), ["Anna: Initiative, the party."]);
  });

  test("blind dice are noted as such", () => {
    assert.deepEqual(say({ t: "CheckNoted", check: "7.1", actor: "a1", name: "Mira", kind: "damage" }), ["Mira rolled other dice. The GM knows the result."]);
  });
});

describe("rulings", () => {
  const offers = [{ id: "danger", label: "It reveals a danger: somebody heard", who: "gm", note: true }, { id: "accept", label: "Accept", who: "roller" }];
  const ruled = (more = {}) => ({ t: "Chosen", check: "7.1", choice: "danger", actor: "a1", ...more });
  const lines = (stage, chosen) => choiceLines(stage, chosen).map((line) => stage.words.say(line.key, line.values));

  test("stand with their check, and as a line with the GM's words", () => {
    const stage = context();
    stage.index.take(commit([checkRolled({ choices: offers })]));
    const chosen = ruled({ note: "The rope frays" });
    assert.deepEqual(stage.index.take(commit([chosen], 9)), [7]);
    assert.deepEqual(stage.index.rulings("7.1"), [chosen]);
    assert.deepEqual(lines(stage, chosen), ["The GM on #7, Mira: It reveals a danger \u2013 \u201cThe rope frays\u201d"]);
    assert.deepEqual(lines(stage, ruled()), ["The GM on #7, Mira: It reveals a danger."]);
  });

  test("may be offered only after an earlier choice", () => {
    const stage = context();
    stage.index.take(commit([checkRolled({ choices: [offers[1]] })]));
    stage.index.take(commit([{ ...ruled(), choice: "accept", choices: [offers[0]] }], 8));
    stage.index.take(commit([ruled()], 9));
    assert.deepEqual(stage.index.rulings("7.1").map(({ choice }) => choice), ["danger"]);
  });

  test("a choice of a roller is none, and neither is one that nobody knows", () => {
    const stage = context();
    stage.index.take(commit([checkRolled({ choices: offers })]));
    assert.equal(stage.index.isRuling({ ...ruled(), choice: "accept" }), false);
    assert.deepEqual(lines(stage, { ...ruled(), choice: "from_tomorrow" }), ["Mira, #7: from tomorrow."]);
  });
});

describe("other dice", () => {
  const dice = (more = {}) => ({ t: "DiceRolled", roll: "7.1", actor: "a1", name: "Mira", kind: "damage", label: "Maul", mode: "public", formula: "2d6", terms: [], dice: [die(5, true, "d6", 6)], bonus: 0, total: 5, ...more });
  const auto = (check) => checkRolled({ rolled: rolled({ check, auto: true, ends: { key: "exposed" } }) });

  test("stand beside the checks of a commit", () => {
    const story = storyOf(commit([checkRolled(), dice(), dice({ roll: "7.3" }), { t: "RoundEnded", combat: "c", round: 1 }]));
    assert.deepEqual([story.checks.length, story.dice.length, story.lines.map(({ t }) => t)], [1, 2, ["RoundEnded"]]);
  });

  test("are one card with the luck of a round where nobody clicked, and only there", () => {
    const round = (events) => isRound(storyOf(commit(events)));
    assert.equal(round([auto("7.1"), auto("7.2"), dice({ auto: true })]), true);
    assert.equal(round([dice({ auto: true }), dice({ roll: "7.2", auto: true })]), true);
    assert.equal(round([auto("7.1")]), false);
    assert.equal(round([checkRolled(), dice({ auto: true })]), false);
    assert.equal(round([]), false);
  });

  test("are read aloud with what they are for", () => {
    const say = (event) => announcementOf(context(), commit([event]));
    assert.equal(say(dice()), "Mira, Maul: 5 damage.");
    assert.equal(say(dice({ kind: "dice", label: "", actor: null, name: "" })), "Anna, 2d6: 5.");
  });

  test("faces are typed as people write them", () => {
    assert.deepEqual(readFaces(" 5, 11;2  3 "), [5, 11, 2, 3]);
    assert.deepEqual(readFaces(""), []);
    for (const text of ["5 six", "-1", "1.5", "99999"]) assert.equal(readFaces(text), null, text);
  });
});

test("an outcome without dice says what decided it", () => {
  const held = { id: "x", label: "Unconscious", sign: "bane", amount: 0, counted: true, why: "automatic_failure" };
  const none = { ...result([], 0), success: false };
  assert.equal(automaticWords(context(), { sources: [held], result: none }), "Without dice: Unconscious, fails by itself.");
  assert.equal(automaticWords(context(), { sources: [], result: none }), "Without dice: fails by itself.");
  assert.equal(announcementOf(context(), commit([checkRolled({ result: none })])), "Mira, climb: Success, without dice.");
});

test("a luck roll says what it is to end", () => {
  assert.equal(checkWords(context(), rolled({ ends: { key: "impaired.wits" } })), "Task \u00b7 to end Impaired (Wits)");
});

test("every clock has words, and one that nothing ends has none", () => {
  const { words } = context();
  const say = (when, actor) => clockWords(words, (id) => ({ a1: "Mira", a2: "Gnoll" })[id], when && { when, actor }, "a1");
  assert.equal(say("none"), "");
  assert.equal(say(undefined), "");
  assert.equal(say("turn_end"), "until Mira's turn ends");
  assert.equal(say("turn_start", "a2"), "until Gnoll's turn");
  assert.equal(say("turn_start", "gone"), "until somebody's turn");
  assert.equal(say("full_moon"), "full moon");
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
    assert.equal(say({ t: "ResourceChanged", resource: "boons", asked: 1, applied: 0, reason: "given" }), "The group would gain a Boon (given by the GM), but may gain no more.");
    assert.equal(say({ t: "ResourceChanged", resource: "boons", asked: -2, applied: -2, reason: "spent_before" }), "The group spends 2 Boons: a negative chance bought off.");
    assert.equal(say({ t: "ConditionChanged", actor: "a1", condition: "exposed", change: 1, now: 2, until: "start_of_own_activation" }), "Mira: Exposed 2 until its next activation begins.");
    assert.equal(say({ t: "ConditionChanged", actor: "a1", condition: "exposed", change: -1, now: 0 }), "Mira is no longer Exposed.");
    assert.equal(say({ t: "LockSet", actor: "a1", action: "" }), null);
    assert.equal(say({ t: "OnCritApplied", name: "Ignite", times: 2, amount: 2 }), "Ignite 2.");
    assert.equal(say({ t: "LockCleared", actor: "a1", action: "climb" }), "Mira may try \u201cclimb\u201d again.");
    assert.equal(say({ t: "ConditionEnded", actor: "a1", condition: "impaired.wits" }), "Mira is no longer Impaired (Wits).");
    assert.equal(say({ t: "MarkSet", mark: "initiative", value: "party" }), "Initiative: the party.");
    assert.equal(say({ t: "MarkSet", mark: "new_mark", value: true }), "new mark: true.");
    assert.equal(say({ t: "ResistanceOffered", actor: "a1", skill: "skill.old_seals", difficulty: 11 }), "Mira resists with Old seals: it takes 11.");
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
