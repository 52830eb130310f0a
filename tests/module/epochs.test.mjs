/** Where in the log messages of earlier epochs stand. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { NoAnswer } from "../../foundry-module/scripts/client/asker.mjs";
import { Epochs } from "../../foundry-module/scripts/foundry/epochs.mjs";

/** A log of so many commits of each epoch, the first of them under another id; `gone`: epochs whose key is not there. */
function bridge(lengths, { before = 0, gone = [] } = {}) {
  const epochOf = [];
  for (const [index, length] of lengths.entries()) epochOf.push(...Array.from({ length }, () => index + 1));
  const asked = [];
  return {
    asked,
    position: { epoch: lengths.length, seq: epochOf.length, hash: "h" },
    history: {
      proof: async (seq) => {
        asked.push(seq);
        const epoch = epochOf[seq - 1];
        if (gone.includes(epoch)) throw new NoAnswer("proof.unknown", "", { epoch });
        return { header: JSON.stringify({ format: 1, table: epoch <= before ? "old" : "evening", epoch, seq }) };
      },
    },
  };
}

const place = (client, epoch, seq, table = "evening") => new Epochs().place(client, "evening", { table, epoch, seq });

describe("a message of an earlier epoch", () => {
  test("is of this log up to where a backup was put back, and lost after it", async () => {
    const client = bridge([700, 40, 1300]);
    for (const [epoch, seq, where] of [[1, 1, "here"], [1, 700, "here"], [1, 701, "lost"], [2, 701, "here"], [2, 740, "here"], [2, 741, "lost"], [3, 5000, "here"], [4, 3, "elsewhere"]]) {
      assert.equal(await place(client, epoch, seq), where, `${epoch} ${seq}`);
    }
  });

  test("is of a table that came from elsewhere under the id that it had there, and under no other", async () => {
    const client = bridge([50, 30], { before: 1 });
    assert.equal(await place(client, 1, 20, "old"), "here");
    for (const [epoch, table] of [[1, "evening"], [1, "third"], [2, "old"]]) assert.equal(await place(client, epoch, 20, table), "elsewhere", `${epoch} ${table}`);
  });

  test("is asked about once for its epoch, and seldom", async () => {
    const client = bridge([60_000, 40_000]);
    const epochs = new Epochs();
    const marks = Array.from({ length: 200 }, (_, index) => ({ table: "evening", epoch: 1, seq: index * 400 + 1 }));
    const places = await Promise.all(marks.map((mark) => epochs.place(client, "evening", mark)));
    assert.equal(places.filter((each) => each === "here").length, 150);
    assert.ok(client.asked.length <= 17, String(client.asked.length)); // 2^17 > 100,000
  });

  test("whose key is gone cannot be shown, and is of another log for all that can be known", async () => {
    assert.equal(await place(bridge([50, 30], { gone: [1] }), 1, 20), "elsewhere");
    // A key that is gone between two others hides nothing of them.
    assert.equal(await place(bridge([50, 30, 20], { gone: [2] }), 1, 50), "here");
  });

  test("is asked about again where the bridge did not answer", async () => {
    const client = bridge([50, 30]);
    const { proof } = client.history;
    const epochs = new Epochs();
    client.history.proof = () => Promise.reject(new NoAnswer("away"));
    await assert.rejects(epochs.place(client, "evening", { table: "evening", epoch: 1, seq: 5 }), (why) => why instanceof NoAnswer && why.code === "away");
    client.history.proof = proof;
    assert.equal(await epochs.place(client, "evening", { table: "evening", epoch: 1, seq: 5 }), "here");
  });
});
