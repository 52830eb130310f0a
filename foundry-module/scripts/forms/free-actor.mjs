/** Somebody without a sheet, for one roll: a name, and only the numbers this check asks for. */

/** @import { ActorEntry, CheckSpec, Numbers, NumberSpec, RollCheck } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Value } from "./param-controls.mjs" */

import { slug } from "./slug.mjs";

const ATTACK = "attack";

export class FreeActor {
  name = "";
  /** @type {ActorEntry["side"]} */
  side = "neutral";
  /** @type {Map<string, number>} */
  values = new Map();
  /** @type {Set<string>} numbers the bridge asked for besides */
  missing = new Set();
  attackAttribute = "";

  /** @param {TableModel} model */
  constructor(model) {
    this.model = model;
  }

  /**
   * The keys a free actor can have: each number of the game, and its suggestions where the table names them freely.
   *
   * @returns {{key: string, label: string, spec: NumberSpec}[]}
   */
  known() {
    return this.model.ruleset.numbers.flatMap((spec) =>
      (spec.group
        ? (spec.suggestions ?? []).map((label) => ({ key: `${spec.key}.${slug(label)}`, label, spec }))
        : [{ key: spec.key, label: spec.label, spec }]));
  }

  /**
   * @param {CheckSpec | undefined} check
   * @param {ReadonlyMap<string, Value>} params
   * @returns {{key: string, label: string, spec: NumberSpec}[]} the numbers to ask for
   */
  needed(check, params) {
    const keys = new Set(this.missing);
    for (const param of check?.params ?? []) {
      const value = params.get(param.key);
      if (param.kind === "number" && !param.ofTarget && typeof value === "string") keys.add(value);
      if (param.kind === "attack") keys.add(this.#attribute());
    }
    return this.known().filter(({ key }) => keys.has(key));
  }

  /** @param {CheckSpec | undefined} check */
  attacks(check) {
    return (check?.params ?? []).some((param) => param.kind === "attack");
  }

  /** @returns {{key: string, label: string}[]} what an attack may be rolled with */
  attributes() {
    const group = this.model.ruleset.attackAttributes;
    const plain = this.known().filter(({ spec }) => spec.kind !== "die");
    const fitting = plain.filter(({ spec }) => !group || spec.key === group);
    return fitting.length > 0 ? fitting : plain;
  }

  /**
   * As an actor's entry, so that the same controls fit.
   *
   * @param {CheckSpec | undefined} check
   * @param {ReadonlyMap<string, Value>} params
   * @returns {ActorEntry}
   */
  entry(check, params) {
    const values = this.known().map(({ key, label, spec }) => ({ key, label, value: this.values.get(key) ?? startOf(spec) }));
    return { id: "", name: this.name, side: this.side, owners: [], numbers: { values, attacks: this.#numbers(check, params).attacks } };
  }

  /**
   * @param {CheckSpec} check
   * @param {ReadonlyMap<string, Value>} params
   * @returns {RollCheck["adHoc"]}
   */
  record(check, params) {
    return { name: this.name.trim(), numbers: this.#numbers(check, params), ...(this.side !== "neutral" && { side: this.side }) };
  }

  /**
   * @param {CheckSpec | undefined} check
   * @param {ReadonlyMap<string, Value>} params
   * @returns {Numbers}
   */
  #numbers(check, params) {
    const values = this.needed(check, params).map(({ key, label, spec }) =>
      ({ key, value: this.values.get(key) ?? startOf(spec), ...(spec.group && { label }) }));
    const name = this.model.words.say("free.attack");
    return { values, attacks: this.attacks(check) ? [{ id: ATTACK, name, attribute: this.#attribute() }] : [] };
  }

  #attribute() {
    const known = this.attributes();
    return known.some(({ key }) => key === this.attackAttribute) ? this.attackAttribute : known[0]?.key ?? "";
  }
}

/** @param {NumberSpec} spec */
export function startOf(spec) {
  const { default: preset, min = -99, max = 99, choices = [] } = spec;
  if (preset !== null && preset !== undefined) return preset;
  const middle = choices[Math.floor((choices.length - 1) / 2)]?.value;
  if (typeof middle === "number") return middle;
  return Math.min(Math.max(0, min), max);
}
