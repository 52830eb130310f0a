/** "Mira is about to climb": over the hotbar of everybody else, with the button that helps her, and a GM's word to it. */

/** @import { ActorEntry, Attempt } from "../client/types.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */
/** @import { Tell } from "../forms/standing-acts.mjs" */

import { el } from "../cards/dom.mjs";
import { assistForm } from "../forms/assist-form.mjs";
import { onEscape } from "../forms/keys.mjs";
import { UnderwayView } from "../forms/underway-view.mjs";
import { link } from "./link.mjs";
import { openRoll } from "./roll-dialog.mjs";
import { saveForm } from "./save-form.mjs";
import { idFor, openWindow } from "./windows.mjs";

/** @type {Tell} */
const notify = (text, { tone = "plain" } = {}) => void (tone === "trouble" ? ui.notifications?.warn(text) : ui.notifications?.info(text));

/** From the moment on at which Foundry has a page to show it on. */
export function watchUnderway() {
  const place = el("div", { id: "boonbridge-underway", class: "boonbridge boonbridge-underway" });
  document.body.append(place);
  /** @type {UnderwayView | null} */
  let view = null;
  const draw = () => {
    const { model } = link;
    if (view === null || view.model !== model) {
      view = model === null ? null : viewOf(model);
      place.replaceChildren(...(view === null ? [] : [view.root]));
    }
    place.hidden = !link.isLive;
    if (link.isLive) view?.draw();
  };
  link.on("underway", draw);
  link.on("entries", draw);
  link.on("state", draw);
  draw();
}

/** @param {TableModel} model */
const viewOf = (model) => new UnderwayView(model, {
  tell: notify,
  choose: (actor, on) => openHelp(model, actor, on),
  check: ({ id, name }, check, to) => openRoll({ party: [{ id, name }], aimed: [], check, params: { to: to.id } }),
});

/**
 * Which of several helps.
 *
 * @param {TableModel} model
 * @param {ActorEntry} actor
 * @param {Attempt} on
 */
function openHelp(model, actor, on) {
  const { words } = model;
  openWindow({ id: idFor("help", on.actor, on.check, on.action ?? ""), title: words.say("assist.title", { name: actor.name }), icon: "handshake", kind: "boonbridge-verb", width: 380 }, ({ close }) => {
    const form = assistForm(model, actor, notify, on);
    return {
      build: () => saveForm({
        attributes: { "data-testid": "help-window", onkeydown: onEscape(close) },
        body: form.root,
        cancel: close,
        submit: el("button", { type: "submit", "data-primary": true, "data-testid": "help-give" }, words.say("assist.give")),
        save: form.save,
        done: close,
      }),
    };
  });
}
