/**
 * What a chat message holds and what the log has for it, put beside each other; and the mark on a message that says something
 * else. What is decided, genuine.mjs decides.
 */

/** @import { CardContext } from "../cards/context.mjs" */
/** @import { Logged } from "../client/types.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */
/** @import { Found, Made, Said } from "./genuine.mjs" */
/** @import { Mark } from "./marks.mjs" */

import { el } from "../cards/dom.mjs";
import { storyOf } from "../cards/story.mjs";
import { facesOfRolls } from "./compat.mjs";
import { NAMED, judge } from "./genuine.mjs";
import { factsOf } from "./message-facts.mjs";
import { publicPart } from "./news.mjs";
import { rollsOf, speakerOf } from "./posting.mjs";
import { storedCard, storedStub } from "./stored-card.mjs";
import { publicView, wordsOf } from "./view.mjs";

/** @typedef {import("./compat.mjs").Loose} Loose */

/**
 * @param {Loose} message
 * @param {Mark} mark
 * @param {TableModel} model
 * @returns {Said}
 */
export function saidBy(message, mark, model) {
  const text = (/** @type {unknown} */ value) => (typeof value === "string" ? value : "");
  return {
    id: text(message.id),
    content: text(message.content),
    flavor: text(message.flavor),
    alias: text(message.speaker?.alias),
    rolls: facesOfRolls(message.rolls),
    sameWords: mark.words !== undefined && mark.words === wordsOf(model),
  };
}

/**
 * @param {TableModel} model
 * @param {Logged} commit
 * @returns {Made}
 */
function madeOf(model, commit) {
  const shown = publicPart(commit);
  const story = storyOf(shown);
  const { checks } = model;
  const name = () => NAMED;
  /** @type {CardContext} */
  const context = {
    ...publicView(model), actorName: name, personName: name, numberName: name,
    checks: new Proxy(checks, {
      get(index, key) {
        if (key === "grantLabel") return name;
        const value = Reflect.get(index, key, index);
        return typeof value === "function" ? value.bind(index) : value;
      },
    }),
  };
  // What a choice or a correction says of the check before it depends on what is held here of the log.
  const simple = story.later.length === 0 && story.corrections.every(({ t }) => t === "Revealed") && !story.lines.some(({ t }) => t === "RequestClosed");
  const whole = story.later.every((chosen) => chosen.result && (chosen.drawn ?? 0) > 0 && checks.told(chosen.check) !== undefined);
  return {
    content: storedCard(context, shown),
    alias: speakerOf(shown).alias,
    rolls: rollsOf(model, shown).map(({ data }) => ({ total: data.total, faces: data.terms.flatMap((term) => (term.class === "Die" ? term.results.map(({ result }) => result) : [])) })),
    names: [...story.checks.map(({ event }) => event.rolled.name), ...story.dice.map((roll) => roll.name ?? ""), ...story.corrections.map((event) => (event.t === "Revealed" ? event.rolled.name : ""))],
    whole,
    simple,
  };
}

/**
 * @param {Loose} message
 * @param {Mark} mark
 * @param {TableModel} model
 * @param {Logged | null} commit as this viewer may read it
 * @returns {Found | null}
 */
export function judgeMessage(message, mark, model, commit) {
  const made = commit === null || mark.stub === true ? null : madeOf(model, commit);
  return judge(mark, saidBy(message, mark, model), commit, made, storedStub(model.words, mark.seq));
}

/** Who posted such a message need not be who made it what it is. */
const CHANGED = new Set(["altered", "away"]);

/**
 * The mark: what was found, and who posted it. What the message itself says is folded away, as text, where the log has nothing for it.
 *
 * @param {CardContext["words"]} words
 * @param {Found} found
 * @param {Loose} message
 * @param {number | null} seq
 */
export function foundMark(words, { what, parts }, message, seq) {
  const where = parts.map((part) => words.say(`foundry.found.part.${part}`)).join(", ");
  const author = message?.author?.name;
  const claims = factsOf(String(message?.content ?? "")).blocks;
  return el(
    "div",
    { class: "bb-found", role: "note", "data-part": "found", "data-found": what, "data-parts": parts.join(" ") },
    el("p", {}, el("strong", {}, el("i", { class: "fa-solid fa-triangle-exclamation", "aria-hidden": "true" }), " ", words.say(`foundry.found.${what}.title`))),
    el("p", {}, words.say(`foundry.found.${what}.text`, { seq, parts: where }), author ? [" ", words.say(`foundry.found.${CHANGED.has(what) ? "owner" : "author"}`, { name: author })] : ""),
    what === "copy" || claims.length === 0 ? null : el("details", {}, el("summary", {}, words.say("foundry.found.claims")), claims.map(({ text }) => el("p", {}, text))),
  );
}
