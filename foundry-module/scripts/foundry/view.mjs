/** The table as cards in Foundry see it: what this viewer may read, and what everybody may. */

/** @import { CardContext } from "../cards/context.mjs" */
/** @import { Logged } from "../client/types.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */

import { checkOf } from "../cards/deeds.mjs";
import { moduleVersion } from "./link.mjs";
import { messageId } from "./message-id.mjs";
import { Past } from "./past.mjs";

/**
 * The page of somebody who takes part.
 *
 * @param {TableModel} model
 * @returns {CardContext}
 */
export function ownView(model) {
  const context = model.cardContext(() => {});
  context.goTo = null;
  return context;
}

/**
 * What a stored message may say, whoever stores it: names of numbers that everybody may see, nothing to click.
 *
 * @param {TableModel} model
 * @returns {CardContext}
 */
export function publicView(model) {
  const { words, ruleset, checks } = model;
  return {
    words,
    ruleset,
    viewer: { user: "", role: "observer" },
    actorName: (id) => model.actor(id)?.name,
    // Whom this world has anyway; names of others are in no document.
    personName: (id) => (id === model.welcome.user ? game.user : game.users?.get(id))?.name,
    numberName: (id, key) => {
      const actor = model.actor(id);
      const open = actor !== undefined && (actor.side === "party" || actor.owners.length > 0);
      return open ? actor.numbers?.values?.find((number) => number.key === key)?.label || undefined : undefined;
    },
    owns: () => false,
    pending: () => undefined,
    checks,
    choose: null,
    verify: null,
    goTo: null,
    clock: () => "",
  };
}

/** Sentences by which other words are known: a translation that came later, another module's. */
const TELLING = ["foot.chance", "verdict.crits", "foundry.stub"];

/**
 * With which words this page stores cards: where another page, or this one at another time, has the same, its texts can be compared.
 *
 * @param {TableModel} model
 * @returns {string | undefined} undefined: some of them are the table's own and may have been others
 */
export function wordsOf({ ruleset, words }) {
  if (ruleset.edited === true) return undefined;
  return messageId(`${game.i18n.lang} ${moduleVersion()} ${ruleset.id}`, ruleset.version, TELLING.map((key) => words.say(key)).join("|"));
}

/** What was read of the log for messages from before this page came. */
export const past = new Past();

/**
 * The check that a later commit speaks of, told by its own commit.
 *
 * @param {TableModel} model
 * @param {Logged} commit
 */
export async function learnChecksOf(model, commit) {
  for (const event of commit.events ?? []) {
    const check = event.t === "Chosen" || event.t === "Overridden" ? event.check : event.t === "Voided" ? checkOf(event.what) : null;
    if (check === null || model.checks.told(check) !== undefined) continue;
    const seq = Number.parseInt(check, 10);
    if (seq !== commit.seq && Number.isSafeInteger(seq)) await past.get(model, seq);
  }
}
