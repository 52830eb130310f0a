/** Boonbridge in Foundry: the only file that waits for Foundry's own beginning, and puts the rest together. */

import { watchActors } from "./foundry/actors.mjs";
import { showIndicator, tellOfWaiting, updateWords } from "./foundry/connection-window.mjs";
import { api } from "./foundry/api.mjs";
import { addEntrances } from "./foundry/entrances.mjs";
import { listen, startJoining, tableChanged } from "./foundry/joining.mjs";
import { link } from "./foundry/link.mjs";
import { watchMessages } from "./foundry/messages.mjs";
import { watchPlay } from "./foundry/asking.mjs";
import { drawBadges, watchMap } from "./foundry/on-the-map.mjs";
import { drawDock, watchDock } from "./foundry/panel-dock.mjs";
import { watchPending } from "./foundry/pending-bar.mjs";
import { takePost } from "./foundry/posting.mjs";
import { ID, own, registerSettings, worldTable } from "./foundry/settings.mjs";
import { openSetup } from "./foundry/setup-window.mjs";
import { agreeAnew, watchStatusIcons } from "./foundry/status-icons.mjs";
import { registerSwitches } from "./foundry/switches.mjs";
import { hushLateDice, throwUnannounced } from "./foundry/throwing.mjs";
import { watchHud } from "./foundry/token-hud.mjs";
import { catchUp, watchTracker } from "./foundry/tracker.mjs";
import { watchUnderway } from "./foundry/underway.mjs";
import { past } from "./foundry/view.mjs";

let ready = false;

Hooks.once("init", () => {
  registerSettings(() => ready && tableChanged());
  registerSwitches((which) => {
    if (!ready) return;
    if (which === "tracker") catchUp();
    if (which === "statusIcons") agreeAnew();
    if (which === "badges") drawBadges();
  }, () => ready && agreeAnew(), () => ready && drawDock());
  listen();
  addEntrances();
  watchMessages();
  hushLateDice();
  const module = game.modules.get(ID);
  if (module) Reflect.set(module, "api", api);
});

Hooks.once("ready", () => {
  ready = true;
  showIndicator();
  link.on("post", takePost);
  link.on("commit", throwUnannounced);
  watchPlay();
  watchPending();
  watchUnderway();
  watchTracker();
  watchStatusIcons();
  watchMap();
  watchHud();
  watchDock();
  let told = "";
  link.on("state", ({ state }) => {
    if (state !== "live") return;
    past.forget();
    const update = updateWords();
    if (update !== null && update !== told && game.user?.isGM) ui.notifications?.warn(update);
    told = update ?? told;
  });
  watchActors();
  link.start();
  startJoining(tellOfWaiting);
  if (game.user?.isGM && own().token === undefined && worldTable() === null) openSetup();
  // After sleep, a tab switch, a change of network: is anybody still there?
  window.addEventListener("online", () => link.client?.test());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && link.client?.test());
});
