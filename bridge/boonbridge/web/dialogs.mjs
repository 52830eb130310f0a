/** Windows over the page: the browser's own <dialog>, so Esc, focus and the background are its business. */

/** @import { Words } from "../client/words.mjs" */
/** @import { Child } from "../cards/dom.mjs" */
/** @import { Ask } from "../forms/table-data.mjs" */

import { el } from "../cards/dom.mjs";
import { whileBusy } from "../cards/busy.mjs";
import { glyph } from "../cards/glyphs.mjs";
import { button, unique } from "../forms/parts.mjs";

/**
 * @param {Words} words
 * @param {object} parts
 * @param {string} parts.title
 * @param {Child} parts.body
 * @param {string} parts.testid
 * @param {{label: string, act: () => Promise<string | null> | string | null, danger?: boolean, button?: HTMLButtonElement} | null} [parts.done]
 *   `act` returns what is wrong, or null to close; `button`: one that changes its words by itself
 * @param {string} [parts.cancel]
 * @param {string} [parts.kind] a class of its own
 * @param {boolean} [parts.foot] false: what is in it needs no button below, and has the room
 */
export function openDialog(words, { title, body, testid, done = null, cancel = words.say("page.cancel"), kind = "", foot = true }) {
  const heading = unique("dialog");
  const trouble = el("p", { class: "trouble", role: "alert", hidden: true, "data-testid": "trouble" });
  const dialog = el("dialog", { class: `dialog ${kind}`.trim(), "aria-labelledby": heading, "data-testid": testid });
  const close = () => dialog.close();
  const submit = done?.button ?? el("button", { type: "submit", class: "button", "data-primary": !done?.danger, "data-danger": done?.danger === true }, done?.label ?? "");
  const form = el(
    "form",
    {
      novalidate: true,
      onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        if (done === null || submit.disabled) return;
        trouble.hidden = true;
        const wrong = await whileBusy(submit, done.act);
        if (wrong === null) close();
        else {
          trouble.textContent = wrong;
          trouble.hidden = false;
          trouble.scrollIntoView({ block: "nearest" });
        }
      },
    },
    el(
      "header",
      {},
      el("h2", { id: heading }, title),
      el("button", { type: "button", class: "icon-button", "aria-label": words.say("page.close"), onclick: close }, glyph("close")),
    ),
    el("div", { class: "dialog-body" }, body, trouble),
    foot && el("footer", {}, button(done === null ? words.say("page.close") : cancel, close), done === null ? null : submit),
  );
  dialog.append(form);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("mousedown", (event) => {
    if (event.target === dialog) close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return { dialog, close };
}

/**
 * @param {Words} words
 * @param {{title: string, text: string, label: string, act: () => Promise<string | null>}} parts
 */
export function confirm(words, { title, text, label, act }) {
  return openDialog(words, { title, body: el("p", {}, text), testid: "confirm", done: { label, act, danger: true } });
}

/**
 * The same as a question, for what both the page and Foundry ask.
 *
 * @param {Words} words
 * @returns {Ask}
 */
export const surely = (words) => ({ title, text, yes }) => new Promise((answer) => {
  const asked = confirm(words, { title, text, label: yes, act: async () => {
    answer(true);
    return null;
  } });
  asked.dialog.addEventListener("close", () => answer(false));
});
