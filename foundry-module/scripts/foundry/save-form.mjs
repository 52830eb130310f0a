/** A form of a window that is sent as a whole: once at a time, with a line that says what is wrong. */

/** @import { Child } from "../cards/dom.mjs" */

import { el } from "../cards/dom.mjs";
import { whileBusy } from "../cards/busy.mjs";
import { link } from "./link.mjs";
import { troubleLine } from "./windows.mjs";

/**
 * @param {object} form
 * @param {Record<string, unknown>} [form.attributes] of the form itself
 * @param {Child} form.body
 * @param {Child} [form.beside] other buttons, before the one that sends
 * @param {() => void} [form.cancel] nothing is sent: with a button for it
 * @param {HTMLButtonElement} form.submit
 * @param {() => Promise<string | null>} form.save says what is wrong
 * @param {() => void} form.done it was taken
 */
export function saveForm({ attributes = {}, body, beside = null, cancel, submit, save, done }) {
  const trouble = troubleLine();
  const away = cancel && el("button", { type: "button", "data-testid": "cancel", onclick: cancel }, link.words.say("page.cancel"));
  return el(
    "form",
    {
      class: "boonbridge-form",
      novalidate: true,
      ...attributes,
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        if (submit.disabled) return;
        void whileBusy(submit, save).then((wrong) => {
          trouble.say(wrong);
          if (wrong === null) done();
        });
      },
    },
    body,
    trouble.root,
    el("footer", { class: "boonbridge-buttons" }, beside, away ?? null, submit),
  );
}
