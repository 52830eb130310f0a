/** A roll on the hotbar: opens the dialog for whoever is selected then, with this much filled in. */

/** @import { Preset } from "./roll-dialog.mjs" */

import { createMacro } from "./compat.mjs";
import { link } from "./link.mjs";
import { ID } from "./settings.mjs";

const SLOTS = 50;
const ICON = "icons/svg/d20-black.svg";

/** @param {Preset} preset */
function scriptOf(preset) {
  const plain = JSON.stringify(preset, null, 2);
  return `game.modules.get("${ID}").api.roll(${plain});`;
}

/** @param {Preset} preset */
export async function putOnHotbar(preset) {
  const { words, model } = link;
  const label = model?.ruleset.checks.find((check) => check.key === preset.check)?.label ?? words.say("roll.title");
  const name = [preset.action ?? "", label].filter((text) => text !== "").join(" \u00b7 ").slice(0, 80);
  const hotbar = game.user?.hotbar ?? {};
  const slot = Array.from({ length: SLOTS }, (_, index) => index + 1).find((each) => !Reflect.get(hotbar, String(each)));
  if (slot === undefined) {
    ui.notifications?.warn(words.say("foundry.hotbar.full"));
    return;
  }
  const may = game.user?.can?.("MACRO_SCRIPT") === true;
  const data = may
    ? { name, type: "script", img: ICON, command: scriptOf(preset) }
    : { name, type: "chat", img: ICON, command: `/check ${preset.action ?? ""}`.trim() };
  const macro = await createMacro(data);
  if (macro) await game.user?.assignHotbarMacro(macro, slot);
  ui.notifications?.info(words.say("foundry.hotbar.done", { name, slot }));
}
