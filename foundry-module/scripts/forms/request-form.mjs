/**
 * *Ask for a check*: who, which checks with which difficulties, how the rolls belong together, who sees what.
 *
 * Hooks: request-form; request-actors ([data-actor]), request-action, request-checks (asked-check [data-nth] with
 * request-check and the hooks of its parameters, remove-check), add-check, request-group, param-KEY of the group's
 * difficulty, request-shown, request-target, request-more (request-mode, request-minutes, request-note, sources).
 */

/** @import { ActorEntry } from "../client/types.mjs" */
/** @import { Child } from "../cards/dom.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Asked } from "./request-state.mjs" */
/** @import { Tell } from "./standing-acts.mjs" */

import { bdi, el } from "../cards/dom.mjs";
import { glyph } from "../cards/glyphs.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { askedControl, askedParams } from "./asked-params.mjs";
import { difficultyControl } from "./difficulty.mjs";
import { quiet } from "./param-controls.mjs";
import { button, field, oneOf, toggle } from "./parts.mjs";
import { RequestState } from "./request-state.mjs";
import { ASKED_MODES } from "./roll-mode.mjs";
import { SourcesBlock } from "./sources-block.mjs";

const MOST_CHECKS = 8;

export class RequestForm {
  #shape = "";

  /**
   * @param {TableModel} model
   * @param {Tell} tell
   * @param {Asked} [asked] what is filled in already
   */
  constructor(model, tell, asked = {}) {
    const { words } = model;
    this.model = model;
    this.tell = tell;
    this.state = new RequestState(model, asked);
    this.sources = new SourcesBlock(this.state, () => {});
    this.count = el("span", { class: "quiet-text", "aria-live": "polite" });
    this.action = el("input", {
      type: "text", maxlength: 80, value: this.state.action, placeholder: words.say("request.actionPlaceholder"), "data-testid": "request-action",
      oninput: () => {
        this.state.action = this.action.value;
      },
    });
    this.who = el("div", {});
    this.fields = el("div", { class: "bb-form" });
    this.more = el("details", { class: "fold", "data-testid": "request-more", ontoggle: () => this.more.open && this.more.scrollIntoView({ block: "nearest" }) }, el("summary", {}, words.say("request.more")), this.#moreFields());
    this.root = el("div", { class: "bb-form request-form", "data-testid": "request-form" },
      this.who, field(words.say("request.action"), this.action), this.fields, this.more);
    this.draw();
  }

  /** The table changed: other actors, other rules. What is typed stays. */
  update() {
    const shape = this.#shapeNow();
    if (shape !== this.#shape) this.draw();
  }

  #shapeNow() {
    const { model } = this;
    return JSON.stringify([model.actors().map(({ id, name, side, numbers }) => [id, name, side, numbers?.values?.map(({ key, label }) => [key, label])]), model.ruleset.groups]);
  }

  draw() {
    const { state } = this;
    state.settle();
    this.#shape = this.#shapeNow();
    keepPlace(this.who, () => this.who.replaceChildren(this.#actors()));
    keepPlace(this.fields, () => this.fields.replaceChildren(...[
      this.#checks(),
      this.#together(),
      this.#reach(),
      this.#shown(),
      this.#target(),
    ].filter((part) => part !== null)));
    this.#counted();
  }

  #counted() {
    this.count.textContent = this.model.words.say("request.whoCount", { n: this.state.actors.size });
  }

  /** The party first, everybody else behind a fold. */
  #actors() {
    const { model, state } = this;
    const { words } = model;
    const all = model.actors();
    const party = all.filter((actor) => actor.side === "party");
    const others = all.filter((actor) => actor.side !== "party");
    if (all.length === 0) return el("p", { class: "hint", "data-testid": "request-actors" }, words.say("request.noActors"));
    const chips = (/** @type {readonly ActorEntry[]} */ some) => el("div", { class: "chips" }, some.map((actor) => this.#chip(actor)));
    const unfolded = party.length === 0 || others.some((actor) => state.actors.has(actor.id));
    return el(
      "fieldset",
      { class: "targets", "data-testid": "request-actors" },
      el("legend", { class: "bb-unseen" }, words.say("request.who")),
      el("div", { class: "legend-row" }, el("span", { "aria-hidden": "true" }, words.say("request.who")), this.count),
      party.length > 0 ? chips(party) : null,
      others.length > 0 ? el("details", { class: "fold request-others", open: unfolded }, el("summary", {}, words.say("request.others")), chips(others)) : null,
    );
  }

  /** @param {ActorEntry} actor */
  #chip(actor) {
    const { state } = this;
    const box = el("input", {
      type: "checkbox",
      checked: state.actors.has(actor.id),
      "data-focus": `ask ${actor.id}`,
      onchange: () => {
        if (box.checked) state.actors.add(actor.id);
        else state.actors.delete(actor.id);
        this.draw();
      },
    });
    return el("label", { class: "chip check-chip", "data-actor": actor.id }, box, bdi(actor.name));
  }

  #checks() {
    const { state, model } = this;
    const { words } = model;
    const many = state.rows.length > 1;
    return el(
      "div",
      { class: "asked-checks", "data-testid": "request-checks" },
      state.rows.map((row, index) => this.#check(row, index, many)),
      state.rows.length < MOST_CHECKS
        ? button(words.say("request.addCheck"), () => {
          state.addRow();
          this.draw();
          /** @type {HTMLElement | null | undefined} */ (this.fields.querySelector(`[data-nth="${state.rows.length - 1}"]`)?.querySelector("input, select"))?.focus();
        }, { class: "button small", "data-testid": "add-check" })
        : null,
    );
  }

  /**
   * @param {RequestState["rows"][number]} row
   * @param {number} index
   * @param {boolean} many
   */
  #check(row, index, many) {
    const { state, model } = this;
    const { words } = model;
    const spec = state.specOf(row);
    const { checks } = state;
    const kinds = checks.length < 2
      ? null
      : oneOf({
        label: words.say("request.check"),
        options: checks.map(({ key, label }) => ({ value: key, label })),
        value: row.check,
        choose: (check) => {
          row.check = check;
          this.draw();
        },
        testid: "request-check",
        few: 3,
      });
    const params = spec === undefined ? [] : askedParams(spec, state.target !== "", row.params).map((param) => ({
      folded: quiet(param) || param.kind === "flag",
      control: askedControl(param, row.params.get(param.key) ?? null, (value) => {
        row.params.set(param.key, value);
        if (param.ofTarget) this.draw();
      }, state.asked, model),
    }));
    const folded = params.filter((param) => param.folded).map((param) => param.control);
    return el(
      "fieldset",
      { class: many ? "asked-check many" : "asked-check", "data-nth": index, "data-testid": "asked-check" },
      el("legend", { class: "bb-unseen" }, words.say("request.nth", { n: index + 1 })),
      many
        ? el("div", { class: "legend-row" }, el("span", { "aria-hidden": "true" }, words.say("request.nth", { n: index + 1 })),
          el("button", { type: "button", class: "icon-button", "aria-label": `${words.say("request.removeCheck")}: ${index + 1}`, title: words.say("request.removeCheck"), "data-testid": "remove-check", onclick: () => {
            state.removeRow(index);
            this.draw();
          } }, glyph("close")))
        : null,
      kinds,
      params.filter((param) => !param.folded).map((param) => param.control),
      folded.length > 0 ? el("details", { class: "fold" }, el("summary", {}, words.say("roll.more")), el("div", { class: "grid-fields" }, folded)) : null,
    );
  }

  #together() {
    const { state, model } = this;
    const { groups } = state;
    if (groups.length < 2) return null;
    const root = oneOf({
      label: model.words.say("request.together"),
      options: groups.map(({ key, label }) => ({ value: key, label })),
      value: state.group,
      choose: (group) => {
        state.group = group;
        this.draw();
      },
      testid: "request-group",
      few: 2,
    });
    return el("div", { class: "request-together" }, root, state.together?.help ? el("p", { class: "help", "aria-live": "polite" }, state.together.help) : null);
  }

