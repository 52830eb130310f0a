/** The table as the page sees it: the client's entries under the names of the field, and the context for cards. */

/** @import { BridgeClient } from "../client/bridge-client.mjs" */
/** @import { Checked } from "../client/check.mjs" */
/** @import { ActorEntry, AssistRecord, Command, ConditionSpec, ConditionsEntry, GrantRecord, MarkSpec, Outcome, PendingCheck, Person, PoolEntry, Progress, RulesetInfo, TurnEntry, Welcome } from "../client/types.mjs" */
/** @import { CardContext } from "../cards/context.mjs" */
/** @import { Words } from "../client/words.mjs" */

import { CheckIndex } from "../cards/check-index.mjs";
import { NoAnswer } from "../client/asker.mjs";
import { checkRoll, unchecked } from "../client/check.mjs";
import { own } from "../client/own.mjs";
import { ASKS_FIRST } from "./at-once.mjs";
import { OPEN_HABIT } from "./roll-mode.mjs";

const SIDES = ["party", "opposition", "neutral"];
const TIME = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });
const DAY = new Intl.DateTimeFormat(undefined, { weekday: "short", hour: "2-digit", minute: "2-digit" });
const A_DAY_MS = 20 * 3600 * 1000;

export class TableModel {
  checks = new CheckIndex();
  /** @type {import("../cards/context.mjs").RequestDoing | null} what buttons on cards of requests do; the place brings it */
  asks = null;
  /** @type {CardContext["correct"]} what a place does to put a correction together */
  correct = null;
  /** @type {CardContext["moment"]} what a place does to show a moment of the log; not asked where the bridge knows none */
  moment = null;
  /** How this person's rolls are usually seen; the place brings it. */
  habit = OPEN_HABIT;
  /** Whether this person is asked before a roll that leaves nothing to choose; the place brings it. */
  pace = ASKS_FIRST;
  /** @type {RulesetInfo | null} the game that the words are of */
  #game = null;

  /**
   * @param {BridgeClient} client
   * @param {Words} plainWords
   */
  constructor(client, plainWords) {
    this.client = client;
    this.plainWords = plainWords;
    this.words = plainWords;
  }

