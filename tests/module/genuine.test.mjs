/** Which chat messages are taken for what the log says, and which are not: mostly honest ones, of every kind. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { CheckIndex } from "../../foundry-module/scripts/cards/check-index.mjs";
import { Words, dictionaryLookup } from "../../foundry-module/scripts/client/words.mjs";
import { NAMED, judge, judgeAway, judgeUnknown, judgeUnmarked } from "../../foundry-module/scripts/foundry/genuine.mjs";
import { factsOf, numbersIn } from "../../foundry-module/scripts/foundry/message-facts.mjs";
import { messageId } from "../../foundry-module/scripts/foundry/message-id.mjs";
import { publicPart } from "../../foundry-module/scripts/foundry/news.mjs";
import { storedAway, storedCard, storedStub } from "../../foundry-module/scripts/foundry/stored-card.mjs";

const english = JSON.parse(readFileSync(new URL("../../foundry-module/lang/en.json", import.meta.url), "utf8"));
// A language in which every sentence reads otherwise, its numbers stand elsewhere and it has one more.
const other = Object.fromEntries(Object.entries(english).map(([key, text]) => [key, `7 ${text.split(" ").reverse().join(" ")} \u00fc`]));

const RULESET = {
  id: "toy", title: "Toy", version: 1, numbers: [], optionSpecs: [], verbs: [], conditions: [],
  outcomes: [{ key: "success", label: "Success", tone: "success" }, { key: "failure", label: "Failure", tone: "failure" }],
  roles: [{ key: "boon", label: "Boon", sign: "boon" }], checks: [{ key: "task", label: "Task", params: [] }],
};

function context({ dictionary = english, checks = new CheckIndex(), name = () => undefined, ruleset = RULESET } = {}) {
  return {
    words: new Words(dictionaryLookup(dictionary), ruleset), ruleset, viewer: { user: "", role: "observer" }, checks,
    actorName: name, personName: name, numberName: name, owns: () => false, pending: () => undefined, choose: null, verify: null, goTo: null, clock: () => "",
  };
}

const die = (sides, face, { kept = true, role = `d${sides}` } = {}) => ({ role, sides, face, kept });
const result = (dice, total, more = {}) => ({ dice, net: 0, boons: 0, banes: 0, bonus: 0, total, outcome: "success", success: true, ...more });
const check = (more = {}, rolled = {}) => ({
  t: "CheckRolled", mode: "public", sources: [{ id: "kit", label: "Climbing kit 2", sign: "boon", amount: 1, counted: true, why: "counts" }],
  rolled: { check: "7.1", actor: "a1", name: "Mira", kind: "task", params: {}, action: "climb 30 ft", target: 12, ...rolled }, result: result([die(20, 14), die(6, 3, { role: "boon" })], 17), ...more,
});
const damage = { t: "DiceRolled", roll: "7.2", actor: "a1", name: "Mira", kind: "damage", label: "Boathook", mode: "public", formula: "2d6", terms: [{ count: 2, sides: 6 }], dice: [die(6, 5), die(6, 2)], bonus: 0, total: 7 };
const commit = (events, seq = 7) => ({ t: "logged", seq, at: 1, hash: "h", seedHash: "s", by: "u1", events });

const MARK = { table: "evening", epoch: 1, seq: 7 };
const ID = messageId("evening", 1, 7);
const facesOf = (events) => events.filter(({ t }) => t === "CheckRolled" || t === "DiceRolled").map((event) => {
  const { dice, total } = event.result ?? event;
  return { total, faces: dice.map(({ face }) => face) };
});

/** What a page stored, and what another one makes of the same entry. */
function story(events, { dictionary, checks, name, sameWords = true, ruleset } = {}) {
  const whole = commit(events);
  const content = storedCard(context({ dictionary, checks, name, ruleset }), publicPart(whole));
  const made = {
    content: storedCard(context({ checks, name: () => NAMED }), publicPart(whole)), alias: "Mira", rolls: facesOf(events),
    names: events.flatMap((event) => [event.rolled?.name ?? event.name ?? ""]), whole: true, simple: true,
  };
  return { commit: whole, made, said: { id: ID, content, flavor: "", alias: "Mira", rolls: facesOf(events), sameWords } };
}

const STUB = storedStub(context().words, 7);
const found = ({ said, commit: entry, made }, more = {}, mark = MARK) => judge(mark, { ...said, ...more }, entry, made, STUB);

