/** The attacks of an actor: a name, the number it is rolled with, what it is rolled against, what its criticals do. */

/** @import { Numbers } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { el } from "../cards/dom.mjs";
import { glyph } from "../cards/glyphs.mjs";
import { button, field } from "./parts.mjs";
import { slug } from "./slug.mjs";

/** @typedef {NonNullable<Numbers["attacks"]>} Attacks */
/** @typedef {NonNullable<Numbers["values"]>} Values */

/**
 * @param {TableModel} model
 * @param {Attacks} attacks
 * @param {() => Values} numbers the numbers as the form has them now
 * @returns {{root: HTMLElement, read: () => Attacks}}
 */
export function attacksForm(model, attacks, numbers) {
  const { words } = model;
  /** @type {{read: () => Attacks[number] | null, row: HTMLElement}[]} */
  let rows = [];
  const list = el("ul", { class: "attack-rows" });
  const add = (/** @type {Attacks[number] | null} */ attack) => {
    const form = attackForm(model, attack, numbers, () => {
      rows = rows.filter((each) => each.row !== form.row);
      form.row.remove();
    });
    rows.push(form);
    list.append(form.row);
    return form;
  };
  attacks.forEach(add);
  return {
    root: el("div", { "data-testid": "attacks" }, list, button(words.say("attack.add"), () => add(null).name.focus(), { class: "button small", "data-testid": "add-attack" })),
    read: () => {
      const taken = new Set();
      return rows.map(({ read }) => read()).filter((attack) => attack !== null).map((attack) => {
        let { id } = attack;
        for (let n = 2; taken.has(id); n += 1) id = `${attack.id.slice(0, 36)}${n}`;
        taken.add(id);
        return { ...attack, id };
      });
    },
  };
}

/**
 * What an attack of this game may be rolled with: the actor's own numbers, of the group that the game names.
 *
 * @param {TableModel} model
 * @param {Values} values
 * @returns {{value: string, label: string}[]}
 */
function attributes(model, values) {
  const { attackAttributes, numbers } = model.ruleset;
  const fixed = numbers.filter((spec) => !spec.group && spec.kind !== "die").map((spec) => ({ value: spec.key, label: spec.label }));
  const own = values.filter((number) => number.key.includes(".")).map(({ key, label }) => ({ value: key, label: label || key }));
  const named = [...own, ...fixed];
  const fitting = attackAttributes
    ? named.filter(({ value }) => value === attackAttributes || value.startsWith(`${attackAttributes}.`))
    : named;
  return fitting.length > 0 ? [...fitting, ...named.filter((each) => !fitting.includes(each))] : named;
}

/**
 * What it may be rolled against, in the game's own words where it has one.
 *
 * @param {TableModel} model
 * @returns {{value: string, label: string}[]}
 */
function opposed(model) {
  const named = model.ruleset.checks.flatMap((check) => check.params).filter((param) => param.ofTarget).flatMap((param) => param.choices ?? []);
  return (model.ruleset.attacksAgainst ?? []).map((value) => ({
    value,
    label: named.find((choice) => choice.value === value)?.label
      ?? model.ruleset.numbers.find((number) => number.key === value)?.label
      ?? model.words.say("attack.defense"),
  }));
}

/**
 * @param {TableModel} model
 * @param {Attacks[number] | null} attack
 * @param {() => Values} numbers
 * @param {() => void} remove
 */
function attackForm(model, attack, numbers, remove) {
  const { words } = model;
  const name = el("input", { type: "text", maxlength: 80, value: attack?.name ?? "", placeholder: words.say("attack.namePlaceholder"), "data-testid": "attack-name" });
  const attribute = el("select", { onfocus: () => fillAttributes() });
  const fillAttributes = () => {
    const wanted = attribute.value || attack?.attribute;
    attribute.replaceChildren(...attributes(model, numbers()).map(({ value, label }) => el("option", { value, selected: value === wanted }, label)));
    if (attack !== null && attribute.value !== wanted) attribute.append(el("option", { value: attack.attribute, selected: true }, attack.attribute));
  };
  fillAttributes();
  const against = el("select", {}, opposed(model).map(({ value, label }) => el("option", { value, selected: value === (attack?.against ?? "defense") }, label)));
  const tags = el("input", { type: "text", value: (attack?.tags ?? []).join(", "), placeholder: words.say("attack.tagsPlaceholder") });
  const crit = el("input", { type: "text", maxlength: 80, value: attack?.onCrit?.name ?? "", placeholder: words.say("attack.critPlaceholder") });
  const amount = el("input", { type: "number", inputmode: "numeric", min: 1, max: 999, value: String(attack?.onCrit?.amount ?? 1) });
  const row = el(
    "li",
    { class: "attack-row", "data-testid": "attack" },
    el("div", { class: "attack-head" }, field(words.say("attack.name"), name),
      el("button", { type: "button", class: "icon-button", "aria-label": words.say("attack.remove"), onclick: remove }, glyph("close"))),
    el("div", { class: "grid-fields" }, field(words.say("attack.with"), attribute), field(words.say("attack.against"), against)),
    el("details", { class: "fold", open: Boolean(attack?.onCrit || attack?.tags?.length) },
      el("summary", {}, words.say("attack.more")),
      el("div", { class: "grid-fields" }, field(words.say("attack.crit"), crit), field(words.say("attack.critAmount"), amount), field(words.say("attack.tags"), tags))),
  );
  /** @returns {Attacks[number] | null} */
  const read = () => {
    if (name.value.trim() === "") return null;
    const onCrit = crit.value.trim() === "" ? null : { name: crit.value.trim(), amount: Math.max(1, Math.trunc(amount.valueAsNumber) || 1) };
    const key = slug(name.value.trim(), 36);
    return {
      id: attack?.id ?? (/^[a-z]/i.test(key) ? key : `a_${key}`),
      name: name.value.trim(),
      attribute: attribute.value,
      against: against.value,
      tags: tags.value.split(",").map((tag) => tag.trim()).filter((tag) => tag !== "").map((tag) => slug(tag)).filter((tag) => /^[a-z]/i.test(tag)),
      ...(onCrit !== null && { onCrit }),
    };
  };
  return { row, read, name };
}
