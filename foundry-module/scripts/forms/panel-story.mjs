/**
 * What happened to the group's Boons lately, who did it, and what was done last by itself: each with the way to take it back.
 * Read from the part of the log that this page holds; nothing is counted here.
 *
 * Hooks: pool-story ([data-seq]); panel-last (correct).
 */

/** @import { CardContext } from "../cards/context.mjs" */
/** @import { Commit, Effect, TableEvent } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { correctCheck, correctLine } from "../cards/correct-button.mjs";
import { deedsOf } from "../cards/deeds.mjs";
import { el, phrase } from "../cards/dom.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { linesOf } from "../cards/lines.mjs";
import { effectWords } from "../cards/sentences.mjs";

/** As many as are told of the pool, and as far back as is looked. */
const MOST = 5;
const FAR = 400;

export class PanelStory {
  /** @param {TableModel} model */
  constructor(model) {
    this.model = model;
    this.context = model.cardContext(() => {});
    this.pool = el("section", { class: "panel pool-story", hidden: true, "data-testid": "pool-story" });
    this.last = el("p", { class: "panel panel-last", hidden: true, "data-testid": "panel-last" });
  }

  draw() {
    const { context, model } = this;
    const { words } = model;
    const recent = model.client.commits.slice(-FAR).reverse();
    const moved = model.pool === undefined ? [] : recent.flatMap((commit) => this.#moves(commit)).slice(0, MOST);
    this.pool.hidden = moved.length === 0;
    keepPlace(this.pool, () => this.pool.replaceChildren(...(moved.length === 0 ? [] : [
      el("h3", {}, words.say("panel.story")),
      el("ul", {}, moved),
    ])));
    const done = model.isGm ? lastDeed(context, recent) : null;
    this.last.hidden = done === null;
    keepPlace(this.last, () => this.last.replaceChildren(...(done === null ? [] : [
      el("span", {}, el("span", { class: "help" }, words.say("panel.last")), " ", done.title),
      backButton(context, done.deed, done.title) ?? "",
    ])));
  }

  /**
   * @param {Commit} commit
   * @returns {HTMLElement[]}
   */
  #moves(commit) {
    const { context, model } = this;
    if (commit.t !== "logged") return [];
    const { by = null, seq } = commit;
    return [...(commit.events ?? [])].reverse().flatMap((event) => effectsOf(event)
      .filter((effect) => effect.t === "ResourceChanged" && effect.applied !== 0)
      .map((effect) => {
        const line = effectWords(context, effect);
        if (line === null) return null;
        const back = this.#back(event, seq, by);
        return el("li", { "data-seq": seq, "data-voided": back.voided },
          el(back.voided ? "s" : "span", {}, phrase(model.words, line.key, line.values, line.fallback), " ", el("small", {}, `${this.#whose(event, by)} \u00b7 #${seq}`)),
          back.button);
      })
      .filter((each) => each !== null));
  }

  /**
   * Whose doing it was: a character's roll or choice, or a person's move.
   *
   * @param {TableEvent} event
   * @param {string | null} by
   */
  #whose(event, by) {
    const { context, model } = this;
    const rolled = event.t === "CheckRolled" ? event.rolled.name : event.t === "Chosen" ? context.checks.told(event.check)?.event.rolled.name ?? context.actorName(event.actor) : undefined;
    return rolled ?? (by === null ? undefined : model.client.person(by)?.name) ?? model.words.say("theBridge");
  }

  /**
   * @param {TableEvent} event
   * @param {number} seq
   * @param {string | null} by
   * @returns {{button: HTMLElement | null, voided: boolean}}
   */
  #back(event, seq, by) {
    const { context } = this;
    const { corrections } = context.checks;
    if (event.t === "Acted") {
      const deed = `verb/${seq}`;
      const voided = corrections.voided(deed) !== undefined;
      return { voided, button: voided ? null : backButton(context, deed, context.words.label("verbs", event.verb)) };
    }
    const check = event.t === "CheckRolled" ? event.rolled.check : event.t === "Chosen" ? event.check : null;
    const told = check === null ? undefined : context.checks.told(check);
    if (check === null || told === undefined) return { button: null, voided: false };
    return { voided: corrections.voidedCheck(check) !== undefined, button: correctCheck(context, told, by) };
  }
}

/**
 * The way to a correction, called what it comes to here.
 *
 * @param {CardContext} context
 * @param {string} deed
 * @param {string} title
 */
function backButton(context, deed, title) {
  const button = correctLine(context, deed, title);
  if (button === null) return null;
  button.textContent = context.words.say("panel.back");
  button.setAttribute("aria-label", context.words.say("actors.revoke", { label: title }));
  return button;
}

/**
 * @param {TableEvent} event
 * @returns {readonly Effect[]}
 */
const effectsOf = (event) => ("effects" in event && Array.isArray(event.effects) ? event.effects : []);

/**
 * The newest grant, condition or move that stands.
 *
 * @param {CardContext} context
 * @param {readonly Commit[]} recent newest first
 * @returns {{deed: string, title: string} | null}
 */
export function lastDeed(context, recent) {
  /** @type {Set<string>} */
  const back = new Set();
  for (const commit of recent) {
    if (commit.t !== "logged") continue;
    for (const event of commit.events ?? []) if (event.t === "GrantRevoked") back.add(`grant/${event.grant}`);
    for (const [event, deed] of [...deedsOf(commit)].reverse()) {
      if (back.has(deed) || context.checks.corrections.voided(deed) !== undefined) continue;
      const [line] = linesOf(context, event, commit.by);
      if (line !== undefined) return { deed, title: context.words.say(line.key, line.values, line.fallback).replace(/\.$/, "") };
    }
  }
  return null;
}
