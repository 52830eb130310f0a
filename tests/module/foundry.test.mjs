/** What the module makes for Foundry: rolls, stored cards, ids, and what it believes of others. No Foundry is needed. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { CheckIndex } from "../../foundry-module/scripts/cards/check-index.mjs";
import { fits, reachable, whyNot } from "../../foundry-module/scripts/client/reachable.mjs";
import { Words, dictionaryLookup } from "../../foundry-module/scripts/client/words.mjs";
import { readDice, withDie } from "../../foundry-module/scripts/foundry/dice-text.mjs";
import { Asking, answerTo, readRequest } from "../../foundry-module/scripts/foundry/handover.mjs";
import { liesStill } from "../../foundry-module/scripts/foundry/marks.mjs";
import { messageId } from "../../foundry-module/scripts/foundry/message-id.mjs";
import { modeOfCommit, publicPart } from "../../foundry-module/scripts/foundry/news.mjs";
import { addedDice, formulaData, rollData } from "../../foundry-module/scripts/foundry/roll-data.mjs";
import { stateWords } from "../../foundry-module/scripts/foundry/state-words.mjs";
import { storedAway, storedCard, storedStub } from "../../foundry-module/scripts/foundry/stored-card.mjs";

const dictionary = JSON.parse(readFileSync(new URL("../../foundry-module/lang/en.json", import.meta.url), "utf8"));

const die = (sides, face, { kept = true, role = `d${sides}`, mark = "" } = {}) => ({ role, sides, face, kept, mark });
const result = (dice, total, bonus = 0, more = {}) =>
  ({ dice, net: 0, boons: 0, banes: 0, bonus, total, outcome: "success", success: true, ...more });
const signOf = ({ role }) => ({ boon: "boon", bane: "bane" })[role] ?? null;

/** What Foundry makes of the terms by itself: active results only, signs from the operators. */
function totalOf({ terms }) {
  let total = 0;
  let sign = 1;
  for (const term of terms) {
    if (term.class === "OperatorTerm") sign = term.operator === "-" ? -1 : 1;
    else if (term.class === "NumericTerm") total += sign * term.number;
    else total += sign * term.results.filter((each) => each.active).reduce((sum, each) => sum + each.result, 0);
  }
  return total;
}

describe("a roll for Foundry", () => {
  const cases = {
    "one die and a bonus": [result([die(20, 11)], 14, 3), "1d20 + 3"],
    "a bonus below nothing": [result([die(20, 11)], 9, -2), "1d20 - 2"],
    "the best of a pool": [result([die(20, 4, { kept: false }), die(20, 17)], 19, 2), "2d20kh + 2"],
    "the worst of a pool": [result([die(20, 4), die(20, 17, { kept: false })], 4), "2d20kl"],
    "equal faces": [result([die(20, 9), die(20, 9, { kept: false })], 9), "2d20kh"],
    "two kept of three, each of its own size": [
      result([die(8, 7, { role: "rank" }), die(6, 3, { role: "ability", kept: false }), die(10, 7, { role: "boon" })], 14), "1d8 + 1d6 + 1d10",
    ],
    "the highest Bane is taken away": [
      result([die(20, 12), die(6, 6, { role: "bane" }), die(6, 2, { role: "bane", kept: false })], 7, 1), "1d20 - 2d6kh + 1",
    ],
    "a game with an arithmetic of its own": [result([die(12, 4), die(12, 9)], 30), "2d12 + 17"],
  };
  for (const [name, [rolled, formula]] of Object.entries(cases)) {
    test(name, () => {
      const data = rollData(rolled, signOf);
      assert.equal(data.formula, formula);
      assert.equal(data.total, rolled.total);
      assert.equal(totalOf(data), rolled.total, "the terms come to the same total");
      assert.equal(data.class, "Roll");
      const dice = data.terms.filter((term) => term.class === "Die").flatMap((term) => term.results);
      assert.deepEqual(dice.map((each) => each.result), rolled.dice.map((each) => each.face), "every face is there, in order");
      for (const each of dice) assert.equal(each.active, each.discarded !== true);
      for (const [index, term] of data.terms.entries()) {
        assert.equal(term.evaluated, true);
        assert.equal(term.class === "OperatorTerm", index % 2 === 1, "an operator between any two terms");
      }
    });
  }
  test("no dice, no roll", () => assert.equal(rollData(result([], 0), signOf), null));
  test("dice added later come by themselves", () => {
    const data = addedDice([die(12, 9, { kept: false })]);
    assert.equal(data.total, 9);
    assert.equal(data.terms[0].results[0].active, true);
  });
});

