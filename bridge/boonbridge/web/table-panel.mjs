/** Who and what is at the table: the shared pool, the actors with what stands on them, the people. */

/** @import { ActorEntry, VerbSpec } from "../client/types.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */
/** @import { StandingDoing } from "../forms/standing-acts.mjs" */

import { portrait } from "../cards/card-parts.mjs";
import { bdi, el } from "../cards/dom.mjs";
import { glyph } from "../cards/glyphs.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { MARKS } from "../cards/shapes.mjs";
import { helpers } from "../forms/assist-form.mjs";
import { OpportunitiesView } from "../forms/opportunities-view.mjs";
import { Palette } from "../forms/palette.mjs";
import { freshPalette } from "../forms/palette-state.mjs";
import { factsOf, ownerWords } from "../forms/panel-facts.mjs";
import { PanelStory } from "../forms/panel-story.mjs";
import { peopleList, present } from "../forms/person-line.mjs";
import { button } from "../forms/parts.mjs";
import { PoolView } from "../forms/pool-view.mjs";
import { RequestsView } from "../forms/requests-view.mjs";
import { SessionView } from "../forms/session-view.mjs";
import { standingList } from "../forms/standing.mjs";
import { diceLine, mayRename } from "../forms/table-name.mjs";
import { roundButtons } from "../forms/turn-bar.mjs";

/**
 * @typedef {object} Doing what can be done from here
 * @property {StandingDoing} standing
 * @property {import("../forms/palette.mjs").PaletteDoing} palette
 * @property {(actor: ActorEntry | null) => void} editActor null: a new one
 * @property {(actor: ActorEntry) => void} give a Boon or a Bane
 * @property {(actor: ActorEntry) => void} condition
 * @property {(actor: ActorEntry) => void} help
 * @property {(actor: ActorEntry) => void} start the turn of an actor
 * @property {(actor: ActorEntry) => void} end the turn of an actor
 * @property {() => void} endRound
 * @property {() => void} endCombat
 * @property {() => void} invite somebody new
 * @property {() => void} people everybody, with devices and codes
 * @property {() => void} device a code for another device of one's own
 * @property {() => void} options
 * @property {() => void} data what the table may edit of its game
 * @property {() => void} rename the table
 * @property {(verb: VerbSpec) => void} verb
 * @property {() => void} ask several actors for a check
 * @property {() => void} startSession
 * @property {() => void} endSession
 * @property {import("../cards/context.mjs").RequestDoing} asks
 * @property {import("../forms/standing-acts.mjs").Tell} tell
 * @property {(seq: number) => void} show a card of the log
 * @property {(actor: string) => void} roll
 */

export class TablePanel {
  /** @type {Set<string>} actors whose menu is open */
  #open = new Set();
  /** @type {Map<string, Palette>} by actor, those that are open */
  #palettes = new Map();

  /**
   * @param {TableModel} model
   * @param {Doing} doing
   */
  constructor(model, doing) {
    this.model = model;
    this.doing = doing;
    this.session = new SessionView(model, { start: doing.startSession, end: doing.endSession });
    this.requests = new RequestsView(model, { ...doing.asks, open: doing.ask, show: doing.show });
    this.pool = new PoolView(model, doing.verb);
    this.waiting = new OpportunitiesView(model, doing.tell);
    this.story = new PanelStory(model);
    this.actors = el("section", { class: "panel actors", "data-testid": "actors" });
    this.people = el("section", { class: "panel people", "data-testid": "people" });
    this.root = el("section", { class: "table-panel", "aria-label": model.words.say("table.title"), "data-testid": "table-panel" },
      this.session.root, this.requests.root, this.pool.root, this.waiting.root, this.actors, this.story.pool, this.story.last, this.people);
    this.draw();
  }

  draw() {
    this.session.draw();
    this.requests.draw();
    this.pool.draw();
    this.waiting.draw();
    this.story.draw();
    this.#drawActors();
    this.drawPeople();
  }

