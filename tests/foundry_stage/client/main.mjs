/** Puts Foundry's globals on the page, and runs a world: init, i18nInit, setup, ready. */

import * as api from "./application.mjs";
import { Token, BasePlaceableHUD, TokenHUD, TokenLayer, makeCanvas } from "./canvas.mjs";
import { ChatMessage, chooseGeneration as chatGeneration } from "./chat-message.mjs";
import { CONFIG, CONST, configure } from "./constants.mjs";
import { Roll, mapLegacyRollMode, terms } from "./dice.mjs";
import { applyDocuments, classes, Document, stage } from "./document.mjs";
import * as documents from "./documents.mjs";
import { Dice3D } from "./dsn.mjs";
import { Hooks } from "./hooks.mjs";
import * as parts from "./interface.mjs";
import { ClientSettings, Localization, fields } from "./settings.mjs";
import { missing, strict, strictTree } from "./strict.mjs";
import * as utils from "./utils.mjs";
import { Wire } from "./wire.mjs";

const boot = JSON.parse(document.getElementById("stage-boot").textContent);
const { generation, options } = boot;
stage.generation = generation;
stage.wire = new Wire();
stage.themes = { applications: options.theme ?? "dark", interface: options.theme ?? "dark" };

const { User, Actor, Item, ActiveEffect, Scene, TokenDocument, Macro, Combat, Combatant, Color } = documents;
const { ApplicationV2, DialogV2, HandlebarsApplicationMixin, DocumentSheetV2, ActorSheetV2, ItemSheetV2, FormDataExtended } = api;

// --- what is there before any module's script runs --------------------------------------------------------------------------

Object.assign(CONFIG, {
  User: { documentClass: User, collection: documents.Users },
  Actor: { documentClass: Actor, collection: documents.Actors, sidebarIcon: "fa-solid fa-user", typeLabels: {}, _stageSheet: api.StageActorSheet },
  Item: { documentClass: Item, collection: documents.Items, typeLabels: {} },
  ActiveEffect: { documentClass: ActiveEffect },
  Scene: { documentClass: Scene, collection: documents.Scenes },
  Token: { documentClass: TokenDocument, objectClass: Token, hudClass: TokenHUD },
  ChatMessage: { documentClass: ChatMessage, collection: documents.ChatMessages },
  Macro: { documentClass: Macro, collection: documents.Macros },
  Combat: { documentClass: Combat, collection: documents.CombatEncounters },
  Combatant: { documentClass: Combatant },
  Dice: {
    rolls: [Roll], terms: { d: terms.Die, c: terms.Coin }, termTypes: Object.fromEntries(Object.entries(terms)), randomUniform: () => Math.random(),
    fulfillment: {
      dice: Object.fromEntries([4, 6, 8, 10, 12, 20, 100].map((faces) => [`d${faces}`, { label: `d${faces}`, icon: "" }])),
      methods: { mersenne: { label: "DICE.FULFILLMENT.Mersenne", interactive: false, handler: () => Math.random() }, manual: { label: "DICE.FULFILLMENT.Manual", interactive: true } },
      defaultMethod: "",
    },
  },
});
Object.assign(CONFIG.ui, {
  chat: parts.ChatLog, sidebar: parts.Sidebar, controls: parts.SceneControls, hotbar: parts.Hotbar, players: parts.Players, notifications: parts.Notifications,
  combat: parts.CombatTracker, actors: parts.ActorDirectory, settings: parts.SettingsTab,
});
configure(generation);
chatGeneration(generation);
api.chooseGeneration(generation);
parts.chooseGeneration(generation);
if (generation >= 14) Roll._mapLegacyRollMode = mapLegacyRollMode;

