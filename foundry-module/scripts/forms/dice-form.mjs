/**
 * Other dice than those of a check: a formula, what it is for, whether it is damage, whose, seen by whom. Enter rolls.
 *
 * Hooks: dice-formula, dice-label, dice-damage, dice-who, dice-mode, dice-faces, dice-status; dice-rules with
 * dice-rule-sign and dice-rule. The button, `roll-dice`, is the host's.
 */

/** @import { Command } from "../client/types.mjs" */
/** @import { Child } from "../cards/dom.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Mode } from "./roll-mode.mjs" */
/** @import { Chosen } from "./roll-state.mjs" */

import { el } from "../cards/dom.mjs";
import { readFaces } from "../cards/hand-dice.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { whileBusy } from "../cards/busy.mjs";
import { field, toggle } from "./parts.mjs";
import { ModeField } from "./mode-field.mjs";
import { ModeChoice } from "./roll-mode.mjs";
import { SendStatus } from "./roll-send.mjs";
import { known } from "./roll-state.mjs";
import { RuleBlock } from "./rule-block.mjs";

/**
 * @typedef {Extract<Command, {t: "RollDice"}>} RollDice
 * @typedef {{formula: string, label: string, kind: "dice" | "damage", mode?: Mode}} DiceAsked `mode`: where one was chosen
 */

/**
 * What is different where the form stands.
 *
 * @typedef {object} DiceHost
 * @property {(who: Chosen | null) => readonly Chosen[]} people whose dice they may be, while they are somebody's now
 * @property {() => Chosen | null} usual whose they are until somebody is chosen
 * @property {(who: Chosen) => Promise<string | undefined>} known as whom the bridge knows somebody
 * @property {(mode: Mode, form: DiceForm) => void} rolled
 * @property {HTMLButtonElement} submit
 * @property {Child} [buttons] it and what stands beside it
 * @property {(formula: HTMLInputElement) => Child} [under] what helps to type the formula
 * @property {string} [help] how one is written
 * @property {Readonly<Record<string, unknown>>} [props] of the form element
 */

export class DiceForm {
  #shape = "";
  #chosen = false;
  /** @type {Chosen | null} */
  #who = null;

  /**
   * @param {TableModel} model
   * @param {DiceHost} host
   * @param {Partial<DiceAsked>} [asked] what is filled in already
   */
  constructor(model, host, { formula = "", label = "", kind = "dice", mode } = {}) {
    const { words } = model;
    this.model = model;
    this.host = host;
    this.kind = kind;
    this.modes = new ModeChoice(model, () => ({ who: this.#who?.id ?? "", rollers: this.#who === null ? [] : [known(model, this.#who)], dice: true }));
    this.mode = new ModeField(model, this.modes, () => {}, { testid: "dice-mode", inline: false });
    this.formula = el("input", {
      type: "text", value: formula, maxlength: 80, autocomplete: "off", spellcheck: "false", placeholder: "2d6+3", "data-testid": "dice-formula",
    });
    this.label = el("input", { type: "text", value: label, maxlength: 80, placeholder: words.say("otherDice.labelPlaceholder"), "data-testid": "dice-label" });
    this.faces = el("input", { type: "text", inputmode: "numeric", autocomplete: "off", placeholder: words.say("hand.placeholder"), "data-testid": "dice-faces" });
    this.rule = new RuleBlock(model);
    this.status = new SendStatus(model);
    this.status.root.dataset.testid = "dice-status";
    this.more = el("div", { class: "bb-form other-dice-more" });
    this.root = el(
      "form",
      {
        ...host.props,
        novalidate: true,
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          void this.#roll();
        },
      },
      el("div", { class: "bb-form other-dice-line" },
        el("div", { class: "dice-formula" }, field(words.say("otherDice.formula"), this.formula, host.help), host.under?.(this.formula)),
        field(words.say("otherDice.label"), this.label)),
      this.more,
      el("div", { class: "bb-form other-dice-end" },
        toggle({
          label: words.say("otherDice.damage"),
          on: kind === "damage",
          turn: (on) => {
            this.kind = on ? "damage" : "dice";
            this.update();
          },
          testid: "dice-damage",
        }),
        this.rule.root,
        this.status.root,
        host.buttons ?? host.submit),
    );
    this.update();
    if (mode === undefined) return;
    this.modes.choose(mode);
    this.mode.update();
  }

  /** @returns {DiceAsked} as it is typed */
  get asked() {
    return { formula: this.formula.value.trim(), label: this.label.value.trim(), kind: this.kind, mode: this.modes.chosen ?? undefined };
  }

  /** @returns {Chosen | null} */
  get who() {
    return this.#who;
  }

  /** The table changed: other actors, other rules. What is typed stays. */
  update() {
    const { model, host } = this;
    this.rule.show(this.kind);
    if (!this.#chosen) this.#who = host.usual();
    const people = host.people(this.#who);
    this.#who = people.find(({ id }) => id === this.#who?.id) ?? null;
    const shape = JSON.stringify([people.map(({ id, name }) => [id, name]), this.#who?.id ?? "", this.#byHand]);
    this.mode.update();
    if (shape === this.#shape) return;
    this.#shape = shape;
    keepPlace(this.more, () => this.more.replaceChildren(this.#whoField(people), this.mode.root, ...(this.#byHand ? [field(model.words.say("hand.title"), this.faces)] : [])));
  }

  /** Whether this table takes dice that lay on a real one. */
  get #byHand() {
    return this.model.option("manual_dice") === true;
  }

  /** @param {readonly Chosen[]} people */
  #whoField(people) {
    const { words } = this.model;
    const select = el("select", { "data-testid": "dice-who", onchange: () => {
      this.#chosen = true;
      this.#who = people[select.selectedIndex - 1] ?? null;
      this.mode.update();
    } },
    el("option", { value: "", selected: this.#who === null }, words.say("otherDice.nobody")),
    people.map(({ id, name }) => el("option", { value: id, selected: id === this.#who?.id }, name)));
    return field(words.say("otherDice.who"), select);
  }

  /** @returns {number[] | null} the faces that were typed; null where something is missing, which has the focus then */
  #ready() {
    if (this.formula.value.trim() === "") {
      this.formula.focus();
      return null;
    }
    const faces = this.#byHand ? readFaces(this.faces.value) : [];
    if (faces === null) {
      this.status.say(this.model.words.say("hand.bad"));
      this.faces.focus();
      return null;
    }
    const wrong = this.rule.check();
    if (wrong === null) return faces;
    this.status.say(wrong);
    return null;
  }

  async #roll() {
    const { host, model } = this;
    if (host.submit.disabled) return;
    const faces = this.#ready();
    if (faces === null) return;
    const { formula, label, kind } = this.asked;
    const { mode } = this.modes;
    const rule = this.rule.read();
    const outcome = await whileBusy(host.submit, async () => {
      const actor = this.#who === null ? undefined : await host.known(this.#who);
      return this.status.send({
        t: "RollDice",
        formula,
        kind,
        mode,
        ...(label !== "" && { label }),
        ...(actor !== undefined && { actor }),
        ...(faces.length > 0 && { faces }),
        ...rule,
      });
    });
    if (!outcome.ok) {
      if (rule !== null && outcome.code === "dice.no_boons") this.status.say(model.words.say("otherDice.rule.plain"), "trouble");
      (outcome.code?.startsWith("faces.") ? this.faces : this.formula).focus();
      return;
    }
    this.faces.value = "";
    this.modes.forget();
    this.mode.update();
    host.rolled(mode, this);
  }
}
