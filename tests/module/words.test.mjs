import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { describe, test } from "node:test";

import { Words, dictionaryLookup } from "../../foundry-module/scripts/client/words.mjs";
import { CONDITION_CLOCKS, GRANT_CLOCKS } from "../../foundry-module/scripts/forms/clocks.mjs";

const here = (path) => new URL(`../../${path}`, import.meta.url);
const read = (path) => readFileSync(here(path), "utf8");
const dictionary = JSON.parse(read("foundry-module/lang/en.json"));
const words = new Words(dictionaryLookup(dictionary));
const codes = JSON.parse(read("schemas/json/v1/codes.json"));
const schema = read("schemas/json/v1/protocol.json");

const D12 = { id: "group_d12", words: { boon: "positive chance", bane: "negative chance" }, outcomes: [{ key: "success", label: "Success" }] };
const d12 = words.for(D12);

const scriptsIn = (folder) => readdirSync(here(folder)).filter((name) => name.endsWith(".mjs")).map((name) => [name, read(`${folder}/${name}`)]);

/** The javascript of client, cards, forms and page. */
const sources = ["foundry-module/scripts/client", "foundry-module/scripts/cards", "foundry-module/scripts/forms", "bridge/boonbridge/web"].flatMap(scriptsIn);

const CLOCKS = JSON.parse(schema).$defs.Expiry.properties.when.enum;

test("every clock can be chosen for a Boon or a Bane, and all but those of rolls for a condition", () => {
  assert.deepEqual([...GRANT_CLOCKS].sort(), [...CLOCKS].sort());
  assert.deepEqual([...CONDITION_CLOCKS].sort(), CLOCKS.filter((when) => !when.startsWith("next_roll")).sort());
});

const SENTENCE = /^\p{Lu}.*[.!?]$/su;

