/** What the end of a round rolled, nobody having clicked: luck, and what hurts. One card, a row for each. */

/** @import { CardContext } from "./context.mjs" */
/** @import { Logged } from "../client/types.mjs" */
/** @import { Story } from "./story.mjs" */

import { bdi, el } from "./dom.mjs";
import { headEnd, portrait } from "./card-parts.mjs";
import { rowOf } from "./check-card.mjs";
import { diceRowOf } from "./dice-card.mjs";
import { cardFoot } from "./foot.mjs";
import { checkWords } from "./sentences.mjs";

/**
 * Whether a commit rolled several things by itself, and nothing else.
 *
 * @param {Story} story
 */
export function isRound({ checks, dice }) {
  return checks.length + dice.length > 1 && checks.every((check) => check.event.rolled.auto === true) && dice.every((roll) => roll.auto === true);
}

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {Story} story
 */
export function roundCard(context, commit, { checks, dice }) {
  const mode = [...checks.map((check) => check.event.mode), ...dice.map((roll) => roll.mode)].find((each) => each !== "public") ?? "public";
  return el(
    "article",
    { class: "bb-card", "data-part": "card", "data-kind": "round", "data-seq": commit.seq, "data-mode": mode },
    el("header", { class: "bb-head" }, portrait("\u21bb"),
      el("div", { class: "bb-who" }, el("h3", {}, context.words.say("head.roundEnd")), el("p", {}, context.words.say("tag.byItself"))),
      headEnd(context, commit, mode)),
    el(
      "ol",
      { class: "bb-rows" },
      // That they came by themselves is said once, above.
      checks.map((check) => {
        const { rolled } = check.event;
        const plain = { ...check, event: { ...check.event, rolled: { ...rolled, auto: false } } };
        return rowOf(context, commit, plain, [bdi(rolled.name), " ", el("span", { class: "bb-row-about" }, checkWords(context, rolled))]);
      }),
      dice.map((roll) => diceRowOf(context, { ...roll, auto: false }, commit.by)),
    ),
    cardFoot(context, { seq: commit.seq, by: commit.by, dice: true }),
  );
}
