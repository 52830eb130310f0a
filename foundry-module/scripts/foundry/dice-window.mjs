/** *Other dice* in a window of their own, and Foundry's dice instead while the bridge is away. */

/** @import { Chosen } from "../forms/roll-state.mjs" */
/** @import { DiceAsked } from "../forms/dice-form.mjs" */

import { el, fill } from "../cards/dom.mjs";
import { DiceForm } from "../forms/dice-form.mjs";
import { isEnter, isEscape } from "../forms/keys.mjs";
import { whoIsMeant } from "./actors.mjs";
import { usualMode } from "./compat.mjs";
import { afterDice, knownAs, theOneMeant } from "./dice-roll.mjs";
import { withDie } from "./dice-text.mjs";
import { link } from "./link.mjs";
import { localOffer } from "./local-roll.mjs";
import { Listening, openWindow } from "./windows.mjs";

const SIZES = [4, 6, 8, 10, 12, 20, 100];
let counter = 0;

/** @typedef {Partial<DiceAsked> & {who?: Chosen | null}} DicePreset */

class DiceWindow {
  #listening = new Listening();
  /** @type {DiceForm | null} */
  #form = null;

  /**
   * @param {DicePreset} preset
   * @param {{again: () => void, close: () => void, isOpen: () => boolean}} handle
   */
  constructor({ who = theOneMeant(), ...asked }, handle) {
    this.handle = handle;
    this.who = who;
    this.asked = asked;
    this.notice = el("div", { class: "roll-notice", hidden: true, "data-testid": "roll-notice" });
    this.#listening.until(link.on("state", () => this.#stateChanged()));
    this.#listening.until(link.on("entries", () => this.#form?.update()));
  }

  build() {
    this.#showNotice();
    const { model } = link;
    if (model !== null && this.#form?.model !== model) this.#form = this.#build(model);
    return [this.notice, this.#form?.root];
  }

  shown() {
    this.#form?.formula.focus();
    this.#form?.formula.select();
  }

  closed() {
    this.#listening.stop();
  }

  #stateChanged() {
    if (!this.handle.isOpen()) return;
    if (link.model !== null && this.#form?.model !== link.model) this.handle.again();
    else this.#showNotice();
  }

  /** What is typed by now, or what the window was opened with. */
  get #now() {
    return { ...this.asked, ...this.#form?.asked };
  }

  #showNotice() {
    this.notice.hidden = link.isLive;
    if (link.isLive) return;
    this.notice.replaceChildren();
    const about = () => ({ name: (this.#form === null ? this.who : this.#form.who)?.name ?? "", action: this.#now.label ?? "", mode: this.#form?.modes.mode ?? this.asked.mode ?? usualMode() });
    fill(this.notice, localOffer(this.#now.formula || "2d6", about, () => this.handle.close()));
  }

  /** @param {NonNullable<typeof link.model>} model */
  #build(model) {
    const { words } = model;
    const before = this.#form;
    const first = before === null ? this.who : before.who;
    const submit = el("button", { type: "submit", class: "roll-button", "data-primary": true, "data-testid": "roll-dice" },
      words.say("roll.roll"), el("kbd", { "aria-hidden": "true" }, words.say("key.enter")));
    return new DiceForm(model, {
      people: (now) => {
        /** @type {Map<string, Chosen>} */
        const people = new Map();
        for (const one of [...(now ? [now] : []), ...whoIsMeant(), ...model.mine()]) if (!people.has(one.id)) people.set(one.id, one);
        return [...people.values()];
      },
      usual: () => first,
      known: (who) => knownAs(model, who),
      submit,
      buttons: el("footer", { class: "boonbridge-buttons" },
        el("button", { type: "button", "data-testid": "cancel", onclick: () => this.handle.close() }, words.say("page.cancel")), submit),
      help: words.say("foundry.dice.help"),
      under: (formula) => el("div", { class: "chips", role: "group", "aria-label": words.say("foundry.dice.add") }, SIZES.map((sides) =>
        el("button", { type: "button", class: "chip", "data-die": sides, onclick: () => {
          formula.value = withDie(formula.value, sides);
        } }, `d${sides}`))),
      props: {
        class: "boonbridge-form",
        "data-testid": "dice-window",
        onkeydown: (/** @type {KeyboardEvent} */ event) => {
          if (!isEscape(event, this.handle.close) && isEnter(event) && /** @type {HTMLElement} */ (event.target).matches("select, input[type=radio], input[type=checkbox]")) {
            event.preventDefault();
            submit.click();
          }
        },
      },
      rolled: (mode) => {
        afterDice(mode);
        this.handle.close();
      },
    }, this.#now);
  }
}

/** @param {DicePreset} [preset] */
export function openDice(preset = {}) {
  const { words } = link;
  counter += 1;
  openWindow({ id: `boonbridge-dice-${counter}`, title: words.say("otherDice.title"), icon: "dice", kind: "boonbridge-dice", width: 380 }, (handle) => new DiceWindow(preset, handle));
}
