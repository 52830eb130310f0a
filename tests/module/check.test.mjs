import assert from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { describe, test } from "node:test";

import { linesOf } from "../../foundry-module/scripts/cards/checked.mjs";
import { checkRoll, drawnDice, faceOf, handDice, promiseIn, unchecked } from "../../foundry-module/scripts/client/check.mjs";
import { hashing } from "../../foundry-module/scripts/client/hashing.mjs";
import { Ledger } from "../../foundry-module/scripts/client/ledger.mjs";
import { Words, dictionaryLookup } from "../../foundry-module/scripts/client/words.mjs";

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

    test(`${name}: a page that is not secure computes the same by itself`, async () => {
      assert.deepEqual(await checkRoll(proven, known(), null), await checkRoll(proven, known(), subtle));
      const seeded = structuredClone(proven);
      for (const part of Object.values(seeded.parts)) if (part.seed) part.seed = "1".repeat(64);
      const checked = await checkRoll(seeded, known(), null);
      assert.deepEqual([checked.verdict, checked.dice, checked.seed, checked.chain], ["broken", false, false, true]);
    });

    test(`${name}: the promise is read from the entry that this browser was shown, and from no other`, async () => {
      assert.equal((await checkRoll(proven, known({ promisingHash: promising.hash }), subtle)).verdict, "holds");
      const other = await checkRoll(proven, known({ promisingHash: "3".repeat(64) }), subtle);
      assert.deepEqual([other.verdict, other.chain], ["broken", false]);
      assert.equal((await checkRoll(proven, known(), subtle)).promisedBy, promising.seq);
    });

    test(`${name}: what was shown here is what stands in the entry, and the click has its own number`, async () => {
      const stands = Object.values(proven.parts).flatMap(({ bytes }) => (bytes ? [JSON.parse(bytes)] : []));
      const shown = { t: "logged", seq: proven.seq, hash: proven.hash, id: stands[0].id, by: stands[0].by, events: stands.flatMap(({ events }) => events) };
      const verdictOf = async (more) => (await checkRoll(proven, known(more), subtle)).verdict;
      assert.equal(await verdictOf({ shown, sent: shown.id }), "holds");
      // Of a part that was opened since, nothing was shown then.
      for (const part of [{ ...shown, events: [] }, { t: "hidden", seq: proven.seq, hash: proven.hash }]) assert.equal(await verdictOf({ shown: part }), "holds");
      const [first, ...others] = structuredClone(shown.events);
      const die = (first.result ?? first).dice?.[0] ?? first;
      die.face = "another";
      for (const events of [[first, ...others], [...shown.events, first], [shown.events[0], ...shown.events]]) {
        assert.equal(await verdictOf({ shown: { ...shown, events } }), "broken");
      }
      assert.equal(await verdictOf({ shown: { ...shown, by: "somebody-else" } }), "broken");
      assert.equal(await verdictOf({ shown: { ...shown, id: "another-click" } }), "broken");
      assert.equal(await verdictOf({ shown, sent: "the-number-of-this-click" }), "broken");
    });

    test(`${name}: an entry of another number is not the one that was asked about`, async () => {
      assert.equal((await checkRoll({ ...proven, seq: proven.seq + 1 }, known(), subtle)).verdict, "broken");
    });

    test(`${name}: only what begins a series of seeds promises more than one`, () => {
      const events = [{ t: "Withdrawn", command: "x", seedHashes: ["4".repeat(64)] }];
      const promise = { seq: 9, header: JSON.stringify({ seq: 9, seedHash: "0" }), parts: { all: { bytes: JSON.stringify({ events }) } } };
      assert.equal(promiseIn(promise, 10), undefined);
    });

    test(`${name}: a table whose dice were laid out says so, and nothing of chance`, async () => {
      const checked = await checkRoll(proven, known({ taped: true }), subtle);
      assert.equal(checked.verdict, "taped");
      // That it is one is no excuse for an entry that was changed.
      const altered = { ...proven, header: proven.header.replace("\"at\"", "\"at\" ") };
      assert.equal((await checkRoll(altered, known({ taped: true }), subtle)).verdict, "broken");
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
    const by = await hashing(subtle);
    for (let index = 0; index < 60; index += 1) faces.add(await faceOf(by, "ab".repeat(32), "id", index, 6));
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

describe("where browsers do not let a page compute", () => {
  const folder = new URL("../../foundry-module/scripts/vendor/noble-hashes/", import.meta.url);
  const installed = new URL("../../node_modules/@noble/hashes/", import.meta.url);

  test("the library is the one that was published, byte for byte, and all of it that is needed", async () => {
    const files = readdirSync(folder).sort();
    assert.deepEqual(files, ["LICENSE", "_md.js", "_u64.js", "hmac.js", "sha2.js", "utils.js"]);
    for (const file of files) assert.deepEqual(readFileSync(new URL(file, folder)), readFileSync(new URL(file, installed)), file);
    const imported = files.flatMap((file) => [...readFileSync(new URL(file, folder), "utf8").matchAll(/^(?:import|export) .*from "(.+)";/gm)].map(([, name]) => name));
    assert.ok(imported.length > 3);
    for (const name of imported) assert.ok(files.includes(name.replace("./", "")), name);
  });

  test("the version is pinned, and no registry is named", () => {
    const { devDependencies } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    const { version } = JSON.parse(readFileSync(new URL("package.json", installed), "utf8"));
    assert.equal(devDependencies["@noble/hashes"], version);
    const lock = readFileSync(new URL("../../package-lock.json", import.meta.url), "utf8");
    assert.equal(JSON.parse(lock).packages["node_modules/@noble/hashes"].version, version);
    assert.doesNotMatch(lock, /"resolved"/);
  });

  test("both compute what Node's own crypto does, over the edges of a block and of a key", async () => {
    const [own, library] = [await hashing(subtle), await hashing(null)];
    for (const length of [0, 1, 31, 32, 55, 56, 63, 64, 65, 127, 128, 1000]) {
      const data = Uint8Array.from({ length }, (_, index) => (index * 7 + length) % 256);
      const key = data.length === 0 ? new Uint8Array([1]) : data;
      const expected = [createHash("sha256").update(data).digest("hex"), createHmac("sha256", key).update(data).digest("hex")];
      for (const by of [own, library]) {
        assert.deepEqual([await by.sha256(data), await by.hmac(key, data)].map((each) => Buffer.from(each).toString("hex")), expected, String(length));
      }
    }
  });
});

describe("three lines: computed, shown, not shown", () => {
  const dictionary = JSON.parse(readFileSync(new URL("../../foundry-module/lang/en.json", import.meta.url), "utf8"));
  const words = new Words(dictionaryLookup(dictionary));
  const checked = (more = {}) => ({ verdict: "holds", seq: 70, promised: true, promisedBy: null, dice: true, seed: true, chain: true, count: 3, byHand: 0, ...more });
  const said = (more) => linesOf(words, checked(more));
  const OPERATOR = /whoever runs the bridge/;

  test("a promise that was held, and one that was read now, are told apart", () => {
    assert.match(said().computed, /3 dice.*held here before the click.*hash in the log\.$/);
    assert.match(said().shows, /nobody picked/);
    const late = said({ promised: false, promisedBy: 6 });
    assert.match(late.computed, /in entry #6, read just now \(not held here before the click\)/);
    assert.doesNotMatch(late.shows, /nobody picked/);
    for (const lines of [said(), late]) assert.match(lines.limits, /whoever runs the bridge.*holds the key.*Of his own rolls.*not changed afterwards/);
  });

  test("dice by hand have no seed, and whether they fell so nobody can compute", () => {
    const alone = said({ count: 0, byHand: 2 });
    assert.match(alone.computed, /^the entry.*not the 2 dice that were rolled by hand/);
    assert.match(alone.limits, /fell like this/);
    assert.doesNotMatch(alone.shows, /seed/);
    const mixed = said({ count: 1, byHand: 1 });
    assert.match(mixed.computed, /^the die, from its seed.*not the die that was rolled by hand/);
    assert.match(mixed.limits, OPERATOR);
    assert.match(mixed.limits, /fell like this/);
  });

  test("a copy of what is not open, a table of laid out dice, a key that is gone, a commit that is not there", () => {
    assert.match(said({ count: 0 }).shows, /cannot be proven yet/);
    const taped = said({ verdict: "taped" });
    assert.doesNotMatch(taped.computed, /3 dice/);
    assert.match(taped.shows, /laid out beforehand/);
    assert.match(linesOf(words, unchecked(70, "gone")).computed, /key of that time/);
    assert.match(linesOf(words, unchecked(70, "none")).computed, /no entry #70/);
  });

  test("what does not hold is named: the dice, the seed, the entry", () => {
    const broken = (more) => said({ verdict: "broken", ...more }).shows;
    assert.match(broken({ dice: false }), /dice do not follow/);
    assert.match(broken({ seed: false }), /not the one that was promised/);
    assert.match(broken({ chain: false }), /not the one that this browser was shown/);
  });

  test("every sentence is whole: nothing is left in braces, no key shows", () => {
    const all = [said(), said({ promised: false, promisedBy: 6 }), said({ promised: false }), said({ byHand: 1 }), said({ count: 0 }), said({ count: 0, byHand: 1 }),
      said({ verdict: "taped" }), said({ verdict: "broken", dice: false }), linesOf(words, unchecked(7, "gone")), linesOf(words, unchecked(7, "none"))];
    for (const lines of all) {
      assert.deepEqual(Object.keys(lines), ["computed", "shows", "limits"]);
      for (const text of Object.values(lines)) assert.doesNotMatch(text, /verify\.|[{}]|undefined|null/);
    }
  });
});

describe("a promise is one only before the roll", () => {
  const commit = (seq) => ({ t: "hidden", seq, at: 0, hash: `h${seq}`, seedHash: `s${seq + 64}` });
  const welcome = (head) => ({ epoch: 1, head, headHash: `h${head}`, seedHashes: Array.from({ length: 64 }, (_, index) => `s${head + 1 + index}`) });

  test("who was away for a hundred rolls held those of the first 64, and none that came with what he missed", () => {
    const ledger = new Ledger();
    ledger.reset(welcome(10));
    ledger.resume(welcome(110));
    for (let seq = 11; seq <= 110; seq += 1) ledger.add(commit(seq));
    assert.equal(ledger.promised(74), "s74");
    assert.equal(ledger.promised(75), undefined);
    assert.equal(ledger.promised(110), undefined);
    assert.equal(ledger.promised(111), "s111");
    ledger.add(commit(111));
    assert.equal(ledger.promised(175), "s175");
  });

  test("and before the click: a series of seeds that begins once the number of a click is known is none for it", () => {
    const began = (seq) => ({ ...commit(seq), t: "logged", events: [{ t: "LadderRestarted", epoch: 2, reason: "log_cut", seedHashes: welcome(seq).seedHashes.map((hash) => `new ${hash}`) }] });
    const ledger = new Ledger();
    ledger.reset(welcome(10));
    const { heard } = ledger;
    ledger.add(began(11));
    ledger.add(commit(12));
    ledger.add(commit(13));
    assert.equal(ledger.promised(12), "new s12");
    ledger.clicked(12, "the-click", heard);
    assert.deepEqual([ledger.promised(12), ledger.sent(12)], [undefined, "the-click"]);
    // A click that was made after it was heard was made on it.
    ledger.clicked(13, "another", ledger.heard);
    assert.equal(ledger.promised(13), "new s13");
    // Nor is what a bridge says that let everybody come anew meanwhile.
    ledger.reset({ ...welcome(13), epoch: 3 });
    ledger.add(commit(14));
    ledger.clicked(14, "the-click", heard);
    assert.equal(ledger.promised(14), undefined);
  });
});
