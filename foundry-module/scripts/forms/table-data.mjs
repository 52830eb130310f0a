/**
 * What a table may edit of its game: ladders of difficulties, conditions and circumstances of its own, amounts that the
 * rules leave open, what criticals do, prices. Which of these a game has, it says itself (`RulesetInfo.data`). What was
 * typed and not saved stays, whatever happens at the table meanwhile.
 *
 * Hooks: table-data, data-PART (a section), data-PART-rows (its list), data-ladder-KEY, data-changed, data-own-again.
 */

/** @import { Ladder, OnCrit, Outcome, OwnCircumstance, OwnCondition, Step, TableData } from "../client/types.mjs" */
/** @import { Child } from "../cards/dom.mjs" */
/** @import { Place } from "./data-places.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Tell } from "./standing-acts.mjs" */

import { el } from "../cards/dom.mjs";
import { newId } from "../client/ids.mjs";
import { firstMissing, placeOf } from "./data-places.mjs";
import { completed, ladderName, usualOf } from "./data-usual.mjs";
import { button } from "./parts.mjs";
import { RowList } from "./row-list.mjs";
import { amountRow, circumstanceRow, conditionRow, dieRow, onCritRow, stepRow, whole } from "./table-data-rows.mjs";
import { wayBack } from "./way-back.mjs";

/**
 * Ask before something is done that is not easily undone.
 *
 * @typedef {(about: {title: string, text: string, yes: string}) => Promise<boolean>} Ask
 */

export class TableDataForm {
  #base = "";
  /** as it was drawn, before anybody typed */
  #drawn = "";
  /** @type {(() => TableData) | null} */
  #read = null;
  /** @type {((place: Place, text: string) => boolean) | null} */
  #blame = null;
  #clean = () => {};

