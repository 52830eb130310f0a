/**
 * What a rule grants to damage, at a table that lets rules do so: a Boon or a Bane, and the rule's name.
 *
 * Hooks: dice-rules, dice-rule-sign, dice-rule.
 */

/** @import { Command, SourceClaim } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { el } from "../cards/dom.mjs";
import { field, segments, signOption } from "./parts.mjs";

const SIGNS = /** @type {const} */ (["boon", "bane"]);

export class RuleBlock {
  /** @type {"boon" | "bane" | ""} */
  #sign = "";

  /** @param {TableModel} model */
  constructor(model) {
    const { words } = model;
    this.model = model;
    this.name = el("input", { type: "text", maxlength: 80, required: true, placeholder: words.say("otherDice.rule.placeholder"), "data-testid": "dice-rule" });
    const named = field(words.say("otherDice.rule.name"), this.name);
    named.hidden = true;
    this.root = el(
      "div",
      { class: "bb-form other-dice-rule", hidden: true, "data-testid": "dice-rules" },
      segments({
        label: words.say("otherDice.rule.title"),
        options: [
          { value: /** @type {"boon" | "bane" | ""} */ (""), label: words.say("otherDice.rule.none") },
          ...SIGNS.map((value) => signOption(words, value)),
        ],
        value: this.#sign,
        choose: (value) => {
          this.#sign = value;
          named.hidden = value === "";
        },
        testid: "dice-rule-sign",
      }),
      named,
    );
  }

  /** Only damage, only where the table has such rules, and only for those who may name what helps. @param {"dice" | "damage"} kind */
  show(kind) {
    const { model } = this;
    this.root.hidden = kind !== "damage" || model.option("damage_boons") !== "if_rule_says" || !model.may("player_sources");
  }

  get #granted() {
    return this.root.hidden ? "" : this.#sign;
  }

  /** @returns {string | null} what is missing; it has the focus then */
  check() {
    if (this.#granted === "" || this.name.value.trim() !== "") return null;
    this.name.focus();
    return this.model.words.say("otherDice.rule.needed");
  }

  /** @returns {Required<Pick<Extract<Command, {t: "RollDice"}>, "rule" | "sources">> | null} */
  read() {
    const sign = this.#granted;
    if (sign === "") return null;
    const rule = this.name.value.trim();
    /** @type {SourceClaim} */
    const claim = { id: "rule", label: rule, sign };
    return { rule, sources: [claim] };
  }
}