  #reach() {
    const { state, model } = this;
    const spec = state.reachSpec;
    if (spec === null) return null;
    const each = state.together?.difficulty?.ladder ?? [];
    const help = el("p", { class: "help" });
    const say = () => {
      const step = "step" in state.reach ? state.reach.step : -1;
      const at = step >= 0 ? step : (spec.ladder ?? []).findIndex((one) => one.value === state.reachValue);
      help.textContent = state.together?.perMember && at >= 0 ? model.words.say("request.perMember", { each: each[at]?.value, n: Math.max(1, state.actors.size) }) : "";
    };
    say();
    return el("div", {}, difficultyControl(spec, state.reachValue, (value) => {
      state.reachSet(value);
      say();
    }, model), help);
  }

  #shown() {
    const { state, model } = this;
    const { words } = model;
    const help = el("p", { class: "help", "aria-live": "polite" }, words.say(state.shown ? "request.shownHelp" : "request.hiddenHelp"));
    return el("div", { class: "request-shown" }, toggle({
      label: words.say("request.shown"),
      on: state.shown,
      turn: (on) => {
        state.shown = on;
        help.textContent = words.say(on ? "request.shownHelp" : "request.hiddenHelp");
      },
      testid: "request-shown",
    }), help);
  }

  #target() {
    const { state, model } = this;
    const { words } = model;
    const { may } = state.aims;
    if (!may) return null;
    const others = model.actors().sort((a, b) => Number(a.side === "party") - Number(b.side === "party"));
    const select = el("select", {
      "data-testid": "request-target",
      onchange: () => {
        state.target = select.value;
        this.draw();
      },
    }, el("option", { value: "" }, words.say("request.noTarget")),
    others.map(({ id, name }) => el("option", { value: id, selected: id === state.target }, name)));
    return field(words.say("request.target"), select);
  }

  /** @returns {Child} */
  #moreFields() {
    const { state, model } = this;
    const { words } = model;
    const help = el("p", { class: "help" });
    const explain = () => {
      help.textContent = words.say(`mode.${state.mode}.help`);
      help.hidden = state.mode === "public";
    };
    const mode = el("select", {
      "data-testid": "request-mode",
      onchange: () => {
        state.mode = ASKED_MODES[mode.selectedIndex];
        explain();
      },
    }, ASKED_MODES.map((each) => el("option", { value: each, selected: each === state.mode }, words.say(`mode.${each}.name`))));
    explain();
    const minutes = el("input", {
      type: "number", inputmode: "numeric", min: 1, max: 1440, value: state.minutes, placeholder: words.say("request.never"), "data-testid": "request-minutes",
      oninput: () => {
        state.minutes = minutes.value;
      },
    });
    const note = el("input", {
      type: "text", maxlength: 500, value: state.note, "data-testid": "request-note",
      oninput: () => {
        state.note = note.value;
      },
    });
    return el("div", { class: "bb-form request-more" },
      model.option("dice_public") === true ? null : el("div", {}, field(words.say("roll.mode"), mode), help),
      this.sources.root,
      el("div", { class: "grid-fields" }, field(words.say("request.minutes"), minutes), field(words.say("request.note"), note)));
  }

  /** @returns {Promise<string | null>} what is wrong, or null: it was sent */
  async save() {
    const { model, state } = this;
    const names = state.asked.map((actor) => actor.name).join(", ");
    const outcome = await model.send(state.command());
    if (!outcome.ok) return model.words.refusal(outcome);
    this.tell(model.words.say("request.sent", { names }));
    return null;
  }
}