const diceRolled = (terms, dice, total, bonus = 0, more = {}) =>
  ({ t: "DiceRolled", roll: "14.1", actor: "a1", name: "Mira", kind: "damage", label: "Boathook", mode: "public", formula: "as typed", terms, dice, bonus, total, ...more });

describe("other dice for Foundry", () => {
  const dropped = { kept: false };
  const cases = {
    "as in the book: 2d6+3": [diceRolled([{ count: 2, sides: 6 }], [die(6, 5), die(6, 2)], 10, 3), "2d6 + 3"],
    "the best three of four, equal faces and all": [
      diceRolled([{ count: 4, sides: 6, keep: 3 }], [die(6, 3), die(6, 3), die(6, 3), die(6, 3, dropped)], 9), "4d6kh3",
    ],
    "the worse of two": [diceRolled([{ count: 2, sides: 20, keep: 1, lowest: true }], [die(20, 4), die(20, 17, dropped)], 4), "2d20kl"],
    "dice that are taken away": [
      diceRolled([{ count: 1, sides: 20 }, { count: 1, sides: 4, minus: true }], [die(20, 11), die(4, 3, { mark: "minus" })], 8), "1d20 - 1d4",
    ],
    "a formula that begins with a minus": [
      diceRolled([{ count: 1, sides: 4, minus: true }], [die(4, 3, { mark: "minus" })], 2, 5), "0 - 1d4 + 5",
    ],
    "two groups of one size stay two": [diceRolled([{ count: 1, sides: 6 }, { count: 2, sides: 6 }], [die(6, 1), die(6, 2), die(6, 3)], 6), "1d6 + 2d6"],
    "a hundred sides": [diceRolled([{ count: 1, sides: 100 }], [die(100, 73)], 73), "1d100"],
    "what a rule of the table adds comes after it": [
      diceRolled([{ count: 2, sides: 6 }], [die(6, 5), die(6, 2), die(6, 4, { role: "boon" })], 11), "2d6 + 1d6",
    ],
  };
  for (const [name, [event, formula]] of Object.entries(cases)) {
    test(name, () => {
      const data = formulaData(event);
      assert.equal(data.formula, formula);
      assert.equal(data.total, event.total);
      assert.equal(totalOf(data), event.total, "the terms come to the same total");
      const dice = data.terms.filter((term) => term.class === "Die").flatMap((term) => term.results);
      assert.deepEqual(dice.map((each) => each.result), event.dice.map((each) => each.face));
      for (const [index, term] of data.terms.entries()) assert.equal(term.class === "OperatorTerm", index % 2 === 1);
    });
  }
  test("plain numbers alone are no roll", () => assert.equal(formulaData(diceRolled([], [], 5, 5)), null));
});

describe("what is typed behind /bb", () => {
  const cases = {
    "2d6+3": { formula: "2d6+3", label: "", kind: "dice" },
    "2d6 + 3 # Boathook": { formula: "2d6 + 3", label: "Boathook", kind: "dice" },
    "damage 2d6+3 #Boathook # again": { formula: "2d6+3", label: "Boathook # again", kind: "damage" },
    "Damage 1d6": { formula: "1d6", label: "", kind: "damage" },
    "": { formula: "", label: "", kind: "dice" },
    damage: { formula: "", label: "", kind: "damage" },
    "damages": { formula: "damages", label: "", kind: "dice" },
    "# only words": { formula: "", label: "only words", kind: "dice" },
    [`1d6 # ${"x".repeat(100)}`]: { formula: "1d6", label: "x".repeat(80), kind: "dice" },
  };
  for (const [text, asked] of Object.entries(cases)) test(JSON.stringify(text.slice(0, 40)), () => assert.deepEqual(readDice(text), asked));
});

