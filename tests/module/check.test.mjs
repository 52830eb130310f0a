import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";

import { checkRoll, drawnDice, faceOf, handDice, promiseIn } from "../../foundry-module/scripts/client/check.mjs";

const golden = (name) => JSON.parse(readFileSync(new URL(`../../schemas/golden/v1/${name}.json`, import.meta.url), "utf8"));
const { subtle } = globalThis.crypto;
const PAIRS = [["proof-promise", "proof-roll"], ["proof-opening", "proof-choice"], ["proof-round-promise", "proof-round"]]
  .map(([promise, roll]) => ({ name: roll, promising: golden(promise), proven: golden(roll) }))
  .filter(({ promising, proven }) => proven.promisedBy === promising.seq);

describe("a roll can be checked in the browser", () => {
  test("there are proofs to check", () => assert.ok(PAIRS.length > 0));

  for (const { name, promising, proven } of PAIRS) {
    const known = (more = {}) => ({ hash: proven.hash, promised: undefined, promising, ...more });

    test(`${name}: seed, faces and chain hold`, async () => {
      const checked = await checkRoll(proven, known(), subtle);
      assert.deepEqual([checked.verdict, checked.seed, checked.chain, checked.dice, checked.promised], ["holds", true, true, true, false]);
      assert.ok(checked.count > 0);
    });

    test(`${name}: a promise held beforehand counts, and only it`, async () => {
      const promised = promiseIn(promising, proven.seq);
      assert.match(promised, /^[0-9a-f]{64}$/);
      assert.equal((await checkRoll(proven, { hash: proven.hash, promised, promising: null }, subtle)).promised, true);
      const other = await checkRoll(proven, { hash: proven.hash, promised: "0".repeat(64), promising }, subtle);
      assert.deepEqual([other.verdict, other.seed], ["broken", false]);
    });

    test(`${name}: a changed face is found`, async () => {
      const forged = structuredClone(proven);
      for (const part of Object.values(forged.parts)) {
        if (!part.bytes) continue;
        const content = JSON.parse(part.bytes);
        for (const event of content.events) {
          const die = (event.dice ?? event.result?.dice)?.at(-1);
          if (die) die.face = (die.face % die.sides) + 1;
        }
        part.bytes = JSON.stringify(content);
      }
      const checked = await checkRoll(forged, known(), subtle);
      assert.deepEqual([checked.verdict, checked.dice, checked.chain], ["broken", false, false]);
    });

    test(`${name}: another seed, another header, another commit are found`, async () => {
      const seeded = structuredClone(proven);
      for (const part of Object.values(seeded.parts)) if (part.seed) part.seed = "1".repeat(64);
      assert.equal((await checkRoll(seeded, known(), subtle)).verdict, "broken");
      assert.equal((await checkRoll({ ...proven, header: proven.header.replace("\"seq\"", "\"seq\" ") }, known(), subtle)).chain, false);
      assert.equal((await checkRoll(proven, known({ hash: "2".repeat(64) }), subtle)).chain, false);
      const altered = { ...promising, header: promising.header.replace("\"at\"", "\"at\" ") };
      assert.equal((await checkRoll(proven, known({ promising: altered }), subtle)).verdict, "broken");
    });

    test(`${name}: without a secure page it is said that it was not computed`, async () => {
      const checked = await checkRoll(proven, known(), null);
      assert.equal(checked.verdict, "unavailable");
    });
  }

  test("a round that rolled by itself: every die of it is recomputed, those of conditions and those of luck", async () => {
    const { promising, proven } = PAIRS.find(({ name }) => name === "proof-round");
    const { events } = JSON.parse(proven.parts.all.bytes);
    const dice = events.flatMap((event) => event.dice ?? event.result?.dice ?? []);
    const checked = await checkRoll(proven, { hash: proven.hash, promised: undefined, promising }, subtle);
    assert.deepEqual([checked.verdict, checked.count, checked.byHand], ["holds", dice.length, 0]);
  });

  test("dice rolled by hand: nothing to recompute, and yet not to be changed", async () => {
    const [promising, proven] = [golden("proof-opening"), golden("proof-hand")];
    const known = { hash: proven.hash, promised: undefined, promising };
    const checked = await checkRoll(proven, known, subtle);
    assert.deepEqual([checked.verdict, checked.count, checked.byHand], ["holds", 0, 1]);
    const forged = structuredClone(proven);
    forged.parts.all.bytes = forged.parts.all.bytes.replace("\"face\":9", "\"face\":12");
    assert.equal((await checkRoll(forged, known, subtle)).verdict, "broken");
  });

  test("faces are fair: a draw beyond the last whole multiple is drawn again", async () => {
    const faces = new Set();
    for (let index = 0; index < 60; index += 1) faces.add(await faceOf(subtle, "ab".repeat(32), "id", index, 6));
    assert.deepEqual([...faces].sort(), [1, 2, 3, 4, 5, 6]);
  });

  test("other dice count in their turn; what was rolled by hand takes none from the seed", () => {
    const die = (face) => ({ role: "d6", sides: 6, face, kept: true });
    const events = [
      { t: "DiceRolled", roll: "1.1", dice: [die(1), { ...die(2), mark: "minus" }], manual: false },
      { t: "DiceRolled", roll: "1.2", dice: [die(3)], manual: true },
      { t: "CheckRolled", rolled: { check: "1.3", manual: true }, result: { dice: [die(4)] } },
      { t: "CheckRolled", rolled: { check: "1.4", manual: false }, result: { dice: [{ ...die(5), kept: false }] } },
      { t: "Chosen", check: "1.4", result: { dice: [die(5), die(6)] }, drawn: 1, manual: true },
      { t: "Chosen", check: "1.4", result: null, drawn: 0, manual: false },
      { t: "RoundEnded", combat: "table", round: 1 },
    ];
    assert.deepEqual(drawnDice(events).map(({ face }) => face), [1, 2, 5]);
    assert.deepEqual(handDice(events).map(({ face }) => face), [3, 4, 6]);
  });

  test("of a choice only the dice drawn for it count", () => {
    const die = (face) => ({ role: "d12", sides: 12, face, kept: true });
    const events = [
      { t: "CheckRolled", rolled: { check: "1.1" }, result: { dice: [die(1), die(2)] } },
      { t: "Chosen", check: "1.1", result: { dice: [die(1), die(2), die(3)] }, drawn: 1 },
      { t: "Chosen", check: "1.1", result: { dice: [die(1)] }, drawn: 0 },
      { t: "Granted" },
    ];
    assert.deepEqual(drawnDice(events).map(({ face }) => face), [1, 2, 3]);
  });
});
