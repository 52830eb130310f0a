/** With which visibility a roll begins: the table's rule, a request, what somebody is used to, and where each ends. */

import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { CheckIndex } from "../../foundry-module/scripts/cards/check-index.mjs";
import { linesOf } from "../../foundry-module/scripts/cards/lines.mjs";
import { storyOf } from "../../foundry-module/scripts/cards/story.mjs";
import { told } from "../../foundry-module/scripts/forms/correction-form.mjs";
import { ModeChoice, beginning } from "../../foundry-module/scripts/forms/roll-mode.mjs";
import { modeOfCommit, publicPart } from "../../foundry-module/scripts/foundry/news.mjs";

const PEOPLE = { anna: { role: "gm" }, mo: { role: "player" }, olga: { role: "observer" } };
const HERO = { side: "party", owners: ["mo"] };
const GUARD = { side: "opposition", owners: [] };
const CROW = { side: "neutral", owners: ["anna"] };
const WOLF = { side: "opposition", owners: ["mo"] };

function table({ own = "public", gm = true, options = {}, partyRefuses = [] } = {}) {
  return {
    habit: { mode: () => own, keep: null, said: "its own", stub: false },
    isGm: gm,
    ruleset: { partyRefuses },
    option: (key) => options[key],
    client: { person: (id) => PEOPLE[id] },
  };
}

const begins = (at, rollers, more = {}) => {
  const { mode, why } = beginning(table(at), { rollers, ...more });
  return [mode, why];
};

describe("with which visibility a roll begins", () => {
  test("openly, where nothing says otherwise", () => {
    assert.deepEqual(begins({}, [GUARD]), ["public", ""]);
    assert.deepEqual(begins({ gm: false }, [HERO]), ["public", ""]);
    assert.deepEqual(begins({ options: { npc_rolls: "public" } }, [GUARD]), ["public", ""]);
  });

  for (const value of ["gm", "secret"]) {
    test(`a GM's roll for whoever is not of the party and has no player: npc_rolls ${value}`, () => {
      const at = { options: { npc_rolls: value } };
      for (const one of [GUARD, CROW, null]) assert.deepEqual(begins(at, [one]), [value, "mode.why.npc"]);
      for (const one of [HERO, WOLF, { ...GUARD, owners: ["olga"] }, { ...GUARD, owners: ["nobody-known"] }]) {
        assert.deepEqual(begins(at, [one]), ["public", ""]);
      }
      assert.deepEqual(begins(at, []), ["public", ""], "dice of nobody in particular");
      assert.deepEqual(begins(at, [HERO, GUARD]), [value, "mode.why.npc"], "of several, one is enough");
      assert.deepEqual(begins({ ...at, gm: false }, [GUARD]), ["public", ""], "it is the GM's rule");
      assert.deepEqual(begins(at, [GUARD], { dice: true }), [value, "mode.why.npc"]);
      assert.deepEqual(begins(at, [GUARD], { asked: "public" }), ["public", ""], "requests stay as they are");
    });
  }

  test("what somebody is used to counts where it hides more", () => {
    assert.deepEqual(begins({ own: "gm", gm: false }, [HERO]), ["gm", "its own"]);
    assert.deepEqual(begins({ own: "self", gm: false }, [HERO]), ["self", "its own"]);
    const strict = { npc_rolls: "gm" };
    assert.deepEqual(begins({ own: "public", options: strict }, [GUARD]), ["gm", "mode.why.npc"]);
    assert.deepEqual(begins({ own: "blind", options: strict }, [GUARD]), ["blind", "its own"]);
    for (const own of ["gm", "blind", "self"]) assert.deepEqual(begins({ own, options: { npc_rolls: "secret" } }, [GUARD]), ["secret", "mode.why.npc"]);
  });

  test("of a request and its roller the stricter wins, and nobody answers alone", () => {
    const answered = (own, asked) => begins({ own, gm: false }, [HERO], { asked });
    assert.deepEqual(answered("public", "blind"), ["blind", "mode.why.asked"]);
    assert.deepEqual(answered("blind", "gm"), ["blind", "its own"]);
    assert.deepEqual(answered("gm", "secret"), ["secret", "mode.why.asked"]);
    assert.deepEqual(answered("self", "public"), ["gm", "mode.why.nearest"]);
    assert.deepEqual(answered("self", "gm"), ["gm", "mode.why.asked"]);
    assert.deepEqual(answered("self", "blind"), ["blind", "mode.why.asked"]);
    for (const [asked, modes] of [["public", ["public", "gm", "blind", "secret"]], ["blind", ["blind", "secret"]], ["secret", ["secret"]]]) {
      assert.deepEqual(beginning(table(), { rollers: [HERO], asked }).modes, modes);
    }
  });

  test("where a game refuses the party a mode, the next more open one", () => {
    const partyRefuses = ["self", "blind"];
    for (const own of ["self", "blind"]) {
      assert.deepEqual(begins({ own, gm: false, partyRefuses }, [HERO]), ["gm", "mode.why.nearest"]);
      assert.deepEqual(begins({ own, gm: false, partyRefuses }, [HERO], { dice: true }), [own, "its own"], "other dice move nothing");
      assert.deepEqual(begins({ own, partyRefuses }, [GUARD]), [own, "its own"]);
    }
    assert.deepEqual(beginning(table({ partyRefuses }), { rollers: [HERO] }).modes, ["public", "gm", "secret"]);
    assert.deepEqual(beginning(table(), { rollers: [HERO] }).modes, ["public", "gm", "blind", "secret", "self"]);
  });

  test("where the dice are public, everything is, and whoever is used to something else is told", () => {
    const options = { dice_public: true, npc_rolls: "secret" };
    assert.deepEqual(begins({ options }, [GUARD]), ["public", "mode.allPublic"]);
    assert.deepEqual(begins({ options, own: "self" }, [GUARD]), ["public", "mode.allPublicOwn"]);
    assert.deepEqual(beginning(table({ options }), { rollers: [GUARD] }).modes, ["public"]);
    assert.deepEqual(begins({ options: { ...options, dice_public: false } }, [GUARD]), ["secret", "mode.why.npc"]);
  });
});

