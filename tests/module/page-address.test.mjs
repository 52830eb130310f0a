/** The address of the table page that an invitation leads to, from where the bridge says that it is reached. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { pageAt } from "../../foundry-module/scripts/forms/invite-form.mjs";

for (const [addresses, page] of [
  [["ws://192.168.1.20:30300/ws"], "http://192.168.1.20:30300/"],
  [["wss://dice.example/ws"], "https://dice.example/"],
  [["wss://foundry.example/boonbridge/ws"], "https://foundry.example/boonbridge/"],
  [["wss://foundry.example/boonbridge/ws/"], "https://foundry.example/boonbridge/"],
  [["https://foundry.example/boonbridge"], "https://foundry.example/boonbridge/"],
  [["foundry.example/news"], "http://foundry.example/news/"],
  [["192.168.1.20:30300"], "http://192.168.1.20:30300/"],
  [["ws://127.0.0.1:30300/boonbridge/ws", "wss://dice.example/b/ws"], "https://dice.example/b/"],
  [["ws://localhost:30300/ws"], null],
]) {
  test(`from ${addresses.join(", ")}`, () => assert.equal(pageAt(addresses), page));
}
