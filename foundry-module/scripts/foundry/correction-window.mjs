/** A correction in a window of its own; it follows the table while it is open. */

/** @import { Correctable } from "../cards/context.mjs" */

import { CorrectionForm } from "../forms/correction-form.mjs";
import { onEscape } from "../forms/keys.mjs";
import { link } from "./link.mjs";
import { saveForm } from "./save-form.mjs";
import { Listening, idFor, openWindow } from "./windows.mjs";

const CALM_MS = 120;

/** @param {Correctable} about */
export function openCorrection(about) {
  const { model, words } = link;
  if (model === null) return;
  openWindow({ id: idFor("correction", about.what), title: words.say("correction.title"), icon: "rotate-left", kind: "boonbridge-correction", width: 420 }, ({ close }) => {
    const correction = new CorrectionForm(model, about, (text, how) => ui.notifications?.[how?.tone === "trouble" ? "warn" : "info"](text));
    const form = saveForm({
      attributes: { "data-testid": "correction-window", onkeydown: onEscape(close) },
      body: correction.root,
      cancel: close,
      submit: correction.submit,
      save: () => correction.save(),
      done: close,
    });
    const listening = new Listening();
    let later = 0;
    listening.until(link.on("entries", () => {
      window.clearTimeout(later);
      later = window.setTimeout(() => correction.update(), CALM_MS);
    }));
    return {
      build: () => form,
      shown: () => /** @type {HTMLElement | null} */ (form.querySelector(":checked") ?? form.querySelector("input"))?.focus(),
      closed: () => {
        window.clearTimeout(later);
        listening.stop();
      },
    };
  });
}
