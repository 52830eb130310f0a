/**
 * The readings of the rules that a table chooses: what each decides, with an example, what is usual, what was changed.
 * GMs choose; everybody may read. What is chosen and not saved stays, whatever happens at the table meanwhile.
 *
 * Hooks: house-rules, rule-filter, rule (`data-option`, `data-changed`, `data-idle`), option-KEY, rule-usual, rule-wrong,
 * rare-rules, rules-none.
 */

/** @import { OptionSpec, Outcome } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Value } from "./rule-controls.mjs" */
/** @import { Tell } from "./standing-acts.mjs" */

import { own } from "../client/own.mjs";
import { el } from "../cards/dom.mjs";
import { button, field, unique } from "./parts.mjs";
import { controlOf, fits, wordOf } from "./rule-controls.mjs";
import { wayBack } from "./way-back.mjs";

/**
 * @typedef {object} Rule
 * @property {OptionSpec} spec
 * @property {HTMLElement} root
 * @property {() => Value} read
 * @property {(value: Value) => void} write
 * @property {Value} base what stood at the table when it was last looked at
 * @property {(text: string | null) => void} blame
 * @property {() => void} tidy
 */

export class HouseRules {
  /** @type {Rule[]} */
  #rules = [];

  /**
   * @param {TableModel} model
   * @param {Tell} tell
   */
  constructor(model, tell) {
    const { words, isGm } = model;
    this.model = model;
    this.tell = tell;
    this.filter = el("input", { type: "search", "data-testid": "rule-filter", oninput: () => this.#sift() });
    this.none = el("p", { class: "hint", role: "status", hidden: true, "data-testid": "rules-none" }, words.say("options.noneFound"));
    this.#rules = model.ruleset.optionSpecs.map((spec) => (isGm ? this.#asked(spec) : this.#told(spec)));
    const plain = this.#rules.filter(({ spec }) => spec.rare !== true);
    const rare = this.#rules.filter(({ spec }) => spec.rare === true);
    this.summary = el("summary", {});
    this.rare = el("details", { class: "fold rare-rules", hidden: rare.length === 0, "data-testid": "rare-rules" }, this.summary, listOf(rare));
    this.root = el(
      "div",
      { class: "house-rules", "data-testid": "house-rules" },
      el("p", { class: "help" }, words.say(isGm ? "options.help" : "options.helpPlayer")),
      field(words.say("options.filter"), this.filter),
      listOf(plain),
      this.rare,
      this.none,
    );
    this.#tidy();
  }

  /** The table changed: what nobody touched here follows, what was chosen stays. */
  update() {
    for (const rule of this.#rules) {
      const now = this.#now(rule.spec);
      if (now === rule.base) continue;
      const touched = this.model.isGm && rule.read() !== rule.base;
      rule.base = now;
      if (!touched) rule.write(now);
    }
    this.#tidy();
  }

  /** @returns {Record<string, Value>} what is chosen here and does not stand at the table yet */
  get changes() {
    return Object.fromEntries(this.#rules.filter((rule) => rule.read() !== this.#now(rule.spec)).map((rule) => [rule.spec.key, rule.read()]));
  }

  /** @returns {Promise<string | null>} what is wrong */
  async save() {
    const { model, tell } = this;
    const { words } = model;
    const options = this.changes;
    const keys = Object.keys(options);
    for (const rule of this.#rules) rule.blame(null);
    if (keys.length === 0) {
      tell(words.say("send.unchanged"));
      return null;
    }
    const odd = this.#rules.find((rule) => typeof rule.read() === "number" && !fits(rule.spec, /** @type {number} */ (rule.read())));
    if (odd !== undefined) {
      const wrong = words.say("options.whole", { min: odd.spec.min, max: odd.spec.max });
      this.#point(odd, wrong);
      return `${odd.spec.label}: ${wrong}`;
    }
    const before = Object.fromEntries(this.#rules.filter(({ spec }) => keys.includes(spec.key)).map(({ spec }) => [spec.key, this.#now(spec)]));
    const outcome = await model.send({ t: "SetOptions", options });
    if (!outcome.ok) {
      this.#blame(outcome);
      return words.refusal(outcome);
    }
    tell(words.count("options.changed", keys.length), { undo: wayBack(model, tell, () => [{ t: "SetOptions", options: before }]) });
    return null;
  }

  /**
   * What does not fit together says so beside both.
   *
   * @param {Outcome} refused
   */
  #blame({ code, values }) {
    const { words } = this.model;
    const named = ["option", "other"].map((name) => own(values, name)).filter((key) => typeof key === "string");
    const rules = this.#rules.filter(({ spec }) => named.includes(spec.key));
    for (const rule of [...rules].reverse()) {
      const other = rules.find((each) => each !== rule);
      this.#point(rule, code === "option.contradiction" && other !== undefined
        ? words.say("options.contradicts", { other: other.spec.label })
        : words.refusal({ code, values }));
    }
  }

  /**
   * @param {Rule} rule
   * @param {string} text
   */
  #point(rule, text) {
    rule.blame(text);
    rule.root.hidden = false;
    rule.root.closest("details")?.setAttribute("open", "");
    rule.root.scrollIntoView({ block: "center" });
  }

  /** Show those with a word in them; none: all. */
  #sift() {
    const asked = this.filter.value.trim().toLocaleLowerCase();
    let found = 0;
    for (const { spec, root } of this.#rules) {
      const text = [spec.label, spec.help, spec.example, ...(spec.values ?? []).map(({ label }) => label), ...(spec.rules ?? [])].join(" ").toLocaleLowerCase();
      root.hidden = !text.includes(asked);
      if (!root.hidden) found += 1;
      if (!root.hidden && asked !== "" && spec.rare) this.rare.open = true;
    }
    this.rare.hidden = this.#rules.every(({ spec, root }) => spec.rare !== true || root.hidden);
    this.none.hidden = found > 0;
  }

  #tidy() {
    const { words } = this.model;
    for (const rule of this.#rules) rule.tidy();
    const rare = this.#rules.filter(({ spec }) => spec.rare === true);
    const changed = rare.filter((rule) => rule.read() !== rule.spec.default).length;
    this.summary.textContent = words.say(changed > 0 ? "options.rareChanged" : "options.rare", { n: rare.length, changed });
  }

  /**
   * @param {OptionSpec} spec
   * @returns {Value}
   */
  #now(spec) {
    return /** @type {Value} */ (this.model.option(spec.key) ?? null);
  }

