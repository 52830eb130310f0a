/** The roll panel: what am I about to do, with what chance, and why. */

/** @import { RollCheck } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { NoAnswer } from "../client/asker.mjs";
import { el } from "../cards/dom.mjs";
import { keepFocus } from "../cards/keep-place.mjs";
import { whileBusy } from "../cards/busy.mjs";
import { freeBlock } from "./free-block.mjs";
import { HandBlock } from "./hand-block.mjs";
import { isEnter, isEscape } from "./keys.mjs";
import { ModeField } from "./mode-field.mjs";
import { OfferedHelp } from "./offered-help.mjs";
import { OpportunityBlock } from "./opportunity-block.mjs";
import { optionsOf, paramControl, quiet } from "./param-controls.mjs";
import { PreviewView } from "./preview-view.mjs";
import { RetryBlock } from "./retry-block.mjs";
import { actionField, actorPicker, checkPicker, spendField, targetsField } from "./roll-fields.mjs";
import { SendStatus } from "./roll-send.mjs";
import { FREE, RollState } from "./roll-state.mjs";
import { SourcesBlock } from "./sources-block.mjs";
import { UnderwayTold } from "./underway-told.mjs";

/**
 * What another place than the table page does differently.
 *
 * @typedef {object} PanelPlace
 * @property {(panel: import("./roll-fields.mjs").Panel) => HTMLElement | null} [who]
 * @property {(panel: import("./roll-fields.mjs").Panel) => HTMLElement | null} [against]
 * @property {() => void} [cancel] instead of clearing the form
 * @property {(state: RollState) => void} [start] fills in what is known before the form is drawn
 */

export class RollPanel {
  /** @type {{fillNumbers: () => void} | null} */
  #free = null;
  #shape = "";

