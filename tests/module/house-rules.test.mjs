/** House rules as files, and where a refusal of table data belongs. No page is needed. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { Words, dictionaryLookup } from "../../foundry-module/scripts/client/words.mjs";
import { changesOf } from "../../foundry-module/scripts/forms/data-changes.mjs";
import { firstMissing, placeOf } from "../../foundry-module/scripts/forms/data-places.mjs";
import { completed } from "../../foundry-module/scripts/forms/data-usual.mjs";
import { TableModel } from "../../foundry-module/scripts/forms/model.mjs";
import { fileOf, readFile } from "../../foundry-module/scripts/forms/table-file.mjs";
import { liveClient, resume } from "./support/client.mjs";
import { FakeSocket, logged, settle, welcome } from "./support/stage.mjs";

const read = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const dictionary = JSON.parse(read("foundry-module/lang/en.json"));
const FILE = JSON.parse(read("schemas/golden/v1/file/TableFile.json"));

const RULESET = {
  id: "group_d12", title: "d12", conditions: [], numbers: [], outcomes: [], roles: [],
  checks: [{ key: "skill", label: "Skill", params: [{ key: "difficulty", label: "Difficulty" }] }],
  optionSpecs: [{ key: "spend_after_limit", label: "Boons after a failed roll", default: 1, min: 0, max: 99, values: [{ value: null, label: "no limit" }] }],
  data: {
    ruleset: "group_d12", ladders: [{ key: "difficulty", steps: [{ value: 5, label: "easy", proposed: true }] }], conditions: [],
    circumstances: [{ id: "bell", label: "The bell hums", sign: "boon" }, { id: "fog", label: "Fog", sign: "bane" }], amounts: [],
    onCrits: [], rankDice: [], levelStep: 3, xpPerLevel: 2,
  },
};
const options = { spend_after_limit: 1 };
const model = { words: new Words(dictionaryLookup(dictionary), RULESET), ruleset: RULESET, title: "An evening", option: (key) => options[key] };

describe("a file of house rules", () => {
  test("says what would change, row by row, before anything is sent", () => {
    assert.deepEqual(changesOf(model, FILE), [
      "Boons after a failed roll: 1 becomes no limit",
      "Difficulty: 5 easy becomes 5 easy, 8 moderate, 9 as deep as the second landing, 11 hard",
      "Reasons for a Boon or a Bane: Fog is removed",
      "Reasons for a Boon or a Bane: The bell hums changes",
      "Conditions of your own: Drenched is added",
      "Experience: 2 becomes 3",
    ]);
  });

  test("of what stands already changes nothing", () => {
    const file = fileOf(model);
    assert.deepEqual([file.format, file.version, file.name, file.options], ["boonbridge.house-rules", 1, "An evening", options]);
    assert.deepEqual(changesOf(model, file), []);
    assert.deepEqual(changesOf(model, readFile(model, JSON.stringify(file)).file), []);
  });

  test("that is none, is newer, too large or another game's is said to be that", () => {
    const wrong = (given) => readFile(model, typeof given === "string" ? given : JSON.stringify(given)).wrong;
    const none = dictionary["BOONBRIDGE.data.file.notOurs"];
    for (const given of ["", "[]", "null", "not json", {}, { ...FILE, format: "other" }, { ...FILE, data: null }, { ...FILE, data: { ...FILE.data, ladders: "x" } },
      { ...FILE, data: { ...FILE.data, ladders: [{ key: "difficulty", steps: 3 }] } }, { ...FILE, data: { ...FILE.data, conditions: [null] } }, { ...FILE, options: 3 }]) {
      assert.equal(wrong(given), none, JSON.stringify(given));
    }
    assert.equal(wrong({ ...FILE, version: 2 }), dictionary["BOONBRIDGE.data.file.newer"]);
    assert.equal(wrong(" ".repeat(70_000)), dictionary["BOONBRIDGE.data.file.tooLarge"]);
    assert.match(wrong({ ...FILE, data: { ...FILE.data, ruleset: "sage_d20" } }), /another game \(sage_d20\)/);
  });

  test("that leaves a part out leaves it as the game has it", () => {
    const usual = { ruleset: "x", ladders: [{ key: "tn", steps: [{ value: 6, label: "simple" }] }], amounts: [{ key: "hidden", value: 1 }], rankDice: [4, 6], levelStep: 3 };
    const mine = { ruleset: "x", amounts: [{ key: "hidden", value: 2 }], circumstances: [] };
    assert.deepEqual(completed(mine, usual), { ...mine, ladders: usual.ladders, rankDice: [4, 6], levelStep: 3, xpPerLevel: null });
    assert.deepEqual(changesOf({ ...model, ruleset: { ...RULESET, usual: RULESET.data, data: { ...RULESET.data, levelStep: 4 } } }, { data: { ...RULESET.data, levelStep: null, ladders: [] } }),
      ["Success levels: 4 becomes 3"]);
  });

  test("with a rule that this game does not have says so", () => {
    assert.deepEqual(changesOf(model, { data: RULESET.data, options: { from_tomorrow: true } }), ["from_tomorrow: this game has no such rule"]);
  });
});

describe("what is wrong in table data stands at its row", () => {
  const data = {
    ruleset: "x", ladders: [{ key: "tn", steps: [{ value: 6, label: "a" }, { value: 6, label: "b" }, { value: 1200, label: "c" }] }],
    conditions: [{ key: "wet", label: "Wet", implies: ["cold"] }, { key: "cold", label: "Cold", implies: ["wet"] }],
    circumstances: [{ id: "x", label: "X", sign: "boon" }, { id: "x", label: "Y", sign: "bane" }], amounts: [{ key: "hidden", value: -1 }],
    onCrits: [{ name: "Ignite", amount: 0 }], rankDice: [4, 6, 7], levelStep: 0,
  };
  const cases = [
    [{ part: "ladders", key: "6" }, { part: "ladders.tn", nth: 1 }],
    [{ part: "ladders", key: "tn", low: 0, high: 999 }, { part: "ladders.tn", nth: 2 }],
    [{ part: "conditions", key: "cold" }, { part: "conditions", nth: 1 }],
    [{ part: "circumstances", key: "x" }, { part: "circumstances", nth: 1 }],
    [{ part: "amounts", key: "hidden", low: 0, high: 99 }, { part: "amounts", nth: 0 }],
    [{ part: "onCrits", key: "Ignite", low: 1, high: 99 }, { part: "onCrits", nth: 0 }],
    [{ part: "rankDice", sides: 7 }, { part: "rankDice", nth: 2 }],
    [{ part: "levelStep", key: "levelStep" }, { part: "levelStep", nth: 0 }],
    [{ part: "ladders", key: "later" }, null],
    [{ ruleset: "y" }, null],
  ];
  for (const [values, place] of cases) test(JSON.stringify(values), () => assert.deepEqual(placeOf(data, values), place));

  test("a row without a word, or without a whole number, is not even sent", () => {
    const fine = RULESET.data;
    assert.equal(firstMissing(fine), null);
    assert.deepEqual(firstMissing({ ...fine, circumstances: [{ id: "", label: "", sign: "boon" }] }), { part: "circumstances", nth: 0, what: "label" });
    assert.deepEqual(firstMissing({ ...fine, xpPerLevel: NaN }), { part: "xpPerLevel", nth: 0, what: "value" });
    assert.deepEqual(firstMissing({ ...fine, ladders: [{ key: "tn", steps: [{ value: 1.5, label: "a" }] }] }), { part: "ladders.tn", nth: 0, what: "value" });
  });
});

describe("a game as the table edited it", () => {
  const edited = { id: "toy", title: "Toy", optionSpecs: [], options: {}, checks: [{ key: "toy", label: "Edited", params: [] }], conditions: [], outcomes: [], roles: [], numbers: [], edited: true };
  const changes = (value) => [{ key: "ruleset", value }];

  test("counts for every word from the commit on that edited it", async () => {
    const { client, socket } = await liveClient(5);
    const table = new TableModel(client, new Words(dictionaryLookup(dictionary)));
    table.welcomed();
    client.on("entries", () => table.learn());
    socket.say(logged(6, [], { changes: changes(edited) }));
    assert.deepEqual([table.ruleset.checks[0].label, table.words.label("checks", "toy"), FakeSocket.all.length], ["Edited", "Edited", 1]);
    // The game's own was told by the welcome.
    socket.say(logged(7, [], { changes: changes(null) }));
    assert.deepEqual([table.ruleset.id, table.ruleset.edited, FakeSocket.all.length], [client.welcome.ruleset.id, undefined, 1]);
  });

  test("and given up, it is asked for anew by whoever never heard of the game's own", async () => {
    const { client, socket } = await liveClient(5);
    client.welcome = { ...welcome(5), ruleset: edited };
    socket.say(logged(6, [], { changes: changes(null) }));
    await settle();
    assert.equal(FakeSocket.all.length, 2);
    await resume(6, 6);
    assert.deepEqual([client.ruleset.edited, client.position.seq], [undefined, 6]);
  });
});