describe("an honest message has no mark", () => {
  const honest = {
    "a check": story([check()]),
    "other dice": story([damage]),
    "several checks and dice in one": story([check(), check({}, { check: "7.2", actor: "a2", name: "Teo" }), damage]),
    "the end of a round": story([check({}, { auto: true }), check({}, { check: "7.2", name: "Teo", auto: true }), { ...damage, auto: true }]),
    "one without dice": story([check({ result: result([], 0), rolled: { ...check().rolled } })]),
    "a total below nothing": story([check({ result: result([die(20, 1)], -3, { outcome: "failure" }) })]),
    "dice rolled by hand": story([check({}, { manual: true })]),
    "names with everything that markup knows": story([check({}, { name: "<i>A & B's \"7\"</i>  x", action: "&amp; 5 < 6" })]),
    "of another language": story([check(), damage], { dictionary: other, sameWords: false }),
    "of a language that says numbers in words": story([check()], { dictionary: { ...english, "BOONBRIDGE.total.against": "against a dozen", "BOONBRIDGE.foot.chance": "fair chance" }, sameWords: false }),
    "whose actor is called otherwise since, with the same words": story([check(), { ...damage, name: "" }], { name: () => "Goblin 12" }),
    "of a ruleset whose words are others": story([check()], { ruleset: { ...RULESET, outcomes: [{ key: "success", label: "Hit 9", tone: "success" }] }, sameWords: false }),
    "a request": story([{ t: "CheckRequested", request: { id: "7", mode: "public", action: "sneak 2", note: "1 by 1", rows: [{ actor: "a1", name: "Mira 3" }], checks: [{ check: "task", params: {} }] } }]),
  };
  for (const [name, each] of Object.entries(honest)) {
    test(name, () => {
      assert.notEqual(each.said.content, "");
      assert.equal(found(each), null);
    });
  }

  test("late, by hand, with words that are not known: flags say how it came, not what it says", () => {
    for (const flags of [{ late: true }, { byHand: true }, { words: "other" }, { words: undefined }]) assert.equal(found(honest["a check"], {}, { ...MARK, ...flags }), null);
  });

  test("as the first version of the module stored it: other words, a total where there were no dice, two cards for a round", () => {
    const old = `<div class="bb-card bb-stored"><div class="bb-head"><h3>Mira</h3><p>climb 30 ft \u00b7 Task</p></div><p class="bb-stored-dice">d20 <strong>14</strong> \u25b2 Boon <strong>3</strong></p>`
      + `<p class="bb-total"><strong>17</strong> against 12</p><p class="bb-verdict bb-tone-success"><strong>\u2713 Success</strong></p><p class="bb-foot">#7</p></div>`;
    assert.equal(found(honest["a check"], { content: old, sameWords: false }), null);
    const none = `<div class="bb-card bb-stored"><div class="bb-head"><h3>Mira</h3><p>x</p></div><p class="bb-stored-dice"></p><p class="bb-total"><strong>0</strong> </p><p class="bb-verdict bb-tone-success"><strong>\u2713 Success</strong></p><p class="bb-foot">#7</p></div>`;
    assert.equal(found(honest["one without dice"], { content: none, sameWords: false }), null);
    const [mira, teo, hurt] = honest["the end of a round"].commit.events;
    const apart = [[{ ...mira, rolled: { ...mira.rolled, auto: false } }, { ...teo, rolled: { ...teo.rolled, auto: false } }], [hurt]].map((events) => storedCard(context(), commit(events))).join("");
    assert.equal(found(honest["the end of a round"], { content: apart, sameWords: false }), null);
  });

  test("as Foundry's server gives it back: entities written otherwise, more space", () => {
    const { said } = honest["names with everything that markup knows"];
    const cleaned = said.content.replaceAll("&quot;", "\"").replaceAll("&#39;", "&#x27;").replaceAll("><", ">\n  <").replaceAll("class=\"", "class='").replaceAll(/class='([^"]*)"/g, "class='$1'");
    assert.notEqual(cleaned, said.content);
    assert.equal(found(honest["names with everything that markup knows"], { content: cleaned }), null);
  });

  test("a message whose name over it another module took away, or gave where there is none", () => {
    assert.equal(found(honest["a check"], { alias: "" }), null);
    const many = honest["several checks and dice in one"];
    assert.equal(found({ ...many, made: { ...many.made, alias: "" } }, { alias: "Somebody" }), null);
  });

  test("a choice and a correction of which not everything is known here", () => {
    const chosen = { t: "Chosen", check: "3.1", choice: "spend", actor: "a1", result: null, drawn: 0 };
    const entry = commit([chosen]);
    const said = { ...honest["a check"].said };
    for (const made of [null, { content: "", alias: "", rolls: [], names: [], whole: false, simple: false }]) assert.equal(judge(MARK, said, entry, made, STUB), null);
    // Its dice are known, what was before is not: words are not compared.
    const checks = new CheckIndex();
    checks.take({ ...commit([check({}, { check: "3.1" })]), seq: 3 });
    const bought = { ...chosen, drawn: 1, result: result([die(20, 14), die(6, 3), die(6, 5)], 22) };
    const content = storedCard(context({ checks }), commit([bought]));
    const made = { content, alias: "", rolls: [{ total: 5, faces: [5] }], names: [], whole: true, simple: false };
    const mine = { ...said, content: content.replace("#3", "#33"), rolls: made.rolls };
    assert.equal(judge(MARK, mine, commit([bought]), made, STUB), null);
    assert.deepEqual(judge(MARK, { ...mine, content: mine.content.replace(">22<", ">25<") }, commit([bought]), made, STUB).parts, ["total"]);
  });

  test("a stub, for whoever may read it and whoever may not, in any language", () => {
    const mark = { ...MARK, stub: true };
    const hidden = commit([check({ mode: "gm" })]);
    for (const [content, sameWords] of [[STUB, true], [storedStub(new Words(dictionaryLookup({ ...other, "BOONBRIDGE.foundry.stub": "\u00dc (#{seq})" })), 7), false]]) {
      const said = { id: ID, content, flavor: "", alias: "", rolls: [], sameWords };
      for (const entry of [hidden, null]) assert.equal(judge(mark, said, entry, null, STUB), null);
    }
  });

  test("what was missed, in one message", () => {
    const mark = { ...MARK, to: 40, late: true };
    for (const words of [context().words, new Words(dictionaryLookup({ ...english, "BOONBRIDGE.foundry.awayCard.text": "Von #{from} bis #{to}." }))]) {
      const content = storedAway(words, ["#8 Mira: 17 against 12", "#31 Teo & <5>"], 7, 40);
      assert.equal(judgeAway(mark, { id: messageId("evening", 1, "7-40"), content, flavor: "", alias: "", rolls: [], sameWords: true }), null);
    }
    for (const rest of [storedAway(context().words, [], 7, 40), storedAway(context().words, ["#8 a"], 7, 40, true)]) {
      assert.equal(judgeAway(mark, { id: messageId("evening", 1, "7-40"), content: rest, flavor: "", alias: "", rolls: [], sameWords: true }), null);
    }
  });

  test("a message of nobody's is none of ours, whatever it says", () => {
    for (const content of ["", "<p>Mira rolls a 20</p>", "<p class=\"other\">bb-stored</p>", "<div class=\"bb-8\">x</div>"]) assert.equal(judgeUnmarked(content), null);
  });
});

describe("a message that says something else is found, and where", () => {
  const good = story([check()]);
  const { content } = good.said;
  const cases = {
    "another face": [{ content: content.replace(">14<", ">20<") }, "dice"],
    "a die more": [{ content: content.replace("<strong>14</strong>", "<strong>14</strong> <strong>20</strong>") }, "dice"],
    "another total": [{ content: content.replace(">17<", ">27<") }, "total"],
    "another verdict, in its colour": [{ content: content.replace("bb-tone-success", "bb-tone-failure") }, "verdict"],
    "another verdict, in its word": [{ content: content.replace("Success", "Failure") }, "words"],
    "somebody else": [{ content: content.replace("Mira", "Teo") }, "name"],
    "another number to reach": [{ content: content.replace("against 12", "against 21") }, "words"],
    "another number at its foot": [{ content: content.replace("#7", "#8") }, "words"],
    "a line more": [{ content: content.replace("</ul>", "<li>And 5 gold</li></ul>") }, "words"],
    "a picture": [{ content: `${content}<img src="x">` }, "more"],
    "the card out of sight and a lie over it": [{ content: `<p>20!</p>${content.replace("<div class", "<div style=\"display:none\" class")}` }, "more"],
    "plain words beside it": [{ content: `${content} and won` }, "more"],
    "nothing of a card": [{ content: "<p>Mira wins</p>" }, "dice"],
    "nothing at all": [{ content: "" }, "dice"],
    "another roll in it": [{ rolls: [{ total: 17, faces: [14, 4] }] }, "rolls"],
    "another total in its roll": [{ rolls: [{ total: 18, faces: [14, 3] }] }, "rolls"],
    "no roll any more": [{ rolls: [] }, "rolls"],
    "a line over it": [{ flavor: "Natural 20!" }, "flavor"],
    "another name over it": [{ alias: "Ogre" }, "speaker"],
  };
  for (const [name, [more, part]] of Object.entries(cases)) {
    test(name, () => {
      const { what, parts } = found(good, more);
      assert.equal(what, "altered");
      assert.ok(parts.includes(part), parts.join());
    });
  }

  test("numbers, colours and names are found in any words; only words are not", () => {
    for (const name of ["another face", "a die more", "another total", "another verdict, in its colour", "somebody else", "a picture", "nothing of a card"]) {
      assert.equal(found(good, { ...cases[name][0], sameWords: false })?.what, "altered", name);
    }
    assert.equal(found(good, { ...cases["another verdict, in its word"][0], sameWords: false }), null);
  });

  test("a copy says the same and is not the message of its entry; a changed one is changed", () => {
    assert.deepEqual(found(good, { id: "abcdefghijklmnop" }), { what: "copy", parts: [] });
    assert.equal(found(good, { id: "abcdefghijklmnop", content: content.replace(">17<", ">27<") }).what, "altered");
    assert.equal(found(good, {}, { ...MARK, seq: 8 }).what, "copy");
  });

  test("an entry that is not for everybody, told to everybody, whoever looks", () => {
    const hidden = story([check({ mode: "gm" })]);
    assert.equal(found({ ...hidden, said: good.said }).what, "hidden");
    assert.equal(judge(MARK, good.said, null, null, STUB).what, "hidden");
  });

  test("an entry where nothing was rolled, and one that there is not", () => {
    assert.equal(judge(MARK, good.said, commit([{ t: "Granted" }, { t: "PersonJoined" }]), good.made, STUB).what, "nothing");
    assert.equal(judgeUnknown().what, "unknown");
  });

  test("a stub that says more than that there was a roll", () => {
    const mark = { ...MARK, stub: true };
    const said = (more) => ({ id: ID, content: STUB, flavor: "", alias: "", rolls: [], sameWords: false, ...more });
    for (const more of [{ content }, { content: STUB.replace("#7", "#7: 20 + 5") }, { content: `${STUB}<p>20</p>` }, { content: "" }, { flavor: "A 20" }, { rolls: [{ total: 20, faces: [20] }] },
      { content: "<p class=\"bb-stub\">Mira wins (#7)</p>", sameWords: true }]) {
      assert.equal(judge(mark, said(more), commit([check({ mode: "gm" })]), null, STUB)?.what, "altered", JSON.stringify(more));
    }
    assert.equal(judge(mark, said({ id: "abcdefghijklmnop" }), null, null, STUB).what, "copy");
  });

  test("a summary of other entries, or with dice in it", () => {
    const mark = { ...MARK, to: 40 };
    const base = storedAway(context().words, ["#8 a", "#31 b"], 7, 40);
    const said = (more) => ({ id: messageId("evening", 1, "7-40"), content: base, flavor: "", alias: "", rolls: [], sameWords: true, ...more });
    for (const more of [{ content: base.replace("#31 b", "#41 b") }, { content: base.replace("#8 a", "#32 a") }, { content: base.replace("#8 a", "a") }, { content: base.replace("#40", "#50") },
      { content: base + content }, { flavor: "x" }, { rolls: [{ total: 1, faces: [1] }] }]) {
      assert.equal(judgeAway(mark, said(more))?.what, "away", JSON.stringify(more));
    }
    assert.equal(judgeAway(mark, said({ id: ID })).what, "copy");
  });

  test("a card or a stub of ours that names no entry", () => {
    for (const each of [content, STUB, "<div class='x bb-stored'>1</div>"]) assert.equal(judgeUnmarked(each).what, "unnamed");
  });
});

describe("what stands in a stored card", () => {
  test("is read from it, however broken it is", () => {
    for (const bad of ["<", "<<<", "</p></p>", "<p class=bb-total><strong>", "<p class=\"bb-stored-dice\"><strong>4", "&#xFFFFFF; &#99999999; &nope;", "<p".repeat(2000), `<p class="${"a ".repeat(5000)}"`, "<p \"".repeat(50_000), "<s>".repeat(50_000)]) {
      const facts = factsOf(bad);
      assert.ok(Array.isArray(facts.blocks), bad.slice(0, 20));
    }
  });
  test("numbers with either minus", () => assert.deepEqual(numbersIn("\u22123 of 12, d6 -4 +5"), [-3, 12, 6, -4, 5]));
});
