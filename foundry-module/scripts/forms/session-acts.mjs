/**
 * Evenings: beginning one, ending one with what that brings, and going on. The form of the end shows what the bridge says
 * would come of it. Hooks: session-name; session-end with session-xp ([data-actor]), session-also.
 */

/** @import { Command, SessionEntry, TableEvent, XpEarned } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { NoAnswer } from "../client/asker.mjs";
import { bdi, el, phrase } from "../cards/dom.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { linesOf } from "../cards/lines.mjs";
import { field } from "./parts.mjs";

/** @typedef {{root: HTMLElement, save: () => Promise<string | null>}} Form */

/**
 * What an evening is called.
 *
 * @param {TableModel} model
 * @param {SessionEntry} session
 */
export const sessionTitle = ({ words }, { number, name = "" }) => words.say(name === "" ? "session.title" : "session.named", { n: number, name });

/**
 * @param {TableModel} model
 * @param {Command} cmd
 * @returns {Promise<string | null>} what is wrong
 */
export async function sessionSend(model, cmd) {
  const outcome = await model.send(cmd);
  return outcome.ok ? null : model.words.refusal(outcome);
}

/**
 * @param {TableModel} model
 * @returns {Form}
 */
export function startForm(model) {
  const { words } = model;
  const name = el("input", { type: "text", maxlength: 80, placeholder: words.say("session.namePlaceholder"), "data-testid": "session-name" });
  return {
    root: el("div", { class: "bb-form" },
      el("p", { class: "help" }, words.say(model.pool === undefined ? "session.startHelpPlain" : "session.startHelp")),
      field(words.say("session.name"), name)),
    save: () => sessionSend(model, { t: "StartSession", ...(name.value.trim() !== "" && { name: name.value.trim() }) }),
  };
}

/**
 * Asking before an evening ends: who earns what, and what ends with it.
 *
 * @param {TableModel} model
 * @returns {Form}
 */
export function endForm(model) {
  const { words } = model;
  const party = model.actors().filter((actor) => actor.side === "party");
  const listed = new Set(party.map((actor) => actor.id));
  let turn = 0;
  const xp = el("div", {});
  const also = el("div", { class: "session-also", "aria-live": "polite", "data-testid": "session-also" });
  const root = el("div", { class: "bb-form", "data-testid": "session-end" }, xp, also);
  /** @returns {Extract<Command, {t: "EndSession"}>} */
  const command = () => ({ t: "EndSession", ...(listed.size < party.length && { actors: [...listed] }) });
  const look = async () => {
    turn += 1;
    const mine = turn;
    const answer = await model.client.foresee(command());
    if (mine !== turn) return;
    const events = answer instanceof NoAnswer ? null : answer.events;
    const ended = events?.find((event) => event.t === "SessionEnded");
    keepPlace(xp, () => xp.replaceChildren(...(model.ruleset.xp ? [xpField(ended?.xp ?? null)] : [])));
    also.replaceChildren(...(events === null ? [el("p", { class: "help" }, answer instanceof NoAnswer && answer.code.startsWith("session.") ? words.refusal(answer) : words.say("session.endBlind"))] : alsoNow(events)));
  };
  /** @param {readonly XpEarned[] | null} earned */
  const xpField = (earned) => el(
    "fieldset",
    { class: "session-xp", "data-testid": "session-xp" },
    el("legend", {}, words.say("session.endXp")),
    el("p", { class: "help" }, words.say("session.endXpHelp")),
    el("ul", { class: "xp-rows" }, party.map((actor) => {
      const amount = earned?.find((each) => each.actor === actor.id);
      const box = el("input", {
        type: "checkbox",
        checked: listed.has(actor.id),
        "data-focus": `xp ${actor.id}`,
        onchange: () => {
          if (box.checked) listed.add(actor.id);
          else listed.delete(actor.id);
          void look();
        },
      });
      return el("li", {}, el("label", { class: "xp-row", "data-actor": actor.id, "data-xp": amount?.amount ?? 0 }, box, el("span", {}, bdi(actor.name)),
        el("strong", {}, amount === undefined ? words.say("session.xpNone") : words.say("session.xp", { xp: `+${amount.amount}` }))));
    })),
  );
  /** @param {readonly TableEvent[]} events */
  const alsoNow = (events) => {
    const context = model.cardContext(() => {});
    const lines = events
      .map((event) => (event.t === "SessionEnded" ? { ...event, xp: [] } : event))
      .flatMap((event) => linesOf(context, event, model.welcome.user))
      .filter((line) => line.key !== "event.SessionEnded.end");
    return lines.length === 0
      ? [el("p", { class: "help" }, words.say("session.endNothing"))]
      : [el("h3", {}, words.say("session.endAlso")), el("ul", { class: "also-list" }, lines.map(({ key, values, fallback }) => el("li", {}, phrase(words, key, values, fallback))))];
  };
  also.append(el("p", { class: "help" }, words.say("session.endSlow")));
  void look();
  return { root, save: () => sessionSend(model, command()) };
}
