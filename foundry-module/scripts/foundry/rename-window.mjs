/** A window in which a GM calls the table something else. */

import { el } from "../cards/dom.mjs";
import { onEscape } from "../forms/keys.mjs";
import { mayRename, nameForm } from "../forms/table-name.mjs";
import { link } from "./link.mjs";
import { saveForm } from "./save-form.mjs";
import { openWindow } from "./windows.mjs";

export function openRename() {
  const { model, words } = link;
  if (model === null || !mayRename(model)) {
    ui.notifications?.warn(words.say("tableName.notNow"));
    return;
  }
  openWindow({ id: "boonbridge-rename", title: words.say("tableName.open"), icon: "pen", kind: "boonbridge-rename", width: 360 }, ({ close }) => {
    const form = nameForm(model, (text) => ui.notifications?.info(text));
    const input = form.root[1].querySelector("input");
    return {
      build: () => saveForm({
        attributes: { "data-testid": "rename-window", onkeydown: onEscape(close) },
        body: form.root,
        cancel: close,
        submit: el("button", { type: "submit", "data-primary": true, "data-testid": "save-name" }, words.say("page.save")),
        save: form.save,
        done: close,
      }),
      shown: () => input?.select(),
    };
  });
}