  /**
   * @param {TableModel} model
   * @param {(command: RollCheck) => void} rolled what the place does once the roll is in the log
   * @param {PanelPlace} [place]
   */
  constructor(model, rolled, place = {}) {
    const { words } = model;
    this.model = model;
    this.rolled = rolled;
    this.place = place;
    this.state = new RollState(model);
    this.preview = new PreviewView(model);
    this.status = new SendStatus(model);
    this.previewer = model.client.previewer((answer) => this.#previewed(answer));
    this.sources = new SourcesBlock(this.state, () => this.#changed());
    this.opportunities = new OpportunityBlock(this.state, () => this.#changed());
    this.offered = new OfferedHelp(model, () => this.state.actor);
    this.retry = new RetryBlock(this.state);
    this.hand = new HandBlock(this.state);
    this.mode = new ModeField(model, this.state.modes, () => this.#changed(), { keeps: true });
    this.fields = el("div", { class: "roll-fields" });
    this.submit = el("button", { type: "submit", class: "button roll-button", "data-primary": true, "data-testid": "roll" },
      words.say("roll.roll"), el("kbd", { "aria-hidden": "true" }, words.say("key.enter")));
    this.form = el(
      "form",
      {
        class: "panel roll-panel",
        novalidate: true,
        "data-testid": "roll-panel",
        "aria-label": words.say("roll.title"),
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          void this.#roll();
        },
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
      },
      this.fields,
      el(
        "div",
        { class: "roll-foot" },
        this.preview.root,
        this.status.root,
        el("div", { class: "roll-buttons" },
          place.cancel === undefined
            ? el("button", { type: "button", class: "button", "data-testid": "clear", onclick: () => this.clear() }, words.say("roll.clear"))
            : el("button", { type: "button", class: "button", "data-testid": "cancel", onclick: place.cancel }, words.say("page.cancel")),
          this.submit),
      ),
    );
    // A dialog is opened to roll; the panel of the page is always there.
    this.told = new UnderwayTold(model, () => this.#prepared(), this.form, place.cancel !== undefined);
    this.root = el("section", { class: "roll", "aria-label": words.say("roll.title") }, this.form);
    place.start?.(this.state);
    this.draw();
  }

  /** The table changed: draw anew only what is built differently now, and ask what would apply. */
  update() {
    const shape = this.#shapeNow();
    if (shape !== this.#shape) this.draw();
    else {
      this.opportunities.draw();
      this.offered.draw();
      if (this.mode.update()) this.#changed();
      else {
        this.told.update();
        this.preview.follow();
        this.previewer.refresh();
      }
    }
  }

  /** The bridge is back: that nothing could be sent is over. */
  live() {
    if (this.status.root.dataset.code === "away") this.status.clear();
    this.previewer.refresh();
  }

  /** @param {string} actor */
  chooseActor(actor) {
    this.state.actor = actor;
    this.draw();
  }

  /**
   * Put together something that was begun elsewhere.
   *
   * @param {string} actor
   * @param {string} check
   * @param {Record<string, string>} params
   */
  begin(actor, check, params) {
    this.state.actor = actor;
    this.state.check = check;
    for (const [key, value] of Object.entries(params)) this.state.params.set(key, value);
    this.draw();
    this.submit.focus();
  }

  clear() {
    this.told.end();
    this.state.afterRoll();
    this.state.targets.clear();
    this.status.clear();
    this.sources.closePalette();
    this.draw();
  }

  draw() {
    const { state, model } = this;
    const { words } = model;
    state.settle();
    this.#shape = this.#shapeNow();
    const { spec } = state;
    const nobody = state.actor === null || spec === undefined;
    this.form.hidden = nobody;
    this.root.querySelector(".empty")?.remove();
    if (nobody) {
      this.previewer.forget();
      this.root.append(this.#empty());
      return;
    }
    const { roller } = state;
    // What is asked of the target waits until there is one.
    const asked = spec.params.filter((param) => (!param.ofTarget || param.required || state.targets.size > 0)
      && !(param.kind === "attack" && state.actor === FREE));
    const params = asked.map((param) => ({
      hidden: quiet(param),
      ofTarget: param.ofTarget === true,
      control: paramControl(param, state.params.get(param.key) ?? null, (value) => {
        state.params.set(param.key, value);
        this.#free?.fillNumbers();
        this.#changed();
      }, roller, model),
    }));
    const folded = params.filter((param) => param.hidden).map((param) => param.control);
    const panel = { state, model, changed: () => this.#changed(), draw: () => this.draw() };
    const free = state.actor === FREE ? freeBlock(state, () => this.#changed()) : null;
    this.#free = free;
    const fields = [
      (this.place.who ?? actorPicker)(panel),
      free?.root,
      checkPicker(panel),
      actionField(panel),
      this.retry.root,
      ...params.filter((param) => !param.hidden && !param.ofTarget).map((param) => param.control),
      folded.length > 0
        ? el("details", { class: "fold", "data-testid": "more-params" }, el("summary", {}, words.say("roll.more")), el("div", { class: "grid-fields" }, folded))
        : null,
      spec.targets === "none" ? null : (this.place.against ?? targetsField)(panel),
      ...params.filter((param) => param.ofTarget).map((param) => param.control),
      this.sources.root,
      this.offered.root,
      this.opportunities.root,
      spec.spendBefore ? spendField(panel) : null,
      this.hand.isTaken ? this.hand.root : null,
      this.mode.root,
    ].filter((part) => part !== null && part !== undefined);
    // The table changes while somebody types.
    keepFocus(this.fields, () => this.fields.replaceChildren(...fields));
    this.sources.draw();
    this.offered.draw();
    this.opportunities.draw();
    this.hand.draw();
    this.#changed();
  }

  #empty() {
    const { words } = this.model;
    const key = this.model.isGm ? "gm" : this.model.welcome.role === "observer" ? "observer" : "player";
    return el("div", { class: "panel empty", "data-testid": "roll-empty" },
      el("p", {}, el("strong", {}, words.say(`roll.nobody.${key}`))), el("p", {}, words.say(`roll.nobody.${key}Next`)));
  }

  #shapeNow() {
    const { state, model } = this;
    const { roller, spec } = state;
    const options = (spec?.params ?? []).map((param) => optionsOf(param, roller, model));
    const others = spec?.targets === "none" ? [] : model.actors().map(({ id, name }) => [id, name]);
    const mine = model.mine().map(({ id, name }) => [id, name]);
    const limits = ["player_difficulty", "player_sources", "ad_hoc"].map((option) => model.may(option));
    return JSON.stringify([state.actor, state.check, options, others, mine, limits, model.pool?.held, model.option("dice_public"), model.option("manual_dice"), (spec?.params ?? []).map((param) => param.ladder)]);
  }

  /** What the others may hear of: one actor of the table, and not several at once. */
  #prepared() {
    const { state, model } = this;
    const actor = state.party.length > 1 || state.actor === null ? null : model.actor(state.actor);
    return { actor, spec: state.spec, action: state.action, mode: state.modes.mode };
  }

  #changed() {
    this.mode.update();
    this.told.update();
    if (!this.state.isReady) {
      this.previewer.forget();
      this.preview.clear();
      return;
    }
    this.preview.wait();
    this.previewer.want(this.state.question());
  }

  /** @param {import("../client/types.mjs").Previewed | NoAnswer} answer */
  #previewed(answer) {
    this.preview.show(answer);
    if (!(answer instanceof NoAnswer)) {
      this.sources.judged(answer.rows);
      this.retry.judged(answer.rows);
      this.hand.judged(answer.rows);
    } else if (answer.code === "actor.number_missing" && this.state.actor === FREE && typeof answer.values.number === "string") {
      this.state.free.missing.add(answer.values.number);
      this.#free?.fillNumbers();
      this.#changed();
    }
  }

  async #roll() {
    if (this.submit.disabled) return;
    if (!this.state.isReady) {
      /** @type {HTMLElement | null} */ (this.form.querySelector("[data-testid=free-name]"))?.focus();
      return;
    }
    if (!this.hand.check()) return;
    if (this.retry.isMissing) {
      this.retry.point();
      return;
    }
    /** @type {RollCheck} */
    const command = this.state.command();
    const outcome = await whileBusy(this.submit, () => this.status.send(command));
    if (!outcome.ok) {
      // The preview says it already, right above the button.
      if (this.preview.root.dataset.code === outcome.code) this.status.clear();
      this.preview.point();
      // Quicker than the preview, which would have asked.
      if (outcome.code === "roll.locked") {
        this.retry.ask(true);
        this.retry.point();
      }
      return;
    }
    if (command.mode === "secret" && !this.model.isGm) this.status.say(this.model.words.say("send.secret"));
    this.told.end();
    this.state.afterRoll();
    this.sources.closePalette();
    this.draw();
    this.rolled(command);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!isEscape(event, this.place.cancel ?? (() => this.clear())) && isEnter(event) && (target instanceof HTMLSelectElement || target.matches("input[type=checkbox]"))) {
      event.preventDefault();
      this.form.requestSubmit();
    }
  }
}
