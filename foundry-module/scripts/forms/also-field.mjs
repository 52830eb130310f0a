/** The same for others too: whoever else at the table gets it in one go. Hooks: also ([data-also]). */

/** @import { ActorEntry } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { bdi, el } from "../cards/dom.mjs";

/**
 * @param {TableModel} model
 * @param {readonly ActorEntry[]} actors who gets it anyway
 * @returns {{root: HTMLElement | null, read: () => ActorEntry[]}} `read`: all of them
 */
export function alsoField(model, actors) {
  const others = model.actors().filter((actor) => !actors.some(({ id }) => id === actor.id));
  const boxes = others.map((actor) => ({ actor, box: el("input", { type: "checkbox" }) }));
  const root = others.length === 0
    ? null
    : el("details", { class: "fold", "data-testid": "also" },
      el("summary", {}, model.words.say("form.also")),
      el("div", { class: "chips" }, boxes.map(({ actor, box }) => el("label", { class: "chip check-chip", "data-also": actor.id }, box, bdi(actor.name)))));
  return { root, read: () => [...actors, ...boxes.filter(({ box }) => box.checked).map(({ actor }) => actor)] };
}
