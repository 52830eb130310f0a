/** What a move of the game needs to know, asked in a window of its own. */

/** @import { Child } from "../cards/dom.mjs" */
/** @import { VerbSpec } from "../client/types.mjs" */

import { el } from "../cards/dom.mjs";
import { onEscape } from "../forms/keys.mjs";
import { link } from "./link.mjs";
import { saveForm } from "./save-form.mjs";
import { idFor, openWindow } from "./windows.mjs";

/**
 * @param {VerbSpec} verb
 * @param {Child} body
 * @param {() => Promise<string | null>} send says what is wrong
 * @param {{done: () => void, closed: () => void}} after
 */
export function openVerb(verb, body, send, { done, closed }) {
  const { words } = link;
  openWindow({ id: idFor("verb", verb.key), title: verb.label, icon: "users", kind: "boonbridge-verb", width: 360 }, ({ close }) => {
    const submit = el("button", { type: "submit", "data-primary": true, "data-testid": "verb-do" }, words.say("verb.do"));
    const form = saveForm({
      attributes: { "data-testid": "verb-dialog", onkeydown: onEscape(close) },
      body,
      cancel: close,
      submit,
      save: send,
      done: () => {
        done();
        close();
      },
    });
    const shown = () => /** @type {HTMLElement | null} */ (form.querySelector(":checked") ?? form.querySelector("input, select, button"))?.focus();
    return { build: () => form, shown, closed };
  });
}