describe("every word is there", () => {
  for (const code of Object.keys(codes.refused)) {
    test(`refusal ${code} has a sentence`, () => {
      const said = words.refusal({ code, message: "fallback" });
      assert.notEqual(said, "fallback");
      assert.match(said, SENTENCE);
    });
  }

  for (const code of Object.keys(codes.close)) {
    test(`close code ${code} has a sentence`, () => assert.match(words.say(`close.${code}`), SENTENCE));
  }

  test("the client's own codes have one too", () => {
    for (const code of ["away", "unanswered"]) assert.match(words.refusal({ code }), SENTENCE);
  });

  test("every state of the connection, mode, side, role and phase has a word", () => {
    const needed = [
      ...["idle", "connecting", "resuming", "live", "away", "refused", "stopped"].map((state) => `connection.${state}`),
      ...["public", "gm", "blind", "secret", "self"].flatMap((mode) => [`mode.${mode}.name`, `mode.${mode}.help`, `mode.${mode}.tag`]),
      ...["party", "opposition", "neutral"].flatMap((side) => [`side.${side}`, `sideTitle.${side}`]),
      ...["gm", "player", "observer"].map((role) => `role.${role}`),
      ...["slow", "waiting", "withdrawing", "late", "unchanged"].map((phase) => `send.${phase}`),
      ...["behind", "other", "restored"].map((what) => `memory.${what}`),
      ...["critical", "success", "failure", "worst"].map((tone) => `tone.${tone}`),
      ...CLOCKS.map((when) => `expiry.${when}.name`),
      ...CLOCKS.filter((when) => when !== "none").map((when) => `expiry.${when}.tag`),
      ...["turn_start", "turn_end", "round_end", "combat_end", "session_end", "actor_removed"].map((why) => `ended.${why}`),
      ...["byPlayer"].map((tag) => `total.${tag}`), ...["manual", "again", "auto"].map((tag) => `tag.${tag}`),
      ...["counts", "cancels", "same_source", "one_at_most", "open_rolls_only", "not_this_check", "switched_off", "nothing", "offered",
        "automatic_failure", "automatic_success"].map((why) => `why.${why}`),
      ...["consequence", "extra_benefit", "serious_complication", "severe_consequence"].map((duty) => `duty.${duty}`),
    ];
    assert.deepEqual(needed.filter((key) => !words.has(key)), []);
  });

  test("every event and effect of the schema is worded", () => {
    const { $defs } = JSON.parse(schema);
    const tags = (name) => $defs[name].anyOf.map(({ $ref }) => $ref.split("/").pop());
    const cards = new Set(["CheckRolled", "DiceRolled", "TargetFixed", "DifficultiesSet"]);
    const worded = (kind, prefix) => Object.keys(dictionary).some((key) => key === `BOONBRIDGE.${prefix}.${kind}` || key.startsWith(`BOONBRIDGE.${prefix}.${kind}.`));
    assert.deepEqual(tags("Event").filter((kind) => !cards.has(kind) && !worded(kind, "event")), []);
    assert.deepEqual(tags("Effect").filter((kind) => kind !== "DutyNoted" && !worded(kind, "effect")), []);
  });

  test("every key that the code names outright exists", () => {
    const missing = [];
    for (const [name, text] of sources) {
      for (const [, call, key] of text.matchAll(/words\.(say|count|has)\(\s*"([a-zA-Z0-9_.]+)"/g)) {
        const known = call === "count" ? words.has(`${key}.other`) : words.has(key);
        if (!known) missing.push(`${name}: ${key}`);
      }
      for (const [, key] of text.matchAll(/phrase\([\w.]+, "([a-zA-Z0-9_.]+)"/g)) if (!words.has(key)) missing.push(`${name}: ${key}`);
      for (const [, key] of text.matchAll(/key: "([a-zA-Z]+\.[a-zA-Z0-9_.]+)"/g)) if (!words.has(key)) missing.push(`${name}: ${key}`);
    }
    assert.deepEqual(missing, []);
  });

  test("every sentence is asked for", () => {
    const code = [...sources, ...scriptsIn("foundry-module/scripts/foundry")].map(([, text]) => text).join("\n");
    const named = new Set([...code.matchAll(/["`](?:BOONBRIDGE\.)?([a-zA-Z][a-zA-Z0-9_.]*)["`]/g)].map(([, key]) => key));
    const filled = new Set([...code.matchAll(/([a-zA-Z][a-zA-Z0-9_.]*)\.\$\{/g)].map(([, key]) => key));
    // By its whole name, by its first parts, or with its last parts filled in.
    const asked = (key) => key.split(".").some((_, index, parts) => {
      const first = parts.slice(0, index + 1).join(".");
      return filled.has(first) || ((index > 0 || first === key) && named.has(first));
    });
    assert.deepEqual(Object.keys(dictionary).map((key) => key.slice("BOONBRIDGE.".length)).filter((key) => !asked(key)), []);
  });

  test("no key is the beginning of another: Foundry turns dots into branches", () => {
    const keys = Object.keys(dictionary);
    const known = new Set(keys);
    const clashes = keys.filter((key) => key.split(".").some((_, index, parts) => index > 0 && index < parts.length && known.has(parts.slice(0, index).join("."))));
    assert.deepEqual(clashes, []);
  });

  test("every key is ours, and every sentence is filled", () => {
    for (const [key, text] of Object.entries(dictionary)) {
      assert.ok(key.startsWith("BOONBRIDGE."), key);
      assert.ok(typeof text === "string" && text.trim() !== "", key);
    }
  });
});

describe("a game's own words", () => {
  test("the word Bane never stands at a table that has none", () => {
    const said = Object.keys(dictionary)
      .map((key) => key.slice("BOONBRIDGE.".length))
      .filter((key) => !key.startsWith("term."))
      .map((key) => d12.say(key, { n: 2, amount: 2 }));
    assert.deepEqual(said.filter((text) => /\bbanes?\b/i.test(text)), []);
    assert.deepEqual([d12.term("bane"), d12.term("Banes"), d12.term("Boon")], ["negative chance", "Negative chances", "Positive chance"]);
  });

  test("a game may bring a whole sentence", () => {
    const own = words.for({ ...D12, words: { "duty.consequence": "Trouble!" } });
    assert.equal(own.say("duty.consequence"), "Trouble!");
    assert.equal(own.term("bane"), "Bane");
  });

  test("labels come from the game, then from the file, then from the key", () => {
    assert.equal(d12.label("outcomes", "success"), "Success");
    assert.equal(d12.label("outcomes", "wild_surge"), "wild surge");
    assert.equal(d12.label("outcomes", "__proto__"), "  proto  ");
  });
});

test("a condition is named with what it is about", () => {
  const game = words.for({ ...D12, conditions: [{ key: "impaired", label: "Impaired", of: [{ value: "wits", label: "Wits" }] }, { key: "shaken", label: "Shaken" }] });
  assert.deepEqual(["impaired.wits", "impaired.old_luck", "impaired", "shaken", "from.to_morrow"].map((key) => game.condition(key)),
    ["Impaired (Wits)", "Impaired (old luck)", "Impaired", "Shaken", "from.to morrow"]);
});

describe("filling in", () => {
  const plain = new Words(dictionaryLookup({ "BOONBRIDGE.x": "{name} has {n} of {unknown}", "BOONBRIDGE.c.one": "{n} thing", "BOONBRIDGE.c.other": "{n} things" }));

  test("takes values by name and leaves what it does not know", () => {
    assert.equal(plain.say("x", { name: "Mira", n: 3 }), "Mira has 3 of {unknown}");
    assert.equal(plain.say("x", { name: "{n}", n: 3 }), "{n} has 3 of {unknown}", "what was filled in is not filled again");
  });

  test("never takes what every object has", () => {
    assert.equal(new Words(dictionaryLookup({ "BOONBRIDGE.x": "{constructor} {toString}" })).say("x", {}), "{constructor} {toString}");
    assert.equal(plain.say("__proto__", {}, "fallback"), "fallback");
    assert.equal(plain.say("constructor", {}, "fallback"), "fallback");
  });

  test("keeps what people wrote apart", () => {
    assert.deepEqual(plain.pieces("x", { name: "<b>", n: 3 })[1], { text: "<b>", given: true });
  });

  test("counts", () => {
    assert.equal(plain.count("c", 1), "1 thing");
    assert.equal(plain.count("c", 5), "5 things");
  });

  test("falls back to what the server said", () => {
    assert.equal(words.refusal({ code: "later.unknown", message: "In words." }), "In words.");
    assert.match(words.refusal({ code: "later.unknown" }), /later\.unknown/);
  });

  test("names the field that is wrong, in the game's words", () => {
    const game = words.for({ ...D12, checks: [{ key: "skill", label: "Skill", params: [{ key: "difficulty", label: "Difficulty" }] }], numbers: [{ key: "rank", label: "Rank" }] });
    assert.match(game.refusal({ code: "roll.bad_parameter", values: { parameter: "difficulty" } }), /^Difficulty/);
    assert.match(game.refusal({ code: "actor.number_missing", values: { number: "rank" } }), /^Rank/);
    assert.match(game.refusal({ code: "actor.number_missing", values: {} }), SENTENCE);
    assert.equal(words.refusal({ code: "faces.count", values: { given: 3, needed: 2 } }), "2 dice are rolled here, and you gave 3. Type one face for each die.");
    assert.equal(words.refusal({ code: "faces.range", values: { sides: 6, face: 7, nth: 1 } }), "A d6 has no 7. Look at the dice again.");
  });
});

describe("what a person wrote turns nothing around it", () => {
  const said = (/** @type {string} */ name) => words.say("event.ConditionSet", { name, condition: "prone" });
  const usual = said("NAME");

  test("words from left to right stand there as they are", () => {
    for (const name of ["Mira", "Mira: {name} <b>", "\u00c9lo\u00efse \u9ec4"]) assert.equal(said(name), usual.replace("NAME", name));
  });

  test("words from right to left stand apart", () => {
    for (const name of ["\u05d3\u05e0\u05d4", "\u0645\u0631\u062d\u0628\u0627 1"]) assert.equal(said(name), usual.replace("NAME", `\u2068${name}\u2069`));
  });

  test("signs that turn what follows are left out", () => {
    assert.equal(said("\u202eMira\u2067"), usual.replace("NAME", "Mira"));
    assert.equal(said("\u2069\u05d3\u202e"), usual.replace("NAME", "\u2068\u05d3\u2069"));
  });
});
