/**
 * The roll that answers a request: what is asked is fixed, what it left open is chosen here, with the chance before the
 * click. Hooks: answer-panel [data-request, data-actor]; answer-check, answer-difficulty, and those of the roll panel.
 */

/** @import { RequestRecord } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { NoAnswer } from "../client/asker.mjs";
import { bdi, el, fill } from "../cards/dom.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { askedWords, checksWords, difficultyWords, groupWords, hiddenWords, requestTitle } from "../cards/request-words.mjs";
import { sourceLine } from "../cards/sources.mjs";
import { AnswerState } from "./answer-state.mjs";
import { whileBusy } from "../cards/busy.mjs";
import { HandBlock } from "./hand-block.mjs";
import { isEnter, isEscape } from "./keys.mjs";
import { ModeField } from "./mode-field.mjs";
import { OfferedHelp } from "./offered-help.mjs";
import { OpportunityBlock } from "./opportunity-block.mjs";
import { paramControl, quiet } from "./param-controls.mjs";
import { segments, toggle } from "./parts.mjs";
import { PreviewView, netWords } from "./preview-view.mjs";
import { RetryBlock } from "./retry-block.mjs";
import { spendField } from "./roll-fields.mjs";
import { SendStatus } from "./roll-send.mjs";
import { UnderwayTold } from "./underway-told.mjs";

export class AnswerPanel {
  #shape = "";

  /**
   * @param {TableModel} model
   * @param {RequestRecord} request
   * @param {string} actor
   * @param {{done: () => void, cancel: () => void}} host `done`: it was rolled, or is over
   */
  constructor(model, request, actor, host) {
    const { words } = model;
    this.model = model;
    this.host = host;
    this.context = model.cardContext(() => {});
    this.state = new AnswerState(model, request, actor);
    this.preview = new PreviewView(model);
    this.status = new SendStatus(model);
    this.previewer = model.client.previewer((answer) => this.#previewed(answer));
    this.retry = new RetryBlock(this.state);
    this.hand = new HandBlock(this.state);
    // More secret than asked for, never less.
    this.mode = new ModeField(model, this.state.modes, () => this.#changed());
    this.net = el("span", { class: "net", "data-testid": "net" });
    this.sources = el("ul", { class: "source-list", "data-testid": "sources" });
    this.helps = el("div", { class: "sources", hidden: true }, el("div", { class: "legend-row" }, el("span", {}, words.say("sources.title")), this.net), this.sources);
    this.opportunities = new OpportunityBlock(this.state, () => this.#changed());
    this.pace = toggle({
      label: [words.say("roll.atOnce"), el("small", { class: "help" }, words.say("roll.atOnceHelp"))],
      on: model.pace.atOnce(),
      turn: (on) => model.pace.keep(on),
      testid: "at-once",
    });
    this.offered = new OfferedHelp(model, () => actor);
    this.fields = el("div", { class: "roll-fields" });
    this.submit = el("button", { type: "submit", class: "button roll-button", "data-primary": true, "data-testid": "roll" },
      words.say("roll.roll"), el("kbd", { "aria-hidden": "true" }, words.say("key.enter")));
    this.root = el(
      "form",
      {
        class: "panel roll-panel answer-panel",
        novalidate: true,
        "data-testid": "answer-panel",
        "data-request": request.id,
        "data-actor": actor,
        "aria-label": this.title,
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          void this.#roll();
        },
        onkeydown: (/** @type {KeyboardEvent} */ event) => this.#key(event),
      },
      this.fields,
      el("div", { class: "roll-foot" },
        this.preview.root,
        this.status.root,
        el("div", { class: "roll-buttons" },
          el("button", { type: "button", class: "button", "data-testid": "cancel", onclick: host.cancel }, words.say("page.cancel")),
          this.submit)),
    );
    // What is attempted stands on the request's card.
    this.told = new UnderwayTold(model, () => ({ actor: model.actor(actor), spec: this.state.spec, action: "", mode: this.state.modes.mode }), this.root, true);
    this.draw();
  }

  get title() {
    const { state, model } = this;
    return model.words.say("request.answerTitle", { name: state.name, action: requestTitle(this.context, state.request) });
  }

  /** The table changed. */
  update() {
    if (!this.state.isOpen && !this.submit.disabled) {
      this.forget();
      this.host.done();
      return;
    }
    if (this.#shapeNow() !== this.#shape) this.draw();
    else {
      this.opportunities.draw();
      this.offered.draw();
      if (this.mode.update()) this.#changed();
      else {
        this.preview.follow();
        this.previewer.refresh();
      }
    }
  }

  /** The bridge is back. */
  live() {
    if (this.status.root.dataset.code === "away") this.status.clear();
    this.previewer.refresh();
  }

  /** What is left to choose has the focus, or else the button that rolls: then Enter is enough. */
  focus() {
    const first = [...this.fields.querySelectorAll("input, select")].find((control) => control instanceof HTMLElement && control.offsetParent !== null && control.dataset.testid !== "mode" && !this.pace.contains(control));
    /** @type {HTMLElement} */ (first ?? this.submit).focus();
  }

  forget() {
    this.told.end();
    this.previewer.forget();
  }

  #shapeNow() {
    const { state, model } = this;
    return JSON.stringify([state.nth, state.request.checks, state.roller?.numbers, model.pool?.held, model.option("manual_dice")]);
  }

  draw() {
    const { state, model } = this;
    const { words } = model;
    state.settle();
    this.#shape = this.#shapeNow();
    const params = state.open.map((param) => ({
      folded: quiet(param),
      control: paramControl(param, state.params.get(param.key) ?? null, (value) => {
        state.params.set(param.key, value);
        this.#changed();
      }, state.roller, model),
    }));
    const folded = params.filter((param) => param.folded).map((param) => param.control);
    this.opportunities.draw();
    this.offered.draw();
    keepPlace(this.fields, () => {
      this.fields.replaceChildren(...[
        this.#asked(),
        this.#checks(),
        this.retry.root,
        ...params.filter((param) => !param.folded).map((param) => param.control),
        folded.length > 0 ? el("details", { class: "fold" }, el("summary", {}, words.say("roll.more")), el("div", { class: "grid-fields" }, folded)) : null,
        this.helps,
        this.offered.root,
        this.opportunities.root,
        state.spec?.spendBefore ? spendField({ state, model, changed: () => this.#changed() }) : null,
        this.hand.isTaken ? this.hand.root : null,
        this.mode.root,
        this.pace,
      ].filter((part) => part !== null && part !== undefined));
    });
    this.hand.draw();
    this.#changed();
  }

  /** What is fixed. */
  #asked() {
    const { state, context } = this;
    const { request } = state;
    const { name } = checksWords(context, request)[state.nth];
    const difficulty = difficultyWords(context, state.asked) || hiddenWords(context, request);
    const together = groupWords(context, request);
    return el(
      "div",
      { class: "answer-asked" },
      request.checks.length > 1 ? null : el("p", { class: "fixed-param" }, el("strong", {}, name)),
      difficulty === "" ? null : el("p", { class: "answer-difficulty", "data-testid": "answer-difficulty" }, difficulty),
      together === "" ? null : el("p", { class: "quiet-text" }, together),
      request.note ? el("p", { class: "answer-note" }, bdi(request.note)) : null,
    );
  }

  #checks() {
    const { state, model, context } = this;
    const { request } = state;
    if (request.checks.length < 2) return null;
    const told = checksWords(context, request);
    return segments({
      label: model.words.say("request.choose"),
      options: request.checks.map((asked, index) => ({ value: index, label: askedWords(context, request, asked), small: told[index].difficulty })),
      value: state.nth,
      choose: (nth) => {
        state.nth = nth;
        this.draw();
      },
      testid: "answer-check",
    });
  }

  #changed() {
    this.mode.update();
    this.told.update();
    this.preview.wait();
    this.previewer.want(this.state.question());
  }

  /** @param {import("../client/types.mjs").Previewed | NoAnswer} answer */
  #previewed(answer) {
    this.preview.show(answer);
    if (answer instanceof NoAnswer) return;
    this.retry.judged(answer.rows);
    this.hand.judged(answer.rows);
    const [row] = answer.rows;
    const { words } = this.model;
    const touching = (row?.sources ?? []).filter((source) => source.applies !== false && source.why !== "offered");
    this.helps.hidden = touching.length === 0;
    this.sources.replaceChildren(...touching.map((source) => sourceLine(words, source)));
    this.net.replaceChildren();
    if (row !== undefined) fill(this.net, [netWords(this.model, row)]);
  }

  async #roll() {
    if (this.submit.disabled || !this.hand.check()) return;
    if (this.retry.isMissing) {
      this.retry.point();
      return;
    }
    const outcome = await whileBusy(this.submit, () => this.status.send(this.state.command()));
    if (outcome.ok) {
      this.forget();
      this.host.done();
      return;
    }
    // The preview says it already, right above the button.
    if (this.preview.root.dataset.code === outcome.code) this.status.clear();
    this.preview.point();
    if (outcome.code === "roll.locked") {
      this.retry.ask(true);
      this.retry.point();
    }
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const target = /** @type {HTMLElement} */ (event.target);
    if (!isEscape(event, () => this.host.cancel()) && isEnter(event) && (target instanceof HTMLSelectElement || target.matches("input[type=checkbox]"))) {
      event.preventDefault();
      this.root.requestSubmit();
    }
  }
}
