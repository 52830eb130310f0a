/** The roll panel: what am I about to do, with what chance, and why. */

/** @import { RollCheck } from "/client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { NoAnswer } from "/client/asker.mjs";
import { bdi, el } from "/cards/dom.mjs";
import { freeBlock } from "./free-block.mjs";
import { optionsOf, paramControl, quiet } from "./param-controls.mjs";
import { field, segments } from "./parts.mjs";
import { PreviewView } from "./preview-view.mjs";
import { SendStatus } from "./roll-send.mjs";
import { FREE, RollState } from "./roll-state.mjs";
import { SourcesBlock } from "./sources-block.mjs";

const CHIPS = 6;
const MODES = /** @type {const} */ (["public", "gm", "blind", "secret", "self"]);

export class RollPanel {
  /** @type {{fillNumbers: () => void} | null} */
  #free = null;
  #shape = "";

  /**
   * @param {TableModel} model
   * @param {() => void} rolled what the page does once the roll is in the log
   */
  constructor(model, rolled) {
    const { words } = model;
    this.model = model;
    this.rolled = rolled;
    this.state = new RollState(model);
    this.preview = new PreviewView(model);
    this.status = new SendStatus(model);
    this.previewer = model.client.previewer((answer) => this.#previewed(answer));
    this.sources = new SourcesBlock(this.state, () => this.#changed());
    this.fields = el("div", { class: "roll-fields" });
    this.submit = el("button", { type: "submit", class: "button roll-button", "data-primary": true, "data-testid": "roll" },
      words.say("roll.roll"), el("kbd", { "aria-hidden": "true" }, "Enter"));
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
          el("button", { type: "button", class: "button", "data-testid": "clear", onclick: () => this.clear() }, words.say("roll.clear")),
          this.submit),
      ),
    );
    this.root = el("section", { class: "roll", "aria-label": words.say("roll.title") }, this.form);
    this.draw();
  }

  /** The table changed: draw anew only what is built differently now, and ask what would apply. */
  update() {
    const shape = this.#shapeNow();
    if (shape !== this.#shape) this.draw();
    else this.previewer.refresh();
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

  clear() {
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
    const free = state.actor === FREE ? freeBlock(state, () => this.#changed()) : null;
    this.#free = free;
    this.fields.replaceChildren();
    this.fields.append(...[
      this.#actorPicker(),
      free?.root,
      this.#checkPicker(),
      this.#actionField(),
      ...params.filter((param) => !param.hidden && !param.ofTarget).map((param) => param.control),
      folded.length > 0
        ? el("details", { class: "fold", "data-testid": "more-params" }, el("summary", {}, words.say("roll.more")), el("div", { class: "grid-fields" }, folded))
        : null,
      spec.targets === "none" ? null : this.#targets(),
      ...params.filter((param) => param.ofTarget).map((param) => param.control),
      this.sources.root,
      spec.spendBefore ? this.#spendBefore() : null,
      this.#modeField(),
    ].filter((part) => part !== null && part !== undefined));
    this.sources.draw();
    this.#changed();
  }

  #empty() {
    const { words } = this.model;
    const key = this.model.isGm ? "gm" : this.model.welcome.role === "observer" ? "observer" : "player";
    return el("div", { class: "panel empty", "data-testid": "roll-empty" },
      el("p", {}, el("strong", {}, words.say(`roll.nobody.${key}`))), el("p", {}, words.say(`roll.nobody.${key}Next`)));
  }

  #actorPicker() {
    const { state, model } = this;
    const mine = model.mine();
    const free = model.may("ad_hoc");
    const options = mine.map((actor) => ({ value: actor.id, label: actor.name }));
    const choose = (/** @type {string} */ actor) => this.chooseActor(actor);
    const value = /** @type {string} */ (state.actor);
    const other = free
      ? el("button", { type: "button", class: "bb-link", "aria-pressed": value === FREE, "data-testid": "free-open", onclick: () => choose(value === FREE ? mine[0]?.id ?? FREE : FREE) },
        model.words.say(value === FREE && mine.length > 0 ? "roll.backToSheets" : "roll.somebodyElse"))
      : null;
    const label = model.words.say("roll.who");
    if (value === FREE) return el("div", { class: "legend-row" }, el("span", {}, label), other);
    if (options.length <= CHIPS) return segments({ label, options, value, choose, testid: "actor-picker", beside: other, quiet: other === null });
    const select = el(
      "select",
      { "data-testid": "actor-picker", "aria-label": label, onchange: () => choose(select.value) },
      options.map((option) => el("option", { value: option.value, selected: option.value === value }, option.label)),
    );
    return el("div", {}, el("div", { class: "legend-row" }, el("span", {}, label), other), select);
  }

  #checkPicker() {
    const { state, model } = this;
    const { checks } = model.ruleset;
    if (checks.length < 2) return null;
    const help = state.spec?.help ?? "";
    return el("div", {}, segments({
      label: model.words.say("roll.check"),
      options: checks.map((check) => ({ value: check.key, label: check.label, title: check.help })),
      value: state.check,
      choose: (check) => {
        state.check = check;
        this.draw();
      },
      testid: "check-picker",
      quiet: true,
    }), help === "" ? null : el("p", { class: "help" }, help));
  }

  #actionField() {
    const { state, model } = this;
    const input = el("input", {
      type: "text",
      maxlength: 80,
      value: state.action,
      placeholder: model.words.say("roll.actionPlaceholder"),
      "data-testid": "action",
      oninput: () => {
        state.action = input.value;
        this.#changed();
      },
    });
    return field(model.words.say("roll.action"), input);
  }

  #targets() {
    const { state, model } = this;
    const others = model.actors().filter((actor) => actor.id !== state.actor)
      .sort((a, b) => Number(a.side === "party") - Number(b.side === "party"));
    if (others.length === 0) return el("p", { class: "hint" }, model.words.say("roll.noTargets"));
    return el(
      "fieldset",
      { class: "targets", "data-testid": "targets" },
      el("legend", {}, model.words.say("roll.targets")),
      el("div", { class: "chips" }, others.map((actor) => {
        const box = el("input", {
          type: "checkbox",
          checked: state.targets.has(actor.id),
          onchange: () => {
            if (box.checked) state.targets.add(actor.id);
            else state.targets.delete(actor.id);
            const dependent = (state.spec?.params ?? []).some((param) => param.ofTarget && !param.required);
            if (dependent) this.draw();
            else this.#changed();
          },
        });
        return el("label", { class: "chip check-chip", "data-target": actor.id }, box, bdi(actor.name));
      })),
    );
  }

  #spendBefore() {
    const { state, model } = this;
    const held = model.pool?.held ?? 0;
    if (held <= 0 && state.spendBefore === 0) return null;
    const row = segments({
      label: model.words.say("roll.spendBefore", { held }),
      options: Array.from({ length: Math.min(held, 3) + 1 }, (_, n) => ({ value: n, label: n === 0 ? model.words.say("roll.spendNone") : String(n) })),
      value: state.spendBefore,
      choose: (n) => {
        state.spendBefore = n;
        this.#changed();
      },
      testid: "spend-before",
    });
    row.classList.add("inline");
    return row;
  }

  #modeField() {
    const { state, model } = this;
    const { words } = model;
    const open = model.option("dice_public") === true;
    if (open) state.mode = "public";
    const help = el("p", { class: "help" });
    const explain = () => {
      help.textContent = words.say(open ? "mode.allPublic" : `mode.${state.mode}.help`);
      help.hidden = !open && state.mode === "public";
    };
    const select = el(
      "select",
      {
        "data-testid": "mode",
        disabled: open,
        onchange: () => {
          state.mode = MODES[select.selectedIndex];
          explain();
          this.#changed();
        },
      },
      MODES.map((mode) => el("option", { value: mode, selected: mode === state.mode }, words.say(`mode.${mode}.name`))),
    );
    explain();
    const root = field(words.say("roll.mode"), select);
    root.classList.add("inline");
    root.append(help);
    return root;
  }

  #shapeNow() {
    const { state, model } = this;
    const { roller, spec } = state;
    const options = (spec?.params ?? []).map((param) => optionsOf(param, roller, model));
    const others = spec?.targets === "none" ? [] : model.actors().map(({ id, name }) => [id, name]);
    const mine = model.mine().map(({ id, name }) => [id, name]);
    const limits = ["player_difficulty", "player_sources", "ad_hoc"].map((option) => model.may(option));
    return JSON.stringify([state.actor, state.check, options, others, mine, limits, model.pool?.held, model.option("dice_public")]);
  }

  #changed() {
    if (!this.state.isReady) {
      this.previewer.forget();
      this.preview.clear();
      return;
    }
    this.preview.wait();
    this.previewer.want(this.state.command());
  }

  /** @param {import("/client/types.mjs").Previewed | NoAnswer} answer */
  #previewed(answer) {
    this.preview.show(answer);
    if (!(answer instanceof NoAnswer)) this.sources.judged(answer.rows);
    else if (answer.code === "actor.number_missing" && this.state.actor === FREE && typeof answer.values.number === "string") {
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
    /** @type {RollCheck} */
    const command = this.state.command();
    this.submit.disabled = true;
    const outcome = await this.status.send(command);
    this.submit.disabled = false;
    if (!outcome.ok) {
      // The preview says it already, right above the button.
      if (this.preview.root.dataset.code === outcome.code) this.status.clear();
      this.preview.point();
      return;
    }
    if (command.mode === "secret" && !this.model.isGm) this.status.say(this.model.words.say("send.secret"));
    this.state.afterRoll();
    this.sources.closePalette();
    this.draw();
    this.rolled();
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (event.key === "Escape") this.clear();
    else if (event.key === "Enter" && (target instanceof HTMLSelectElement || target.matches("input[type=checkbox]"))) {
      event.preventDefault();
      this.form.requestSubmit();
    }
  }
}
