/**
 * Who is about to roll what, with the button that helps him before the dice fall; and for a GM the help that waits for his word.
 * Hooks: underway; underway-row [data-actor] (help-now, help-check), underway-offer [data-assist] (underway-accept, underway-decline), underway-said.
 */

/** @import { ActorEntry, AssistRecord, Attempt } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Tell } from "./standing-acts.mjs" */

import { el, phrase } from "../cards/dom.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { assist, assisting, helpers } from "./assist-form.mjs";
import { button } from "./parts.mjs";

/**
 * What another place than this view does.
 *
 * @typedef {object} Helping
 * @property {Tell} tell
 * @property {(actor: ActorEntry, on: Attempt) => void} choose several of this person's could help: ask which
 * @property {(helper: ActorEntry, check: string, to: ActorEntry) => void} check help is a check of one's own here: open it
 */

export class UnderwayView {
  /** @type {readonly string[]} the sentences that were there before */
  #before = [];

  /**
   * @param {TableModel} model
   * @param {Helping} doing
   */
  constructor(model, doing) {
    this.model = model;
    this.doing = doing;
    this.rows = el("section", { class: "underway", hidden: true, "aria-label": model.plainWords.say("underway.title"), "data-testid": "underway" });
    this.aloud = el("div", { class: "bb-unseen", role: "status", "data-testid": "underway-said" });
    this.root = el("div", { class: "underway-place" }, this.rows, this.aloud);
  }

  draw() {
    const { model } = this;
    if (model.client.welcome === null) return;
    const attempts = model.client.underway.flatMap(({ on }) => {
      const actor = model.actor(on.actor);
      return actor === undefined ? [] : [{ actor, on }];
    });
    // The same actor may be in the hands of two people.
    const shown = attempts.filter(({ on }, index) => attempts.findIndex((other) => isSame(other.on, on)) === index);
    const offers = model.isGm ? model.client.entriesUnder("assist/") : [];
    const lines = [
      ...shown.map(({ actor, on }) => this.#attempt(actor, on)),
      ...offers.map((/** @type {AssistRecord} */ offer) => this.#offer(offer)),
    ];
    this.rows.hidden = lines.length === 0;
    keepPlace(this.rows, () => this.rows.replaceChildren(...lines));
    this.#say([...shown.map(({ actor, on }) => this.#sentence(actor, on)), ...offers.map((/** @type {AssistRecord} */ offer) => this.#offered(offer))]
      .map((sentence) => sentence.map((piece) => piece.textContent).join("")));
  }

  /** Read aloud what came, not what went or was there. @param {readonly string[]} now */
  #say(now) {
    const came = now.filter((sentence) => !this.#before.includes(sentence));
    this.#before = now;
    if (came.length > 0 || now.length === 0) this.aloud.textContent = came.join(" ");
  }

  /**
   * @param {ActorEntry} actor
   * @param {Attempt} on
   */
  #sentence(actor, on) {
    const { model } = this;
    const { name } = actor;
    return on.action
      ? phrase(model.words, "underway.action", { name, action: on.action })
      : phrase(model.words, "underway.check", { name, check: model.words.label("checks", on.check) });
  }

  /**
   * @param {ActorEntry} actor
   * @param {Attempt} on
   */
  #attempt(actor, on) {
    const { model } = this;
    const { words } = model;
    const helping = helpOf(model, on);
    const names = helping.map((id) => model.actor(id)?.name ?? words.say("somebody"));
    return el(
      "div",
      { class: "underway-row", "data-actor": actor.id, "data-testid": "underway-row" },
      el("p", { class: "underway-words" }, this.#sentence(actor, on),
        names.length > 0 ? el("small", {}, " ", phrase(words, "underway.helped", { names: names.join(", ") })) : null,
        this.#waiting(on).map((offer) => el("small", {}, " ", phrase(words, "underway.waits", { name: model.actor(offer.helper)?.name ?? words.say("somebody") })))),
      this.#button(actor, on, helping),
    );
  }

