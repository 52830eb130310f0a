/** Beginning and ending an evening, in windows; and a question to a GM when a new one seems to have begun, or everybody left. */

/** @import { Form } from "../forms/session-acts.mjs" */

import { el } from "../cards/dom.mjs";
import { onEscape } from "../forms/keys.mjs";
import { endForm, startForm } from "../forms/session-acts.mjs";
import { SessionAsks } from "../forms/session-asks.mjs";
import { link } from "./link.mjs";
import { saveForm } from "./save-form.mjs";
import { openWindow } from "./windows.mjs";

/**
 * @param {string} id
 * @param {string} title
 * @param {string} label
 * @param {() => Form} make
 */
function openForm(id, title, label, make) {
  openWindow({ id: `boonbridge-${id}`, title, icon: "moon", kind: "boonbridge-session", width: 380 }, ({ close }) => {
    const form = make();
    const submit = el("button", { type: "submit", "data-primary": true, "data-testid": `${id}-save` }, label);
    return {
      build: () => saveForm({
        attributes: { "data-testid": `${id}-window`, onkeydown: onEscape(close) },
        body: form.root,
        cancel: close,
        submit,
        save: form.save,
        done: close,
      }),
      shown: () => (form.root.querySelector("input[type=text]") instanceof HTMLElement ? /** @type {HTMLElement} */ (form.root.querySelector("input[type=text]")) : submit).focus(),
    };
  });
}

export function openSessionStart() {
  const { model, words } = link;
  if (model !== null && link.isGm) openForm("session-start", words.say("session.startTitle"), words.say("session.begin"), () => startForm(model));
}

export function openSessionEnd() {
  const { model, words } = link;
  if (model !== null && link.isGm) openForm("session-end", words.say("session.endTitle"), words.say("session.endLabel"), () => endForm(model));
}

/** A window of its own for each question; it goes when somebody has answered. */
export function watchSession() {
  /** @type {{asks: SessionAsks, model: import("../forms/model.mjs").TableModel} | null} */
  let held = null;
  /** @type {{close: () => void, isOpen: () => boolean} | null} */
  let shown = null;
  let told = "";
  const asksNow = () => {
    const { model } = link;
    if (model === null) return null;
    if (held?.model !== model) {
      const tell = (/** @type {string} */ text) => ui.notifications?.warn(text);
      held = { model, asks: new SessionAsks(model, { tell, end: openSessionEnd }) };
    }
    return held.asks;
  };
  const look = () => {
    const asks = asksNow();
    const now = asks?.asks ?? "";
    asks?.draw();
    if (now === told) return;
    told = now;
    shown?.close();
    shown = null;
    if (asks === null || now === "") return;
    shown = openWindow({ id: "boonbridge-session-asks", title: link.words.say("foundry.session.title"), icon: "moon", kind: "boonbridge-session", width: 360 },
      () => ({ build: () => asks.root }));
  };
  link.on("people", (people) => {
    asksNow()?.presence(people);
    look();
  });
  link.on("entries", look);
}
