/** Which status icon stands for which condition where nobody chose. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { conditionsOf, mappingOf } from "../../foundry-module/scripts/foundry/status-mapping.mjs";

const icons = (...ids) => ids.map((id) => ({ id, name: `Named ${id}` }));
const conditions = (...keys) => keys.map((key) => ({ key, label: key[0].toUpperCase() + key.slice(1), counted: false }));

// The ids that Shadow of the Weird Wizard has (its own list takes the place of Foundry's), and Foundry's own two.
const WEIRD_WIZARD = icons("blinded", "confused", "controlled", "cursed", "deafened", "frightened", "held", "impairedStr", "impairedAgi", "impairedInt", "impairedWil",
  "onFire", "poisoned", "prone", "slowed", "stunned", "unconscious", "asleep", "vulnerable", "weakened", "invisible", "dead");
const AFFLICTIONS = conditions("blinded", "confused", "controlled", "cursed", "deafened", "frightened", "held", "impaired.strength", "impaired.agility", "impaired.intellect",
  "impaired.will", "on_fire", "poisoned", "prone", "slowed", "stunned", "unconscious", "vulnerable", "weakened");

test("a system's afflictions are found by their ids, each its own", () => {
  const mapping = mappingOf(AFFLICTIONS, WEIRD_WIZARD);
  assert.deepEqual(AFFLICTIONS.filter(({ key }) => !mapping.has(key)), []);
  assert.equal(mapping.get("on_fire"), "onFire");
  assert.equal(mapping.get("impaired.will"), "impairedWil");
  assert.equal(new Set(mapping.values()).size, mapping.size);
});

test("Foundry's own icons are found by the names it has for them", () => {
  const mapping = mappingOf(AFFLICTIONS, icons("dead", "unconscious", "prone", "blind", "deaf", "fear", "burning", "poison", "curse", "restrain", "stun", "invisible"));
  assert.deepEqual(["blinded", "deafened", "frightened", "on_fire", "poisoned", "cursed", "held", "stunned"].map((key) => mapping.get(key)),
    ["blind", "deaf", "fear", "burning", "poison", "curse", "restrain", "stun"]);
  assert.equal(mapping.get("vulnerable"), undefined);
});

test("a name that is the same counts where no id is", () => {
  assert.equal(mappingOf(conditions("hexed"), [{ id: "x1", name: "HEXED" }]).get("hexed"), "x1");
});

test("what a GM chose comes first, none is a choice, and an icon stands for one condition", () => {
  const all = conditions("prone", "hidden", "exposed");
  const mapping = mappingOf(all, icons("prone", "invisible"), { hidden: "prone", exposed: "" });
  assert.deepEqual([...mapping], [["hidden", "prone"]]);
  assert.deepEqual([...mappingOf(all, icons("prone"), { prone: "is-gone", constructor: "prone" })], []);
});

test("what is about something is a condition for each of it", () => {
  const ruleset = { conditions: [{ key: "impaired", label: "Impaired", of: [{ value: "will", label: "Will" }] }, { key: "exposed", label: "Exposed", counted: true }] };
  assert.deepEqual(conditionsOf(ruleset), [{ key: "impaired.will", label: "Impaired (Will)", counted: false }, { key: "exposed", label: "Exposed", counted: true }]);
});
