/**
 * *Who sees it*: the visibility with which this roll goes out, why where it is not the plain one, and another for this roll.
 *
 * Hooks: mode (or what the place calls it), mode-why, own-mode in the fold own-mode-fold.
 */

/** @import { TableModel } from "./model.mjs" */
/** @import { Mode, ModeChoice } from "./roll-mode.mjs" */

import { el } from "../cards/dom.mjs";
import { field } from "./parts.mjs";
import { OWN_MODES } from "./roll-mode.mjs";

/** What leaves a stub in Foundry's chat. */
const STUBBED = ["gm", "blind", "self"];

export class ModeField {
  #shape = "";

  /**
   * @param {TableModel} model
   * @param {ModeChoice} choice
   * @param {() => void} changed somebody chose
   * @param {{testid?: string, inline?: boolean, keeps?: boolean}} [how] `keeps`: what is usual is chosen here too
   */
  constructor(model, choice, changed, { testid = "mode", inline = true, keeps = false } = {}) {
    this.model = model;
    this.choice = choice;
    this.select = el("select", {
      "data-testid": testid,
      onchange: () => {
        choice.choose(/** @type {Mode} */ (this.select.value));
        this.update();
        changed();
      },
    });
    this.help = el("p", { class: "help", "data-testid": `${testid}-why`, "aria-live": "polite" });
    this.root = field(model.words.say("roll.mode"), this.select);
    this.root.classList.add("mode-field");
    this.root.classList.toggle("inline", inline);
    this.root.append(this.help);
    this.own = keeps && model.habit.keep !== null && model.welcome.role !== "observer" ? this.#ownFold(model.habit.keep) : null;
    if (this.own !== null) this.root.append(this.own.root);
    this.update();
  }

  /** Something that it depends on may be another now. @returns {boolean} whether it is */
  update() {
    const { model, choice } = this;
    const { words } = model;
    const { begins, mode } = choice;
    const own = model.habit.mode();
    const shape = JSON.stringify([begins, mode, own, choice.chosen]);
    if (shape === this.#shape) return false;
    this.#shape = shape;
    if ([...this.select.options].map(({ value }) => value).join() !== begins.modes.join()) {
      this.select.replaceChildren(...begins.modes.map((each) => el("option", { value: each }, modeName(model, each))));
    }
    this.select.value = mode;
    this.select.disabled = begins.modes.length < 2;
    const why = mode === begins.mode ? begins.why : "mode.why.chosen";
    const open = mode === "public";
    this.help.dataset.why = why;
    this.help.textContent = [
      why === "" ? "" : words.say(why, { mode: modeName(model, mode), own: modeName(model, own) }),
      open ? "" : modeHelp(model, mode),
      model.habit.stub && STUBBED.includes(mode) ? words.say("mode.stub", { secret: modeName(model, "secret") }) : "",
    ].filter((text) => text !== "").join(" ");
    this.help.hidden = this.help.textContent === "";
    this.own?.draw();
    return true;
  }

  /** @param {(mode: Mode) => void} keep */
  #ownFold(keep) {
    const { model } = this;
    const { words } = model;
    const summary = el("summary", {});
    const select = el("select", { "data-testid": "own-mode", onchange: () => keep(/** @type {Mode} */ (select.value)) },
      OWN_MODES.map((mode) => el("option", { value: mode }, modeName(model, mode))));
    const inside = field(words.say("mode.own"), select, words.say("mode.ownHelp"));
    // The line that unfolds it says the same.
    inside.querySelector("label")?.classList.add("bb-unseen");
    const root = el("details", { class: "fold own-mode", "data-testid": "own-mode-fold" }, summary, inside);
    return {
      root,
      draw: () => {
        const own = model.habit.mode();
        select.value = own;
        summary.textContent = words.say("mode.ownNow", { mode: modeName(model, own) });
      },
    };
  }
}

/**
 * Who sees a roll of that mode, as whoever rolls it would say.
 *
 * @param {TableModel} model
 * @param {Mode} mode
 */
export const modeName = ({ words, isGm }, mode) => words.say(isGm && words.has(`mode.${mode}.nameGm`) ? `mode.${mode}.nameGm` : `mode.${mode}.name`);

/**
 * @param {TableModel} model
 * @param {Mode} mode
 */
const modeHelp = ({ words, isGm }, mode) => words.say(isGm && words.has(`mode.${mode}.helpGm`) ? `mode.${mode}.helpGm` : `mode.${mode}.help`);
