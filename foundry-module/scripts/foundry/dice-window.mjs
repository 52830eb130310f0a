/** *Other dice*: damage, an amount, a chance. A formula, what it is for, for whom, and seen by whom. */

/** @import { Chosen } from "../forms/roll-state.mjs" */
/** @import { Asked } from "./dice-text.mjs" */
/** @import { RollDice } from "./dice-roll.mjs" */

import { el, fill } from "../cards/dom.mjs";
import { readFaces } from "../cards/hand-dice.mjs";
import { field, segments } from "../forms/parts.mjs";
import { modeField } from "../forms/roll-fields.mjs";
import { SendStatus } from "../forms/roll-send.mjs";
import { whoIsMeant } from "./actors.mjs";
import { usualMode } from "./compat.mjs";
import { afterDice, knownAs, modeFor, theOneMeant } from "./dice-roll.mjs";
import { withDie } from "./dice-text.mjs";
import { link } from "./link.mjs";
import { localOffer } from "./local-roll.mjs";
import { Listening, openWindow } from "./windows.mjs";

const SIZES = [4, 6, 8, 10, 12, 20, 100];
let counter = 0;

/** @typedef {Partial<Asked> & {who?: Chosen | null, mode?: RollDice["mode"]}} DicePreset */

class DiceWindow {
  #listening = new Listening();
  /** @type {HTMLElement | null} */
  #form = null;

  /**
   * @param {DicePreset} preset
   * @param {{again: () => void, close: () => void, isOpen: () => boolean}} handle
   */
  constructor(preset, handle) {
    this.handle = handle;
    this.kind = preset.kind ?? "dice";
    this.who = preset.who === undefined ? theOneMeant() : preset.who;
    this.view = { mode: preset.mode ?? usualMode() };
    const { words } = link;
    this.formula = el("input", {
      type: "text", value: preset.formula ?? "", maxlength: 80, autocomplete: "off", spellcheck: "false", placeholder: "2d6+3", "data-testid": "dice-formula",
    });
    this.label = el("input", { type: "text", value: preset.label ?? "", maxlength: 80, placeholder: words.say("otherDice.labelPlaceholder"), "data-testid": "dice-label" });
    this.faces = el("input", { type: "text", inputmode: "numeric", autocomplete: "off", placeholder: words.say("hand.placeholder"), "data-testid": "dice-faces" });
    this.notice = el("div", { class: "roll-notice", hidden: true, "data-testid": "roll-notice" });
    this.#listening.until(link.on("state", () => this.#stateChanged()));
  }

  build() {
    this.#showNotice();
    const { model } = link;
    this.#form = model === null ? null : this.#build(model);
    return [this.notice, this.#form];
  }

  shown() {
    this.formula.focus();
    this.formula.select();
  }

  closed() {
    this.#listening.stop();
  }

  #stateChanged() {
    if (!this.handle.isOpen()) return;
    if (link.model !== null && this.#form === null) this.handle.again();
    else this.#showNotice();
  }

  #showNotice() {
    this.notice.hidden = link.isLive;
    if (link.isLive) return;
    this.notice.replaceChildren();
    fill(this.notice, localOffer(this.formula.value || "2d6", () => ({ name: this.who?.name ?? "", action: this.label.value.trim() }), () => this.handle.close()));
  }

  /** @param {NonNullable<typeof link.model>} model */
  #build(model) {
    const { words } = model;
    const status = new SendStatus(model);
    const submit = el("button", { type: "submit", class: "roll-button", "data-primary": true, "data-testid": "roll-dice" },
      words.say("roll.roll"), el("kbd", { "aria-hidden": "true" }, "Enter"));
    return el(
      "form",
      {
        class: "boonbridge-form",
        novalidate: true,
        "data-testid": "dice-window",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          void this.#roll(model, status, submit);
        },
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (event.key === "Escape") this.handle.close();
          else if (event.key === "Enter" && /** @type {HTMLElement} */ (event.target).matches("select, input[type=radio]")) {
            event.preventDefault();
            void this.#roll(model, status, submit);
          }
        },
      },
      el("div", { class: "dice-formula" },
        field(words.say("otherDice.formula"), this.formula, words.say("foundry.dice.help")),
        el("div", { class: "chips", role: "group", "aria-label": words.say("foundry.dice.add") }, SIZES.map((sides) =>
          el("button", { type: "button", class: "chip", "data-die": sides, onclick: () => {
            this.formula.value = withDie(this.formula.value, sides);
          } }, `d${sides}`)))),
      field(words.say("otherDice.label"), this.label),
      segments({
        label: words.say("foundry.dice.kindTitle"),
        options: /** @type {const} */ (["dice", "damage"]).map((value) => ({ value, label: words.say(`foundry.dice.kind.${value}`) })),
        value: this.kind,
        choose: (value) => {
          this.kind = value;
        },
        testid: "dice-kind",
        quiet: true,
      }),
      this.#whoField(model),
      model.option("manual_dice") === true ? field(words.say("hand.title"), this.faces) : null,
      modeField(/** @type {any} */ ({ state: this.view, model, changed: () => {} })),
      status.root,
      el("footer", { class: "boonbridge-buttons" },
        el("button", { type: "button", "data-testid": "cancel", onclick: () => this.handle.close() }, words.say("page.cancel")), submit),
    );
  }

  /** @param {NonNullable<typeof link.model>} model */
  #whoField(model) {
    const { words } = model;
    /** @type {Map<string, Chosen>} */
    const people = new Map();
    for (const one of [...(this.who ? [this.who] : []), ...whoIsMeant(), ...model.mine()]) if (!people.has(one.id)) people.set(one.id, one);
    const all = [...people.values()];
    const select = el("select", { "data-testid": "dice-who", onchange: () => {
      this.who = all[select.selectedIndex - 1] ?? null;
    } },
    el("option", { value: "", selected: this.who === null }, words.say("otherDice.nobody")),
    all.map(({ id, name }) => el("option", { value: id, selected: id === this.who?.id }, name)));
    const root = field(words.say("otherDice.who"), select);
    root.classList.add("inline");
    return root;
  }

  /**
   * @param {NonNullable<typeof link.model>} model
   * @param {SendStatus} status
   * @param {HTMLButtonElement} submit
   */
  async #roll(model, status, submit) {
    if (submit.disabled) return;
    const formula = this.formula.value.trim();
    const label = this.label.value.trim();
    const faces = model.option("manual_dice") === true ? readFaces(this.faces.value) : [];
    if (formula === "" || faces === null) {
      if (faces === null) status.say(model.words.say("hand.bad"));
      (formula === "" ? this.formula : this.faces).focus();
      return;
    }
    submit.disabled = true;
    const actor = await knownAs(model, this.who);
    const { mode } = modeFor(model, this.view.mode);
    const outcome = await status.send({ t: "RollDice", formula, kind: this.kind, mode, ...(label !== "" && { label }), ...(actor !== undefined && { actor }), ...(faces.length > 0 && { faces }) });
    submit.disabled = false;
    if (!outcome.ok) {
      (outcome.code?.startsWith("faces.") ? this.faces : this.formula).focus();
      return;
    }
    afterDice(mode);
    this.handle.close();
  }
}

/** @param {DicePreset} [preset] */
export function openDice(preset = {}) {
  const { words } = link;
  counter += 1;
  openWindow({ id: `boonbridge-dice-${counter}`, title: words.say("otherDice.title"), icon: "dice", kind: "boonbridge-dice", width: 380 }, (handle) => new DiceWindow(preset, handle));
}
