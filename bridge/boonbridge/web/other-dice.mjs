/**
 * Other dice than those of a check, under the roll panel: a formula, what it is for, whose, seen by whom. Enter rolls.
 *
 * Hooks: other-dice; dice-formula, dice-label, dice-damage, dice-who, dice-mode, dice-faces, roll-dice, dice-status.
 */

/** @import { Command } from "/client/types.mjs" */
/** @import { TableModel } from "/forms/model.mjs" */

import { el } from "/cards/dom.mjs";
import { readFaces } from "/cards/hand-dice.mjs";
import { field, toggle } from "/forms/parts.mjs";
import { modeField } from "/forms/roll-fields.mjs";
import { SendStatus } from "/forms/roll-send.mjs";

export class OtherDice {
  #shape = "";
  #damage = false;
  #who = "";

  /**
   * @param {TableModel} model
   * @param {() => void} rolled
   */
  constructor(model, rolled) {
    const { words } = model;
    this.model = model;
    this.rolled = rolled;
    /** @type {{mode: NonNullable<Extract<Command, {t: "RollDice"}>["mode"]>}} */
    this.view = { mode: "public" };
    this.formula = el("input", { type: "text", maxlength: 80, autocomplete: "off", spellcheck: "false", placeholder: "2d6+3", "data-testid": "dice-formula" });
    this.label = el("input", { type: "text", maxlength: 80, placeholder: words.say("otherDice.labelPlaceholder"), "data-testid": "dice-label" });
    this.faces = el("input", { type: "text", inputmode: "numeric", autocomplete: "off", placeholder: words.say("hand.placeholder"), "data-testid": "dice-faces" });
    this.status = new SendStatus(model);
    this.status.root.dataset.testid = "dice-status";
    this.submit = el("button", { type: "submit", class: "button", "data-testid": "roll-dice" }, words.say("roll.roll"));
    this.more = el("div", { class: "other-dice-more" });
    this.root = el(
      "details",
      { class: "panel other-dice", "data-testid": "other-dice", hidden: model.welcome.role === "observer", ontoggle: () => this.root.open && this.formula.focus() },
      el("summary", {}, words.say("otherDice.title")),
      el(
        "form",
        {
          class: "bb-form",
          novalidate: true,
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            void this.#roll();
          },
        },
        el("div", { class: "other-dice-line" }, field(words.say("otherDice.formula"), this.formula), field(words.say("otherDice.label"), this.label)),
        this.more,
        this.status.root,
        el("div", { class: "other-dice-end" },
          toggle({
            label: words.say("otherDice.damage"),
            on: false,
            turn: (on) => {
              this.#damage = on;
            },
            testid: "dice-damage",
          }),
          this.submit),
      ),
    );
    this.update();
  }

  /** The table changed: other actors, other rules. */
  update() {
    const { model } = this;
    const mine = model.mine();
    const shape = JSON.stringify([mine.map(({ id, name }) => [id, name]), model.option("dice_public"), model.option("manual_dice")]);
    if (shape === this.#shape) return;
    this.#shape = shape;
    const { words } = model;
    if (this.#who === "" && !model.isGm) this.#who = mine[0]?.id ?? "";
    if (!mine.some(({ id }) => id === this.#who)) this.#who = "";
    const who = el("select", { "data-testid": "dice-who", onchange: () => {
      this.#who = who.value;
    } },
    el("option", { value: "", selected: this.#who === "" }, words.say("otherDice.nobody")),
    mine.map(({ id, name }) => el("option", { value: id, selected: id === this.#who }, name)));
    const mode = modeField(/** @type {any} */ ({ state: this.view, model, changed: () => {} }));
    mode.querySelector("select")?.setAttribute("data-testid", "dice-mode");
    mode.classList.remove("inline");
    this.more.replaceChildren(field(words.say("otherDice.who"), who), mode);
    if (model.option("manual_dice") === true) this.more.append(field(words.say("hand.title"), this.faces));
  }

  async #roll() {
    if (this.submit.disabled) return;
    const formula = this.formula.value.trim();
    const faces = this.model.option("manual_dice") === true ? readFaces(this.faces.value) : [];
    if (formula === "" || faces === null) {
      if (faces === null) this.status.say(this.model.words.say("hand.bad"));
      (formula === "" ? this.formula : this.faces).focus();
      return;
    }
    const label = this.label.value.trim();
    const { mode } = this.view;
    this.submit.disabled = true;
    const outcome = await this.status.send({
      t: "RollDice",
      formula,
      kind: this.#damage ? "damage" : "dice",
      mode,
      ...(label !== "" && { label }),
      ...(this.#who !== "" && { actor: this.#who }),
      ...(faces.length > 0 && { faces }),
    });
    this.submit.disabled = false;
    if (!outcome.ok) {
      (outcome.code?.startsWith("faces.") ? this.faces : this.formula).focus();
      return;
    }
    this.faces.value = "";
    if (mode === "secret" && !this.model.isGm) this.status.say(this.model.words.say("send.secret"));
    // The same dice are often rolled once more.
    this.formula.select();
    this.rolled();
  }
}