test("a button adds a die to the formula", () => {
  for (const [before, sides, after] of [["", 6, "1d6"], ["1d6", 6, "2d6"], ["d6", 6, "2d6"], ["2d6", 8, "2d6+1d8"], ["2d6+3", 6, "2d6+3+1d6"], ["2d6+", 4, "2d6+1d4"], ["d%", 100, "2d%"]]) {
    assert.equal(withDie(before, sides), after, before);
  }
});

const RULESET = {
  id: "toy", title: "Toy", numbers: [], optionSpecs: [], verbs: [], conditions: [],
  outcomes: [{ key: "success", label: "Success", tone: "success" }, { key: "critical", label: "Critical", tone: "critical" }],
  roles: [{ key: "boon", label: "Boon", sign: "boon" }],
  checks: [{ key: "task", label: "Task", params: [] }],
};

function publicContext(checks = new CheckIndex()) {
  return {
    words: new Words(dictionaryLookup(dictionary), RULESET), ruleset: RULESET, viewer: { user: "", role: "observer" }, checks,
    actorName: () => undefined, personName: () => undefined, numberName: () => undefined, owns: () => false, pending: () => undefined,
    choose: null, verify: null, goTo: null, clock: () => "",
  };
}

const rolled = (more = {}) => ({ check: "7.1", actor: "a1", name: "Mira", kind: "task", params: {}, action: "climb", ...more });
const checkRolled = (more = {}) => ({ t: "CheckRolled", rolled: rolled(), mode: "public", sources: [], result: result([die(20, 9)], 9), ...more });
const commit = (events, seq = 7) => ({ t: "logged", seq, at: 1, hash: "", seedHash: "", by: "u1", id: "x", events, seeds: { all: "ab" }, changes: [] });

