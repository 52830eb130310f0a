/** The answer to a request being put together: which of its checks, and what it left to the roller. */

/** @import { ActorEntry, AnswerRequest, AskedCheck, CheckSpec, ParamSpec, RequestRecord } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Value } from "./param-controls.mjs" */

import { own } from "../client/own.mjs";
import { isOpen } from "../cards/request-words.mjs";
import { chosenFor, startValue } from "./param-controls.mjs";
import { requestOf } from "./play.mjs";
import { ModeChoice } from "./roll-mode.mjs";
import { withTheRoll } from "./with-the-roll.mjs";

export class AnswerState {
  nth = 0;
  /** @type {Map<string, Value>} */
  params = new Map();
  spendBefore = 0;
  /** What is different since the same action failed. */
  changed = "";
  mustSayChange = false;
  faces = "";
  /** @type {Set<string>} opportunities that go with it */
  opportunities = new Set();

  /**
   * @param {TableModel} model
   * @param {RequestRecord} request as it stood when it was opened
   * @param {string} actor
   */
  constructor(model, request, actor) {
    this.model = model;
    this.opened = request;
    this.actor = actor;
    this.modes = new ModeChoice(model, () => ({ who: actor, rollers: [this.roller], asked: this.request.mode ?? "public" }));
    this.settle();
  }

  /** @returns {RequestRecord} */
  get request() {
    return requestOf(this.model, this.opened.id) ?? this.opened;
  }

  /** @returns {AskedCheck} */
  get asked() {
    return this.request.checks[this.nth] ?? this.request.checks[0];
  }

  /** @returns {CheckSpec | undefined} */
  get spec() {
    return this.model.ruleset.checks.find((check) => check.key === this.asked.check);
  }

  /** @returns {ActorEntry | null} */
  get roller() {
    return this.model.actor(this.actor) ?? null;
  }

  get name() {
    return this.roller?.name ?? this.request.rows.find((row) => row.actor === this.actor)?.name ?? "";
  }

  /** Whether it can still be answered. */
  get isOpen() {
    const now = requestOf(this.model, this.opened.id);
    return now !== undefined && isOpen(now) && now.rows.some((row) => row.actor === this.actor && row.status === "sent");
  }

  /** @returns {ParamSpec[]} what the request left to its roller */
  get open() {
    const { params = {} } = this.asked;
    return (this.spec?.params ?? []).filter((param) => !param.difficulty && !param.ofTarget && own(params, param.key) === undefined);
  }

  /** Fill in what is not chosen yet. */
  settle() {
    for (const param of this.open) this.params.set(param.key, startValue(param, this.params.get(param.key), this.roller, this.model));
    if (this.spec?.spendBefore !== true) this.spendBefore = 0;
  }

  /** @returns {AnswerRequest} as the bridge is asked about it */
  question() {
    const params = chosenFor(this.open, this.params);
    return {
      t: "AnswerRequest",
      request: this.opened.id,
      actor: this.actor,
      nth: this.nth,
      mode: this.modes.mode,
      ...(Object.keys(params).length > 0 && { params }),
      ...(this.spendBefore > 0 && { spendBefore: this.spendBefore }),
      ...(this.opportunities.size > 0 && { opportunities: [...this.opportunities] }),
    };
  }

  /** @returns {AnswerRequest} as it is sent */
  command() {
    return { ...this.question(), ...withTheRoll(this) };
  }
}
