/** Other dice than those of a check, in a fold under the roll panel. Hooks: other-dice, roll-dice, and those of the form. */

/** @import { TableModel } from "../forms/model.mjs" */

import { el } from "../cards/dom.mjs";
import { DiceForm } from "../forms/dice-form.mjs";

export class OtherDice {
  /**
   * @param {TableModel} model
   * @param {() => void} rolled
   */
  constructor(model, rolled) {
    const { words } = model;
    this.form = new DiceForm(model, {
      people: () => model.mine(),
      usual: () => (model.isGm ? null : model.mine()[0] ?? null),
      known: async ({ id }) => id,
      submit: el("button", { type: "submit", class: "button", "data-testid": "roll-dice" }, words.say("roll.roll")),
      props: { class: "bb-form" },
      rolled: (mode, { formula, status }) => {
        if (mode === "secret" && !model.isGm) status.say(words.say("send.secret"));
        // The same dice are often rolled once more.
        formula.select();
        rolled();
      },
    });
    this.root = el(
      "details",
      { class: "panel other-dice", "data-testid": "other-dice", hidden: model.welcome.role === "observer", ontoggle: () => this.root.open && this.form.formula.focus() },
      el("summary", {}, words.say("otherDice.title")),
      this.form.root,
    );
  }

  /** The table changed: other actors, other rules. */
  update() {
    this.form.update();
  }
}
