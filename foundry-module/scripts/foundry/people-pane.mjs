/** Who is at the table: name, role, here or away; for GMs a link for somebody outside of this world, and the way out. */

/** @import { Person } from "../client/types.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */
/** @import { Tell } from "../forms/standing-acts.mjs" */

import { bdi, el } from "../cards/dom.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { inviteForm, linkBlock, pageAt } from "../forms/invite-form.mjs";
import { glyph } from "../forms/parts.mjs";
import { link } from "./link.mjs";
import { saveForm } from "./save-form.mjs";
import { own, worldTable } from "./settings.mjs";
import { openWindow, sure } from "./windows.mjs";

export class PeoplePane {
  /**
   * @param {TableModel} model
   * @param {Tell} tell
   */
  constructor(model, tell) {
    this.model = model;
    this.tell = tell;
    this.root = el("div", { class: "people-pane", "data-testid": "people" });
  }

  draw() {
    const { model } = this;
    const { words } = model;
    keepPlace(this.root, () => this.root.replaceChildren(
      el("ul", { class: "people" }, model.people().map((person) => this.#person(person))),
      ...(model.isGm
        ? [
          el("p", { class: "help" }, words.say("foundry.people.help")),
          el("div", { class: "boonbridge-buttons" }, el("button", { type: "button", "data-testid": "invite", onclick: () => openInvite(model, null) }, glyph("link"), words.say("people.invite"))),
        ]
        : []),
    ));
  }

  /** @param {Person} person */
  #person(person) {
    const { model } = this;
    const { words } = model;
    const me = person.id === model.welcome.user;
    const { name } = person;
    return el(
      "li",
      { class: "person", "data-user": person.id, "data-online": person.online },
      el("span", { class: "dot", "data-online": person.online, "aria-hidden": "true" }),
      el("span", { class: "person-name" }, bdi(name), me ? ` ${words.say("people.you")}` : ""),
      el("span", { class: "help" }, words.say(`role.${person.role}`), person.online ? "" : ` \u00b7 ${words.say("people.away")}`),
      model.isGm && !me
        ? [
          icon("link", words.say("people.linkFor", { name }), () => openInvite(model, person), `link ${person.id}`, "person-link"),
          icon("close", words.say("people.remove", { name }), () => void this.#remove(person), `remove ${person.id}`, "person-remove"),
        ]
        : null,
    );
  }

  /** @param {Person} person */
  async #remove({ id, name }) {
    const { model, tell } = this;
    const { words } = model;
    if (!(await sure(words.say("people.removeTitle", { name }), words.say("people.removeText"), words.say("people.removeButton")))) return;
    const outcome = await model.send({ t: "RevokeAccess", user: id });
    if (outcome.ok) tell(words.say("people.removed", { name }));
    else tell(words.refusal(outcome), { tone: "trouble" });
  }
}

/**
 * @param {"link" | "close"} name
 * @param {string} label
 * @param {() => void} click
 * @param {string} focus
 * @param {string} testid
 */
const icon = (name, label, click, focus, testid) =>
  el("button", { type: "button", class: "icon-button", "aria-label": label, "data-tooltip": label, "data-focus": focus, "data-testid": testid, onclick: click }, glyph(name));

/** The page that the bridge serves itself: at an address others can reach, else at the one that works here. */
function tablePage() {
  const known = pageAt([...(link.client?.welcome?.addresses ?? []), ...(worldTable()?.addresses ?? [])]);
  return known ?? `${String(own().address ?? "http://localhost").replace(/^ws/, "http").replace(/\/ws$/, "").replace(/\/$/, "")}/`;
}

/**
 * @param {TableModel} model
 * @param {Person | null} person
 */
function openInvite(model, person) {
  const { words } = model;
  openWindow({ id: "boonbridge-invite", title: words.say("invite.title"), icon: "link", kind: "boonbridge-invite", width: 400 }, ({ close }) => {
    const form = inviteForm(model, person);
    const root = el("div", { class: "boonbridge-form", "data-testid": "invite-dialog" });
    root.append(saveForm({
      body: form.root,
      submit: el("button", { type: "submit", "data-primary": true, "data-testid": "invite-make" }, words.say("invite.make")),
      save: async () => {
        const made = await form.make();
        if ("wrong" in made) return made.wrong;
        const { copy, root: shown } = linkBlock(model, made.called, made.minted, tablePage());
        root.replaceChildren(el("div", { class: "bb-form" }, shown), el("div", { class: "boonbridge-buttons" }, el("button", { type: "button", onclick: close }, words.say("page.close"))));
        copy.focus();
        return null;
      },
      done: () => {},
    }));
    return { build: () => root, shown: () => form.name.focus() };
  });
}
