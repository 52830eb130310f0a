/**
 * *Boons, Banes and conditions* of one actor: what stands, with its source and until when; giving and taking for GMs,
 * helping for players; and where its turn begins and ends. It follows the table while it is open.
 */

/** @import { Child } from "../cards/dom.mjs" */
/** @import { ActorEntry } from "../client/types.mjs" */
/** @import { Chosen } from "../forms/roll-state.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */

import { el, fill } from "../cards/dom.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { assistForm, helpers } from "../forms/assist-form.mjs";
import { conditionForm } from "../forms/condition-form.mjs";
import { grantForm } from "../forms/grant-form.mjs";
import { standingActs } from "../forms/standing-acts.mjs";
import { standingList } from "../forms/standing.mjs";
import { foundryActor, introduce } from "./actors.mjs";
import { link } from "./link.mjs";
import { openNumbers } from "./numbers-window.mjs";
import { saveForm } from "./save-form.mjs";
import { sureFirst } from "./sure-first.mjs";
import { isTracked } from "./tracker.mjs";
import { turnsOf } from "./turns.mjs";
import { Listening, iconButton, idFor, openWindow, saidLine, stateHint } from "./windows.mjs";

const CALM_MS = 60;

/** @typedef {{root: HTMLElement, save: () => Promise<string | null>}} Form */

class StandingContent {
  #listening = new Listening();
  #later = 0;
  /** @type {TableModel | null} what the forms were made for */
  #model = null;
  #shape = "";
  #asked = false;

  /**
   * @param {Chosen} who
   * @param {{again: () => void, close: () => void, isOpen: () => boolean}} handle
   */
  constructor(who, handle) {
    this.who = who;
    this.handle = handle;
    this.about = el("div", { class: "standing-about" });
    this.said = saidLine("standing-said");
    this.list = el("div", { class: "standing-list", "data-testid": "standing" });
    this.forms = el("div", { class: "standing-forms" });
    this.#listening.until(link.on("entries", () => this.#soon()));
    this.#listening.until(link.on("state", () => this.#soon()));
  }

  build() {
    this.#draw();
    return el("div", { class: "standing-window", "data-testid": "standing-window" }, this.about, this.list, this.said.root, this.forms);
  }