const { loadAllowed, ...publicUtils } = utils;
const foundry = {
  CONST,
  utils: publicUtils,
  abstract: { Document, EmbeddedCollection: utils.Collection },
  documents: {
    User, Actor, Item, ActiveEffect, Scene, TokenDocument, ChatMessage, Macro, Combat, Combatant,
    collections: {
      Users: documents.Users, Actors: documents.Actors, Items: documents.Items, Scenes: documents.Scenes, ChatMessages: documents.ChatMessages,
      Macros: documents.Macros, CombatEncounters: documents.CombatEncounters, WorldCollection: documents.WorldCollection,
    },
  },
  dice: { Roll, terms: { ...terms } },
  data: { fields: { ...fields } },
  helpers: { ClientSettings, Localization, interaction: { TooltipManager: parts.TooltipManager, ClientKeybindings: parts.ClientKeybindings } },
  canvas: { placeables: { Token }, layers: { TokenLayer } },
  applications: {
    api: { ApplicationV2, HandlebarsApplicationMixin, DialogV2, DocumentSheetV2 },
    sheets: { ActorSheetV2, ItemSheetV2 },
    handlebars: { renderTemplate: api.renderTemplate, loadTemplates: api.loadTemplates, getTemplate: api.getTemplate },
    hud: { BasePlaceableHUD, TokenHUD },
    sidebar: { Sidebar: parts.Sidebar, AbstractSidebarTab: parts.AbstractSidebarTab, tabs: { ChatLog: parts.ChatLog, CombatTracker: parts.CombatTracker, ActorDirectory: parts.ActorDirectory } },
    ui: { SceneControls: parts.SceneControls, Hotbar: parts.Hotbar, Players: parts.Players, Notifications: parts.Notifications },
    ux: {
      FormDataExtended,
      TextEditor: { implementation: { enrichHTML: async (text) => utils.cleanHTML(text ?? "") } },
    },
    instances: api.instances,
  },
};
Object.defineProperty(foundry.applications, "instances", { value: api.instances, enumerable: false });

// Nothing of the game is there while modules are loaded: not even `game.i18n`.
Object.assign(globalThis, {
  CONST: strict("CONST", CONST),
  CONFIG: strict("CONFIG", CONFIG),
  foundry: strictTree("foundry", foundry),
  Hooks,
  game: strict("game", {}),
  ui: strict("ui", { windows: {}, activeWindow: null }),
  canvas: undefined,
  fromUuid: utils.fromUuid,
  fromUuidSync: utils.fromUuidSync,
  Actor, ActiveEffect, ChatMessage, Combat, Combatant, Item, Macro, Scene, TokenDocument, User, Roll, Token,
});
CONFIG.Dice = strict("CONFIG.Dice", CONFIG.Dice);
CONFIG.ChatMessage = strict("CONFIG.ChatMessage", CONFIG.ChatMessage);
api.registerHelpers();

// --- the world ------------------------------------------------------------------------------------------------------------------

async function run() {
  document.body.classList.add(`theme-${stage.themes.applications}`, "vtt", "game", "system-stage-system");
  document.getElementById("interface").classList.add("themed", `theme-${stage.themes.interface}`);
  await loadAllowed(generation);
  const data = await stage.wire.connect();
  const modules = new utils.Collection(data.modules.map((manifest) => [manifest.id, { ...manifest, esmodules: new Set(manifest.esmodules) }]));
  const i18n = new Localization();
  const game = {
    data, view: "game", userId: data.userId, sessionId: "stage", version: data.version,
    release: { generation, build: Number(data.version.split(".")[1]), version: data.version, isNewer: (other) => utils.isNewerVersion(data.version, other) },
    world: data.world, system: data.system, modules, socket: stage.wire.socket, permissions: data.permissions, ready: false, debug: false, loading: false,
    i18n: undefined, user: null, paused: data.paused,
    keybindings: new parts.ClientKeybindings(),
    settings: new ClientSettings(new Map(Object.entries(data.settings)), new Map(Object.entries(data.userSettings[data.userId] ?? {}))),
    time: {
      worldTime: data.time,
      advance: async (delta, opts = {}) => take(await stage.wire.request({ t: "time", delta, options: opts })),
      set: async (time, opts = {}) => take(await stage.wire.request({ t: "time", delta: time - game.time.worldTime, options: opts })),
    },
    get isAdmin() {
      return false;
    },
    togglePause() {
      throw new Error("the stand-in has no pause");
    },
  };
  globalThis.game = strict("game", game);
  registerCoreSettings(game.settings);
  globalThis.canvas = strict("canvas", makeCanvas());
  if (generation >= 14) globalThis._loc = (key, format) => game.i18n.localize(key, format);
  ui.notifications = new parts.Notifications();

  Hooks.callAll("init");
  game.keybindings._stageInitialized = true;

  await i18n._stageLoad([...modules]);
  game.i18n = i18n;
  Hooks.callAll("i18nInit");

  game.collections = new utils.Collection();
  const names = { User: "users", Actor: "actors", Item: "items", Scene: "scenes", Macro: "macros", Combat: "combats", ChatMessage: "messages" };
  for (const [kind, name] of Object.entries(names)) {
    const collection = new documents.collectionClasses[kind](kind, data.collections[kind]);
    game.collections.set(kind, collection);
    game[name] = collection;
    if (kind === "User") {
      for (const user of collection) {
        user.active = data.activeUsers.includes(user.id);
        user.targets = new Set();
      }
      game.user = collection.get(data.userId);
    }
  }
  Object.defineProperty(game, "combat", { get: () => game.combats.viewed, enumerable: true });
  for (const actor of game.actors) actor.reset();
  game.tooltip = new parts.TooltipManager();
  Hooks.callAll("setup");

  await drawInterface();
  if (options.dice) game.dice3d = undefined;
  const scene = game.scenes.active;
  await canvas._stageDraw(scene);
  stage.wire.start(hear);
  stage.wire.onReturn = (world) => {
    for (const user of game.users) hear({ t: "presence", user: user.id, active: world.activeUsers.includes(user.id) });
  };
  game.keybindings._stageListen();
  if (options.dice) {
    game.dice3d = new Dice3D(options.dice === true ? 0 : options.dice);
    Hooks.callAll("diceSoNiceInit", game.dice3d);
  }
  game.ready = true;
  Hooks.callAll("ready");
  if (options.dice) Hooks.callAll("diceSoNiceReady", game.dice3d);
  document.body.dataset.stage = "ready";
}

