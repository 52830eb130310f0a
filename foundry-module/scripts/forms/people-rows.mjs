/**
 * The rows of the list of people: a person with his devices and what can be done, one whose access was taken back, an open code,
 * a page that may connect.
 *
 * Hooks: person [data-user, data-role, data-online, data-gone] with device [data-device, data-kind, data-online, data-gone]
 * (device-revoke), person-device, role-ROLE, person-revoke, person-forget, person-again; open-code [data-code] (drop-code);
 * origin [data-origin] (remove-origin).
 */

/** @import { CodeOpen, Device, PersonDevices } from "../client/types.mjs" */
/** @import { Child } from "../cards/dom.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { PeopleActs } from "./people-acts.mjs" */
/** @import { PeopleDoing } from "./people-view.mjs" */

import { bdi, el } from "../cards/dom.mjs";
import { button } from "./parts.mjs";
import { personLine } from "./person-line.mjs";
import { agoWords, leftWords } from "./time-words.mjs";

const ROLES = /** @type {const} */ (["gm", "player", "observer"]);

export class PeopleRows {
  /**
   * @param {TableModel} model
   * @param {PeopleActs} acts
   * @param {PeopleDoing} doing
   */
  constructor(model, acts, doing) {
    this.model = model;
    this.acts = acts;
    this.doing = doing;
  }

  /**
   * @param {PersonDevices} person
   * @param {boolean} online
   */
  person(person, online) {
    const { model, acts, doing } = this;
    const { words } = model;
    const { id, role, named = true } = person;
    const name = this.#called(person);
    const devices = person.devices ?? [];
    const last = Math.max(0, ...devices.map(({ seen }) => seen));
    const when = online ? words.say("people.here") : last === 0 ? words.say("people.neverHere") : words.say("people.lastHere", { when: agoWords(words, last, Date.now()) });
    const me = id === model.welcome.user;
    const act = (/** @type {string} */ text, /** @type {string} */ testid, /** @type {() => void} */ click, more = {}) =>
      button(text, click, { class: "button small", "data-testid": testid, "data-focus": `${testid} ${id}`, ...more });
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
            ROLES.filter((each) => each !== role).map((each, nth) => act(words.say(`people.make.${each}`), `role-${each}`, () => void acts.setRole({ ...person, name }, each), { "data-focus": `role ${nth} ${id}` })),
            named ? act(words.say("people.forgetButton"), "person-forget", () => void acts.forget(person)) : null,
            me ? null : act(words.say("people.revokeButton"), "person-revoke", () => void acts.revoke({ ...person, name }), { "data-danger": true }),
          ),
        ),
      ),
    );
  }

  /** @param {PersonDevices} person @returns {string} */
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

  /** @param {PersonDevices} person */
  gone(person) {
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
  code(code, people) {
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
  origin(origin) {
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
}