  /** What this person has offered and no GM has answered. @param {Attempt} on */
  #waiting(on) {
    const { model } = this;
    return model.isGm ? [] : model.assists(on.actor).filter((offer) => isFor(on, offer.action, offer.check));
  }

  /**
   * @param {ActorEntry} actor
   * @param {Attempt} on
   * @param {readonly string[]} helping
   */
  #button(actor, on, helping) {
    const { model, doing } = this;
    const { words } = model;
    // A GM gives a Boon without anybody's help.
    if (model.welcome.role !== "player") return null;
    const label = { "aria-label": words.say("underway.helpOf", { name: actor.name, action: on.action || words.say("underway.thisRoll") }) };
    const { helpCheck } = model.ruleset;
    if (helpCheck) {
      const [helper] = model.mine().filter((each) => each.id !== actor.id && each.side === actor.side);
      return helper === undefined ? null : button(words.say("underway.help"), () => doing.check(helper, helpCheck, actor),
        { class: "button", "data-primary": true, "data-testid": "help-check", "data-focus": `help ${on.actor}`, ...label });
    }
    const busy = [...helping, ...this.#waiting(on).map((offer) => offer.helper)];
    const able = helpers(model, actor).filter(({ id }) => !busy.includes(id));
    if (able.length === 0) return null;
    return button(words.say("underway.help"), () => {
      if (able.length > 1) doing.choose(actor, on);
      else void this.#help(actor, on, able[0]);
    }, { class: "button", "data-primary": true, "data-testid": "help-now", "data-focus": `help ${on.actor}`, ...label });
  }

  /**
   * @param {ActorEntry} actor
   * @param {Attempt} on
   * @param {ActorEntry} helper
   */
  async #help(actor, on, helper) {
    const wrong = await assist(this.model, actor, assisting(actor.id, helper.id, on.action, on.check), this.doing.tell);
    if (wrong !== null) this.doing.tell(wrong, { tone: "trouble" });
  }

  /** @param {AssistRecord} offer */
  #offered(offer) {
    const { model } = this;
    const { words } = model;
    const name = (/** @type {string} */ id) => model.actor(id)?.name ?? words.say("somebody");
    const action = offer.action || (offer.check ? words.label("checks", offer.check) : "");
    const values = { helper: name(offer.helper), name: name(offer.actor), action };
    return phrase(words, action === "" ? "event.AssistOffered.plain" : "event.AssistOffered.action", values);
  }

  /** @param {AssistRecord} offer */
  #offer(offer) {
    const { model } = this;
    const { words } = model;
    const name = model.actor(offer.helper)?.name ?? words.say("somebody");
    const answer = async (/** @type {boolean} */ accept) => {
      const outcome = await model.send({ t: "AnswerAssist", assist: offer.id, accept });
      if (!outcome.ok) this.doing.tell(words.refusal(outcome), { tone: "trouble" });
    };
    return el(
      "div",
      { class: "underway-row", "data-assist": offer.id, "data-testid": "underway-offer" },
      el("p", { class: "underway-words" }, this.#offered(offer), offer.note ? el("small", {}, ` \u201c${offer.note}\u201d`) : null),
      button(words.say("standing.accept", { name }), () => void answer(true), { class: "button", "data-primary": true, "data-testid": "underway-accept", "data-focus": `accept ${offer.id}` }),
      button(words.say("standing.decline", { name }), () => void answer(false), { class: "bb-link", "data-testid": "underway-decline", "data-focus": `decline ${offer.id}` }),
    );
  }
}

/**
 * Those who help with an attempt already.
 *
 * @param {TableModel} model
 * @param {Attempt} on
 * @returns {string[]}
 */
const helpOf = (model, on) => model.grants(on.actor)
  .filter(({ source, scope }) => source.kind === "assist" && isFor(on, scope.action, scope.checks?.[0]))
  .flatMap(({ source }) => (source.origin ? [source.origin] : []));

/**
 * Whether help is meant for an attempt, as the button here sends it.
 *
 * @param {Attempt} on
 * @param {string} [action]
 * @param {string | null} [check]
 */
const isFor = (on, action = "", check = null) => (on.action ? action === on.action : action === "" && (check ?? on.check) === on.check);

/**
 * @param {Attempt} one
 * @param {Attempt} other
 */
const isSame = (one, other) => one.actor === other.actor && one.check === other.check && one.action === other.action;
