/**
 * Who may take part, for GMs: people with their devices and what can be done about each, who had his access taken back, codes
 * that nobody used yet, and the pages that may connect. Everybody else sees who is here. It follows the table while it is in sight.
 *
 * Hooks: people-view [data-state: asking, shown, trouble, plain], invite, own-device, people-said; a person [data-user, data-role,
 * data-online, data-gone] has device [data-device, data-online] (device-revoke), person-device, role-ROLE, person-revoke, person-forget,
 * person-again; open-code [data-code] (drop-code); origin [data-origin] (remove-origin); people-gone, people-codes, people-origins.
 */

/** @import { CodeOpen, Device, PersonDevices } from "../client/types.mjs" */
/** @import { Child } from "../cards/dom.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { PeopleActs } from "./people-acts.mjs" */
/** @import { Ask } from "./table-data.mjs" */

import { bdi, el } from "../cards/dom.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { button, glyph } from "./parts.mjs";
import { peopleActs } from "./people-acts.mjs";
import { isOnline, peopleList, personLine, present } from "./person-line.mjs";
import { RosterWatch } from "./roster-watch.mjs";
import { agoWords, leftWords } from "./time-words.mjs";

const ROLES = /** @type {const} */ (["gm", "player", "observer"]);

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
    /** @type {PeopleActs} */
    this.acts = peopleActs(model, {
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
      el("ul", { class: "people-rows" }, current.map((person) => this.#person(person, online(person)))),
      current.length < 2 ? el("p", { class: "help" }, words.say("people.alone")) : null,
      codes.length === 0 ? null : this.#fold("people-codes", words.count("people.codes", codes.length), "", codes.map((code) => this.#code(code, people)), true),
      gone.length === 0 ? null : this.#fold("people-gone", words.count("people.gone", gone.length), words.say("people.goneHelp"), gone.map((person) => this.#gone(person))),
      origins.length === 0 ? null : this.#fold("people-origins", words.count("people.origins", origins.length), words.say("people.originsHelp"), origins.map((origin) => this.#origin(origin))),
    ];
  }

  /**
   * @param {PersonDevices} person
   * @param {boolean} online
   */
  #person(person, online) {
    const { model, acts, doing } = this;
    const { words } = model;
    const { id, role, named = true } = person;
    const name = this.#called(person);
    const devices = person.devices ?? [];
    const last = Math.max(0, ...devices.map(({ seen }) => seen));
    const when = online ? words.say("people.here") : last === 0 ? words.say("people.neverHere") : words.say("people.lastHere", { when: agoWords(words, last, Date.now()) });
    const me = id === model.welcome.user;
    const act = (/** @type {string} */ text, /** @type {string} */ testid, /** @type {() => void} */ click, danger = false) =>
      button(text, click, { class: "button small", "data-testid": testid, "data-focus": `${testid} ${id}`, "data-danger": danger });
    return el(
      "li",
      { class: "person-row", "data-user": id, "data-role": role, "data-online": online, "data-testid": "person" },
      el(
        "details",
        { class: "person-fold", "data-focus": `fold ${id}` },
        el("summary", { class: "person", "data-focus": `open ${id}` }, personLine(model, person, online, ` \u00b7 ${when}`)),
        el(
          "div",
          { class: "person-more" },
          named ? null : el("p", { class: "help" }, words.say("people.idOnly", { id })),
          el("h3", {}, words.say("people.devices")),
          devices.length === 0
            ? el("p", { class: "help" }, words.say("people.noDevices"))
            : el("ul", { class: "device-rows" }, devices.map((device) => this.#device(person, device))),
          el(
            "div",
            { class: "person-acts" },
            // Whoever has no name is given one with his next link.
            named
              ? act(words.say("people.device.add"), "person-device", () => doing.device({ id, name }))
              : act(words.say("people.nameAnew"), "person-again", () => doing.invite(person)),
            ROLES.filter((each) => each !== role).map((each) => act(words.say(`people.make.${each}`), `role-${each}`, () => void acts.setRole({ ...person, name }, each))),
            named ? act(words.say("people.forgetButton"), "person-forget", () => void acts.forget(person)) : null,
            me ? null : act(words.say("people.revokeButton"), "person-revoke", () => void acts.revoke({ ...person, name }), true),
          ),
        ),
      ),
    );
  }

  /** @param {PersonDevices} person */
  #called = ({ id, name, named = true }) => (named ? name : this.model.words.say("people.unnamedId", { id }));

  /**
   * @param {PersonDevices} person
   * @param {Device} device
   */
  #device(person, device) {
    const { words } = this.model;
    const { kind, version = "", address = "", online, gone = false, seen, since } = device;
    const called = words.say(`people.kind.${kind}`);
    const number = /\d/.test(version) ? ` ${version}` : "";
    const when = gone ? words.say("people.device.gone") : online ? words.say("people.here") : agoWords(words, seen, Date.now());
    return el(
      "li",
      { class: "device", "data-device": device.id, "data-kind": kind, "data-online": online, "data-gone": gone, "data-testid": "device" },
      el("span", { class: "dot", "data-online": online && !gone, "aria-hidden": "true" }),
      el(
        "span",
        { class: "device-what" },
        el("span", { title: device.client }, called, number, address === "" ? null : [" \u00b7 ", bdi(address)]),
        el("small", { class: "quiet-text" }, when, " \u00b7 ", words.say("people.device.since", { when: agoWords(words, since, Date.now()) })),
      ),
      gone
        ? null
        : el("button", {
          type: "button",
          class: "button small",
          "aria-label": words.say("people.device.revokeLabel", { device: called, name: this.#called(person) }),
          "data-focus": `device ${person.id} ${device.id}`,
          "data-testid": "device-revoke",
          onclick: () => void this.acts.revokeDevice({ ...person, name: this.#called(person) }, device, called),
        }, words.say("people.takeBack")),
    );
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

  /** @param {PersonDevices} person */
  #gone(person) {
    const { words } = this.model;
    const { id, role, named = true } = person;
    const name = this.#called(person);
    return this.#row({ "data-user": id, "data-gone": true, "data-role": role, "data-testid": "person" }, named ? bdi(name) : name, words.say(`role.${role}`), [
      this.#small(words.say("people.inviteAgain"), words.say("people.inviteAgainLabel", { name }), () => this.doing.invite(person), `again ${id}`, "person-again"),
      named ? this.#small(words.say("people.forgetButton"), words.say("people.forgetLabel", { name }), () => void this.acts.forget(person), `forget ${id}`, "person-forget") : null,
    ]);
  }

  /**
   * @param {CodeOpen} code
   * @param {readonly PersonDevices[]} people
   */
  #code(code, people) {
    const { words } = this.model;
    const known = people.find(({ id }) => id === code.user);
    const name = code.name || (known === undefined ? words.say("people.code.anybody") : this.#called(known));
    const by = people.find(({ id }) => id === code.by);
    const what = [
      words.say(`people.code.${code.kind}`),
      words.say(`role.${code.role}`),
      leftWords(words, code.expiresAt, Date.now()),
      code.by ? words.say("people.code.by", { name: by === undefined ? words.say("somebody") : this.#called(by) }) : words.say("people.code.byBridge"),
    ].join(" \u00b7 ");
    return this.#row({ "data-code": code.id, "data-kind": code.kind, "data-testid": "open-code" }, bdi(name), what, [
      this.#small(words.say("people.takeBack"), words.say("people.code.dropLabel", { name }), () => void this.acts.dropCode(code, name), `code ${code.id}`, "drop-code"),
    ]);
  }

  /** @param {string} origin */
  #origin(origin) {
    const { words } = this.model;
    return this.#row({ "data-origin": origin, "data-testid": "origin" }, bdi(origin), "", [
      this.#small(words.say("people.origin.remove"), words.say("people.origin.removeLabel", { origin }), () => void this.acts.removeOrigin(origin), `origin ${origin}`, "remove-origin"),
    ]);
  }

  /**
   * @param {Readonly<Record<string, unknown>>} hooks
   * @param {Child} name
   * @param {string} more
   * @param {Child} buttons
   */
  #row(hooks, name, more, buttons) {
    return el("li", { class: "device", ...hooks }, el("span", { class: "device-what" }, el("span", {}, name), more === "" ? null : el("small", { class: "quiet-text" }, more)), buttons);
  }

  /**
   * @param {string} text
   * @param {string} label
   * @param {() => void} click
   * @param {string} focus
   * @param {string} testid
   */
  #small(text, label, click, focus, testid) {
    return el("button", { type: "button", class: "button small", "aria-label": label, "data-focus": focus, "data-testid": testid, onclick: click }, text);
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
