/**
 * Giving an actor, and others with it, a condition of the game: which one, what it is about, how much, from whom, until when.
 *
 * Hooks: condition-key (a select, or chips with `data-condition`), condition-of, condition-amount, condition-by,
 * condition-luck, condition-expiry (condition-expiry-of), condition-note, also (also-field.mjs).
 */

/** @import { ActorEntry, Command, ConditionSpec } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Tell } from "./standing-acts.mjs" */

import { el } from "../cards/dom.mjs";
import { alsoField, namesOf } from "./also-field.mjs";
import { CONDITION_CLOCKS, clockField } from "./clocks.mjs";
import { field, oneOf, toggle, unique } from "./parts.mjs";
import { settingBack } from "./standing-acts.mjs";
import { wayBack } from "./way-back.mjs";

const CHIPS = 9;
const OF_FEW = 5;

/**
 * @param {TableModel} model
 * @param {ActorEntry} actor who gets it
 * @param {Tell} tell
 * @returns {{root: HTMLElement, save: () => Promise<string | null>}} `save` returns what is wrong
 */
export function conditionForm(model, actor, tell) {
  const { words } = model;
  const specs = model.ruleset.conditions ?? [];
  let spec = specs[0];
  let of = "";
  let luckEnds = false;
  const amount = el("input", { type: "number", inputmode: "numeric", min: 1, max: 99, value: "1", "data-testid": "condition-amount" });
  const by = el("select", { "data-testid": "condition-by" },
    el("option", { value: "" }, words.say("condition.nobody")),
    model.actors().map(({ id, name }) => el("option", { value: id }, name)));
  const clock = clockField(model, actor.id, CONDITION_CLOCKS, "condition-expiry");
  const note = el("input", { type: "text", maxlength: 500, "data-testid": "condition-note" });
  const also = alsoField(model, actor, clock.forMany);
  const help = el("p", { class: "help" });
  const own = el("div", { class: "condition-own" });
  /** @param {ConditionSpec} chosen */
  const choose = (chosen) => {
    spec = chosen;
    of = String(chosen.of?.[0]?.value ?? "");
    luckEnds = false;
    help.textContent = chosen.help ?? "";
    help.hidden = help.textContent === "";
    own.replaceChildren();
    own.append(...ownFields().filter((each) => each !== null));
    own.hidden = own.childElementCount === 0;
  };
  /** What only some conditions have. */
  const ownFields = () => [
    (spec.of ?? []).length > 0 ? ofField(model, spec, (value) => {
      of = value;
    }) : null,
    spec.counted || spec.giver
      ? el("div", { class: "grid-fields" },
        spec.counted ? field(words.say("condition.amount"), amount) : null,
        spec.giver ? field(words.say("condition.by"), by) : null)
      : null,
    spec.luck === "may"
      ? toggle({
        label: words.say("condition.luckEnds"),
        on: luckEnds,
        turn: (on) => {
          luckEnds = on;
        },
        testid: "condition-luck",
      })
      : spec.luck === "always" ? el("p", { class: "help" }, words.say("condition.luckAlways")) : null,
  ];
  /** @returns {Promise<string | null>} */
  const save = async () => {
    if (spec === undefined) return words.say("condition.none");
    const many = spec.counted ? amount.valueAsNumber : 1;
    if (!Number.isInteger(many) || many < 1) {
      amount.focus();
      return words.say("condition.badAmount");
    }
    const condition = of === "" ? spec.key : `${spec.key}.${of}`;
    const from = spec.giver && by.value !== "" ? by.value : null;
    const all = also.read();
    const before = all.map(({ id }) => ({ id, held: model.conditions(id).find((each) => each.key === condition && (each.by ?? null) === from) }));
    /** @type {Command} */
    const cmd = {
      t: "SetCondition",
      actors: all.map(({ id }) => id),
      condition,
      amount: many,
      by: from,
      expiry: clock.read(),
      ...(luckEnds && { luckEnds }),
      ...(note.value.trim() !== "" && { note: note.value.trim() }),
    };
    const outcome = await model.send(cmd);
    if (!outcome.ok) return words.refusal(outcome);
    if (outcome.changed === false) {
      tell(words.say("grant.already"));
      return null;
    }
    const undo = wayBack(model, tell, () => settingBack(before, condition, from));
    tell(words.say("event.ConditionSet", { name: namesOf(all), condition: words.condition(condition, many) }), { undo });
    return null;
  };
  if (spec === undefined) return { root: el("p", { class: "hint" }, words.say("condition.none")), save };
  const root = el("div", { class: "bb-form" }, picker(model, specs, choose), help, own, clock.root, field(words.say("condition.note"), note), also.root);
  choose(spec);
  return { root, save };
}

/**
 * @param {TableModel} model
 * @param {readonly ConditionSpec[]} specs
 * @param {(spec: ConditionSpec) => void} choose
 */
function picker(model, specs, choose) {
  const label = model.words.say("condition.which");
  if (specs.length > CHIPS) {
    const select = el("select", { "data-testid": "condition-key", onchange: () => choose(specs[select.selectedIndex]) },
      specs.map((spec) => el("option", { value: spec.key }, spec.label)));
    return field(label, select);
  }
  const name = unique("condition");
  return el(
    "fieldset",
    { class: "targets", "data-testid": "condition-key" },
    el("legend", {}, label),
    el("div", { class: "chips" }, specs.map((spec, index) =>
      el("label", { class: "chip check-chip", "data-condition": spec.key, title: spec.help || null },
        el("input", { type: "radio", name, value: spec.key, checked: index === 0, onchange: () => choose(spec) }), spec.label))),
  );
}

/**
 * @param {TableModel} model
 * @param {ConditionSpec} spec
 * @param {(of: string) => void} set
 */
function ofField({ words }, spec, set) {
  const options = (spec.of ?? []).map(({ value, label }) => ({ value: String(value), label }));
  return oneOf({ label: words.say("condition.of"), options, value: options[0].value, choose: set, testid: "condition-of", few: OF_FEW });
}