  #drawActors() {
    const { model } = this;
    const { words } = model;
    const all = model.actors();
    const head = el(
      "header",
      { class: "panel-head" },
      el("h2", {}, words.say("actors.title")),
      model.isGm
        ? el("button", { type: "button", class: "button small", "data-testid": "new-actor", onclick: () => this.doing.editActor(null) },
          glyph("plus"), words.say("actors.add"))
        : null,
    );
    if (all.length === 0) {
      const key = model.isGm ? "gm" : "player";
      this.actors.replaceChildren(head, el("div", { class: "empty", "data-testid": "actors-empty" },
        el("p", {}, el("strong", {}, words.say("actors.none.title"))), el("p", {}, words.say(`actors.none.${key}`))));
      return;
    }
    const groups = ["party", "opposition", "neutral"].map((side) => {
      const those = all.filter((actor) => actor.side === side);
      if (those.length === 0) return null;
      return [el("h3", {}, words.say(`sideTitle.${side}`)), el("ul", { class: "actor-list" }, those.map((actor) => this.#actor(actor)))];
    });
    keepPlace(this.actors, () => this.actors.replaceChildren(head, ...groups.flat().filter((each) => each !== null), ...this.#roundButtons()));
  }

  /** A round may end where nobody counts turns: luck and everything that lasts for a round goes by it. */
  #roundButtons() {
    const { model, doing } = this;
    return model.isGm && model.turn === undefined ? [el("footer", { class: "panel-foot" }, roundButtons(model.words, doing))] : [];
  }

  /** @param {ActorEntry} actor */
  #actor(actor) {
    const { model, doing } = this;
    const { words } = model;
    const { owners, waits } = factsOf(model, actor);
    const mine = model.mine().some((each) => each.id === actor.id);
    const turn = model.turn?.actor === actor.id;
    const { name } = actor;
    const under = waits !== null
      ? el("span", { class: "tag" }, words.say(waits))
      : el("span", { class: "quiet-text" }, owners.length > 0 ? ownerWords(words, owners) : words.say("actors.noOwner"));
    return el(
      "li",
      { class: "actor", "data-actor": actor.id, "data-side": actor.side, "data-turn": turn, "data-testid": "actor" },
      el(
        "div",
        { class: "actor-line" },
        portrait(name),
        el("div", { class: "actor-who" }, el("strong", {}, this.#opener(actor, mine), model.ruleset.xp && (actor.xp ?? 0) > 0 ? el("small", { class: "xp", "data-testid": "xp", "data-xp": actor.xp }, words.say("session.xp", { xp: actor.xp })) : null), turn ? el("span", { class: "tag", "data-testid": "has-turn" }, words.say("turn.now")) : under),
        el(
          "span",
          { class: "actor-buttons" },
          mine ? this.#icon("dice", words.say("actors.roll", { name }), () => doing.roll(actor.id), `roll ${actor.id}`) : null,
          model.isGm
            ? el("button", {
              type: "button",
              class: "icon-button signs",
              "aria-label": words.say("actors.give", { name }),
              title: words.say("actors.give", { name }),
              "data-focus": `give ${actor.id}`,
              "data-testid": "give",
              onclick: () => doing.give(actor),
            }, MARKS.boon, MARKS.bane)
            : null,
          !model.isGm && helpers(model, actor).length > 0
            ? this.#icon("hand", words.say("actors.help", { name }), () => doing.help(actor), `help ${actor.id}`, "help")
            : null,
          ...this.#menu(actor, mine),
        ),
      ),
      this.#menuRow(actor, mine),
      this.#palettes.get(actor.id)?.root ?? null,
      standingList(model, actor, doing.standing),
    );
  }

  /**
   * The name opens what can be done for whoever it is; for those who may do nothing it is a name.
   *
   * @param {ActorEntry} actor
   * @param {boolean} mine
   */
  #opener({ id, name }, mine) {
    const { doing, model } = this;
    if (!model.isGm && !mine) return bdi(name);
    this.#palettes.get(id)?.draw();
    return el("button", {
      type: "button",
      class: "actor-name",
      "aria-expanded": String(this.#palettes.has(id)),
      "data-focus": `palette ${id}`,
      "data-testid": "actor-palette",
      onclick: () => {
        if (!this.#palettes.delete(id)) {
          this.#palettes.set(id, new Palette(model, () => [{ id, name: model.actor(id)?.name ?? name }], freshPalette(), doing.palette));
        }
        this.#drawActors();
      },
    }, bdi(name));
  }

  /**
   * What is not needed all the time.
   *
   * @param {ActorEntry} actor
   * @param {boolean} mine
   * @returns {HTMLButtonElement[]}
   */
  #entries(actor, mine) {
    const { model, doing } = this;
    const { words, isGm } = model;
    if (!mine) return [];
    const entry = (/** @type {string} */ text, /** @type {string} */ testid, /** @type {() => void} */ click) =>
      button(text, click, { class: "button small", "data-testid": testid, "data-focus": `${testid} ${actor.id}` });
    const turn = model.turn?.actor === actor.id;
    return [
      isGm && (model.ruleset.conditions ?? []).length > 0 ? entry(words.say("actors.condition"), "condition-for", () => doing.condition(actor)) : null,
      isGm && helpers(model, actor).length > 0 ? entry(words.say("actors.helpShort"), "help", () => doing.help(actor)) : null,
      turn ? null : entry(words.say("turn.begin"), "start-turn", () => doing.start(actor)),
      turn || model.turn === undefined ? entry(words.say("turn.end"), "end-turn", () => doing.end(actor)) : null,
      isGm || model.option("actor_authority") !== "gm" ? entry(words.say("actors.numbers"), "edit-actor", () => doing.editActor(actor)) : null,
    ].filter((each) => each !== null);
  }

  /**
   * @param {ActorEntry} actor
   * @param {boolean} mine
   */
  #menu(actor, mine) {
    if (this.#entries(actor, mine).length === 0) return [];
    const label = this.model.words.say("actors.more", { name: actor.name });
    const open = this.#open.has(actor.id);
    const opener = this.#icon("more", label, () => {
      if (open) this.#open.delete(actor.id);
      else this.#open.add(actor.id);
      this.#drawActors();
    }, `menu ${actor.id}`, "actor-menu");
    opener.setAttribute("aria-expanded", String(open));
    return [opener];
  }

  /**
   * @param {ActorEntry} actor
   * @param {boolean} mine
   */
  #menuRow(actor, mine) {
    return this.#open.has(actor.id) ? el("div", { class: "actor-menu" }, this.#entries(actor, mine)) : null;
  }

