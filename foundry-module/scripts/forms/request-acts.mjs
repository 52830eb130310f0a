/** What the buttons of a request do, wherever they stand. The place brings its own windows. */

/** @import { Command, RequestRecord } from "../client/types.mjs" */
/** @import { RequestDoing } from "../cards/context.mjs" */
/** @import { Child } from "../cards/dom.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Tell } from "./standing-acts.mjs" */

import { missingIn } from "../cards/request-words.mjs";
import { isPlain, missingForm } from "./missing-form.mjs";

/**
 * What a place shows in windows of its own. `yes` and `send` say what is wrong.
 *
 * @typedef {object} RequestPlace
 * @property {(request: RequestRecord, actor: string) => void} answer at once where that is wanted
 * @property {(request: RequestRecord, actor: string) => void} look
 * @property {(title: string, text: string, label: string, yes: () => Promise<string | null>) => void} sure
 * @property {(title: string, body: Child, label: string, send: () => Promise<string | null>) => void} ask
 */

/**
 * @param {TableModel} model
 * @param {Tell} tell
 * @param {RequestPlace} place
 * @returns {RequestDoing}
 */
export function requestActs(model, tell, place) {
  /** @param {Command} cmd @returns {Promise<string | null>} */
  const act = async (cmd) => {
    const outcome = await model.send(cmd);
    return outcome.ok ? null : model.words.refusal(outcome);
  };
  /** @param {Command} cmd */
  const now = async (cmd) => {
    const wrong = await act(cmd);
    if (wrong !== null) tell(wrong, { tone: "trouble" });
  };
  return {
    answer: place.answer,
    look: place.look,
    decline: (request, actor) => void now({ t: "Decline", request: request.id, actor }),
    rollMissing: (request) => {
      if (isPlain(model, request)) void now({ t: "RollForAbsent", request: request.id });
      else {
        const { words } = model;
        const form = missingForm(model, request);
        place.ask(words.say("request.rollMissing"), form.root, words.say("roll.roll"), () => act(form.read()));
      }
    },
    close: (request) => {
      const { words } = model;
      /** @type {Command} */
      const cmd = { t: "CloseRequest", request: request.id };
      if (missingIn(request).length === 0) void now(cmd);
      else place.sure(words.say("request.closeTitle"), words.say("request.closeText"), words.say("request.close"), () => act(cmd));
    },
  };
}