  /**
   * @param {TableModel} model
   * @param {Tell} tell
   * @param {Ask} ask
   * @param {() => void} [done] the game's own count again
   */
  constructor(model, tell, ask, done = () => {}) {
    const { words } = model;
    this.model = model;
    this.tell = tell;
    this.ask = ask;
    this.done = done;
    this.parts = el("div", { class: "data-parts" });
    this.moved = el("p", { class: "hint", role: "status", hidden: true, "data-testid": "data-changed" }, words.say("data.moved"), " ",
      el("button", { type: "button", class: "bb-link", onclick: () => this.#draw() }, words.say("data.takeNew")));
    this.again = button(words.say("data.ownAgain"), () => void this.#ownAgain(), { class: "button small", "data-danger": true, "data-testid": "data-own-again" });
    this.zone = el("div", { class: "danger-zone" }, this.again);
    this.root = el(
      "div",
      { class: "table-data", "data-testid": "table-data" },
      el("p", { class: "help" }, words.say("data.lead")),
      this.moved,
      this.parts,
      this.zone,
    );
    this.#draw();
  }

  /** The table's data changed: what nobody touched here follows. */
  update() {
    this.zone.hidden = this.model.ruleset.edited !== true;
    const now = JSON.stringify(this.model.ruleset.data ?? null);
    if (now === this.#base) return;
    if (this.isTouched) this.moved.hidden = false;
    else this.#draw();
  }

  /** Whether something was typed that does not stand at the table. */
  get isTouched() {
    return this.#read !== null && JSON.stringify(this.#read()) !== this.#drawn;
  }

  /** @returns {TableData | null} as it stands on the form */
  read() {
    return this.#read?.() ?? null;
  }

  /** @returns {Promise<string | null>} what is wrong */
  async save() {
    const { model, tell } = this;
    const { words } = model;
    const data = this.read();
    if (data === null) return words.say("data.none");
    this.#clean();
    if (!this.isTouched) {
      tell(words.say("send.unchanged"));
      return null;
    }
    const missing = firstMissing(data);
    if (missing !== null) {
      const text = words.say(missing.what === "label" ? "data.needWord" : "data.needWhole");
      this.#blame?.(missing, text);
      return text;
    }
    const before = model.ruleset.edited ? model.ruleset.data ?? null : null;
    const outcome = await model.send({ t: "SetTableData", data });
    if (!outcome.ok) return this.#refused(outcome);
    this.moved.hidden = true;
    this.#drawn = JSON.stringify(this.#read?.() ?? null);
    this.#base = JSON.stringify(this.model.ruleset.data ?? null);
    tell(words.say("data.saved"), { undo: wayBack(model, tell, () => [{ t: "SetTableData", data: before }]) });
    return null;
  }

  /**
   * @param {Outcome} outcome
   */
  #refused(outcome) {
    const { words } = this.model;
    const text = words.refusal(outcome);
    const place = placeOf(this.read(), outcome.values ?? {});
    if (place !== null) this.#blame?.(place, text);
    return text;
  }

  async #ownAgain() {
    const { model, tell } = this;
    const { words } = model;
    const before = model.ruleset.data ?? null;
    const agreed = await this.ask({ title: words.say("data.ownAgainTitle"), text: words.say("data.ownAgainText"), yes: words.say("data.ownAgain") });
    if (!agreed) return;
    const outcome = await model.send({ t: "SetTableData", data: null });
    if (!outcome.ok) tell(words.refusal(outcome), { tone: "trouble" });
    else {
      this.#draw();
      this.done();
      tell(words.say("data.isOwnAgain"), { undo: wayBack(model, tell, () => [{ t: "SetTableData", data: before }]) });
    }
  }

  #draw() {
    const { data } = this.model.ruleset;
    this.moved.hidden = true;
    this.zone.hidden = this.model.ruleset.edited !== true;
    this.#base = JSON.stringify(data ?? null);
    if (data === null || data === undefined) {
      this.#read = null;
      this.parts.replaceChildren(el("p", { class: "hint" }, this.model.words.say("data.none")));
      return;
    }
    const parts = partsOf(this.model, completed(data, usualOf(this.model)));
    this.#read = () => Object.assign({ ruleset: data.ruleset }, ...parts.map((part) => part.read()));
    this.#blame = (place, text) => parts.some((part) => part.blame(place, text));
    this.#clean = () => {
      for (const part of parts) part.clean();
    };
    this.parts.replaceChildren(...parts.map(({ root }) => root));
    this.#drawn = JSON.stringify(this.#read());
  }
}

/**
 * @typedef {object} Part
 * @property {HTMLElement} root
 * @property {() => Partial<TableData>} read
 * @property {(place: Place, text: string) => boolean} blame
 * @property {() => void} clean
 */

/**
 * @param {TableModel} model
 * @param {TableData} data
 * @returns {Part[]}
 */
function partsOf(model, data) {
  const { words } = model;
  const { ladders = [], conditions = [], circumstances = [], amounts = [], onCrits = [], rankDice = [], levelStep = null, xpPerLevel = null } = data;
  /** @type {Part[]} */
  const parts = [];
  if (ladders.length > 0) parts.push(laddersPart(model, ladders));
  parts.push(listPart(model, "circumstances", new RowList(words, {
    testid: "data-circumstances-rows",
    kind: "data-wide",
    values: circumstances,
    make: circumstanceRow(model),
    add: { label: words.say("data.addCircumstance"), value: () => /** @type {OwnCircumstance} */ ({ id: "", label: "", sign: "boon" }) },
  })));
  /** @type {RowList<OwnCondition>} */
  const conditionList = new RowList(words, {
    testid: "data-conditions-rows",
    kind: "data-wide",
    values: conditions,
    make: conditionRow(model, () => conditionList.read()),
    add: { label: words.say("data.addCondition"), value: () => /** @type {OwnCondition} */ ({ key: `own_${newId().replace(/[^A-Za-z0-9]/g, "").slice(0, 10).toLowerCase()}`, label: "" }) },
  });
  parts.push(listPart(model, "conditions", conditionList));
  if (amounts.length > 0) {
    parts.push(listPart(model, "amounts", new RowList(words, { testid: "data-amounts-rows", values: amounts, make: amountRow(model) })));
  }
  if (onCrits.length > 0 || (usualOf(model).onCrits ?? []).length > 0) {
    parts.push(listPart(model, "onCrits", new RowList(words, {
      testid: "data-onCrits-rows",
      values: onCrits,
      make: onCritRow(model),
      add: { label: words.say("data.addOnCrit"), value: () => /** @type {OnCrit} */ ({ name: "", amount: 1 }) },
    })));
  }
  if (rankDice.length > 0) {
    parts.push(listPart(model, "rankDice", new RowList(words, {
      testid: "data-rankDice-rows",
      values: rankDice,
      make: dieRow(model),
    })));
  }
  if (levelStep !== null) parts.push(numberPart(model, "levelStep", levelStep));
  if (xpPerLevel !== null) parts.push(numberPart(model, "xpPerLevel", xpPerLevel));
  return parts;
}

/**
 * @param {TableModel} model
 * @param {string} part
 * @param {...Child} inner
 */
function section({ words }, part, ...inner) {
  const help = words.has(`data.part.${part}.help`) ? el("p", { class: "help" }, words.say(`data.part.${part}.help`)) : null;
  return el("fieldset", { class: "data-part", "data-testid": `data-${part}` }, el("legend", {}, words.say(`data.part.${part}.title`)), help, inner);
}

/**
 * @template Value
 * @param {TableModel} model
 * @param {"circumstances" | "conditions" | "amounts" | "onCrits" | "rankDice"} part
 * @param {RowList<Value>} list
 * @returns {Part}
 */
const listPart = (model, part, list) => ({
  root: section(model, part, list.root),
  read: () => /** @type {Partial<TableData>} */ ({ [part]: list.read() }),
  blame: (place, text) => place.part === part && list.blame(place.nth, text),
  clean: () => list.clean(),
});

/**
 * @param {TableModel} model
 * @param {"levelStep" | "xpPerLevel"} part
 * @param {number} value
 * @returns {Part}
 */
function numberPart(model, part, value) {
  const wrong = el("p", { class: "data-wrong", role: "alert", hidden: true });
  const number = whole(model.words.say(`data.part.${part}.label`), value, { "data-testid": `data-${part}-value` });
  return {
    root: section(model, part, number.root, wrong),
    read: () => ({ [part]: number.read() }),
    blame: (place, text) => {
      if (place.part !== part) return false;
      wrong.textContent = text;
      wrong.hidden = false;
      number.input.setAttribute("aria-invalid", "true");
      number.input.focus();
      return true;
    },
    clean: () => {
      wrong.hidden = true;
      number.input.removeAttribute("aria-invalid");
    },
  };
}

/**
 * @param {TableModel} model
 * @param {readonly Ladder[]} ladders
 * @returns {Part}
 */
function laddersPart(model, ladders) {
  const { words } = model;
  const lists = ladders.map(({ key, steps = [] }) => ({
    key,
    list: new RowList(words, {
      testid: `data-ladder-${key}`,
      values: steps,
      make: stepRow(model),
      add: { label: words.say("data.addStep"), value: () => /** @type {Step} */ ({ value: (steps.at(-1)?.value ?? 0) + 1, label: "" }) },
    }),
  }));
  return {
    root: section(model, "ladders", lists.map(({ key, list }) => el("div", { class: "data-ladder" }, el("h4", {}, ladderName(model, key)), list.root))),
    read: () => ({ ladders: lists.map(({ key, list }) => ({ key, steps: list.read() })) }),
    blame: ({ part, nth }, text) => lists.some(({ key, list }) => (part === `ladders.${key}` || (part === "ladders" && lists.length === 1)) && list.blame(nth, text)),
    clean: () => {
      for (const { list } of lists) list.clean();
    },
  };
}
