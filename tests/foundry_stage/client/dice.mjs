/**
 * `foundry.dice`: rolls and their terms. Known results come in by `fromData`; a formula is parsed and evaluated with the browser's
 * own dice. Modelled: dice with kh, kl, dh, dl, k; numbers; + - * /; parentheses; `@data`; flavour in brackets. Pools, functions
 * and fulfilment are not, and throw.
 */

import { escapeHTML, getProperty } from "./utils.mjs";

const EVALUATED = "This Roll has already been evaluated and is now immutable";

export class RollTerm {
  static SERIALIZE_ATTRIBUTES = [];

  constructor({ options = {} } = {}) {
    this.options = options;
    this._evaluated = false;
  }

  get expression() {
    throw new Error("a term has an expression");
  }

  get formula() {
    return this.flavor ? `${this.expression}[${this.flavor}]` : this.expression;
  }

  get flavor() {
    return this.options.flavor || "";
  }

  get total() {
    throw new Error("a term has a total");
  }

  get isDeterministic() {
    return true;
  }

  evaluate() {
    if (this._evaluated) throw new Error(`The ${this.constructor.name} has already been evaluated and is now immutable`);
    this._evaluated = true;
    return this;
  }

  toJSON() {
    const data = { class: this.constructor.name, options: this.options, evaluated: this._evaluated };
    for (const name of this.constructor.SERIALIZE_ATTRIBUTES) data[name] = this[name];
    return JSON.parse(JSON.stringify(data));
  }

  static fromData(data) {
    const cls = CONFIG.Dice.termTypes[data.class] ?? terms[data.class];
    if (!cls) throw new Error(`unknown class of term: ${data.class}`);
    const term = new cls({ ...data, results: data.results?.map((result) => ({ ...result })) });
    term._evaluated = data.evaluated ?? true;
    return term;
  }
}

export class NumericTerm extends RollTerm {
  static SERIALIZE_ATTRIBUTES = ["number"];

  constructor({ number, options } = {}) {
    super({ options });
    this.number = Number(number);
  }

  get expression() {
    return String(this.number);
  }

  get total() {
    return this.number;
  }
}

export class OperatorTerm extends RollTerm {
  static SERIALIZE_ATTRIBUTES = ["operator"];

  constructor({ operator, options } = {}) {
    super({ options });
    this.operator = operator;
  }

  get expression() {
    return ` ${this.operator} `;
  }

  get flavor() {
    return "";
  }

  get total() {
    return ` ${this.operator} `;
  }
}

export class DiceTerm extends RollTerm {
  static SERIALIZE_ATTRIBUTES = ["number", "faces", "modifiers", "results", "method"];

  constructor({ number = 1, faces = 6, method, modifiers = [], results = [], options = {} } = {}) {
    super({ options });
    this._number = number;
    this._faces = faces;
    this.method = method;
    this.modifiers = modifiers;
    this.results = results;
    if (results.length) this._evaluated = true;
  }

  get number() {
    return this._number;
  }

  get faces() {
    return this._faces;
  }

  get denomination() {
    return `d${this.faces}`;
  }

  get expression() {
    return `${this.number}${this.denomination}${this.modifiers.join("")}`;
  }

  get isDeterministic() {
    return false;
  }

  get total() {
    if (!this._evaluated) return undefined;
    return this.results.reduce((sum, result) => (result.active ? sum + (result.count ?? result.result) : sum), 0);
  }

  get values() {
    return this.results.filter((result) => result.active).map((result) => result.result);
  }

  evaluate({ minimize = false, maximize = false } = {}) {
    super.evaluate();
    for (let i = this.results.length; i < this.number; i++) {
      const result = minimize ? 1 : maximize ? this.faces : Math.ceil((1 - CONFIG.Dice.randomUniform()) * this.faces);
      this.results.push({ result, active: true });
    }
    for (const modifier of this.modifiers) this.#modify(modifier);
    return this;
  }

