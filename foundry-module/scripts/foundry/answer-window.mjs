/** The roll that answers a request, in a window. */

/** @import { RequestRecord } from "../client/types.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */

import { el } from "../cards/dom.mjs";
import { requestTitle } from "../cards/request-words.mjs";
import { AnswerPanel } from "../forms/answer-panel.mjs";
import { answeredAtOnce } from "../forms/at-once.mjs";
import { link } from "./link.mjs";
import { Listening, idFor, openWindow } from "./windows.mjs";

/**
 * Roll at once where this person wants that and nothing is left to choose; otherwise in the window.
 *
 * @param {TableModel} model
 * @param {RequestRecord} request
 * @param {string} actor
 */
export async function answer(model, request, actor) {
  if (!(await answeredAtOnce(model, request, actor))) openAnswer(model, request, actor);
}

/**
 * @param {TableModel} model
 * @param {RequestRecord} request
 * @param {string} actor
 */
export function openAnswer(model, request, actor) {
  const listening = new Listening();
  /** @type {AnswerPanel | null} */
  let panel = null;
  openWindow({
    id: idFor("answer", request.id, actor),
    title: model.words.say("request.answerTitle", { name: model.actor(actor)?.name ?? "", action: requestTitle(model.cardContext(() => {}), request) }),
    icon: "dice-d20",
    kind: "boonbridge-roll",
    width: 430,
  }, ({ close, isOpen }) => {
    const made = new AnswerPanel(model, request, actor, { done: close, cancel: close });
    panel = made;
    listening.until(link.on("entries", () => isOpen() && (link.model === model ? made.update() : close())));
    listening.until(link.on("state", () => isOpen() && link.isLive && made.live()));
    return {
      build: () => el("section", { class: "roll" }, made.root),
      shown: () => made.focus(),
      closed: () => {
        listening.stop();
        panel?.forget();
      },
    };
  });
}