describe("a stored card", () => {
  test("says everything in text and classes", () => {
    const sources = [
      { id: "kit", label: "Climbing kit", sign: "boon", amount: 1, counted: true, why: "counts" },
      { id: "rain", label: "Rain", sign: "bane", amount: 1, counted: false, why: "cancels" },
      { id: "far", label: "Elsewhere", sign: "bane", amount: 1, counted: false, why: "not_this_check", applies: false },
    ];
    const dice = [die(8, 7), die(6, 3, { kept: false }), die(10, 7, { role: "boon" })];
    const html = storedCard(publicContext(), commit([checkRolled({ rolled: rolled({ target: 14 }), sources, result: result(dice, 14, 0, { outcome: "critical" }) })]));
    const text = html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
    for (const part of ["Mira", "climb · Task", "d8 7", "d6 3", "▲ Boon 7", "14 against 14", "✦ Critical", "Climbing kit – counts", "#7"]) {
      assert.ok(text.includes(part), `${part} in ${text}`);
    }
    assert.ok(html.includes("<s>d6 3</s>"));
    assert.ok(!text.includes("Elsewhere"));
    assert.doesNotMatch(html, /svg|style=|data-|<button|on\w+=/);
  });
  test("never turns words of people into markup", () => {
    const html = storedCard(publicContext(), commit([checkRolled({ rolled: rolled({ name: "<img src=x onerror=1>", action: "\"'&" }) })]));
    assert.ok(html.includes("&lt;img src=x onerror=1&gt;"));
    assert.ok(html.includes("&quot;&#39;&amp;"));
  });
  test("several actors are one card with a row each", () => {
    const html = storedCard(publicContext(), commit([checkRolled(), checkRolled({ rolled: rolled({ check: "7.2", actor: "a2", name: "Teo" }) })]));
    assert.equal(html.match(/bb-card/g).length, 1);
    assert.ok(html.includes("<h4>Mira</h4>") && html.includes("<h4>Teo</h4>"));
  });
  test("of other dice is complete, too", () => {
    const four = [die(6, 5), die(6, 1, { kept: false }), die(6, 2), die(4, 3, { mark: "minus" })];
    const event = diceRolled([{ count: 3, sides: 6, keep: 2 }, { count: 1, sides: 4, minus: true }], four, 7, 3, { formula: "3d6kh2-1d4+3", manual: true, label: "Boat<hook>" });
    const html = storedCard(publicContext(), commit([event]));
    assert.equal(html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ").trim(),
      "Mira damage · Boat&lt;hook&gt; · 3d6kh2-1d4+3 (dice rolled by hand) d6 5 d6 1 + d6 2 \u2212 d4 3 +3 7 #7");
    assert.ok(html.includes("<s>d6 1</s>"));
    const two = storedCard(publicContext(), commit([event, { ...event, actor: null, name: "", label: "Poisoned", kind: "dice", manual: false, auto: true }]));
    assert.equal(two.match(/bb-card/g).length, 1);
    assert.ok(two.includes("<h3>Other dice</h3>") && two.includes("Poisoned"), two);
  });
  test("says what a roll had of its own: changed, by hand, at the end of a round, without dice", () => {
    const own = storedCard(publicContext(), commit([checkRolled({ rolled: rolled({ changed: "Better tools", manual: true, again: true }) })]));
    for (const part of ["What changed: Better tools", "(dice rolled by hand)", "(tried again)"]) assert.ok(own.includes(part), `${part} in ${own}`);
    const round = [1, 2].map((n) => checkRolled({ rolled: rolled({ check: `7.${n}`, actor: `a${n}`, name: `Actor ${n}`, action: "", auto: true, ends: { key: "poisoned" } }) }));
    round.push(diceRolled([{ count: 1, sides: 6 }], [die(6, 4)], 4, 0, { label: "Poisoned", auto: true }));
    const ended = storedCard(publicContext(), commit(round));
    for (const part of ["End of the round", "Actor 1: Task", "Actor 2: Task", "Mira: damage · Poisoned"]) assert.ok(ended.includes(part), `${part} in ${ended}`);
    assert.equal(ended.match(/bb-card/g).length, 1);
    const none = storedCard(publicContext(), commit([checkRolled({ result: result([], 0, 0, { success: false }), sources: [] })]));
    assert.ok(none.includes("Without dice: fails by itself.") && !none.includes("<strong>0</strong>"), none);
  });
  test("a choice is a card of its own that says what it belongs to", () => {
    const checks = new CheckIndex();
    checks.take(commit([checkRolled({ rolled: rolled(), choices: [{ id: "spend", label: "Spend a Boon: one more die", who: "roller" }] })]));
    const later = commit([{ t: "Chosen", check: "7.1", choice: "spend", actor: "a1", drawn: 1, result: result([die(12, 4), die(12, 9, { mark: "bought" })], 9) }], 9);
    checks.take(later);
    const html = storedCard(publicContext(checks), later);
    assert.ok(html.includes("Spend a Boon · on #7"));
    assert.ok(!html.includes("one more die"));
  });
  test("a stub says nothing of what was rolled", () => {
    const words = publicContext().words;
    assert.equal(storedStub(words, 12).replace(/<[^>]*>/g, ""), "A roll for some eyes only (#12).");
  });
  test("what was missed is one card", () => {
    const html = storedAway(publicContext().words, ["#8 <b>"], 8, 40);
    assert.ok(html.includes("#8 &lt;b&gt;") && html.includes("#8 to #40"));
  });
});