  #modify(text) {
    const [, what, count = "1"] = /^(kh|kl|k|dh|dl|d)(\d*)$/.exec(text) ?? [];
    if (!what) throw new Error(`the stand-in's dice do not know the modifier ${text}`);
    const n = Number(count || 1);
    const low = what === "kl" || what === "dl" || what === "d";
    const order = this.results.filter((result) => result.active).sort((a, b) => (low ? a.result - b.result : b.result - a.result));
    const dropped = what.startsWith("k") ? order.slice(n) : order.slice(0, n);
    for (const result of dropped) Object.assign(result, { active: false, discarded: true });
  }

  getResultLabel(result) {
    return String(result.result);
  }

  getResultCSS(result) {
    return [
      this.constructor.name.toLowerCase(), this.denomination, result.success ? "success" : null, result.failure ? "failure" : null,
      result.rerolled ? "rerolled" : null, result.exploded ? "exploded" : null, result.discarded ? "discarded" : null,
      !result.discarded && result.result === 1 ? "min" : null, !result.discarded && result.result === this.faces ? "max" : null,
    ];
  }

  getTooltipData() {
    return {
      formula: this.expression, total: this.total, faces: this.faces, flavor: this.flavor,
      rolls: this.results.filter((result) => !result.hidden)
        .map((result) => ({ result: this.getResultLabel(result), classes: this.getResultCSS(result).filter(Boolean).join(" ") })),
    };
  }
}

export class Die extends DiceTerm {
  static DENOMINATION = "d";
}

export class Coin extends DiceTerm {
  static DENOMINATION = "c";
}

export class ParentheticalTerm extends RollTerm {
  static SERIALIZE_ATTRIBUTES = ["term", "roll"];

  constructor({ term, roll, options } = {}) {
    super({ options });
    this.term = term;
    this.roll = roll instanceof Roll ? roll : roll ? Roll.fromData(roll) : new Roll(term);
  }

  get expression() {
    return `(${this.roll.formula})`;
  }

  get total() {
    return this.roll.total;
  }

  get isDeterministic() {
    return this.roll.isDeterministic;
  }

  get dice() {
    return this.roll.dice;
  }

  evaluate(options) {
    super.evaluate();
    this.roll._stageEvaluate(options);
    return this;
  }
}

export class Roll {
  static CHAT_TEMPLATE = "templates/dice/roll.hbs";

  static TOOLTIP_TEMPLATE = "templates/dice/tooltip.hbs";

  constructor(formula, data = {}, options = {}) {
    this.data = data;
    this.options = options;
    this.terms = Roll.parse(String(formula), data);
    this._formula = Roll.getFormula(this.terms);
    this._evaluated = false;
    this._total = undefined;
    this._dice = [];
  }

  static get defaultImplementation() {
    return CONFIG.Dice.rolls[0];
  }

  static create(formula, data = {}, options = {}) {
    return new (Roll.defaultImplementation)(formula, data, options);
  }

  static getFormula(list) {
    return list.map((term) => term.formula).join("");
  }

  static replaceFormulaData(formula, data) {
    return formula.replace(/@([a-z.0-9_-]+)/gi, (_match, path) => {
      const value = getProperty(data, path);
      return value === undefined || value === null ? "0" : String(value).trim();
    });
  }

  static validate(formula) {
    try {
      Roll.parse(String(formula), {});
      return true;
    } catch {
      return false;
    }
  }

