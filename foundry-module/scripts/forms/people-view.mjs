/**
 * Who may take part, for GMs: people with their devices and what can be done about each, who had his access taken back, codes
 * that nobody used yet, and the pages that may connect. Everybody else sees who is here. It follows the table while it is in sight.
 *
 * Hooks: people-view [data-state: asking, shown, trouble, plain], invite, own-device, people-said (people-way), people-retry,
 * people-gone, people-codes, people-origins; what a row has is in people-rows.mjs.
 */

/** @import { PersonDevices } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Ask } from "./table-data.mjs" */

import { el } from "../cards/dom.mjs";
import { glyph } from "../cards/glyphs.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { peopleActs } from "./people-acts.mjs";
import { PeopleRows } from "./people-rows.mjs";
import { isOnline, peopleList, present } from "./person-line.mjs";
import { RosterWatch } from "./roster-watch.mjs";

/**
 * @typedef {object} PeopleDoing what a place does
 * @property {Ask} sure
 * @property {(person: PersonDevices | null) => void} invite null: somebody new
 * @property {(person: {id: string, name: string}) => void} device
 * @property {string} [help] what is particular there
 */

export class PeopleView {
  /**
   * @param {TableModel} model
   * @param {PeopleDoing} doing
   */
  constructor(model, doing) {
    this.model = model;
    this.doing = doing;
    this.watch = new RosterWatch(model, () => this.draw());
    this.said = el("p", { class: "said-line", role: "status", hidden: true, "data-testid": "people-said" });
    this.body = el("div", { class: "people-body" });
    this.root = el("div", { class: "people-view", "data-testid": "people-view" }, this.said, this.body);
    const acts = peopleActs(model, {
      sure: doing.sure,
      say: (text, { tone = "plain", way } = {}) => {
        this.said.dataset.tone = tone;
        this.said.hidden = false;
        this.said.replaceChildren(text, ...(way === undefined ? [] : [" ", el("button", { type: "button", class: "bb-link", "data-testid": "people-way", onclick: way.act }, way.label)]));
        this.said.scrollIntoView({ block: "nearest" });
        this.watch.soon();
      },
      invite: doing.invite,
      took: (roster) => this.watch.take(roster),
    });
    this.rows = new PeopleRows(model, acts, doing);
    // Nobody is asked for what nobody looks at: a pane may be behind another, a window may be closed.
    new IntersectionObserver((entries) => {
      if (entries.at(-1)?.isIntersecting) this.watch.start();
      else this.watch.stop();
    }).observe(this.root);
  }

  draw() {
    const { model, watch } = this;
    const parts = model.isGm ? this.#all() : this.#plain();
    this.root.dataset.state = !model.isGm ? "plain" : watch.why !== null ? "trouble" : watch.roster === null ? "asking" : "shown";
    keepPlace(this.body, () => this.body.replaceChildren(...parts.filter((part) => part !== null)));
  }

  #plain() {
    const { model } = this;
    const { user, name } = model.welcome;
    return [
      peopleList(model),
      el("div", { class: "people-buttons" }, this.#button("plus", model.words.say("people.device.own"), () => this.doing.device({ id: user, name }), "own-device")),
      el("p", { class: "help" }, model.words.say("people.device.ownHelp")),
    ];
  }

  #all() {
    const { model, watch, doing } = this;
    const { words } = model;
    const { roster, why } = watch;
    const head = el("div", { class: "people-buttons" }, this.#button("link", words.say("people.invite"), () => doing.invite(null), "invite", true));
    const help = doing.help === undefined ? null : el("p", { class: "help" }, doing.help);
    const trouble = why === null
      ? null
      : el("p", { class: "trouble", role: "alert" }, words.refusal(why), " ", el("button", { type: "button", class: "bb-link", "data-testid": "people-retry", onclick: () => void watch.ask() }, words.say("people.retry")));
    if (roster === null) return [head, help, trouble ?? el("p", { class: "help", role: "status" }, words.say("people.asking")), peopleList(model)];
    const here = new Map(present(model).map((person) => [person.id, person]));
    const online = (/** @type {PersonDevices} */ person) => isOnline(person) || here.get(person.id)?.online === true;
    const people = [...roster.people].sort((a, b) => Number(online(b)) - Number(online(a)) || a.name.localeCompare(b.name));
    const gone = people.filter((person) => person.gone);
    const codes = (roster.codes ?? []).filter((code) => code.expiresAt > Date.now());
    const origins = roster.origins ?? [];
    const current = people.filter((person) => !person.gone);
    return [
      head,
      help,
      trouble,
      el("ul", { class: "people-rows" }, current.map((person) => this.rows.person(person, online(person)))),
      current.length < 2 ? el("p", { class: "help" }, words.say("people.alone")) : null,
      codes.length === 0 ? null : this.#fold("people-codes", words.count("people.codes", codes.length), "", codes.map((code) => this.rows.code(code, people)), true),
      gone.length === 0 ? null : this.#fold("people-gone", words.count("people.gone", gone.length), words.say("people.goneHelp"), gone.map((person) => this.rows.gone(person))),
      origins.length === 0 ? null : this.#fold("people-origins", words.count("people.origins", origins.length), words.say("people.originsHelp"), origins.map((origin) => this.rows.origin(origin))),
    ];
  }

  /**
   * @param {string} testid
   * @param {string} title
   * @param {string} help
   * @param {readonly HTMLElement[]} rows
   * @param {boolean} [open]
   */
  #fold(testid, title, help, rows, open = false) {
    const body = [help === "" ? null : el("p", { class: "help" }, help), el("ul", { class: "device-rows" }, rows)];
    return open
      ? el("section", { class: "people-part", "data-testid": testid }, el("h3", {}, title), body)
      : el("details", { class: "people-part", "data-testid": testid }, el("summary", {}, title), body);
  }

  /**
   * @param {"link" | "plus"} icon
   * @param {string} text
   * @param {() => void} click
   * @param {string} testid
   * @param {boolean} [primary]
   */
  #button(icon, text, click, testid, primary = false) {
    return el("button", { type: "button", class: "button small", "data-primary": primary, "data-testid": testid, onclick: click }, glyph(icon), text);
  }
}
