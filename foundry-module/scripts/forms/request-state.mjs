/** The request being put together: who, what, how the rolls belong together; and the command it makes. */

/** @import { ActorEntry, AskedCheck, CheckSpec, Command, GroupSpec, ParamSpec, SourceClaim } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Value } from "./param-controls.mjs" */

import { EACH } from "../cards/request-words.mjs";
import { askedParams, askedStart } from "./asked-params.mjs";
import { chosenFor, startValue } from "./param-controls.mjs";

/** @typedef {Extract<Command, {t: "RequestCheck"}>} RequestCheck */

/**
 * What is known before the form opens.
 *
 * @typedef {object} Asked
 * @property {readonly string[]} [actors] left out: the party
 * @property {readonly AskedCheck[]} [checks]
 * @property {string} [action]
 * @property {string} [group]
 * @property {number} [difficulty]
 * @property {boolean} [shown]
 * @property {RequestCheck["mode"]} [mode]
 * @property {string} [target]
 * @property {number} [minutes]
 * @property {string} [note]
 */

/** One of the checks that may answer the request. */
class Row {
  check = "";
  /** @type {Map<string, Value>} */
  params = new Map();
}

export class RequestState {
  /** @type {Set<string>} */
  actors = new Set();
  /** @type {Row[]} */
  rows = [new Row()];
  group = EACH;
  /** @type {{step: number} | {value: Value}} what the group has to reach: a step of the ladder, which goes with the number of members, or a number */
  reach = { step: -1 };
  shown = true;
  target = "";
  minutes = "";
  action = "";
  note = "";
  /** @type {NonNullable<RequestCheck["mode"]>} */
  mode = "public";
  /** @type {Map<string, {claim: SourceClaim, on: boolean}>} */
  claims = new Map();
  /** @type {Set<string>} */
  off = new Set();

  /**
   * @param {TableModel} model
   * @param {Asked} [asked]
   */
  constructor(model, { actors, checks, action = "", group = EACH, difficulty, shown = true, mode = "public", target = "", minutes, note = "" } = {}) {
    this.model = model;
    const party = model.actors().filter((actor) => actor.side === "party").map((actor) => actor.id);
    this.actors = new Set(actors ?? party);
    if (checks !== undefined && checks.length > 0) {
      this.rows = checks.map(({ check, params = {} }) => Object.assign(new Row(), { check, params: new Map(Object.entries(params)) }));
    }
    Object.assign(this, { action, group, shown, mode: mode ?? "public", target, minutes: minutes === undefined ? "" : String(minutes), note });
    if (difficulty !== undefined) this.reach = { value: difficulty };
    this.settle();
  }

  /** @returns {readonly GroupSpec[]} */
  get groups() {
    return this.model.ruleset.groups ?? [];
  }

  /** @returns {GroupSpec | undefined} */
  get together() {
    return this.groups.find((group) => group.key === this.group);
  }

  /** @returns {CheckSpec[]} the checks that may be asked for as the rolls belong together now */
  get checks() {
    const only = this.together?.checks ?? [];
    return this.model.ruleset.checks.filter((check) => (only.length > 0 ? only.includes(check.key) : check.asked !== true));
  }

  /** @returns {ActorEntry[]} those who are asked, as the table knows them */
  get asked() {
    return this.model.actors().filter((actor) => this.actors.has(actor.id));
  }

  /**
   * What the group has to reach, as a parameter: a ladder that goes by members is multiplied here for all of them.
   *
   * @returns {ParamSpec | null}
   */
  get reachSpec() {
    const { difficulty, perMember } = this.together ?? {};
    if (!difficulty) return null;
    const members = Math.max(1, this.actors.size);
    const ladder = (difficulty.ladder ?? []).map((step) => ({ ...step, value: perMember ? Number(step.value) * members : step.value }));
    return { ...difficulty, ladder, help: "" };
  }

  /** @returns {Value} */
  get reachValue() {
    const spec = this.reachSpec;
    if (spec === null) return null;
    if ("value" in this.reach) return this.reach.value;
    const step = spec.ladder?.[this.reach.step];
    return step === undefined ? startValue(spec, undefined, null, this.model) : step.value;
  }

  /** @param {Value} value */
  reachSet(value) {
    const step = (this.reachSpec?.ladder ?? []).findIndex((each) => each.value === value);
    this.reach = step < 0 ? { value } : { step };
  }

  /** @param {Row} row @returns {CheckSpec | undefined} */
  specOf(row) {
    return this.checks.find((check) => check.key === row.check);
  }

  /** Whether one of the checks is rolled against somebody, and whether it has to be. */
  get aims() {
    const specs = this.rows.map((row) => this.specOf(row)?.targets);
    return { may: specs.some((targets) => targets !== undefined && targets !== "none"), must: specs.includes("required") };
  }

  addRow() {
    this.rows.push(new Row());
    this.settle();
  }

  /** @param {number} index */
  removeRow(index) {
    this.rows.splice(index, 1);
  }

  /** Let go of what does not exist any more, and fill in what is not chosen yet. */
  settle() {
    const { checks, model } = this;
    if (this.together === undefined) this.group = this.groups[0]?.key ?? EACH;
    for (const actor of this.actors) if (model.actor(actor) === undefined) this.actors.delete(actor);
    if (model.actor(this.target) === undefined) this.target = "";
    for (const row of this.rows) if (this.specOf(row) === undefined) row.check = checks[0]?.key ?? "";
    const { asked } = this;
    for (const row of this.rows) {
      for (const param of this.specOf(row)?.params ?? []) row.params.set(param.key, askedStart(param, row.params.get(param.key), asked, model));
    }
    if (!this.aims.may) this.target = "";
  }

  /** @param {SourceClaim} claim */
  claim(claim) {
    this.claims.set(claim.id, { claim, on: true });
  }

  /** @returns {RequestCheck} */
  command() {
    const sources = [...this.claims.values()].filter(({ on }) => on).map(({ claim }) => claim);
    const minutes = Number.parseInt(this.minutes, 10);
    const reach = this.reachValue;
    return {
      t: "RequestCheck",
      actors: this.asked.map((actor) => actor.id),
      checks: this.rows.map((row) => this.#asked(row)),
      mode: this.mode,
      group: this.group,
      shown: this.shown,
      ...(this.action.trim() !== "" && { action: this.action.trim() }),
      ...(typeof reach === "number" && { difficulty: reach }),
      ...(sources.length > 0 && { sources }),
      ...(this.target !== "" && { target: this.target }),
      ...(Number.isInteger(minutes) && minutes > 0 && { minutes }),
      ...(this.note.trim() !== "" && { note: this.note.trim() }),
    };
  }

  /** @param {Row} row @returns {AskedCheck} */
  #asked(row) {
    const spec = this.specOf(row);
    const params = spec === undefined ? [] : askedParams(spec, this.target !== "", row.params);
    return { check: row.check, params: chosenFor(params, row.params) };
  }
}
