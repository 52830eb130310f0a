/** Who and what is at the table: the shared pool, the actors with what stands on them, the people. */

/** @import { ActorEntry, GrantRecord, Person, VerbSpec } from "/client/types.mjs" */
/** @import { TableModel } from "/forms/model.mjs" */

import { portrait } from "/cards/card-parts.mjs";
import { bdi, el } from "/cards/dom.mjs";
import { MARKS } from "/cards/shapes.mjs";
import { glyph, mark } from "/forms/parts.mjs";

/**
 * @typedef {object} Doing what a GM can do from here
 * @property {(actor: ActorEntry | null) => void} editActor null: a new one
 * @property {(actor: ActorEntry) => void} give a Boon or a Bane
 * @property {(grant: GrantRecord) => void} revoke
 * @property {(person: Person | null) => void} invite null: somebody new
 * @property {(person: Person) => void} removePerson
 * @property {() => void} options
 * @property {(verb: VerbSpec) => void} verb
 * @property {(actor: string) => void} roll
 */

export class TablePanel {
  /**
   * @param {TableModel} model
   * @param {Doing} doing
   */
  constructor(model, doing) {
    this.model = model;
    this.doing = doing;
    this.pool = el("section", { class: "panel pool", hidden: true, "data-testid": "pool" });
    this.actors = el("section", { class: "panel actors", "data-testid": "actors" });
    this.people = el("section", { class: "panel people", "data-testid": "people" });
    this.root = el("section", { class: "table-panel", "aria-label": model.words.say("table.title"), "data-testid": "table-panel" },
      this.pool, this.actors, this.people);
    this.draw();
  }

  draw() {
    this.#drawPool();
    this.#drawActors();
    this.drawPeople();
  }