describe("what is chosen for one roll", () => {
  function choosing(at) {
    let about = { who: "guard", rollers: [GUARD] };
    const choice = new ModeChoice(table(at), () => about);
    return { choice, turnTo: (who, one) => (about = { who, rollers: [one] }) };
  }

  test("counts for that roll, open or hidden, and the next begins anew", () => {
    const { choice } = choosing({ options: { npc_rolls: "gm" } });
    assert.equal(choice.mode, "gm");
    choice.choose("public");
    assert.equal(choice.mode, "public");
    choice.choose("secret");
    assert.equal(choice.mode, "secret");
    choice.forget();
    assert.equal(choice.mode, "gm");
  });

  test("for somebody else counts only where it hides more", () => {
    const { choice, turnTo } = choosing({ options: { npc_rolls: "gm" } });
    turnTo("hero", HERO);
    choice.choose("public");
    turnTo("guard", GUARD);
    assert.equal(choice.mode, "gm", "an open roll was meant for the hero");
    choice.choose("secret");
    turnTo("hero", HERO);
    assert.equal(choice.mode, "secret");
  });

  test("is never more open than what was meant, where it is not to be had", () => {
    const { choice, turnTo } = choosing({ partyRefuses: ["self", "blind"] });
    choice.choose("blind");
    turnTo("hero", HERO);
    assert.equal(choice.mode, "gm");
  });
});

describe("what only GMs know", () => {
  const grant = { id: "7.1", actor: "ogre", sign: "bane", amount: 1, source: { id: "x", label: "Limps" }, scope: {}, expiry: { when: "none" }, by: "anna", hidden: true };
  const commit = (events, seq = 9) => ({ t: "logged", seq, at: 1, hash: "", seedHash: "", by: "anna", id: "x", events });
  const context = { words: { say: (key) => key }, actorName: () => "Ogre", personName: () => "Anna", checks: new CheckIndex() };
  const keys = (events) => storyOf(commit(events)).lines.flatMap((event) => linesOf(context, event, "anna")).map(({ key }) => key);

  test("is told so in the log, and leaves nothing in chat", () => {
    const given = [{ t: "Granted", grant }];
    assert.deepEqual(keys(given), ["event.Granted.baneHidden"]);
    assert.deepEqual(keys([{ t: "Granted", grant: { ...grant, hidden: false, amount: 2 } }]), ["event.Granted.banes"]);
    assert.equal(modeOfCommit(commit(given), () => undefined), "secret");
    assert.deepEqual(publicPart(commit(given)).events, []);
  });

  test("that is shown is one line, whatever was taken from among GMs for it", () => {
    const events = [{ t: "Granted", grant: { ...grant, id: "9.1", hidden: false } }, { t: "GrantRevoked", actor: "ogre", grant: "7.1" }];
    assert.deepEqual(keys(events), ["event.Granted.bane"]);
    assert.deepEqual(keys(events.slice(1)), ["event.GrantRevoked"]);
  });

  test("is one correction with what everybody is told, and not in what chat stores of it", () => {
    const open = { t: "Voided", what: "check/7.1", reason: "wrong wall", effects: [{ t: "MarkSet" }], left: [] };
    const hidden = { t: "Voided", what: "check/7.1", effects: [{ t: "GrantPut", grant }], left: [{ what: "grant" }] };
    const { corrections } = storyOf(commit([open, hidden]));
    assert.deepEqual(corrections, [{ ...open, effects: [...open.effects, ...hidden.effects], left: hidden.left }]);
    assert.deepEqual(publicPart(commit([open, hidden])).events, [open]);
    const other = { ...hidden, what: "check/8.1" };
    assert.equal(storyOf(commit([open, other])).corrections.length, 2);
  });

  test("is listed before a roll is shown, as far as it goes with it", () => {
    const source = (label, more) => ({ id: label, label, sign: "bane", amount: 1, counted: true, why: "counts", ...more });
    const revealed = { t: "Revealed", rolled: { check: "7.1" }, sources: [source("Limps", { hidden: true }), source("Dark")], result: {}, effects: [] };
    assert.deepEqual(told(context, [revealed]).shows.map(({ label }) => label), ["Limps"]);
    assert.deepEqual(told(context, [{ t: "Settled", effects: [] }]).shows, []);
  });
});
