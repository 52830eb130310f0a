/** Commits for messages that are still in chat: read in pages, shared, given up when the line breaks. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { NoAnswer } from "../../foundry-module/scripts/client/asker.mjs";
import { Past } from "../../foundry-module/scripts/foundry/past.mjs";

function table(head, hidden = []) {
  const asked = [];
  const taken = [];
  const commit = (seq) => ({ t: hidden.includes(seq) ? "hidden" : "logged", seq });
  const model = {
    away: false,
    most: Infinity,
    checks: {
      take: ({ seq }) => {
        taken.push(seq);
        return seq === 290 ? [20] : [];
      },
    },
    client: {
      position: { seq: head },
      commit: (seq) => (seq > head - 2 ? { ...commit(seq), held: true } : undefined),
      history: {
        async past(after, limit) {
          asked.push([after, limit]);
          if (model.away) throw new NoAnswer("away");
          const last = Math.min(head, after + limit, after + model.most);
          return { commits: Array.from({ length: Math.max(0, last - after) }, (_, index) => commit(after + 1 + index)) };
        },
      },
    },
  };
  return { model, asked, taken };
}

describe("what was rolled before this page came", () => {
  test("is read a page at a time, however many messages ask", async () => {
    const { model, asked } = table(300, [150]);
    const past = new Past();
    const wanted = Array.from({ length: 90 }, (_, index) => 201 + index);
    const found = await Promise.all([...wanted, 150, 250].map((seq) => past.get(model, seq)));
    assert.deepEqual(found.slice(0, 90).map(({ seq }) => seq), wanted);
    assert.equal(found[90], null, "what this viewer may not read is nothing");
    assert.ok(asked.length <= 3, `${asked.length} questions`);
    await past.get(model, 222);
    assert.ok(asked.length <= 3, "and not asked again");
    past.forget();
    assert.equal((await past.get(model, 222)).seq, 222);
  });
  test("counts as told late, unlike what is held", async () => {
    const { model } = table(300);
    const past = new Past();
    assert.equal((await past.get(model, 20)).catchup, true);
    assert.equal((await past.get(model, 300)).held, true);
  });
  test("finds its commit also where a page ends early", async () => {
    const { model } = table(300);
    model.most = 30;
    assert.equal((await new Past().get(model, 250)).seq, 250);
  });
  test("learns what was said of it without a message, newest first", async () => {
    const { model, taken } = table(300);
    const past = new Past();
    const changed = [];
    const learned = new Promise((resolve) => {
      past.learned = (seqs) => {
        changed.push(...seqs);
        resolve();
      };
    });
    assert.equal((await past.get(model, 20)).seq, 20);
    assert.ok(!taken.includes(290), "what is asked for comes first");
    await learned;
    assert.deepEqual(changed, [20]);
    assert.ok(!taken.includes(299), "what is held is not read again");
  });
  test("is given up when the line breaks, and asked anew later", async () => {
    const { model } = table(300);
    const past = new Past();
    model.away = true;
    await assert.rejects(past.get(model, 20), (why) => why.code === "away");
    model.away = false;
    assert.equal((await past.get(model, 20)).seq, 20);
  });
});