  closed() {
    window.clearTimeout(this.#later);
    this.#listening.stop();
  }

  #soon() {
    window.clearTimeout(this.#later);
    this.#later = window.setTimeout(() => this.handle.isOpen() && this.#draw(), CALM_MS);
  }

  /** What changes by itself is drawn anew; forms are kept, with what is typed in them. */
  #draw() {
    const { model } = link;
    const actor = model?.actor(this.who.id);
    if (model !== null && actor === undefined) void this.#introduce();
    redraw(this.about, this.#aboutNow(model, actor));
    redraw(this.list, model === null || actor === undefined ? [] : [standingList(model, actor, standingActs(model, this.said.tell, sureFirst(this.said.tell))) ?? nothing(model, actor)]);
    const shape = model === null || actor === undefined ? "" : JSON.stringify([actor.id, actor.name, model.isGm, helpers(model, actor).map(({ id }) => id), model.option("assist")]);
    if (model === this.#model && shape === this.#shape) return;
    this.#model = model;
    this.#shape = shape;
    redraw(this.forms, model === null || actor === undefined ? [] : this.#formsNow(model, actor));
  }

  /** Once: the bridge knows him from now on, with or without numbers. */
  async #introduce() {
    if (this.#asked || !link.isGm) return;
    this.#asked = true;
    const wrong = await introduce([this.who]);
    if (wrong !== null && link.model !== null) this.said.tell(link.words.refusal(wrong), { tone: "trouble" });
  }

  /**
   * @param {TableModel | null} model
   * @param {ActorEntry | undefined} actor
   * @returns {Child[]}
   */
  #aboutNow(model, actor) {
    const { words } = link;
    /** @type {Child[]} */
    const about = [];
    if (model === null || !link.isLive) about.push(stateHint("standing-away"));
    if (model === null) return about;
    if (actor === undefined) {
      about.push(el("p", { class: "hint", "data-testid": "standing-stranger" }, words.say(link.isGm ? "foundry.standing.strangerGm" : "foundry.standing.stranger", { name: this.who.name })));
      return about;
    }
    about.push(this.#turn(model, actor));
    if (model.ruleset.xp && (actor.xp ?? 0) > 0) about.push(el("p", { class: "help", "data-testid": "xp", "data-xp": actor.xp }, words.say("session.xpWords", { xp: actor.xp })));
    const document = foundryActor(this.who.base ?? this.who.id);
    const bare = (actor.numbers?.values ?? []).length === 0;
    if (bare && document?.isOwner === true && (model.isGm || model.owns(actor))) {
      about.push(el("p", { class: "help" }, words.say("foundry.standing.noNumbers", { name: actor.name }), " ",
        el("button", { type: "button", class: "bb-link", "data-testid": "edit-numbers", onclick: () => openNumbers(document) }, words.say("foundry.numbers.short"))));
    }
    return about;
  }

  /**
   * Whose turn it is, and a button for whoever may begin or end this one's.
   *
   * @param {TableModel} model
   * @param {ActorEntry} actor
   */
  #turn(model, actor) {
    const { words } = model;
    const { turn } = model;
    const now = turn?.actor === actor.id;
    const other = turn?.actor ? model.actor(turn.actor)?.name : undefined;
    const text = turn === undefined ? "" : [words.say("turn.round", { round: turn.round }), other === undefined ? "" : words.say("turn.of", { name: other })].filter((part) => part !== "").join(" \u00b7 ");
    const may = model.isGm || (model.welcome.role === "player" && model.owns(actor));
    if (text === "" && !may) return null;
    const acts = turnsOf(model, this.said.tell);
    const end = () => iconButton("flag-checkered", words.say("turn.end"), () => void acts.end(actor), { "data-testid": "end-turn", "data-focus": "turn" });
    const begin = () => iconButton("play", words.say("turn.begin"), () => void acts.start(actor), { "data-testid": "start-turn", "data-focus": "turn" });
    return el("div", { class: "standing-turn" }, el("span", { class: "help" }, text), may && !isTracked(model) ? now ? end() : begin() : null);
  }

  endRound() {
    if (link.model !== null) void turnsOf(link.model, this.said.tell).endRound();
  }

  endFight() {
    if (link.model !== null) void turnsOf(link.model, this.said.tell).endCombat();
  }

  /**
   * @param {TableModel} model
   * @param {ActorEntry} actor
   * @returns {Child[]}
   */
  #formsNow(model, actor) {
    const { words } = model;
    const help = helpers(model, actor).length > 0
      ? this.#fold("help", words.say("assist.title", { name: actor.name }), words.say("assist.give"), () => assistForm(model, actor, this.said.tell))
      : null;
    if (!model.isGm) return [help];
    return [
      this.#fold("give-grant", words.say("foundry.standing.give", { boon: words.term("Boon"), bane: words.term("Bane") }), words.say("grant.give"), () => grantForm(model, actor, this.said.tell)),
      (model.ruleset.conditions ?? []).length === 0 ? null
        : this.#fold("give-condition", words.say("foundry.standing.condition"), words.say("condition.give"), () => conditionForm(model, actor, this.said.tell)),
      help,
    ];
  }

  /**
   * A form behind a line that unfolds it; made when it is wanted, and anew after it has done its work.
   *
   * @param {string} testid
   * @param {string} title
   * @param {string} done
   * @param {() => Form} make
   */
  #fold(testid, title, done, make) {
    const inside = el("div", {});
    const summary = el("summary", {}, title);
    const fold = el("details", { class: "standing-fold", "data-testid": testid, ontoggle: () => fold.open && inside.childElementCount === 0 && fresh() }, summary, inside);
    const fresh = () => {
      const form = make();
      inside.replaceChildren(saveForm({
        body: form.root,
        submit: el("button", { type: "submit", "data-primary": true, "data-testid": `${testid}-save` }, done),
        save: form.save,
        done: () => {
          fold.open = false;
          inside.replaceChildren();
          summary.focus();
        },
      }));
    };
    return fold;
  }
}

/**
 * @param {HTMLElement} place
 * @param {Child[]} children
 */
function redraw(place, children) {
  keepPlace(place, () => {
    place.replaceChildren();
    fill(place, children);
  });
}

/**
 * @param {TableModel} model
 * @param {ActorEntry} actor
 */
const nothing = ({ words, isGm }, actor) => el("p", { class: "standing-nothing" },
  words.say("foundry.standing.nothing", { name: actor.name }), isGm ? ` ${words.say("foundry.standing.nothingGm")}` : "");

/** @param {Chosen | null} who */
export function openStanding(who) {
  const { words } = link;
  if (who === null) {
    ui.notifications?.warn(words.say("foundry.noActor"));
    return;
  }
  /** @type {StandingContent | null} */
  let content = null;
  openWindow({
    id: idFor("standing", who.id),
    title: words.say("foundry.standing.title", { name: who.name }),
    icon: "scale-balanced",
    kind: "boonbridge-standing",
    width: 400,
    controls: link.isGm
      ? [
        { icon: "rotate-right", label: words.say("turn.endRound"), action: "boonbridgeEndRound", act: () => content?.endRound() },
        { icon: "flag-checkered", label: words.say("turn.endCombat"), action: "boonbridgeEndFight", act: () => content?.endFight() },
      ]
      : [],
  }, (handle) => {
    content = new StandingContent(who, handle);
    return content;
  });
}