describe("what everybody may read", () => {
  test("a hidden number a GM's page holds is not stored", () => {
    const gm = commit([
      checkRolled({ rolled: rolled({ opponent: "g", opponentName: "Gnoll" }) }),
      { t: "TargetFixed", check: "7.1", target: 9173, odds: { success: "1/9", critical: "0/1", worst: "0/1" } },
      checkRolled({ rolled: rolled({ check: "7.2", name: "Kestrel-hidden" }), mode: "gm" }),
      { t: "CheckNoted", check: "7.3", actor: "a", name: "noted-hidden", kind: "task" },
    ]);
    const shown = publicPart(gm);
    const html = storedCard(publicContext(), shown);
    assert.doesNotMatch(JSON.stringify(shown) + html, /9173|1\/9|hidden|seeds/);
    assert.ok(html.includes("against Gnoll"));
  });
  test("the strictest mode of a commit decides", () => {
    const none = () => undefined;
    assert.equal(modeOfCommit(commit([checkRolled()]), none), "public");
    assert.equal(modeOfCommit(commit([checkRolled(), checkRolled({ mode: "gm" })]), none), "gm");
    assert.equal(modeOfCommit(commit([checkRolled({ mode: "secret" })]), none), "secret");
    assert.equal(modeOfCommit(commit([{ t: "CheckNoted", check: "7.1", actor: "a", name: "n", kind: "task" }]), none), "blind");
    assert.equal(modeOfCommit(commit([diceRolled([], [], 5, 5)]), none), "public");
    assert.equal(modeOfCommit(commit([checkRolled(), diceRolled([], [], 5, 5, { mode: "self" })]), none), "self");
    const chosen = commit([{ t: "Chosen", check: "3.1", choice: "spend", actor: "a1" }]);
    assert.equal(modeOfCommit(chosen, () => "gm"), "gm");
    assert.equal(modeOfCommit(chosen, none), "secret", "what is not known to be public is not posted");
  });
});

describe("other dice that only some may read", () => {
  test("are not stored", () => {
    const both = commit([checkRolled(), diceRolled([], [], 9173, 9173, { mode: "gm" }), diceRolled([], [], 4, 4)]);
    assert.deepEqual(publicPart(both).events.filter(({ t }) => t === "DiceRolled").map(({ total }) => total), [4]);
    assert.doesNotMatch(storedCard(publicContext(), publicPart(both)), /9173/);
  });
});

describe("dice that do not fall", () => {
  test("are those of old messages, of stubs, and of real tables", () => {
    const mark = { table: "t", epoch: 1, seq: 4 };
    assert.equal(liesStill(mark), false);
    assert.equal(liesStill(null), false);
    for (const why of ["late", "stub", "byHand"]) assert.equal(liesStill({ ...mark, [why]: true }), true, why);
  });
});

describe("a message's id", () => {
  test("follows from what it shows, fits Foundry, and differs", () => {
    assert.equal(messageId("evening", 1, 7), messageId("evening", 1, 7));
    const ids = new Set();
    for (let seq = 1; seq <= 5000; seq += 1) for (const epoch of [1, 2]) ids.add(messageId("evening", epoch, seq));
    assert.equal(ids.size, 10_000);
    for (const id of ids) assert.match(id, /^[A-Za-z0-9]{16}$/);
    assert.notEqual(messageId("a", 1, "2-30"), messageId("a", 1, 2));
  });
});

