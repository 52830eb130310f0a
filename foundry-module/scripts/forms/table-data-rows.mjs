/** The rows of a table's own data: a step of a ladder, a condition, a circumstance, an amount, what a critical does, a die. */

/** @import { Amount, OnCrit, OwnCircumstance, OwnCondition, Step } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { RowParts } from "./row-list.mjs" */

import { el } from "../cards/dom.mjs";
import { optionsOf } from "./param-controls.mjs";
import { field, segments, signOption, toggle, unique } from "./parts.mjs";
import { slug } from "./slug.mjs";

const TONES = /** @type {const} */ (["good", "bad", "plain"]);
const LABEL = 80;
const NOTE = 500;

/**
 * @param {string} label
 * @param {string} value
 * @param {Readonly<Record<string, unknown>>} [props]
 */
function text(label, value, props = {}) {
  const input = el("input", { type: "text", maxlength: LABEL, value, "data-field": "label", ...props });
  return { input, root: field(label, input), read: () => input.value.trim() };
}

/**
 * @param {string} label
 * @param {number} value
 * @param {Readonly<Record<string, unknown>>} [props]
 */
export function whole(label, value, props = {}) {
  const input = el("input", { type: "number", inputmode: "numeric", step: 1, value: String(value), "data-field": "value", ...props });
  const root = field(label, input);
  root.classList.add("narrow");
  return { input, root, read: () => input.valueAsNumber };
}

/**
 * That something is our proposal, until somebody writes something else there.
 *
 * @param {TableModel} model
 * @param {boolean} proposed
 * @param {() => boolean} changed
 */
function proposal({ words }, proposed, changed) {
  const tag = proposed ? el("span", { class: "rule-tag", "data-tag": "ours" }, words.say("data.proposed")) : null;
  const still = () => proposed && !changed();
  return {
    tag,
    read: () => (still() ? { proposed: true } : {}),
    look: () => tag?.toggleAttribute("hidden", !still()),
  };
}

/**
 * A key of its own for something new; what has one keeps it, whatever it is called now.
 *
 * @param {string} key
 * @param {string} label
 */
const keyOf = (key, label) => (key !== "" ? key : slug(label, 36));

/**
 * @param {TableModel} model
 * @returns {(step: Step) => RowParts<Step>}
 */
export const stepRow = (model) => (step) => {
  const { words } = model;
  const value = whole(words.say("data.value"), step.value, { oninput: () => ours.look() });
  const label = text(words.say("data.word"), step.label, { oninput: () => ours.look() });
  const ours = proposal(model, step.proposed === true, () => value.read() !== step.value || label.read() !== step.label);
  return {
    fields: [value.root, label.root, ours.tag],
    name: label.read,
    read: () => ({ value: value.read(), label: label.read(), ...ours.read() }),
  };
};

/**
 * @param {TableModel} model
 * @returns {(amount: Amount) => RowParts<Amount>}
 */
export const amountRow = (model) => (amount) => {
  const value = whole(amount.label || model.words.condition(amount.key), amount.value, { oninput: () => ours.look() });
  value.root.classList.add("data-amount");
  value.root.querySelector("label")?.classList.add("data-rank");
  const ours = proposal(model, amount.proposed === true, () => value.read() !== amount.value);
  return {
    fields: [value.root, ours.tag],
    name: () => amount.label ?? amount.key,
    read: () => ({ key: amount.key, value: value.read(), ...(amount.label && { label: amount.label }), ...ours.read() }),
  };
};

/**
 * @param {TableModel} model
 * @returns {(each: OnCrit) => RowParts<OnCrit>}
 */
export const onCritRow = ({ words }) => (each) => {
  const name = text(words.say("data.onCrit"), each.name);
  const amount = whole(words.say("data.each"), each.amount ?? 1);
  return { fields: [name.root, amount.root], name: name.read, read: () => ({ name: name.read(), amount: amount.read() }) };
};

/**
 * @param {TableModel} model
 * @returns {(sides: number) => RowParts<number>}
 */
export const dieRow = ({ words }) => (sides) => {
  const die = whole("", sides);
  const label = die.root.querySelector("label");
  label?.classList.add("data-rank");
  let rank = 1;
  return {
    fields: [die.root],
    name: () => words.say("data.rank", { rank }),
    read: die.read,
    placed: (nth) => {
      rank = nth + 1;
      if (label !== null) label.textContent = words.say("data.rankDie", { rank });
    },
  };
};

/**
 * @param {TableModel} model
 * @returns {(each: OwnCircumstance) => RowParts<OwnCircumstance>}
 */
