/** The roll dialog: the panel of the table page, for whoever is selected here and against whoever is targeted here. */

/** @import { RollCheck } from "../client/types.mjs" */
/** @import { Panel } from "../forms/roll-fields.mjs" */
/** @import { Chosen, RollState } from "../forms/roll-state.mjs" */

import { bdi, el, fill } from "../cards/dom.mjs";
import { RollPanel } from "../forms/roll-panel.mjs";
import { FREE } from "../forms/roll-state.mjs";
import { foundryActor, introduce, whoIsAimedAt, whoIsMeant } from "./actors.mjs";
import { usualMode } from "./compat.mjs";
import { afterDice } from "./dice-roll.mjs";
import { openDice } from "./dice-window.mjs";
import { link } from "./link.mjs";
import { localOffer } from "./local-roll.mjs";
import { putOnHotbar } from "./hotbar.mjs";
import { openNumbers } from "./numbers-window.mjs";
import { openTable } from "./table-window.mjs";
import { Listening, openWindow } from "./windows.mjs";

const NAMES = 4;
const CALM_MS = 120;

/**
 * What is known before the dialog opens.
 *
 * @typedef {object} Preset
 * @property {readonly Chosen[]} [party] who rolls; left out: whoever is selected
 * @property {readonly Chosen[]} [aimed] against whom; left out: Foundry's targets
 * @property {string} [check]
 * @property {Record<string, boolean | number | string>} [params]
 * @property {string} [action]
 * @property {NonNullable<RollCheck["mode"]>} [mode] left out: as such a roll begins here
 * @property {NonNullable<RollCheck["sources"]>} [sources]
 */

/** What was rolled last in this page: the next dialog begins there. */
let lastCheck = "";

/** @type {Set<RollDialog>} */
const open = new Set();
let counter = 0;

class RollDialog {
  /** @type {RollPanel | null} */
  panel = null;
  #later = 0;
  #listening = new Listening();

  /**
   * @param {Preset} preset
   * @param {readonly Chosen[]} party
   * @param {{again: () => void, close: () => void, isOpen: () => boolean}} handle
   */
  constructor(preset, party, handle) {
    this.party = party;
    this.aimed = preset.aimed ?? whoIsAimedAt();
    this.preset = preset;
    this.handle = handle;
    this.notice = el("div", { class: "roll-notice", hidden: true, "data-testid": "roll-notice" });
    this.#listening.until(link.on("entries", () => this.#update()));
    this.#listening.until(link.on("state", () => this.#stateChanged()));
    open.add(this);
  }

  get words() {
    return link.words;
  }

