/** The same for others too: whoever else at the table gets it in one go. Hooks: also ([data-also]). */

/** @import { ActorEntry } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { bdi, el } from "../cards/dom.mjs";

/**
 * @param {TableModel} model
 * @param {ActorEntry} actor who gets it anyway
 * @param {(many: boolean) => void} changed whether others get it, too
 * @returns {{root: HTMLElement | null, read: () => ActorEntry[]}} `read`: all of them
 */
export function alsoField(model, actor, changed) {
  const others = model.actors().filter(({ id }) => id !== actor.id);
  const boxes = others.map((other) => ({ other, box: el("input", { type: "checkbox", onchange: () => changed(ticked().length > 0) }) }));
  const ticked = () => boxes.filter(({ box }) => box.checked).map(({ other }) => other);
  const root = others.length === 0
    ? null
    : el("details", { class: "fold", "data-testid": "also" },
      el("summary", {}, model.words.say("form.also")),
      el("div", { class: "chips" }, boxes.map(({ other, box }) => el("label", { class: "chip check-chip", "data-also": other.id }, box, bdi(other.name)))));
  return { root, read: () => [actor, ...ticked()] };
}

/** @param {readonly {name: string}[]} actors */
export const namesOf = (actors) => actors.map((actor) => actor.name).join(", ");