  #drawPool() {
    const { pool, words } = this.model;
    const verbs = this.#verbs();
    this.pool.hidden = pool === undefined && verbs.length === 0;
    if (pool === undefined) {
      this.pool.replaceChildren(...verbs);
      return;
    }
    const pips = pool.cap <= 20
      ? Array.from({ length: pool.cap }, (_, index) => el("span", { class: "pip", "data-full": index < pool.held }))
      : [];
    this.pool.dataset.held = String(pool.held);
    this.pool.replaceChildren(
      el("h2", {}, words.say("pool.title")),
      el("span", { class: "pips", "aria-hidden": "true" }, pips),
      el("span", { class: "pool-words" }, words.say("pool.held", { held: pool.held, cap: pool.cap })),
      ...verbs,
    );
  }

  /** The game's own moves at the table, for those who may make them. */
  #verbs() {
    const { ruleset, welcome, isGm } = this.model;
    const mine = (ruleset.verbs ?? []).filter(({ who = "gm" }) => isGm || (who === "player" && welcome.role === "player"));
    return mine.length === 0
      ? []
      : [el("div", { class: "verbs" }, mine.map((verb) =>
        el("button", { type: "button", class: "button small", "data-verb": verb.key, onclick: () => this.doing.verb(verb) }, verb.label)))];
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
    const { activeElement } = document;
    const focused = activeElement instanceof HTMLElement && this.actors.contains(activeElement) ? activeElement.dataset.focus : undefined;
    this.actors.replaceChildren(head, ...groups.flat().filter((each) => each !== null));
    if (focused !== undefined) {
      /** @type {HTMLElement | undefined} */
      const again = [...this.actors.querySelectorAll("[data-focus]")].map((each) => /** @type {HTMLElement} */ (each)).find((each) => each.dataset.focus === focused);
      again?.focus();
    }
  }

  /** @param {ActorEntry} actor */
  #actor(actor) {
    const { model, doing } = this;
    const { words } = model;
    // Somebody who has a link but never came has no name here yet.
    const owners = actor.owners.map((owner) => model.client.person(owner)?.name ?? words.say("actors.notHereYet"));
    const mine = model.mine().some((each) => each.id === actor.id);
    const pending = model.pendingOf(actor.id);
    return el(
      "li",
      { class: "actor", "data-actor": actor.id, "data-side": actor.side, "data-testid": "actor" },
      el(
        "div",
        { class: "actor-line" },
        portrait(actor.name),
        el("div", { class: "actor-who" },
          el("strong", {}, bdi(actor.name)),
          pending
            ? el("span", { class: "tag" }, words.say("actors.choice"))
            : el("span", { class: "quiet-text" }, owners.length > 0 ? owners.map((name, index) => [index > 0 ? ", " : "", bdi(name)]) : words.say("actors.noOwner"))),
        el(
          "span",
          { class: "actor-buttons" },
          mine ? this.#icon("dice", words.say("actors.roll", { name: actor.name }), () => doing.roll(actor.id), `roll ${actor.id}`) : null,
          model.isGm
            ? el("button", {
              type: "button",
              class: "icon-button signs",
              "aria-label": words.say("actors.give", { name: actor.name }),
              title: words.say("actors.give", { name: actor.name }),
              "data-focus": `give ${actor.id}`,
              "data-testid": "give",
              onclick: () => doing.give(actor),
            }, MARKS.boon, MARKS.bane)
            : null,
          model.isGm || (mine && model.option("actor_authority") !== "gm")
            ? this.#icon("edit", words.say("actors.edit", { name: actor.name }), () => doing.editActor(actor), `edit ${actor.id}`)
            : null,
        ),
      ),
      this.#standing(actor.id),
    );
  }

  /** @param {string} actor */
  #standing(actor) {
    const { model, doing } = this;
    const { words } = model;
    const grants = model.grants(actor).map((grant) => el(
      "li",
      { class: "standing", "data-sign": grant.sign, "data-grant": grant.id, "data-testid": "grant", title: grant.note || null },
      mark(words, grant.sign),
      el("span", {}, bdi(grant.source.label), grant.amount > 1 ? ` \u00d7\u2009${grant.amount}` : ""),
      el("small", {}, words.say(`expiry.${grant.expiry.when ?? "none"}.tag`, {}, "")),
      model.isGm
        ? el("button", {
          type: "button",
          class: "icon-button",
          "aria-label": words.say("actors.revoke", { label: grant.source.label }),
          title: words.say("actors.revoke", { label: grant.source.label }),
          "data-testid": "revoke",
          onclick: () => doing.revoke(grant),
        }, glyph("close"))
        : null,
    ));
    const conditions = model.conditions(actor).map((held) => {
      const spec = model.ruleset.conditions?.find((each) => each.key === held.key);
      return el("li", { class: "standing", "data-tone": spec?.tone ?? "plain", title: spec?.help ?? null },
        spec?.label ?? held.key, spec?.counted && (held.amount ?? 1) > 0 ? ` ${held.amount ?? 1}` : "");
    });
    return grants.length + conditions.length === 0 ? null : el("ul", { class: "standings" }, grants, conditions);
  }

  drawPeople() {
    const { model, doing } = this;
    const { words } = model;
    const people = model.people();
    this.people.replaceChildren(
      el(
        "header",
        { class: "panel-head" },
        el("h2", {}, words.say("people.title")),
        model.isGm
          ? el("button", { type: "button", class: "button small", "data-testid": "invite", onclick: () => doing.invite(null) }, glyph("link"), words.say("people.invite"))
          : null,
      ),
      el("ul", { class: "people-list" }, people.map((person) => this.#person(person))),
      people.length < 2 && model.isGm ? el("p", { class: "help" }, words.say("people.alone")) : "",
    );
    if (model.isGm) {
      this.people.append(el("footer", { class: "panel-foot" },
        el("button", { type: "button", class: "button small", "data-testid": "options", onclick: doing.options }, glyph("sliders"), words.say("options.open"))));
    }
  }

  /** @param {Person} person */
  #person(person) {
    const { model, doing } = this;
    const { words } = model;
    const me = person.id === model.welcome.user;
    return el(
      "li",
      { class: "person", "data-user": person.id, "data-online": person.online },
      el("span", { class: "dot", "data-online": person.online, "aria-hidden": "true" }),
      el("span", { class: "person-name" }, bdi(person.name), me ? el("span", { class: "quiet-text" }, ` ${words.say("people.you")}`) : null),
      el("span", { class: "quiet-text" }, words.say(`role.${person.role}`), person.online ? "" : ` \u00b7 ${words.say("people.away")}`),
      model.isGm && !me
        ? el("span", { class: "actor-buttons" },
          this.#icon("link", words.say("people.linkFor", { name: person.name }), () => doing.invite(person), `link ${person.id}`),
          this.#icon("close", words.say("people.remove", { name: person.name }), () => doing.removePerson(person), `remove ${person.id}`))
        : null,
    );
  }

  /**
   * @param {"dice" | "edit" | "link" | "close"} name
   * @param {string} label
   * @param {() => void} click
   * @param {string} focus
   */
  #icon(name, label, click, focus) {
    return el("button", { type: "button", class: "icon-button", "aria-label": label, title: label, "data-focus": focus, "data-testid": name === "edit" ? "edit-actor" : null, onclick: click }, glyph(name));
  }
}

