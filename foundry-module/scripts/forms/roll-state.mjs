/** The roll being put together: what was chosen, and the command it makes. Nothing here knows the page or a game. */

/** @import { ActorEntry, CheckSpec, ParamSpec, RollCheck, SourceClaim } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Value } from "./param-controls.mjs" */

import { chosenFor, startValue } from "./param-controls.mjs";
import { FreeActor } from "./free-actor.mjs";
import { ModeChoice } from "./roll-mode.mjs";
import { withTheRoll } from "./with-the-roll.mjs";

/** Instead of an actor's id: somebody without a sheet. */
export const FREE = "";

/**
 * Somebody chosen outside of the panel. `base`: whose numbers count where the table does not know this one yet.
 *
 * @typedef {{id: string, name: string, base?: string}} Chosen
 */

/**
 * Somebody as the table has him, or whose numbers count for him.
 *
 * @param {TableModel} model
 * @param {Pick<Chosen, "id" | "base">} chosen
 * @returns {ActorEntry | null}
 */
export const known = (model, { id, base }) => model.actor(id) ?? (base === undefined ? null : model.actor(base) ?? null);

export class RollState {
  /** @type {readonly Chosen[]} who rolls, where that was chosen elsewhere: one commit, a row each */
  party = [];
  /** @type {Map<string, Chosen>} targets that were chosen elsewhere; the table may not know them yet */
  aimed = new Map();
  /** @type {string | null} null: nobody yet; `FREE`: somebody without a sheet */
  actor = null;
  check = "";
  /** @type {Map<string, Value>} by parameter, over all checks */
  params = new Map();
  action = "";
  /** @type {Set<string>} */
  targets = new Set();
  /** @type {Map<string, {claim: SourceClaim, on: boolean}>} */
  claims = new Map();
  /** @type {Set<string>} sources of the table that do not apply this time */
  off = new Set();
  spendBefore = 0;
  /** @type {Set<string>} opportunities that go with this roll */
  opportunities = new Set();
  /** What is different since the same action failed. */
  changed = "";
  /** Whether the bridge asks for it. */
  mustSayChange = false;
  /** Faces of dice that lie on a real table, as typed. */
  faces = "";
  /** @param {TableModel} model */
  constructor(model) {
    this.model = model;
    this.free = new FreeActor(model);
    this.modes = new ModeChoice(model, () => ({ who: this.#who, rollers: this.rollers }));
  }

  /** @returns {CheckSpec | undefined} */
  get spec() {
    return this.model.ruleset.checks.find((check) => check.key === this.check);
  }

  /** @returns {ActorEntry | null} */
  get roller() {
    if (this.actor === null) return null;
    if (this.actor === FREE) return this.free.entry(this.spec, this.params);
    return known(this.model, { id: this.actor, base: this.party.find(({ id }) => id === this.actor)?.base });
  }

  get #who() {
    return this.party.length > 0 ? this.party.map(({ id }) => id).join(" ") : this.actor === FREE ? `${FREE}/${this.free.side}` : this.actor ?? "";
  }

  /** @returns {(ActorEntry | null)[]} all of them; null: one that the table does not know yet */
  get rollers() {
    const { model } = this;
    if (this.party.length > 0) return this.party.map((one) => known(model, one));
    return this.actor === null ? [] : [this.roller];
  }

  /** Whether there is somebody to roll and something to roll. */
  get isReady() {
    if (this.spec === undefined) return false;
    // Whether the bridge knows somebody chosen elsewhere is for the bridge to say.
    return this.party.length > 0 || (this.roller !== null && (this.actor !== FREE || this.free.name.trim() !== ""));
  }

  /** Fill in what is not chosen yet, and let go of what does not exist any more. */
  settle() {
    const { model } = this;
    const mine = model.mine();
    const left = this.actor !== null && this.actor !== FREE && !mine.some((actor) => actor.id === this.actor);
    if (this.party.length > 0) this.actor = this.party[0].id;
    else if (left || this.actor === null) this.actor = mine[0]?.id ?? (model.may("ad_hoc") ? FREE : null);
    // What is only rolled when a GM asks for it is none to begin with.
    if (this.spec === undefined || this.spec.asked) this.check = model.ruleset.checks.find((check) => check.asked !== true)?.key ?? "";
    const { roller, spec } = this;
    for (const param of spec?.params ?? []) {
      this.params.set(param.key, startValue(param, this.params.get(param.key), roller, model));
    }
    for (const target of this.targets) {
      const gone = model.actor(target) === undefined && !this.aimed.has(target);
      if (gone || target === this.actor) this.targets.delete(target);
    }
    if (spec?.spendBefore !== true) this.spendBefore = 0;
  }

  /** After a roll: the next one is something else, with other helps and hindrances. */
  afterRoll() {
    this.action = "";
    this.claims.clear();
    this.off.clear();
    this.spendBefore = 0;
    this.opportunities.clear();
    this.changed = "";
    this.faces = "";
    this.modes.forget();
  }

  /** @param {SourceClaim} claim */
  claim(claim) {
    this.claims.set(claim.id, { claim, on: true });
  }

  /** @returns {RollCheck} the roll as it is sent */
  command() {
    return { ...this.question(), ...withTheRoll(this) };
  }

  /** @returns {RollCheck} the roll as the bridge is asked about it: without what would only be said with the roll itself */
  question() {
    const spec = /** @type {CheckSpec} */ (this.spec);
    const idle = (/** @type {ParamSpec} */ param) => param.ofTarget && !param.required && this.targets.size === 0;
    const params = spec.params.filter((param) => !idle(param) && this.#maySet(param));
    const sources = [...this.claims.values()].filter(({ on }) => on).map(({ claim }) => claim);
    const who = this.actor === FREE
      ? { adHoc: this.free.record(spec, this.params) }
      : { actors: this.party.length > 0 ? this.party.map(({ id }) => id) : [/** @type {string} */ (this.actor)] };
    return {
      t: "RollCheck",
      check: spec.key,
      ...who,
      params: chosenFor(params, this.params),
      mode: this.modes.mode,
      ...(spec.targets !== "none" && this.targets.size > 0 && { targets: [...this.targets] }),
      ...(this.action.trim() !== "" && { action: this.action.trim() }),
      ...(sources.length > 0 && { sources }),
      ...(this.off.size > 0 && { off: [...this.off] }),
      ...(this.spendBefore > 0 && { spendBefore: this.spendBefore }),
      ...(this.opportunities.size > 0 && { opportunities: [...this.opportunities] }),
    };
  }

  /** @param {ParamSpec} param */
  #maySet(param) {
    return !param.difficulty || this.model.may("player_difficulty");
  }
}
