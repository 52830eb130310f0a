/** What more than one kind of card has: a portrait, the end of the head, a large number, small tags. */

/** @import { CardContext } from "./context.mjs" */
/** @import { Logged, Rolled } from "../client/types.mjs" */

import { bdi, el } from "./dom.mjs";

/** @param {string} name */
export function portrait(name) {
  const [letter = "?"] = name.trim();
  return el("span", { class: "bb-portrait", "aria-hidden": "true" }, letter.toLocaleUpperCase());
}

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {string} mode
 * @param {string} [named] who is named at its beginning already
 */
export function headEnd(context, commit, mode, named) {
  const by = commit.by ? context.personName(commit.by) : undefined;
  const person = by === named ? undefined : by;
  return el(
    "div",
    { class: "bb-head-end" },
    mode === "public" ? null : el("span", { class: "bb-mode", "data-mode": mode }, context.words.say(`mode.${mode}.tag`)),
    el("span", { class: "bb-by" }, person === undefined ? null : [bdi(person), " "],
      el("time", { datetime: new Date(commit.at).toISOString() }, context.clock(commit.at))),
  );
}

/** @param {number} total */
export const totalNumber = (total) => el("strong", {}, total < 0 ? `\u2212${-total}` : total);

/**
 * A reference to another commit, to click where one can go there.
 *
 * @param {CardContext} context
 * @param {number} seq
 * @param {string} [key]
 */
export function referTo(context, seq, key = "card.refersTo") {
  const { goTo } = context;
  const text = context.words.say(key, { seq });
  return goTo === null ? text : el("button", { type: "button", class: "bb-link", onclick: () => goTo(seq) }, text);
}

/**
 * How a roll came about, where that is not how rolls usually do.
 *
 * @param {CardContext} context
 * @param {Pick<Rolled, "playerSet" | "manual" | "again" | "auto" | "absent">} rolled
 */
export function tags({ words }, { playerSet = [], manual, again, auto, absent }) {
  const named = /** @type {const} */ ([
    ["byPlayer", playerSet.length > 0, "total.byPlayer"],
    ["manual", manual === true, "tag.manual"],
    ["again", again === true, "tag.again"],
    ["auto", auto === true, "tag.auto"],
    ["absent", absent === true, "tag.absent"],
  ]);
  return named.filter(([, on]) => on).map(([tag, , key]) => el("span", { class: "bb-tag", "data-tag": tag }, words.say(key)));
}
