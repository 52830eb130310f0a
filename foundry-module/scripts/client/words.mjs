/**
 * Every word a person reads, by key. The sentences are in `lang/en.json`; a game may call a Boon something else, and
 * brings the labels of its own checks, dice and outcomes.
 */

/** @import { RulesetInfo } from "./types.mjs" */

import { own } from "./own.mjs";

const ROOT = "BOONBRIDGE.";
const TERMS = ["boon", "bane"];

/** Signs that turn the direction of whatever follows them, and letters that run from right to left. */
const TURNING = /[\u202a-\u202e\u2066-\u2069]/g;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/**
 * What a person wrote, within a sentence that is nothing but text: it turns none of the sentence around it.
 *
 * @param {string} text
 */
function kept(text) {
  const plain = text.replace(TURNING, "");
  return RIGHT_TO_LEFT.test(plain) ? `\u2068${plain}\u2069` : plain;
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** @typedef {(key: string) => string | undefined} Lookup */

/**
 * A lookup in a flat dictionary, whatever the key is called.
 *
 * @param {Record<string, string>} dictionary
 * @returns {Lookup}
 */
export function dictionaryLookup(dictionary) {
  const entries = new Map(Object.entries(dictionary));
  return (key) => entries.get(key);
}

export class Words {
  #lookup;
  #ruleset;
  /** @type {Map<string, string>} */
  #terms = new Map();
  #plurals;

  /**
   * @param {Lookup} lookup by whole key (`BOONBRIDGE....`)
   * @param {RulesetInfo | null} [ruleset]
   * @param {string} [language]
   */
  constructor(lookup, ruleset = null, language = "en") {
    this.#lookup = lookup;
    this.#ruleset = ruleset;
    this.#plurals = new Intl.PluralRules(language);
    for (const term of TERMS) {
      const word = own(ruleset?.words, term);
      const one = word ?? lookup(`${ROOT}term.${term}`) ?? term;
      // A game with a word of its own never falls back to ours for several of them.
      const many = own(ruleset?.words, `${term}s`) ?? (word === undefined ? lookup(`${ROOT}term.${term}s`) : undefined) ?? `${one}s`;
      for (const [key, text] of [[term, one], [`${term}s`, many]]) {
        this.#terms.set(key, text);
        this.#terms.set(capital(key), capital(text));
      }
    }
  }

  /**
   * The same words at a table with another game.
   *
   * @param {RulesetInfo | null} ruleset
   */
  for(ruleset) {
    return new Words(this.#lookup, ruleset);
  }

  /** @param {string} key without `BOONBRIDGE.` */
  has(key) {
    return this.#lookup(ROOT + key) !== undefined || own(this.#ruleset?.words, key) !== undefined;
  }

  /**
   * The sentence of a key. `{boon}`, `{Banes}` and so on are the game's words; other names in braces come from
   * `values`. A game may bring a whole sentence of its own under the same key.
   *
   * @param {string} key without `BOONBRIDGE.`
   * @param {Readonly<Record<string, unknown>>} [values]
   * @param {string} [fallback] for a key without a sentence, the server's for instance
   * @returns {string}
   */
  say(key, values = {}, fallback = key) {
    return this.pieces(key, values, fallback).map(({ text, given }) => (given ? kept(text) : text)).join("");
  }

  /**
   * The same sentence in pieces, so that what a person wrote can be kept apart from our own words.
   *
   * @param {string} key
   * @param {Readonly<Record<string, unknown>>} [values]
   * @param {string} [fallback]
   * @returns {{text: string, given: boolean}[]}
   */
  pieces(key, values = {}, fallback = key) {
    const text = own(this.#ruleset?.words, key) ?? this.#lookup(ROOT + key) ?? fallback;
    return text.split(/\{([A-Za-z][A-Za-z0-9_.]*)\}/).map((piece, index) => {
      if (index % 2 === 0) return { text: piece, given: false };
      const value = own(values, piece);
      if (value !== undefined && value !== null) return { text: String(value), given: true };
      return { text: this.#terms.get(piece) ?? `{${piece}}`, given: false };
    });
  }

  /**
   * The sentence for a number of things: `key.one` or `key.other`, with `{n}`.
   *
   * @param {string} key
   * @param {number} n
   * @param {Readonly<Record<string, unknown>>} [values]
   */
  count(key, n, values = {}) {
    const form = `${key}.${this.#plurals.select(n)}`;
    return this.say(this.has(form) ? form : `${key}.other`, { ...values, n });
  }

  /** @param {string} term `boon`, `Boons`, ... */
  term(term) {
    return this.#terms.get(term) ?? term;
  }

  /**
   * Why something was not done, and what to do next.
   *
   * @param {{code?: string, message?: string, values?: Readonly<Record<string, unknown>>}} refusal
   */
  refusal({ code = "internal", message, values }) {
    const key = code.startsWith("close.") ? code : `code.${code}`;
    const parameter = own(values, "parameter");
    const number = own(values, "number");
    const named = {
      ...values,
      ...(typeof parameter === "string" && { parameter: this.#parameter(parameter) }),
      ...(typeof number === "string" && { number: this.label("numbers", number) }),
    };
    // Some sentences name the field that is wrong, where the server said which.
    const given = ["parameter", "number", "needed", "given", "face", "sides", "low"].filter((field) => own(values, field) !== undefined);
    const exact = [...given.map((field) => `${key}.${field}`), `${key}.other`, key].find((each) => this.has(each)) ?? key;
    return this.say(exact, named, message || this.say("code.other", { code }));
  }

  /**
   * Why a source did not count, or a choice cannot be taken: a word of the account, or a code of a refusal.
   *
   * @param {string} why
   */
  why(why) {
    return this.say(this.has(`why.${why}`) ? `why.${why}` : `code.${why}`, {}, why.replace(/[_.]/g, " "));
  }

  /**
   * A condition by its key, which may say behind a dot what it is about; and how much of it, where it comes in amounts.
   *
   * @param {string} key
   * @param {number} [amount]
   * @returns {string}
   */
  condition(key, amount = 1) {
    const { conditions = [] } = this.#ruleset ?? {};
    const [kind, ...about] = key.split(".");
    const spec = conditions.find((each) => each.key === key) ?? conditions.find((each) => each.key === kind);
    const many = spec?.counted && amount > 1 ? ` ${amount}` : "";
    if (spec === undefined || about.length === 0 || spec.key === key) return this.label("conditions", key) + many;
    const of = about.join(".");
    return `${spec.label} (${spec.of?.find((option) => option.value === of)?.label ?? of.replace(/_/g, " ")})${many}`;
  }

  /**
   * A number by its key; where the game has no word for it, what stands behind the name of its group.
   *
   * @param {string} key
   * @returns {string}
   */
  number(key) {
    return this.label("numbers", key).replace(/^[a-z]+\./i, "");
  }

  /** @param {string} key of a parameter, whichever check it belongs to */
  #parameter(key) {
    const specs = (this.#ruleset?.checks ?? []).flatMap((check) => check.params);
    return specs.find((spec) => spec.key === key)?.label ?? key;
  }

  /**
   * The game's word for something of its own, by key.
   *
   * @param {"outcomes" | "roles" | "checks" | "conditions" | "numbers" | "verbs" | "optionSpecs" | "circumstances"} list
   * @param {string} key
   * @returns {string}
   */
  label(list, key) {
    const found = (this.#ruleset?.[list] ?? []).find((item) => ("key" in item ? item.key : item.id) === key);
    return found?.label ?? this.say(`${list}.${key}`, {}, key.replace(/_/g, " "));
  }
}
