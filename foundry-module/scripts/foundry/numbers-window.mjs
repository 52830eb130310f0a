/** *Boonbridge numbers*: what the game asks of an actor. The bridge keeps them; the actor itself only gets a link. */

/** @typedef {import("./compat.mjs").Loose} Loose */

import { el } from "../cards/dom.mjs";
import { attacksForm } from "../forms/attacks-form.mjs";
import { numbersForm } from "../forms/numbers-form.mjs";
import { field } from "../forms/parts.mjs";
import { aboutActor, foundryActor, idOf } from "./actors.mjs";
import { link } from "./link.mjs";
import { saveForm } from "./save-form.mjs";
import { ID } from "./settings.mjs";
import { Listening, faIcon, openWindow, stateHint } from "./windows.mjs";

/**
 * The form for an actor's numbers, by itself: also a part of the first-run window.
 *
 * @param {Loose} actor
 */
export function numbersOf(actor) {
  const model = /** @type {NonNullable<typeof link.model>} */ (link.model);
  const entry = model.actor(idOf(actor));
  const numbers = numbersForm(model, entry?.numbers?.values ?? []);
  const attacks = model.ruleset.attacks ? attacksForm(model, entry?.numbers?.attacks ?? [], () => numbers.read()) : null;
  const root = el(
    "div",
    { class: "numbers-of" },
    entry !== undefined && (entry.numbers === null || entry.numbers === undefined) && !model.isGm ? el("p", { class: "hint" }, model.words.say("actor.hidden")) : null,
    numbers.root,
    attacks === null ? null : [el("h3", {}, model.words.say("actor.attacks")), attacks.root],
  );
  /** @returns {Promise<string | null>} what is wrong */
  const save = async () => {
    const values = { values: numbers.read(), attacks: attacks?.read() ?? [] };
    const about = aboutActor(actor);
    const outcome = await model.send(link.isGm ? { ...about, numbers: values } : { t: "SyncActor", actor: about.actor, numbers: values });
    if (!outcome.ok) return model.words.refusal(outcome);
    if (actor.isOwner && !actor.isToken && actor.flags?.[ID]?.link?.actor !== about.actor) {
      await actor.setFlag(ID, "link", { table: model.welcome.table, actor: about.actor });
    }
    return null;
  };
  return { root, save };
}

class NumbersContent {
  #listening = new Listening();
  #filled = false;

  /**
   * @param {Loose} actor
   * @param {{again: () => void, close: () => void}} handle
   */
  constructor(actor, handle) {
    this.actor = actor;
    this.handle = handle;
    this.#listening.until(link.on("state", ({ state }) => {
      if (state === "live" && !this.#filled) handle.again();
    }));
  }

  closed() {
    this.#listening.stop();
  }

  build() {
    const { model, words } = link;
    if (model === null) return stateHint();
    this.#filled = true;
    const form = numbersOf(this.actor);
    return saveForm({
      attributes: { "data-testid": "numbers-window" },
      body: [el("p", { class: "help" }, words.say("foundry.numbers.help", { game: model.ruleset.title })), this.#same(), form.root],
      submit: el("button", { type: "submit", "data-primary": true, "data-testid": "save-numbers" }, faIcon("floppy-disk"), " ", words.say("page.save")),
      save: form.save,
      done: () => this.handle.close(),
    });
  }

  /** Somebody may have been at the table before this actor was in Foundry. */
  #same() {
    const { model, words } = link;
    const { actor } = this;
    if (model === null || !model.isGm || actor.isToken) return null;
    const lost = model.actors().filter((entry) => entry.id === idOf(actor) || foundryActor(entry.id) === null);
    if (lost.every((entry) => entry.id === idOf(actor))) return null;
    const select = el("select", { "data-testid": "same-as", onchange: () => {
      const chosenId = select.value;
      const change = chosenId === "" ? actor.unsetFlag(ID, "link") : actor.setFlag(ID, "link", { table: model.welcome.table, actor: chosenId });
      void Promise.resolve(change).then(() => this.handle.again());
    } },
    el("option", { value: "", selected: idOf(actor) === actor.uuid }, words.say("foundry.numbers.itself")),
    lost.filter((entry) => entry.id !== actor.uuid).map((entry) => el("option", { value: entry.id, selected: entry.id === idOf(actor) }, entry.name)));
    return field(words.say("foundry.numbers.sameAs"), select, words.say("foundry.numbers.sameHelp"));
  }
}

/** @param {Loose} actor */
export function openNumbers(actor) {
  if (actor === null || actor === undefined) {
    ui.notifications?.warn(link.words.say("foundry.noActor"));
    return;
  }
  // A token's numbers begin with its actor's; what is set here is the actor's.
  const base = actor.isToken ? actor.token?.baseActor ?? game.actors?.get(actor.token?.actorId) ?? actor : actor;
  openWindow({
    id: `boonbridge-numbers-${String(base.uuid).replace(/\W/g, "-")}`,
    title: link.words.say("foundry.numbers.title", { name: base.name ?? "" }),
    icon: "list-ol",
    kind: "boonbridge-numbers",
    width: 420,
  }, (handle) => new NumbersContent(base, handle));
}