export const circumstanceRow = (model) => (each) => {
  const { words } = model;
  let sign = each.sign;
  const look = () => ours.look();
  const label = text(words.say("data.circumstance"), each.label, { oninput: look });
  const example = text(words.say("data.example"), each.example ?? "", { maxlength: NOTE, "data-field": "example", oninput: look });
  const signs = segments({
    label: words.say("data.sign"),
    options: /** @type {const} */ (["boon", "bane"]).map((value) => signOption(words, value)),
    value: sign,
    choose: (value) => {
      sign = value;
      look();
    },
  });
  const ours = proposal(model, each.proposed === true, () => label.read() !== each.label || sign !== each.sign || example.read() !== (each.example ?? ""));
  return {
    fields: [signs, label.root, example.root, ours.tag],
    name: label.read,
    read: () => ({
      id: keyOf(each.id, label.read()),
      label: label.read(),
      sign,
      ...(each.kind && { kind: each.kind }),
      ...(example.read() !== "" && { example: example.read() }),
      ...ours.read(),
    }),
  };
};

/**
 * @param {TableModel} model
 * @param {() => readonly OwnCondition[]} all every condition of the form as it stands, to imply one another
 * @returns {(each: OwnCondition) => RowParts<OwnCondition>}
 */
export const conditionRow = (model, all) => (each) => {
  const { words, ruleset } = model;
  let tone = each.tone ?? "plain";
  let counted = each.counted === true;
  const key = keyOf(each.key, "");
  const label = text(words.say("data.condition"), each.label);
  const help = text(words.say("data.help"), each.help ?? "", { maxlength: NOTE, "data-field": "help" });
  const mine = whole(words.say("data.own"), each.own ?? 0, { "data-field": "own" });
  const against = whole(words.say("data.against"), each.against ?? 0, { "data-field": "against" });
  const checks = ticks(words.say("data.checks"), ruleset.checks.map((spec) => ({ key: spec.key, label: spec.label })), each.checks ?? []);
  const attributes = ticks(words.say("data.attributes"), attributesOf(model), each.attributes ?? []);
  const implies = ticks(words.say("data.implies"), [], each.implies ?? []);
  const others = () => all().filter((other) => other.key !== key && other.label !== "").map((other) => ({ key: other.key, label: other.label }));
  const more = el("details", { class: "fold", ontoggle: () => implies.draw(others()) },
    el("summary", {}, words.say("data.more")),
    el("div", { class: "bb-form" },
      toggle({
        label: words.say("data.counted"),
        on: counted,
        turn: (on) => {
          counted = on;
        },
      }),
      checks.root, attributes.root, implies.root, help.root));
  return {
    fields: [
      label.root,
      segments({
        label: words.say("data.toneTitle"),
        options: TONES.map((value) => ({ value, label: words.say(`data.tone.${value}`) })),
        value: tone,
        choose: (value) => {
          tone = value;
        },
      }),
      mine.root,
      against.root,
      more,
    ],
    name: label.read,
    read: () => ({
      key,
      label: label.read(),
      ...(tone !== "plain" && { tone }),
      ...(counted && { counted }),
      ...(mine.read() !== 0 && { own: mine.read() }),
      ...(against.read() !== 0 && { against: against.read() }),
      ...(checks.read().length > 0 && { checks: checks.read() }),
      ...(attributes.read().length > 0 && { attributes: attributes.read() }),
      ...(implies.read().length > 0 && { implies: implies.read() }),
      ...(help.read() !== "" && { help: help.read() }),
    }),
  };
};

/**
 * What a roll may be made with: the numbers that checks ask for, as the game and the sheets at this table name them.
 *
 * @param {TableModel} model
 */
function attributesOf(model) {
  const found = model.ruleset.checks.flatMap((check) => check.params)
    .filter((param) => param.kind === "number" && !param.ofTarget)
    .flatMap((param) => [null, ...model.actors()].flatMap((actor) => optionsOf(param, actor, model)))
    .map(({ value, label }) => ({ key: String(value), label }));
  return [...new Map(found.map((each) => [each.key, each])).values()];
}

/**
 * Some of several; none means any.
 *
 * @param {string} label
 * @param {readonly {key: string, label: string}[]} options
 * @param {readonly string[]} chosen
 */
function ticks(label, options, chosen) {
  const on = new Set(chosen);
  const chips = el("div", { class: "chips" });
  const root = el("fieldset", { class: "targets" }, el("legend", {}, label), chips);
  const draw = (/** @type {readonly {key: string, label: string}[]} */ all) => {
    // What was chosen and is not offered any more can still be taken away.
    const known = new Set(all.map(({ key }) => key));
    const rest = [...on].filter((key) => !known.has(key)).map((key) => ({ key, label: key }));
    chips.replaceChildren(...[...all, ...rest].map(({ key, label: word }) => {
      const box = el("input", {
        type: "checkbox",
        id: unique("tick"),
        checked: on.has(key),
        onchange: () => {
          if (box.checked) on.add(key);
          else on.delete(key);
        },
      });
      return el("label", { class: "chip check-chip", "data-key": key }, box, word);
    }));
    root.hidden = chips.childElementCount === 0;
  };
  draw(options);
  return { root, draw, read: () => [...on] };
}
