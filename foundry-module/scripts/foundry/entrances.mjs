/** Where people begin a roll or open a window: an actor's menu, the scene's tools, a key, a word in chat. */

/** @typedef {import("./compat.mjs").Loose} Loose */

import { aimedAt, chosen } from "./actors.mjs";
import { addTokenTool, on, onActorSheetMenus, registerCommand, registerKey } from "./compat.mjs";
import { openDice } from "./dice-window.mjs";
import { rollDice } from "./dice-roll.mjs";
import { readDice } from "./dice-text.mjs";
import { link } from "./link.mjs";
import { openNumbers } from "./numbers-window.mjs";
import { openRequest } from "./request-window.mjs";
import { followTargets, openRoll } from "./roll-dialog.mjs";
import { openStanding } from "./standing-window.mjs";
import { openTable } from "./table-window.mjs";

const CALM_MS = 60;

/** Before the world is there. */
export function addEntrances() {
  onActorSheetMenus((actor) => [
    { icon: "fa-solid fa-dice-d20", label: "BOONBRIDGE.foundry.menu.roll", action: "boonbridgeRoll", act: () => rollFor(actor) },
    { icon: "fa-solid fa-scale-balanced", label: "BOONBRIDGE.foundry.menu.standing", action: "boonbridgeStanding", act: () => openStanding(chosen(actor)) },
    { icon: "fa-solid fa-list-ol", label: "BOONBRIDGE.foundry.menu.numbers", action: "boonbridgeNumbers", act: () => openNumbers(actor) },
  ]);
  on("getSceneControlButtons", (controls) => {
    addTokenTool(controls, { name: "boonbridgeRoll", title: "BOONBRIDGE.foundry.menu.roll", icon: "fa-solid fa-dice-d20", act: () => openRoll() });
    addTokenTool(controls, { name: "boonbridgeTable", title: "BOONBRIDGE.foundry.menu.table", icon: "fa-solid fa-users", act: openTable });
    if (game.user?.isGM) addTokenTool(controls, { name: "boonbridgeRequest", title: "BOONBRIDGE.foundry.menu.request", icon: "fa-solid fa-clipboard-question", act: () => openRequest() });
  });
  registerCommand("check", (action) => openRoll(action === "" ? {} : { action: action.slice(0, 80) }));
  registerCommand("bb", (text) => void diceFromChat(text));
  registerKey("roll", { name: "BOONBRIDGE.foundry.menu.roll", key: "KeyB", modifiers: ["Shift"], act: () => openRoll() });
  let timer = 0;
  on("targetToken", (user, token, targeted) => {
    if (targeted) aimedAt(token);
    if (user?.id !== game.user?.id) return;
    window.clearTimeout(timer);
    timer = window.setTimeout(followTargets, CALM_MS);
  });
}

/** @param {Loose} actor */
function rollFor(actor) {
  const one = chosen(actor);
  if (one === null) ui.notifications?.warn(link.words.say("foundry.noActor"));
  else openRoll({ party: [one] });
}

/** @param {string} text behind `/bb` */
async function diceFromChat(text) {
  const asked = readDice(text);
  if (asked.formula === "" || link.model === null || !link.isLive) openDice(asked);
  else await rollDice(link.model, asked);
}
