import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { isEnter, isEscape } from "../../foundry-module/scripts/forms/keys.mjs";
import { settingBack, takingBack } from "../../foundry-module/scripts/forms/standing-acts.mjs";
import { wayBack } from "../../foundry-module/scripts/forms/way-back.mjs";
import { settle } from "./support/stage.mjs";

/** @param {object} how */
const key = (how) => ({ isComposing: false, stopped: 0, stopPropagation() { this.stopped += 1; }, ...how });

describe("keys", () => {
  test("Escape lets go once and goes no further; any other key is left alone", () => {
    let gone = 0;
    const escape = key({ key: "Escape" });
    assert.equal(isEscape(escape, () => { gone += 1; }), true);
    assert.deepEqual([gone, escape.stopped], [1, 1]);
    const other = key({ key: "Enter" });
    assert.equal(isEscape(other, () => { gone += 1; }), false);
    assert.deepEqual([gone, other.stopped], [1, 0]);
  });

  test("while a word is being put together, keys belong to it", () => {
    const escape = key({ key: "Escape", isComposing: true });
    assert.equal(isEscape(escape, () => assert.fail("let go")), false);
    assert.equal(escape.stopped, 0);
    assert.deepEqual([isEnter(key({ key: "Enter" })), isEnter(key({ key: "Enter", isComposing: true }))], [true, false]);
  });
});

describe("the way back", () => {
  const model = (/** @type {object[]} */ outcomes) => ({
    sent: [],
    words: { refusal: (/** @type {{code: string}} */ { code }) => `no: ${code}` },
    grants: (/** @type {string} */ id) => ({ a: [{ id: "7.1" }, { id: "70.1" }], b: [{ id: "7.2" }] })[id] ?? [],
    send(cmd) {
      this.sent.push(cmd);
      return Promise.resolve(outcomes.shift() ?? { ok: true });
    },
  });

  test("takes back what one commit gave, and says what the bridge has against it", async () => {
    const said = [];
    const table = model([{ ok: true }, { ok: false, code: "away" }]);
    wayBack(table, (text, how) => said.push([text, how.tone]), () => takingBack(table, [{ id: "a" }, { id: "b" }], 7))();
    await settle();
    assert.deepEqual(table.sent, [{ t: "RevokeGrant", grant: "7.1" }, { t: "RevokeGrant", grant: "7.2" }]);
    assert.deepEqual(said, [["no: away", "trouble"]]);
  });

  test("says nothing where all of it is done", async () => {
    const table = model([]);
    wayBack(table, () => assert.fail("said"), () => settingBack([{ id: "a", held: undefined }, { id: "b", held: { key: "prone", amount: 2 } }], "prone", null))();
    await settle();
    assert.deepEqual(table.sent, [
      { t: "ClearCondition", actor: "a", condition: "prone", by: null },
      { t: "SetCondition", actors: ["b"], condition: "prone", amount: 2, by: null },
    ]);
  });
});