function registerCoreSettings(settings) {
  const client = { scope: "client", config: false };
  settings.register("core", "noCanvas", { ...client, type: Boolean, default: Boolean(options.noCanvas) });
  settings.register("core", "photosensitiveMode", { ...client, type: Boolean, default: Boolean(options.photosensitive) });
  settings.register("core", "scrollingStatusText", { ...client, type: Boolean, default: true });
  settings.register("core", "hotbarLock", { ...client, type: Boolean, default: false });
  settings.register("core", "language", { ...client, type: String, default: "en" });
  settings.register("core", "diceConfiguration", { ...client, type: Object, default: {} });
  settings.register("core", "uiConfig", {
    ...client, type: Object,
    default: { uiScale: 1, fontScale: 5, colorScheme: { applications: stage.themes.applications, interface: stage.themes.interface }, chatNotifications: "cards" },
  });
  settings.register("core", "combatTrackerConfig", { scope: "world", config: false, type: Object, default: { skipDefeated: false } });
  if (generation >= 14) settings.register("core", "messageMode", { ...client, type: String, default: "public" });
  else settings.register("core", "rollMode", { ...client, type: String, default: "publicroll" });
}

async function drawInterface() {
  for (const [name, cls] of Object.entries(CONFIG.ui)) if (name !== "notifications") ui[name] = new cls();
  await ui.sidebar.render({ force: true });
  for (const [name, app] of Object.entries({ ...ui })) {
    if (app instanceof ApplicationV2 && name !== "sidebar") await app.render({ force: true });
  }
  if (options.sidebar === false) ui.sidebar.collapse();
  Hooks.callAll("changeSidebarTab", ui.sidebar);
}

/** What the server tells everybody. */
function take(news) {
  if (news.kind === "documents") return applyDocuments(news);
  if (news.kind === "setting") return game.settings._stageTake(news);
  game.time.worldTime = news.time;
  Hooks.callAll("updateWorldTime", news.time, news.delta, news.options, news.user);
  return news.time;
}

async function hear(frame) {
  if (frame.t === "news") take(frame.news);
  else if (frame.t === "presence") {
    const user = game.users.get(frame.user);
    if (!user || user.active === frame.active) return;
    user.active = frame.active;
    ui.players.render();
    Hooks.callAll("userConnected", user, frame.active);
  } else if (frame.t === "activity") {
    const user = game.users.get(frame.user);
    for (const token of canvas.tokens?.placeables ?? []) token.setTarget(frame.targets.includes(token.id), { user, releaseOthers: false, groupSelection: true });
  } else if (frame.t === "dice3d") game.dice3d?._stageRemote(frame);
  else if (frame.t === "query") {
    try {
      const handler = Object.hasOwn(CONFIG.queries, frame.name) ? CONFIG.queries[frame.name] : null;
      if (!handler) throw new Error(`No query handler is registered for "${frame.name}"`);
      const result = await handler(frame.data, documents.answering(frame.timeout, frame.user ? game.users.get(frame.user) : undefined));
      stage.wire.send({ t: "queryResult", id: frame.id, result: result ?? null });
    } catch (error) {
      stage.wire.send({ t: "queryResult", id: frame.id, error: error.message });
    }
  }
}

globalThis._stage = { missing, wire: stage.wire, classes, generation };

document.addEventListener("DOMContentLoaded", () => {
  run().catch((error) => {
    console.error(error);
    document.body.dataset.stage = "failed";
  });
});