  drawPeople() {
    const { model, doing } = this;
    const { words } = model;
    const small = (/** @type {string} */ text, /** @type {string} */ testid, /** @type {"people" | "plus"} */ icon, /** @type {() => void} */ click) =>
      el("button", { type: "button", class: "button small", "data-testid": testid, onclick: click }, glyph(icon), text);
    this.people.replaceChildren(
      el(
        "header",
        { class: "panel-head" },
        el("h2", {}, words.say("people.title")),
        model.isGm
          ? el("button", { type: "button", class: "button small", "data-testid": "invite", onclick: doing.invite }, glyph("link"), words.say("people.invite"))
          : null,
      ),
      peopleList(model),
      diceLine(model) ?? "",
      present(model).length < 2 && model.isGm ? el("p", { class: "help" }, words.say("people.alone")) : "",
      el("div", { class: "people-buttons" },
        model.isGm ? small(words.say("people.manage"), "manage-people", "people", doing.people) : null,
        small(words.say("people.device.own"), "own-device", "plus", doing.device)),
    );
    this.people.append(el("footer", { class: "panel-foot" },
      el("button", { type: "button", class: "button small", "data-testid": "options", onclick: doing.options }, glyph("sliders"), words.say("options.open")),
      model.isGm ? el("button", { type: "button", class: "button small", "data-testid": "table-data-open", onclick: doing.data }, glyph("edit"), words.say("data.open")) : null,
      mayRename(model) ? el("button", { type: "button", class: "button small", "data-testid": "rename", onclick: doing.rename }, glyph("edit"), words.say("tableName.open")) : null));
  }

  /**
   * @param {"dice" | "hand" | "more"} name
   * @param {string} label
   * @param {() => void} click
   * @param {string} focus
   * @param {string | null} [testid]
   */
  #icon(name, label, click, focus, testid = null) {
    return el("button", { type: "button", class: "icon-button", "aria-label": label, title: label, "data-focus": focus, "data-testid": testid, onclick: click }, glyph(name));
  }
}