  /**
   * A rule to choose.
   *
   * @param {OptionSpec} spec
   * @returns {Rule}
   */
  #asked(spec) {
    const { words } = this.model;
    const base = this.#now(spec);
    const control = controlOf(this.model, spec, base, () => {
      wrong.hidden = true;
      this.#tidy();
    });
    const usual = button(words.say("options.toUsual"), () => {
      rule.write(spec.default);
      this.#tidy();
      // The button is gone with what it did.
      /** @type {HTMLElement | null} */ (root.querySelector(`${CONTROLS}:checked, select, input[type=number]`))?.focus();
    }, { class: "button small", "data-testid": "rule-usual", "aria-label": words.say("options.toUsualOf", { label: spec.label }) });
    const wrong = el("p", { class: "trouble", role: "alert", hidden: true, id: unique("wrong"), "data-testid": "rule-wrong" });
    const { root, tags, about } = frame(this.model, spec, control.root, [usual, wrong]);
    for (const input of root.querySelectorAll(CONTROLS)) input.setAttribute("aria-describedby", [about, wrong.id].join(" "));
    const rule = {
      spec,
      root,
      read: control.read,
      write: control.write,
      base,
      blame: (/** @type {string | null} */ text) => {
        wrong.textContent = text ?? "";
        wrong.hidden = text === null;
        root.toggleAttribute("data-wrong", text !== null);
      },
      tidy: () => {
        const changed = control.read() !== spec.default;
        usual.hidden = !changed;
        tags(changed ? words.say("options.changedFrom", { usual: wordOf(this.model, spec, spec.default) }) : "", this.#idleWhy(spec));
      },
    };
    return rule;
  }

  /**
   * A rule to read.
   *
   * @param {OptionSpec} spec
   * @returns {Rule}
   */
  #told(spec) {
    const value = el("strong", { "data-testid": `option-${spec.key}` });
    const { root, tags } = frame(this.model, spec, el("p", { class: "rule-told" }, el("span", { class: "rule-label" }, spec.label), value), []);
    const rule = {
      spec,
      root,
      base: this.#now(spec),
      read: () => rule.base,
      write: () => rule.tidy(),
      blame: () => {},
      tidy: () => {
        value.textContent = wordOf(this.model, spec, rule.base);
        const changed = rule.base !== spec.default;
        tags(changed ? this.model.words.say("options.changedFrom", { usual: wordOf(this.model, spec, spec.default) }) : "", this.#idleWhy(spec));
      },
    };
    return rule;
  }

  /**
   * With which choice, here on the form, an option decides nothing.
   *
   * @param {OptionSpec} spec
   */
  #idleWhy({ idle = [] }) {
    const met = idle.map(({ option, value }) => ({ value, rule: this.#rules.find((each) => each.spec.key === option) }))
      .find(({ rule, value }) => rule !== undefined && rule.read() === value);
    return met?.rule === undefined
      ? ""
      : this.model.words.say("options.idle", { option: met.rule.spec.label, value: wordOf(this.model, met.rule.spec, met.value) });
  }
}

const CONTROLS = "input, select";

/** @param {readonly Rule[]} rules */
const listOf = (rules) => el("ul", { class: "rule-list" }, rules.map(({ root }) => root));

/**
 * @param {TableModel} model
 * @param {OptionSpec} spec
 * @param {HTMLElement} control
 * @param {readonly HTMLElement[]} more
 */
function frame({ words }, spec, control, more) {
  const about = unique("rule");
  const changed = el("span", { class: "rule-tag", "data-tag": "changed", hidden: true });
  const idle = el("p", { class: "rule-idle", hidden: true });
  const rules = spec.rules ?? [];
  const [usual, ...rest] = more;
  const root = el(
    "li",
    { class: "house-rule", "data-option": spec.key, "data-testid": "rule" },
    control,
    el("div", { id: about, class: "rule-about" },
      spec.help ? el("p", { class: "help" }, spec.help) : null,
      spec.example ? el("p", { class: "help rule-example" }, words.say("options.example", { example: spec.example })) : null,
      idle),
    el("div", { class: "rule-foot" },
      changed,
      spec.ours ? el("span", { class: "rule-tag", "data-tag": "ours" }, words.say("options.ours")) : null,
      rules.length > 0 ? el("small", { class: "rule-ids" }, rules.join(", ")) : null,
      usual),
    rest,
  );
  return {
    root,
    about,
    /**
     * @param {string} changedWords
     * @param {string} idleWords
     */
    tags: (changedWords, idleWords) => {
      changed.textContent = changedWords;
      changed.hidden = changedWords === "";
      root.toggleAttribute("data-changed", changedWords !== "");
      idle.textContent = idleWords;
      idle.hidden = idleWords === "";
      root.toggleAttribute("data-idle", idleWords !== "");
    },
  };
}
