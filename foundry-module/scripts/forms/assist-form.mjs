/**
 * Helping somebody's next roll: who helps, with what, and a word to it. Hooks: assist-helper, assist-action, assist-note.
 */

/** @import { ActorEntry, Attempt, Command } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Tell } from "./standing-acts.mjs" */

import { bdi, el } from "../cards/dom.mjs";
import { field, oneOf } from "./parts.mjs";

/**
 * Those of this person who may help an actor: a player's own, a GM's whole side.
 *
 * @param {TableModel} model
 * @param {ActorEntry} actor
 * @returns {ActorEntry[]} none where nobody can
 */
export function helpers(model, actor) {
  return model.helps ? model.mine().filter((each) => each.id !== actor.id && each.side === actor.side) : [];
}

/** Whether the GM answers first. A GM needs nobody's leave. @param {TableModel} model */
const isAsked = (model) => model.option("assist") === "gm_approves" && !model.isGm;

/**
 * @param {string} actor
 * @param {string} helper
 * @param {string} [action]
 * @param {string} [check] only that one, where what is helped has no name
 * @returns {Extract<Command, {t: "Assist"}>}
 */
export const assisting = (actor, helper, action = "", check = "") =>
  ({ t: "Assist", actor, helper, ...(action !== "" ? { action } : check !== "" ? { check } : {}) });

/**
 * @param {TableModel} model
 * @param {Pick<ActorEntry, "name">} actor
 * @param {Command} cmd
 * @param {Tell} tell
 * @returns {Promise<string | null>} what is wrong
 */
export async function assist(model, actor, cmd, tell) {
  const { words } = model;
  const outcome = await model.send(cmd);
  if (!outcome.ok) return words.refusal(outcome);
  tell(words.say(outcome.changed === false ? "grant.already" : isAsked(model) ? "assist.offered" : "assist.given", { name: actor.name }));
  return null;
}

/**
 * @param {TableModel} model
 * @param {ActorEntry} actor who is helped
 * @param {Tell} tell
 * @param {Attempt | null} [with_] what is helped with, where that is known; otherwise it is asked
 * @returns {{root: HTMLElement, save: () => Promise<string | null>}} `save` returns what is wrong
 */
export function assistForm(model, actor, tell, with_ = null) {
  const { words } = model;
  const able = helpers(model, actor);
  const waits = isAsked(model);
  let helper = able[0]?.id ?? "";
  const action = el("input", { type: "text", maxlength: 80, placeholder: words.say("assist.anyAction"), "data-testid": "assist-action" });
  const note = el("input", { type: "text", maxlength: 500, "data-testid": "assist-note" });
  const save = async () => {
    /** @type {Command} */
    const cmd = {
      ...(with_ === null ? assisting(actor.id, helper, action.value.trim()) : assisting(actor.id, helper, with_.action, with_.check)),
      ...(note.value.trim() !== "" && { note: note.value.trim() }),
    };
    return assist(model, actor, cmd, tell);
  };
  const root = el(
    "div",
    { class: "bb-form" },
    el("p", { class: "help" }, words.say(waits ? "assist.helpAsked" : "assist.help", { name: actor.name })),
    who(model, able, helper, (id) => {
      helper = id;
    }),
    with_ === null ? field(words.say("assist.action"), action) : null,
    field(words.say("condition.note"), note),
  );
  return { root, save };
}

/**
 * @param {TableModel} model
 * @param {readonly ActorEntry[]} able
 * @param {string} value
 * @param {(id: string) => void} choose
 */
function who({ words }, able, value, choose) {
  const label = words.say("assist.helper");
  if (able.length === 1) return el("p", { class: "fixed-param", "data-testid": "assist-helper" }, el("span", {}, label), el("strong", {}, bdi(able[0].name)));
  return oneOf({ label, options: able.map(({ id, name }) => ({ value: id, label: name })), value, choose, testid: "assist-helper" });
}
