/** The form for an actor: who it is, whose it is, and its numbers as the game asks for them. */

/** @import { ActorEntry, Command } from "../client/types.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */
/** @import { Notices } from "./notices.mjs" */

import { bdi, el } from "../cards/dom.mjs";
import { NoAnswer } from "../client/asker.mjs";
import { newId } from "../client/ids.mjs";
import { attacksForm } from "../forms/attacks-form.mjs";
import { confirm, openDialog } from "./dialogs.mjs";
import { numbersForm } from "../forms/numbers-form.mjs";
import { button, field, segments } from "../forms/parts.mjs";
import { wayBack } from "../forms/way-back.mjs";

/**
 * @param {TableModel} model
 * @param {Notices} notices
 * @param {ActorEntry | null} actor null: a new one
 */
export function actorDialog(model, notices, actor) {
  const { words, isGm, ruleset } = model;
  let side = actor?.side ?? "party";
  const name = el("input", { type: "text", maxlength: 80, value: actor?.name ?? "", required: true, "data-testid": "actor-name" });
  const numbers = numbersForm(model, actor?.numbers?.values ?? []);
  const attacks = ruleset.attacks ? attacksForm(model, actor?.numbers?.attacks ?? [], () => numbers.read()) : null;
  const owners = isGm ? ownerBoxes(model, actor?.owners ?? []) : null;
  const save = async () => {
    if (name.value.trim() === "") {
      name.focus();
      return words.say("actor.needName");
    }
    /** @type {Command} */
    const cmd = {
      t: "SyncActor",
      actor: actor?.id ?? newId(),
      ...(isGm && { name: name.value.trim(), side, owners: owners?.read() ?? [] }),
      numbers: { values: numbers.read(), attacks: attacks?.read() ?? [] },
    };
    const outcome = await model.send(cmd);
    return outcome.ok ? null : words.refusal(outcome);
  };
  const body = [
    isGm
      ? [
        field(words.say("actor.name"), name),
        segments({
          label: words.say("actor.side"),
          options: /** @type {const} */ (["party", "opposition", "neutral"]).map((value) => ({ value, label: words.say(`side.${value}`) })),
          value: side,
          choose: (value) => {
            side = value;
          },
          testid: "actor-side",
        }),
        owners?.root,
      ]
      : null,
    actor !== null && actor.numbers === null ? el("p", { class: "hint" }, words.say("actor.hidden")) : null,
    el("h3", {}, words.say("actor.numbers")),
    numbers.root,
    attacks === null ? null : [el("h3", {}, words.say("actor.attacks")), attacks.root],
    isGm && actor !== null
      ? el("div", { class: "danger-zone" }, button(words.say("actor.remove"), () => {
        opened.close();
        removeActor(model, notices, actor);
      }, { class: "button small", "data-danger": true, "data-testid": "remove-actor" }))
      : null,
  ];
  const opened = openDialog(words, {
    title: actor === null ? words.say("actor.new") : words.say("actor.edit", { name: actor.name }),
    body,
    testid: "actor-dialog",
    done: { label: words.say("page.save"), act: save },
  });
  if (actor === null) name.focus();
}

/**
 * @param {TableModel} model
 * @param {Notices} notices
 * @param {ActorEntry} actor
 */
function removeActor(model, notices, actor) {
  const { words } = model;
  /** @type {Command} */
  const back = { t: "SyncActor", actor: actor.id, name: actor.name, side: actor.side, owners: actor.owners, ...(actor.numbers && { numbers: actor.numbers }) };
  confirm(words, {
    title: words.say("actor.removeTitle", { name: actor.name }),
    text: words.say("actor.removeText"),
    label: words.say("actor.remove"),
    act: async () => {
      const outcome = await model.send({ t: "RemoveActor", actor: actor.id });
      if (!outcome.ok) return words.refusal(outcome);
      notices.show(words.say("actor.removed", { name: actor.name }), { undo: wayBack(model, notices.tell, () => [back]) });
      return null;
    },
  });
}

/**
 * @param {TableModel} model
 * @param {readonly string[]} owners
 */
function ownerBoxes(model, owners) {
  const { words } = model;
  // Owners who are no longer listed stay owners until somebody takes the tick away.
  const known = new Map(model.people().filter(({ id, gone }) => gone !== true || owners.includes(id)).map((person) => [person.id, person.name]));
  for (const owner of owners) if (!known.has(owner)) known.set(owner, words.say("actors.notHereYet"));
  /** @type {Map<string, {box: HTMLInputElement, called: HTMLElement}>} */
  const boxes = new Map();
  const chips = el("div", { class: "chips" });
  const offer = (/** @type {string} */ id, /** @type {string} */ name) => {
    const box = el("input", { type: "checkbox", checked: owners.includes(id) });
    const called = bdi(name);
    boxes.set(id, { box, called });
    chips.append(el("label", { class: "chip check-chip", "data-user": id }, box, called));
  };
  for (const [id, name] of known) offer(id, name);
  // Whoever was invited and has not come yet may have his character already.
  void model.client.roster().then((roster) => {
    for (const { user, name = "" } of roster instanceof NoAnswer ? [] : roster.codes ?? []) {
      if (!user || name === "" || model.client.person(user) !== undefined) continue;
      const there = boxes.get(user);
      if (there === undefined) offer(user, name);
      else there.called.textContent = name;
    }
  });
  const root = el("fieldset", { class: "targets", "data-testid": "actor-owners" }, el("legend", {}, words.say("actor.owners")), chips);
  return { root, read: () => [...boxes].filter(([, { box }]) => box.checked).map(([id]) => id) };
}