  build() {
    const { model } = link;
    if (model === null) {
      this.#showNotice();
      return this.notice;
    }
    this.panel ??= new RollPanel(model, (command) => this.#rolled(command), {
      who: (panel) => this.#who(panel),
      against: (panel) => this.#against(panel),
      cancel: this.handle.close,
      start: (state) => this.#fill(state),
    });
    // What is unfolded in a window that scrolls is to be seen.
    this.panel.fields.addEventListener("toggle", ({ target }) => {
      if (target instanceof Element && target.hasAttribute("open")) target.scrollIntoView({ block: "nearest" });
    }, true);
    this.#showNotice();
    void this.#introduce();
    return [this.notice, this.panel.root];
  }

  shown() {
    const first = this.panel?.form.querySelector(this.party.length === 0 ? "[data-testid=free-name]" : "[data-testid=action]");
    if (first instanceof HTMLInputElement) first.select();
  }

  closed() {
    open.delete(this);
    this.#listening.stop();
    window.clearTimeout(this.#later);
    this.panel?.told.end();
    this.panel?.previewer.forget();
  }

  /** @param {RollState} state */
  #fill(state) {
    const { preset } = this;
    state.party = this.party;
    if (this.party.length === 0) {
      state.actor = FREE;
      state.free.name = this.words.say("foundry.roll.somebody");
    }
    for (const one of this.aimed) {
      if (this.party.some(({ id }) => id === one.id)) continue;
      state.aimed.set(one.id, one);
      state.targets.add(one.id);
    }
    state.check = preset.check ?? lastCheck;
    for (const [key, value] of Object.entries(preset.params ?? {})) state.params.set(key, value);
    state.action = preset.action ?? "";
    for (const claim of preset.sources ?? []) state.claim(claim);
    if (preset.mode !== undefined) state.modes.choose(preset.mode);
  }

  /** @param {Panel} panel */
  #who({ state, model, draw }) {
    const { words } = model;
    if (this.party.length === 0) return null;
    const strangers = this.party.filter(({ id, base }) => model.actor(id) === undefined && (base === undefined || model.actor(base) === undefined));
    const chips = this.party.slice(0, NAMES).map(({ name }) => el("span", { class: "who-chip" }, bdi(name)));
    const more = this.party.length - chips.length;
    const actor = foundryActor(this.party[0].base ?? this.party[0].id);
    const mayEdit = this.party.length === 1 && actor?.isOwner === true;
    const alone = model.may("ad_hoc") && this.party.length === 1;
    return el(
      "div",
      { class: "who", "data-testid": "who" },
      this.party.length > 1 ? [el("div", { class: "chips" }, chips, more > 0 ? el("span", { class: "who-chip" }, `+${more}`) : null)] : null,
      strangers.length > 0
        ? el("div", { class: "hint" }, words.say(link.isGm ? "foundry.roll.strangerGm" : "foundry.roll.stranger", { name: strangers[0].name }))
        : null,
      el(
        "div",
        { class: "who-links" },
        mayEdit ? el("button", { type: "button", class: "bb-link", "data-testid": "edit-numbers", onclick: () => openNumbers(actor) }, words.say("foundry.numbers.short")) : null,
        alone
          ? el("button", { type: "button", class: "bb-link", "data-testid": "free-open", onclick: () => {
            state.free.name = this.party[0].name;
            this.party = [];
            state.party = [];
            state.actor = FREE;
            draw();
          } }, words.say("foundry.roll.withoutSheet"))
          : null,
      ),
    );
  }

  /** Foundry's targets, as they are now; each can be left out. @param {Panel} panel */
  #against({ state, model, changed, draw }) {
    const { words } = model;
    const aimed = [...state.aimed.values()];
    const boxes = aimed.map(({ id, name }) => {
      const box = el("input", {
        type: "checkbox",
        checked: state.targets.has(id),
        onchange: () => {
          if (box.checked) state.targets.add(id);
          else state.targets.delete(id);
          if ((state.spec?.params ?? []).some((param) => param.ofTarget && !param.required)) draw();
          else changed();
        },
      });
      return el("label", { class: "chip check-chip", "data-target": id }, box, bdi(name));
    });
    return el(
      "fieldset",
      { class: "targets", "data-testid": "targets" },
      el("legend", {}, words.say("roll.targets")),
      boxes.length > 0 ? el("div", { class: "chips" }, boxes) : el("p", { class: "help" }, words.say("foundry.roll.noTargets")),
    );
  }

  /** Targets changed on the canvas while the dialog is open. */
  targetsChanged() {
    const { panel } = this;
    if (panel === null || this.preset.aimed !== undefined) return;
    const { state } = panel;
    state.aimed.clear();
    state.targets.clear();
    for (const one of whoIsAimedAt()) {
      if (this.party.some(({ id }) => id === one.id)) continue;
      state.aimed.set(one.id, one);
      state.targets.add(one.id);
    }
    panel.draw();
    void this.#introduce();
  }

  async #introduce() {
    const wrong = await introduce([...this.party, ...(this.panel?.state.aimed.values() ?? [])]);
    if (wrong !== null) ui.notifications?.warn(this.words.refusal(wrong));
  }

  #update() {
    window.clearTimeout(this.#later);
    this.#later = window.setTimeout(() => {
      if (!this.handle.isOpen()) return;
      if (this.panel === null) this.handle.again();
      else this.panel.update();
    }, CALM_MS);
  }

  #stateChanged() {
    if (!this.handle.isOpen()) return;
    if (this.panel !== null && this.panel.model !== link.model && link.model !== null) {
      // Another line, another table: what was filled in belonged to the earlier one.
      this.panel.previewer.forget();
      this.panel = null;
      this.handle.again();
      return;
    }
    if (link.isLive) this.panel?.live();
    if (this.panel === null && link.model !== null) this.handle.again();
    else this.#showNotice();
  }

  /** While the bridge is away, Foundry's own dice can help out. */
  #showNotice() {
    this.notice.hidden = link.isLive;
    if (link.isLive) return;
    const dice = this.panel?.preview.rows[0]?.dice ?? [];
    const bonus = this.panel?.preview.rows[0]?.bonus ?? 0;
    const usual = dice.map(({ sides, count = 1 }) => `${count}d${sides}`).join(" + ") || "1d20";
    const formula = bonus === 0 ? usual : `${usual} ${bonus < 0 ? "-" : "+"} ${Math.abs(bonus)}`;
    const about = () => ({ name: this.party[0]?.name ?? "", action: this.panel?.state.action ?? this.preset.action ?? "", mode: this.panel?.state.modes.mode ?? this.preset.mode ?? usualMode() });
    this.notice.replaceChildren();
    fill(this.notice, localOffer(formula, about, () => this.handle.close()));
  }

  /** @param {RollCheck} command */
  #rolled(command) {
    lastCheck = command.check;
    afterDice(command.mode);
    this.handle.close();
  }

  toHotbar() {
    const state = this.panel?.state;
    if (state === undefined || !state.isReady) return;
    const { check, action, params, sources } = state.command();
    const { chosen } = state.modes;
    void putOnHotbar({ check, action, params, sources, ...(chosen !== null && { mode: chosen }) });
  }
}

/** @param {Preset} [preset] */
export function openRoll(preset = {}) {
  const { words } = link;
  const party = preset.party ?? whoIsMeant();
  const [first, ...others] = party;
  counter += 1;
  /** @type {RollDialog | null} */
  let dialog = null;
  openWindow({
    id: `boonbridge-roll-${counter}`,
    title: first === undefined ? words.say("roll.title") : others.length === 0 ? first.name : words.say("foundry.roll.several", { name: first.name, n: others.length }),
    icon: "dice-d20",
    kind: "boonbridge-roll",
    width: 430,
    controls: [
      { icon: "dice", label: words.say("otherDice.title"), action: "boonbridgeDice", act: () => openDice() },
      { icon: "users", label: words.say("tabs.table"), action: "boonbridgeTable", act: openTable },
      { icon: "thumbtack", label: words.say("foundry.roll.toHotbar"), action: "boonbridgeHotbar", act: () => dialog?.toHotbar() },
    ],
  }, (handle) => {
    dialog = new RollDialog(preset, party, handle);
    return dialog;
  });
}

/** Targets of this person changed: open dialogs follow. */
export function followTargets() {
  for (const dialog of open) dialog.targetsChanged();
}
