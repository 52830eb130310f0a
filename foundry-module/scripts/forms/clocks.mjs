/** When something is to end, as a field: with a roll, a turn, a round, a fight, an evening, or when somebody takes it back. */

/** @import { Expiry } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { ofTurn } from "../cards/clock-words.mjs";
import { el } from "../cards/dom.mjs";
import { field } from "./parts.mjs";

/** @typedef {NonNullable<Expiry["when"]>} When */

/** The clocks of a Boon or a Bane. */
export const GRANT_CLOCKS = /** @type {const} */ (["none", "next_roll", "next_roll_against", "turn_start", "turn_end", "round_end", "combat_end", "session_end"]);
/** The clocks of a condition. */
export const CONDITION_CLOCKS = /** @type {const} */ (["none", "turn_start", "turn_end", "round_end", "combat_end", "session_end"]);

/**
 * Choose a clock, and whose turn it is where it is one of a turn.
 *
 * @param {TableModel} model
 * @param {string} bearer
 * @param {readonly When[]} clocks
 * @param {string} testid
 * @returns {{root: HTMLElement, read: () => Expiry, forMany: (many: boolean) => void}} `forMany`: each bearer's own turn is meant, if any
 */
export function clockField(model, bearer, clocks, testid) {
  const { words } = model;
  const select = el("select", { "data-testid": testid, onchange: () => show() },
    clocks.map((when) => el("option", { value: when }, words.say(`expiry.${when}.name`))));
  const others = model.actors().filter((actor) => actor.id !== bearer);
  const own = el("option", { value: "" });
  const whom = el("select", { "data-testid": `${testid}-of` },
    own,
    others.map((actor) => el("option", { value: actor.id }, actor.name)));
  const whose = field(words.say("expiry.whose"), whom);
  const show = () => {
    whose.hidden = !ofTurn(select.value);
  };
  const forMany = (/** @type {boolean} */ many) => {
    own.textContent = (many ? undefined : model.actor(bearer)?.name) ?? words.say("expiry.theirOwn");
  };
  show();
  forMany(false);
  return {
    forMany,
    root: el("div", { class: "grid-fields" }, field(words.say("grant.until"), select), whose),
    read: () => {
      const when = clocks[select.selectedIndex];
      return { when, ...(ofTurn(when) && whom.value !== "" && { actor: whom.value }) };
    },
  };
}
