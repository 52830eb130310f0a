/** Requests in Foundry: what the buttons of their cards do, with Foundry's windows; and what is read aloud of them. */

/** @import { RequestDoing } from "../cards/context.mjs" */
/** @import { TableEvent } from "../client/types.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */
/** @import { Tell } from "../forms/standing-acts.mjs" */

import { announcementOf } from "../cards/card.mjs";
import { el } from "../cards/dom.mjs";
import { onEscape } from "../forms/keys.mjs";
import { unique } from "../forms/parts.mjs";
import { requestActs } from "../forms/request-acts.mjs";
import { answer, openAnswer } from "./answer-window.mjs";
import { openCorrection } from "./correction-window.mjs";
import { link } from "./link.mjs";
import { openReplay } from "./replay-window.mjs";
import { saveForm } from "./save-form.mjs";
import { watchSession } from "./session-window.mjs";
import { ownView } from "./view.mjs";
import { openWindow, sure } from "./windows.mjs";

/** @type {import("./windows.mjs").Handle | null} in which a GM fills in what a request left open */
let missing = null;

/** @type {Tell} */
const notify = (text, { tone = "plain" } = {}) => void (tone === "trouble" ? ui.notifications?.warn(text) : ui.notifications?.info(text));

/**
 * @param {TableModel} model
 * @param {Tell} tell
 * @returns {RequestDoing}
 */
export const requestDoing = (model, tell) => requestActs(model, tell, {
  answer: (request, actor) => void answer(model, request, actor),
  look: (request, actor) => openAnswer(model, request, actor),
  sure: async (title, text, label, yes) => {
    if (!(await sure(title, text, label))) return;
    const wrong = await yes();
    if (wrong !== null) tell(wrong, { tone: "trouble" });
  },
  ask: (title, body, label, send) => {
    // What is filled in belongs to one request; whoever asks about another is done with it.
    if (missing?.isOpen()) missing.close();
    missing = openWindow({ id: unique("boonbridge-missing-"), title, icon: "dice", kind: "boonbridge-verb", width: 360 }, ({ close }) => ({
      build: () => saveForm({
        attributes: { "data-testid": "missing-window", onkeydown: onEscape(close) },
        body,
        cancel: close,
        submit: el("button", { type: "submit", "data-primary": true, "data-testid": "missing-roll" }, label),
        save: send,
        done: close,
      }),
    }));
  },
});

/** @param {TableEvent} event */
const isAsked = (event) => "request" in event;

/** Every table that comes is given what the buttons on its cards do, and its evenings are watched. */
export function watchPlay() {
  const equip = () => {
    if (link.model === null) return;
    link.model.asks ??= requestDoing(link.model, notify);
    link.model.correct ??= openCorrection;
    link.model.moment ??= openReplay;
  };
  link.on("state", equip);
  link.on("entries", equip);
  const aloud = el("div", { class: "bb-unseen", role: "status", "aria-live": "polite", "data-testid": "announcer" });
  document.body.append(aloud);
  link.on("commit", (commit) => {
    // A card that fills is no new message, so chat says nothing of it.
    if (link.model === null || commit.t === "hidden" || commit.catchup === true || !(commit.events ?? []).some(isAsked)) return;
    aloud.textContent = announcementOf(ownView(link.model), commit);
  });
  watchSession();
}