  static parse(formula, data) {
    let rest = Roll.replaceFormulaData(formula, data).trim();
    const found = [];
    const take = (pattern) => {
      const match = pattern.exec(rest);
      if (match) rest = rest.slice(match[0].length);
      return match;
    };
    while (rest.length) {
      const last = found.at(-1);
      const wantsOperator = last && !(last instanceof OperatorTerm);
      let match;
      if ((match = take(/^\s*([+*/%-])\s*/))) {
        if (!wantsOperator && match[1] !== "-" && match[1] !== "+") throw new Error(`Unresolved operator in ${formula}`);
        if (!wantsOperator && !last && match[1] === "-") found.push(new NumericTerm({ number: 0 }));
        found.push(new OperatorTerm({ operator: match[1] }));
      } else if (wantsOperator) {
        throw new Error(`Unresolved StringTerm ${rest} requested for evaluation`);
      } else if ((match = take(/^\s*(\d*)d(\d+)((?:kh|kl|dh|dl|k|d)\d*)*(?:\[([^\]]*)\])?/i))) {
        const modifiers = match[0].replace(/\[.*$/, "").match(/(kh|kl|dh|dl|k)\d*/gi) ?? [];
        found.push(new Die({ number: Number(match[1] || 1), faces: Number(match[2]), modifiers, options: match[4] ? { flavor: match[4] } : {} }));
      } else if ((match = take(/^\s*(\d+(?:\.\d+)?)(?:\[([^\]]*)\])?/))) {
        found.push(new NumericTerm({ number: Number(match[1]), options: match[2] ? { flavor: match[2] } : {} }));
      } else if ((match = take(/^\s*\(([^()]*)\)/))) {
        found.push(new ParentheticalTerm({ term: match[1] }));
      } else {
        throw new Error(`the stand-in's dice cannot read "${rest}" in "${formula}"`);
      }
    }
    return found;
  }

  get dice() {
    return this._dice.concat(this.terms.flatMap((term) => (term instanceof DiceTerm ? [term] : term.dice ?? [])));
  }

  get formula() {
    return Roll.getFormula(this.terms);
  }

  get result() {
    return this.terms.map((term) => term.total).join("");
  }

  get total() {
    return this._total;
  }

  get isDeterministic() {
    return this.terms.every((term) => term.isDeterministic);
  }

  async evaluate(options = {}) {
    return this._stageEvaluate(options);
  }

  async roll(options) {
    return this.evaluate(options);
  }

  evaluateSync({ strict = true, ...options } = {}) {
    if (strict && !this.isDeterministic) throw new Error("This Roll contains terms that cannot be synchronously evaluated");
    return this._stageEvaluate(options);
  }

  async reroll(options) {
    return this.clone().evaluate(options);
  }

  clone() {
    return new this.constructor(this._formula, this.data, this.options);
  }

  _stageEvaluate(options = {}) {
    if (this._evaluated) throw new Error(EVALUATED);
    this._evaluated = true;
    for (const term of this.terms) if (!term._evaluated) term.evaluate(options);
    this._total = this._evaluateTotal();
    return this;
  }

  _evaluateTotal() {
    const value = [];
    for (const term of this.terms) value.push(term instanceof OperatorTerm ? term.operator : term.total);
    const flat = [];
    for (let i = 0; i < value.length; i++) {
      if (value[i] === "*" || value[i] === "/" || value[i] === "%") {
        const [a, b] = [flat.pop(), value[++i]];
        flat.push(value[i - 1] === "*" ? a * b : value[i - 1] === "/" ? a / b : a % b);
      } else flat.push(value[i]);
    }
    let total = 0;
    let sign = 1;
    let operand = false;
    for (const part of flat) {
      if (part === "+" || part === "-") {
        sign = (operand ? 1 : sign) * (part === "-" ? -1 : 1);
        operand = false;
        continue;
      }
      if (operand) throw new Error("two terms without an operator between them");
      total += sign * part;
      sign = 1;
      operand = true;
    }
    if (typeof total !== "number" || Number.isNaN(total)) throw new Error("The Roll's total is not a number");
    return total;
  }

  resetFormula() {
    this._formula = Roll.getFormula(this.terms);
    return this._formula;
  }

  toString() {
    return this._formula;
  }

  toJSON() {
    return {
      class: this.constructor.name, options: this.options, dice: this._dice.map((term) => term.toJSON()), formula: this._formula,
      terms: this.terms.map((term) => term.toJSON()), total: this._total, evaluated: this._evaluated,
    };
  }

  static fromJSON(json) {
    const data = typeof json === "string" ? JSON.parse(json) : json;
    const cls = CONFIG.Dice.rolls.find((known) => known.name === data.class) ?? (data.class === "Roll" ? Roll : null);
    if (!cls) throw new Error(`Unable to recreate ${data.class} instance from provided data`);
    return cls.fromData(data);
  }

  static fromData(data) {
    const roll = new this(data.formula, data.data ?? {}, data.options ?? {});
    roll.terms = data.terms.map((term) => {
      if (term.class === "DiceTerm") throw new Error("a die has a class of its own");
      return RollTerm.fromData(term);
    });
    roll._formula = Roll.getFormula(roll.terms);
    if (data.evaluated ?? true) {
      roll._total = data.total;
      roll._dice = (data.dice ?? []).map((term) => RollTerm.fromData(term));
      roll._evaluated = true;
    }
    return roll;
  }

  static fromTerms(list, options = {}) {
    const done = list.filter((term) => term._evaluated).length;
    if (done && done !== list.length) throw new Error("You can only call Roll.fromTerms with an array of terms which are either all evaluated, or none evaluated");
    const roll = new this(Roll.getFormula(list), {}, options);
    roll.terms = list;
    roll._formula = Roll.getFormula(list);
    if (done) {
      roll._evaluated = true;
      roll._total = roll._evaluateTotal();
    }
    return roll;
  }

  async getTooltip() {
    const parts = this.dice.map((term) => term.getTooltipData());
    return `<div class="dice-tooltip"><div class="wrapper">${parts.map((part) => `<section class="tooltip-part"><div class="dice">
      <header class="part-header flexrow"><span class="part-formula">${escapeHTML(part.formula)}</span>
      ${part.flavor ? `<span class="part-flavor">${escapeHTML(part.flavor)}</span>` : ""}
      <span class="part-total">${part.total}</span></header>
      <ol class="dice-rolls">${part.rolls.map((roll) => `<li class="roll ${roll.classes}">${escapeHTML(roll.result)}</li>`).join("")}</ol>
      </div></section>`).join("")}</div></div>`;
  }

  async render({ flavor, isPrivate = false } = {}) {
    if (!this._evaluated) await this.evaluate({ allowInteractive: !isPrivate });
    return `<div class="dice-roll" data-action="expandRoll">
      ${flavor ? `<div class="dice-flavor">${flavor}</div>` : ""}
      <div class="dice-result"><div class="dice-formula">${isPrivate ? "???" : escapeHTML(this._formula)}</div>
      ${isPrivate ? "" : await this.getTooltip()}
      <h4 class="dice-total">${isPrivate ? "?" : Math.round(this.total * 100) / 100}</h4></div></div>`;
  }

  async toMessage(messageData = {}, { create = true, rollMode, messageMode, ...options } = {}) {
    if (!this._evaluated) await this.evaluate({ allowInteractive: rollMode !== "blindroll" });
    const data = {
      author: game.user.id, content: String(this.total), sound: CONFIG.sounds.dice, ...messageData, rolls: [this, ...(messageData.rolls ?? [])],
    };
    const Cls = ChatMessage.implementation;
    if (Cls.applyMode) {
      const mode = messageMode ?? (rollMode ? Roll._mapLegacyRollMode(rollMode) : game.settings.get("core", "messageMode"));
      if (create) return Cls.create(data, { messageMode: mode, ...options });
      return Cls.applyMode(data, mode);
    }
    const mode = !rollMode || rollMode === "roll" ? game.settings.get("core", "rollMode") : rollMode;
    if (create) return Cls.create(data, { rollMode: mode, ...options });
    return Cls.applyRollMode(data, mode);
  }

  toAnchor({ label, classes: names = [] } = {}) {
    const anchor = document.createElement("a");
    anchor.classList.add("inline-roll", ...names);
    anchor.dataset.roll = encodeURIComponent(JSON.stringify(this));
    anchor.textContent = label ?? String(this.total);
    return anchor;
  }
}

/** Given to `Roll` as a static only in V14. */
export function mapLegacyRollMode(mode) {
  return { publicroll: "public", gmroll: "gm", blindroll: "blind", selfroll: "self", roll: game.settings.get("core", "messageMode") }[mode] ?? mode;
}

export const terms = { RollTerm, NumericTerm, OperatorTerm, DiceTerm, Die, Coin, ParentheticalTerm };