  /** The game is known now (or changed). */
  welcomed() {
    this.#game = this.client.ruleset;
    this.words = this.plainWords.for(this.#game);
  }

  /** @returns {Welcome} */
  get welcome() {
    return /** @type {Welcome} */ (this.client.welcome);
  }

  /** @returns {RulesetInfo} */
  get ruleset() {
    return /** @type {RulesetInfo} */ (this.client.ruleset);
  }

  /** What the table is called now; the welcome says what it was called then. */
  get title() {
    return this.client.entry("table")?.title ?? this.welcome.title;
  }

  get isGm() {
    return this.welcome.role === "gm";
  }

  /** @returns {ActorEntry[]} the party first, then by name */
  actors() {
    return this.client.entriesUnder("actor/").sort((/** @type {ActorEntry} */ a, /** @type {ActorEntry} */ b) =>
      SIDES.indexOf(a.side) - SIDES.indexOf(b.side) || a.name.localeCompare(b.name));
  }

  /**
   * @param {string} id
   * @returns {ActorEntry | undefined}
   */
  actor(id) {
    return this.client.entry(`actor/${id}`);
  }

  /** @param {ActorEntry} actor */
  owns(actor) {
    return actor.owners.includes(this.welcome.user);
  }

  /** @returns {ActorEntry[]} those this person rolls for */
  mine() {
    const all = this.actors();
    if (this.isGm) return all;
    return this.welcome.role === "player" ? all.filter((actor) => this.owns(actor)) : [];
  }

  /**
   * @param {string} actor
   * @returns {GrantRecord[]}
   */
  grants(actor) {
    return this.client.entry(`grants/${actor}`)?.grants ?? [];
  }

  /**
   * @param {string} actor
   * @returns {ConditionsEntry["conditions"]}
   */
  conditions(actor) {
    return this.client.entry(`conditions/${actor}`)?.conditions ?? [];
  }

  /**
   * Help that somebody offers to an actor and no GM has answered yet.
   *
   * @param {string} actor
   * @returns {AssistRecord[]}
   */
  assists(actor) {
    return this.client.entriesUnder("assist/").filter((/** @type {AssistRecord} */ assist) => assist.actor === actor);
  }

  /**
   * The game's own words for a condition, whose key may say behind a dot what it is about.
   *
   * @param {string} key
   * @returns {ConditionSpec | undefined}
   */
  conditionSpec(key) {
    const specs = this.ruleset.conditions ?? [];
    return specs.find((spec) => spec.key === key) ?? specs.find((spec) => spec.key === key.split(".")[0]);
  }

  /** @returns {TurnEntry | undefined} absent while nobody counts turns */
  get turn() {
    return this.client.entry("turn");
  }

  /**
   * Whether public switches stand as something needs them.
   *
   * @param {Record<string, unknown>} [needs]
   */
  stands(needs = {}) {
    const now = this.client.entry("marks")?.marks ?? {};
    return Object.entries(needs).every(([key, value]) => own(now, key) === value);
  }

  /** @returns {{spec: MarkSpec, value: boolean | number | string}[]} the public switches that stand somewhere */
  marks() {
    const now = this.client.entry("marks")?.marks ?? {};
    return (this.ruleset.marks ?? []).flatMap((spec) => {
      const value = own(now, spec.key);
      return typeof value === "boolean" || typeof value === "number" || typeof value === "string" ? [{ spec, value }] : [];
    });
  }

  /** Whether one helps another's roll with a Boon here. */
  get helps() {
    return this.ruleset.assist === true && this.option("assist") !== "off" && this.welcome.role !== "observer";
  }

  /**
   * @param {string} key
   * @returns {unknown}
   */
  option(key) {
    const now = this.client.entry("options")?.options ?? this.ruleset.options;
    return own(now, key);
  }

  /** @returns {PoolEntry | undefined} */
  get pool() {
    return this.client.entry("pool");
  }

  /**
   * @param {string} actor
   * @returns {PendingCheck | undefined} what is open on an actor's checks: a player's choice before a ruling that waits
   */
  pendingOf(actor) {
    const open = this.client.entriesUnder("check/").filter((/** @type {PendingCheck} */ check) =>
      check.actor === actor && check.choices.some((offer) => offer.enabled !== false));
    return open.find((/** @type {PendingCheck} */ check) => check.choices.some((offer) => offer.enabled !== false && offer.who !== "gm")) ?? open[0];
  }

  /** @returns {Person[]} who is here first */
  people() {
    return [...this.client.people].sort((a, b) => Number(b.online) - Number(a.online) || a.name.localeCompare(b.name));
  }

  /** Who may set difficulties, name sources, roll without a sheet. @param {string} option */
  may(option) {
    if (this.isGm) return true;
    const value = this.option(option);
    return this.welcome.role === "player" && value !== "gm_only" && value !== "gm";
  }

  /**
   * @param {Command} cmd
   * @param {(progress: Progress) => void} [tell]
   * @returns {Promise<Outcome>}
   */
  send(cmd, tell) {
    return this.client.send(cmd, tell).done;
  }

  /** The entries changed: the table may have edited its game; and what a later event only names by its id is kept. */
  learn() {
    if (this.client.ruleset !== this.#game) this.welcomed();
    for (const assist of this.client.entriesUnder("assist/")) this.checks.learnAssist(assist);
    for (const opportunity of this.client.entriesUnder("opportunity/")) this.checks.requests.learn(opportunity);
    for (const { grants } of this.client.entriesUnder("grants/")) for (const grant of grants) this.checks.learn(grant);
  }

  /**
   * Recompute the dice of a commit.
   *
   * @param {number} seq
   * @returns {Promise<Checked>} rejected with a `NoAnswer`
   */
  async verify(seq) {
    const { client } = this;
    try {
      const proven = await client.history.proof(seq);
      const promised = client.promised(seq);
      const promising = promised === undefined && proven.promisedBy !== null ? await client.history.proof(proven.promisedBy) : null;
      const promisingHash = promising === null ? undefined : client.commit(promising.seq)?.hash;
      const taped = await this.#isTaped();
      const shown = client.commit(seq);
      return await checkRoll(proven, { hash: shown?.hash ?? proven.hash, shown, sent: client.sent(seq), promised, promising, promisingHash, taped });
    } catch (why) {
      if (why instanceof NoAnswer && why.code === "proof.unknown") return unchecked(seq, why.values.epoch === undefined ? "none" : "gone");
      throw why;
    }
  }

  /** Whether this table's dice were laid out beforehand: its first entry says so. */
  async #isTaped() {
    const [first] = this.client.commit(1) === undefined ? (await this.client.history.past(0, 1)).commits : [this.client.commit(1)];
    return first?.t === "logged" && (first.events ?? []).some((event) => event.t === "TableOpened" && event.taped === true);
  }

  /**
   * @param {(seq: number) => void} goTo
   * @returns {CardContext}
   */
  cardContext(goTo) {
    const { client, checks } = this;
    const model = this;
    return {
      get words() {
        return model.words;
      },
      get ruleset() {
        return model.ruleset;
      },
      get viewer() {
        return { user: model.welcome.user, role: model.welcome.role };
      },
      actorName: (id) => this.actor(id)?.name,
      personName: (id) => client.person(id)?.name,
      numberName: (actor, key) => {
        const { values = [], attacks = [] } = this.actor(actor)?.numbers ?? {};
        return values.find((number) => number.key === key)?.label || attacks.find((attack) => attack.id === key)?.name;
      },
      owns: (id) => this.actor(id)?.owners.includes(this.welcome.user) ?? false,
      pending: (check) => client.entry(`check/${check}`),
      checks,
      choose: (check, choice, { args, faces } = {}) => this.send({ t: "Choose", check, choice, ...(args && { args }), ...(faces && { faces }) }),
      manual: () => this.option("manual_dice") === true,
      verify: (seq) => this.verify(seq),
      goTo,
      request: (id) => client.entry(`request/${id}`),
      hasSeen: (request, actor) => {
        const seen = client.seenBy(request);
        return this.actor(actor)?.owners.some((owner) => seen.includes(owner)) ?? false;
      },
      get correct() {
        return model.correct;
      },
      get asks() {
        return model.asks;
      },
      get moment() {
        return client.can("replay") ? model.moment : null;
      },
      clock: (at) => (Date.now() - at > A_DAY_MS ? DAY : TIME).format(at),
    };
  }
}