describe("handing a token over", () => {
  const gm = { id: "gm", name: "GM", isGM: true };
  const player = { id: "p", name: "P", isGM: false };
  const nonce = "n".repeat(22);
  const answer = (more = {}) => ({ type: "token", nonce, token: "a.b.c", table: "evening", addresses: ["ws://x/ws", 5], ...more });
  const asked = () => {
    const asking = new Asking(() => nonce);
    asking.request("http://localhost:30000");
    return asking;
  };
  test("is believed from a GM, once, to a question of ours", () => {
    const asking = asked();
    assert.deepEqual(asking.read(answer(), gm), { token: "a.b.c", table: "evening", addresses: ["ws://x/ws"] });
    assert.equal(asking.read(answer(), gm), null);
  });
  test("is not believed otherwise", () => {
    assert.equal(asked().read(answer(), player), null, "a forged one of a player");
    assert.equal(asked().read(answer(), undefined), null);
    assert.equal(asked().read({ ...answer(), isGM: true, senderId: "gm" }, player), null, "claims count nothing");
    assert.equal(new Asking().read(answer(), gm), null, "nobody asked");
    for (const bad of [null, 5, "token", [], {}, answer({ nonce: "other" }), answer({ token: "" }), answer({ token: 5 }), answer({ table: "../x" }), answer({ addresses: "ws://x" })]) {
      assert.equal(asked().read(bad, gm), null, JSON.stringify(bad));
    }
  });
  test("a request has a shape", () => {
    assert.deepEqual(readRequest({ type: "tokenRequest", nonce, origin: "https://vtt.example.org", user: "gm", role: "gm" }), { nonce, origin: "https://vtt.example.org" });
    for (const bad of [null, {}, [], { type: "tokenRequest" }, { type: "tokenRequest", nonce: "short", origin: "http://x" },
      { type: "tokenRequest", nonce, origin: "file:///etc" }, { type: "tokenRequest", nonce, origin: "http://a@b" }, { type: "token", nonce, origin: "http://x" }]) {
      assert.equal(readRequest(bad), null, JSON.stringify(bad));
    }
    assert.equal(answerTo({ nonce, origin: "" }, { token: "t", table: "e", addresses: [] }).nonce, nonce);
  });
});

describe("which address a page tries", () => {
  const home = { protocol: "http:", hostname: "192.168.1.5" };
  const here = { protocol: "http:", hostname: "localhost" };
  const web = { protocol: "https:", hostname: "vtt.example.org" };
  const all = ["localhost:8765", "ws://192.168.1.5:8765/ws", "wss://dice.example.org/bridge"];
  test("this machine only from this machine, a home network only from a home", () => {
    assert.deepEqual(reachable(all, here), ["ws://localhost:8765/ws", "ws://192.168.1.5:8765/ws", "wss://dice.example.org/bridge"]);
    assert.deepEqual(reachable(all, home), ["ws://192.168.1.5:8765/ws", "wss://dice.example.org/bridge"]);
    assert.deepEqual(reachable(all, web), ["wss://dice.example.org/bridge"]);
    assert.equal(fits("wss://10.0.0.4/ws", web), false);
  });
  test("and why none is left", () => {
    assert.equal(whyNot([], home), "none");
    assert.equal(whyNot(["localhost:1"], home), "loopback");
    assert.equal(whyNot(["ws://192.168.1.5/ws"], web), "blocked");
    assert.equal(whyNot(["wss://192.168.1.5/ws"], web), "private");
    assert.equal(whyNot(["ftp://x"], web), "bad");
  });
});

describe("the line in words", () => {
  test("says a next step for everybody in every state", () => {
    const words = new Words(dictionaryLookup(dictionary));
    const states = ["idle", "waiting", "connecting", "resuming", "live", "away", "unreachable", "other", "refused", "stopped"];
    for (const state of states) {
      for (const isGM of [true, false]) {
        const why = state === "unreachable" ? "loopback" : undefined;
        const said = stateWords(words, { state, why }, isGM);
        assert.ok(said.title !== "" && !said.title.includes("."), state);
        assert.ok(said.next.length > 5, `${state} ${isGM}`);
      }
    }
    assert.match(stateWords(words, { state: "refused", code: 4402 }, true).next, /fresh code/);
    assert.match(stateWords(words, { state: "waiting", why: "noGm" }, false).next, /as soon as a GM/);
  });
});

test("no word's key stands where another's begin: Foundry keeps them as a tree", () => {
  const keys = Object.keys(dictionary);
  const stems = new Set(keys.flatMap((key) => key.split(".").map((_, index, parts) => parts.slice(0, index).join("."))));
  assert.deepEqual(keys.filter((key) => stems.has(key)), []);
});
