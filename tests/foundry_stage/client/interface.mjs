/** Everything around the map: notifications, sidebar, chat log, scene controls, hotbar, players, tooltips, keys. */

import { ApplicationV2 } from "./application.mjs";
import { ChatMessage } from "./chat-message.mjs";
import { Roll } from "./dice.mjs";
import { stage } from "./document.mjs";
import { Hooks } from "./hooks.mjs";
import { escapeHTML } from "./utils.mjs";

// --- notifications ------------------------------------------------------------------------------------------------------

export class Notifications {
  static MAX_ACTIVE = 5;

  static LIFETIME_MS = 5000;

  #active = new Map();

  #next = 1;

  /** Everything that was ever said on this page, for tests. */
  _stageLog = [];

  notify(message, type = "info", { permanent = false, console: log = true, localize = false, format, escape = true, clean = true } = {}) {
    let text = message instanceof Error ? message.message : String(message);
    if (format) text = game.i18n.format(text, format);
    else if (localize) text = game.i18n.localize(text);
    const notification = { id: this.#next++, message: text, type, permanent, timestamp: Date.now(), active: true, error: message instanceof Error ? message : undefined };
    const li = document.createElement("li");
    li.className = `notification ${type}`;
    li.dataset.id = String(notification.id);
    li.setAttribute("role", "alert");
    if (escape || clean) li.textContent = text;
    else li.innerHTML = text;
    li.addEventListener("click", () => this.remove(notification.id));
    document.getElementById("notifications").append(li);
    this.#active.set(notification.id, li);
    this._stageLog.push({ type, message: text });
    if (log) console[{ error: "error", warning: "warn" }[type] ?? "info"](`Foundry VTT | ${text}`);
    if (!permanent) setTimeout(() => this.remove(notification.id), Notifications.LIFETIME_MS);
    return notification;
  }

  info(message, options) {
    return this.notify(message, "info", options);
  }

  warn(message, options) {
    return this.notify(message, "warning", options);
  }

  error(message, options) {
    return this.notify(message, "error", options);
  }

  success(message, options) {
    return this.notify(message, "success", options);
  }

  update(notification, { message } = {}) {
    const li = this.#active.get(typeof notification === "number" ? notification : notification.id);
    if (li && message) li.textContent = message;
  }

  remove(notification) {
    const id = typeof notification === "number" ? notification : notification.id;
    this.#active.get(id)?.remove();
    this.#active.delete(id);
  }

  has(notification) {
    return this.#active.has(typeof notification === "number" ? notification : notification.id);
  }

  clear() {
    for (const id of [...this.#active.keys()]) this.remove(id);
  }
}

/** A part of the interface: no frame, in a place of its own. */
class Panel extends ApplicationV2 {
  static DEFAULT_OPTIONS = { window: { frame: false, positioned: false } };

  async _prepareContext() {
    return {};
  }

  async _renderHTML(context, options) {
    const holder = document.createElement("template");
    holder.innerHTML = this._stageHTML(context, options);
    return holder.content;
  }

  _stageHTML() {
    return "";
  }

  _replaceHTML(result, content) {
    content.replaceChildren(result);
  }
}

const inside = (selector) => (element) => {
  const existing = document.getElementById(element.id);
  if (existing) existing.replaceWith(element);
  else document.querySelector(selector).append(element);
};

// --- sidebar -----------------------------------------------------------------------------------------------------------

export class AbstractSidebarTab extends Panel {
  static tabName = "";

  static DEFAULT_OPTIONS = { id: "{id}", classes: ["tab", "sidebar-tab"], tag: "section" };

  _initializeApplicationOptions(options) {
    const merged = super._initializeApplicationOptions(options);
    merged.uniqueId = this.constructor.tabName;
    return merged;
  }

  get tabName() {
    return this.constructor.tabName;
  }

  get active() {
    return ui.sidebar.tabGroups.primary === this.tabName;
  }

  activate() {
    ui.sidebar.changeTab(this.tabName, "primary");
  }

  _insertElement(element) {
    element.dataset.tab = this.tabName;
    element.dataset.group = "primary";
    element.classList.toggle("active", this.active);
    inside("#sidebar-content")(element);
  }
}

export class Sidebar extends Panel {
  static DEFAULT_OPTIONS = { id: "sidebar", tag: "div", classes: ["faded-ui", "flexrow"] };

  static TABS = {
    chat: { icon: "fa-solid fa-comments", tooltip: "SIDEBAR.TabChat" },
    combat: { icon: "fa-solid fa-swords", tooltip: "SIDEBAR.TabCombat" },
    actors: { icon: "fa-solid fa-user", tooltip: "SIDEBAR.TabActors" },
    settings: { icon: "fa-solid fa-gears", tooltip: "SIDEBAR.TabSettings" },
  };

  tabGroups = { primary: "chat" };

  expanded = true;

  _stageHTML() {
    const tabs = Object.entries(Sidebar.TABS).filter(([, tab]) => !tab.gmOnly || game.user.isGM);
    return `<div id="sidebar-content" class="flexcol"></div><nav id="sidebar-tabs" class="tabs faded-ui"><menu class="flexcol">${tabs.map(([id, tab]) =>
      `<li><button type="button" class="ui-control plain icon ${tab.icon}" data-action="tab" data-tab="${id}" data-group="primary"
        aria-label="${escapeHTML(game.i18n.localize(tab.tooltip))}"></button></li>`).join("")}</menu></nav>`;
  }

  _insertElement(element) {
    inside("#ui-right")(element);
  }

  changeTab(tab, group = "primary") {
    this.tabGroups[group] = tab;
    for (const section of document.querySelectorAll("#sidebar-content > .tab")) section.classList.toggle("active", section.dataset.tab === tab);
    if (!this.expanded) this.toggleExpanded(true);
    Hooks.callAll("changeSidebarTab", this);
    if (tab === "chat") ui.chat._stageSeen();
  }

  toggleExpanded(expanded = !this.expanded) {
    this.expanded = expanded;
    this.element.classList.toggle("expanded", expanded);
    this.element.querySelector("#sidebar-content").classList.toggle("expanded", expanded);
    if (expanded && this.tabGroups.primary === "chat") ui.chat._stageSeen();
  }

  expand() {
    this.toggleExpanded(true);
  }

  collapse() {
    this.toggleExpanded(false);
  }

  async _onFirstRender(context, options) {
    await super._onFirstRender(context, options);
    this.toggleExpanded(this.expanded);
  }
}

export class ActorDirectory extends AbstractSidebarTab {
  static tabName = "actors";

  static DEFAULT_OPTIONS = { classes: ["directory"], actions: { activateEntry: ActorDirectory.#open } };

  _stageHTML() {
    return `<ol class="directory-list">${game.actors.contents.filter((actor) => actor.visible).map((actor) =>
      `<li class="directory-item entry document actor flexrow" data-entry-id="${actor.id}"><img class="thumbnail" src="/${escapeHTML(actor.img)}" alt="">
      <a class="entry-name" data-action="activateEntry">${escapeHTML(actor.name)}</a></li>`).join("")}</ol>`;
  }

  static #open(_event, target) {
    game.actors.get(target.closest("[data-entry-id]").dataset.entryId).sheet.render({ force: true });
  }
}

export class SettingsTab extends AbstractSidebarTab {
  static tabName = "settings";

  static DEFAULT_OPTIONS = { actions: { openMenu: SettingsTab.#open } };

  _stageHTML() {
    const menus = [...game.settings.menus.values()].filter((menu) => game.user.isGM || !menu.restricted);
    return `<section class="stage-settings">${menus.map((menu) => `<div><button type="button" data-action="openMenu" data-key="${menu.key}">
      <i class="${menu.icon ?? ""}"></i> ${escapeHTML(game.i18n.localize(menu.label))}</button><p class="hint">${escapeHTML(game.i18n.localize(menu.hint ?? ""))}</p></div>`)
      .join("")}</section>`;
  }

  static #open(_event, target) {
    const menu = game.settings.menus.get(target.dataset.key);
    new menu.type().render(true);
  }
}

export class CombatTracker extends AbstractSidebarTab {
  static tabName = "combat";

  get viewed() {
    return game.combat;
  }

  _stageHTML() {
    const { combat } = game;
    if (!combat) return "<p>No combat</p>";
    return `<h4>Round ${combat.round}</h4><ol class="combat-tracker">${combat.turns.map((combatant) =>
      `<li class="combatant ${combatant === combat.combatant ? "active" : ""}" data-combatant-id="${combatant.id}">${escapeHTML(combatant.name)}</li>`).join("")}</ol>`;
  }
}

// --- chat --------------------------------------------------------------------------------------------------------------------

const strip = (text) => text.replace(/^<p>/i, "").replace(/<\/p>$/i, "").replace(/<br\s*\/?>/gi, "\n").trim();
const unescaped = (text) => {
  const area = document.createElement("textarea");
  area.innerHTML = strip(text).replace(/<[^>]*>/g, "");
  return area.value;
};

const roll = (mode) => async (command, match, chatData, createOptions) => {
  const [formula, ...flavor] = unescaped(match[1] ?? "").split("#");
  const made = await Roll.create(formula, ChatMessage.implementation.getSpeakerActor(chatData.speaker)?.getRollData() ?? {}).evaluate();
  Object.assign(chatData, { rolls: [made], content: String(made.total), flavor: escapeHTML(flavor.join("#").trim()), sound: CONFIG.sounds.dice });
  createOptions.mode = mode;
};

const words = (style) => async (_command, match, chatData) => {
  Object.assign(chatData, { content: match[1], style });
};

const whisper = async (_command, match, chatData) => {
  const names = match[1].replace(/^\[|\]$/g, "").split(",").map((name) => name.trim());
  const users = names.flatMap((name) => ChatMessage.implementation.getWhisperRecipients(name));
  if (!users.length) throw new Error(game.i18n.localize("ERROR.NoTargetUsersForWhisper"));
  Object.assign(chatData, { whisper: users.map((user) => user.id), content: match[2] });
};

/** What core itself knows, in the order in which it is tried. Its expressions take text with and without a paragraph around it. */
const COMMANDS = {
  roll: { rgx: /^(?:<p>)?\/r(?:oll)?\s+([^]*)$/i, fn: roll(null), isRoll: true },
  gmroll: { rgx: /^(?:<p>)?\/(?:gmr|gmroll)\s+([^]*)$/i, fn: roll("gm"), isRoll: true },
  blindroll: { rgx: /^(?:<p>)?\/(?:br|blindroll|broll)\s+([^]*)$/i, fn: roll("blind"), isRoll: true },
  selfroll: { rgx: /^(?:<p>)?\/(?:sr|selfroll|sroll)\s+([^]*)$/i, fn: roll("self"), isRoll: true },
  publicroll: { rgx: /^(?:<p>)?\/(?:pr|publicroll)\s+([^]*)$/i, fn: roll("public"), isRoll: true },
  ic: { rgx: /^(?:<p>)?\/ic\s+([^]*)$/i, fn: words(2) },
  ooc: { rgx: /^(?:<p>)?\/ooc\s+([^]*)$/i, fn: words(1) },
  emote: { rgx: /^(?:<p>)?\/(?:em|emote|me)\s+([^]*)$/i, fn: words(3) },
  gm: { rgx: /^(?:<p>)?\/gm\s+([^]*)$/i, fn: (command, match, data) => whisper(command, [match[0], "GM", match[1]], data) },
  players: { rgx: /^(?:<p>)?\/players\s+([^]*)$/i, fn: (command, match, data) => whisper(command, [match[0], "players", match[1]], data) },
  whisper: { rgx: /^(?:<p>)?\/w(?:hisper)?\s+(\[[^\]]+\]|\S+)\s+([^]*)$/i, fn: whisper },
  macro: {
    rgx: /^(?:<p>)?\/m(?:acro)?\s+([^]*)$/i,
    fn: async (_command, match) => {
      game.macros.getName(unescaped(match[1]))?.execute();
      return false;
    },
  },
};

export class ChatLog extends AbstractSidebarTab {
  static tabName = "chat";

  static NOTIFY_DURATION = 5000;

  static DEFAULT_OPTIONS = {
    classes: ["chat-sidebar", "flexcol"],
    actions: { deleteMessage: ChatLog.#delete, dismissMessage: ChatLog.#dismiss, expandRoll: ChatLog.#expand, flush: () => game.messages.flush(), messageMode: ChatLog.#mode },
  };

  #drawn = Promise.resolve();

  #menu = null;

  /** "text" if the expressions of V14's command table shall see text without the paragraph. Unverified which Foundry does. */
  _stageCommandForm = "html";

  _stageHTML() {
    const modes = ["public", "gm", "blind", "self"];
    const input = stage.generation >= 14
      ? '<prose-mirror id="chat-message" class="chat-input"><div class="editor-content ProseMirror" contenteditable="true" role="textbox" aria-label="Chat message"></div></prose-mirror>'
      : '<textarea id="chat-message" class="chat-input" autocomplete="off" placeholder="Enter Message" aria-label="Chat message"></textarea>';
    return `<ol class="chat-log plain themed theme-${stage.themes.interface}"></ol>
      <div class="chat-form"><div id="chat-controls" class="flexrow"><div id="roll-privacy" class="split-button">${modes.map((mode) =>
        `<button type="button" class="ui-control icon" data-action="messageMode" data-mode="${mode}">${mode}</button>`).join("")}</div></div>${input}</div>`;
  }

  async _onFirstRender(context, options) {
    await super._onFirstRender(context, options);
    const field = this.element.querySelector("#chat-message");
    field.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("contextmenu", (event) => this.#contextMenu(event));
    Hooks.callAll("renderChatInput", this, { "#chat-message": field, "#chat-controls": this.element.querySelector("#chat-controls") }, context, options);
    const notifications = document.getElementById("chat-notifications");
    // A click in a notification counts as a click in the log.
    notifications.addEventListener("click", (event) => {
      const target = event.target.closest("[data-action]");
      const action = target && this.options.actions[target.dataset.action];
      if (action) action.call(this, event, target);
    });
    for (const message of game.messages.contents.sort((a, b) => a.timestamp - b.timestamp)) this.postOne(message);
    await this.#drawn;
  }

  get _stageLog() {
    return this.element.querySelector(".chat-log");
  }

  #key(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    const field = event.currentTarget;
    const editor = field.querySelector("[contenteditable]");
    const text = editor ? `<p>${escapeHTML(editor.innerText.trim())}</p>` : field.value;
    if (editor) editor.textContent = "";
    else field.value = "";
    if (!strip(text)) return;
    this.processMessage(text).catch((error) => ui.notifications.error(error.message));
  }

  /** Which command a text is: its name and its match; "none" and "invalid" are no command. */
  static parse(text) {
    for (const [name, { rgx }] of Object.entries(ChatLog.CHAT_COMMANDS ?? COMMANDS)) {
      const match = text.match(rgx);
      if (match) return [name, match];
    }
    if (/^(?:<p>)?\//.test(text)) return ["invalid", text.match(/^(?:<p>)?(\/[^\s<]*)/)];
    return ["none", [text, text, text]];
  }

  async processMessage(message, { speaker } = {}) {
    const text = message.trim();
    if (!text) return undefined;
    const given = speaker ?? ChatMessage.implementation.getSpeaker();
    const seen = stage.generation >= 14 && this._stageCommandForm === "text" ? strip(text) : text;
    const parsed = ChatLog.parse(seen);
    const invalid = () => {
      throw new Error(game.i18n.format("CHAT.InvalidCommand", { command: parsed[1][1] }));
    };
    // V14 looks at commands first, so a hook never sees a command that nobody registered. V13 asks the hook first.
    if (stage.generation >= 14 && parsed[0] === "invalid") invalid();
    const told = { user: game.user.id, speaker: given };
    if (Hooks.call("chatMessage", this, text, told) === false) return undefined;
    const chatData = { author: game.user.id, speaker: given };
    const options = {};
    const [name, match] = stage.generation >= 14 ? parsed : ChatLog.parse(text);
    if (name === "invalid") invalid();
    if (name === "none") chatData.content = stage.generation >= 14 ? text : escapeHTML(text).replaceAll("\n", "<br>");
    else {
      const { fn } = (ChatLog.CHAT_COMMANDS ?? COMMANDS)[name];
      if ((await fn.call(this, name, match, chatData, options)) === false) return undefined;
    }
    const { mode, ...createOptions } = options;
    if (stage.generation >= 14) createOptions.messageMode ??= mode ?? game.settings.get("core", "messageMode");
    else if (chatData.rolls) createOptions.rollMode = mode ? `${mode}roll` : game.settings.get("core", "rollMode");
    if (chatData.whisper) delete createOptions.messageMode;
    return ChatMessage.implementation.create(chatData, createOptions);
  }

  // --- the log ----------------------------------------------------------------------------------------------------------

  async postOne(message, { before, notify = false } = {}) {
    void before;
    message.logged = true;
    this.#drawn = this.#drawn.then(() => this.#post(message, notify)).catch((error) => console.error(error));
    return this.#drawn;
  }

  async #post(message, notify) {
    if (game.messages.get(message.id) !== message || !message.visible) return;
    const log = this._stageLog;
    const html = await message.renderHTML();
    const existing = log.querySelector(`[data-message-id="${message.id}"]`);
    if (existing) existing.replaceWith(html);
    else {
      const later = [...log.children].find((element) => (game.messages.get(element.dataset.messageId)?.timestamp ?? 0) > message.timestamp);
      if (later) later.before(html);
      else log.append(html);
      log.scrollTop = log.scrollHeight;
    }
    if (notify) await this.#notify(message);
  }

  get #hidden() {
    return !ui.sidebar.expanded || !this.active;
  }

  async #notify(message) {
    if (!this.#hidden || game.settings.get("core", "uiConfig").chatNotifications === "pip") return;
    const card = await message.renderHTML({ canClose: true });
    card.classList.add("notification-card", "themed", `theme-${stage.themes.interface}`);
    document.getElementById("chat-notifications").append(card);
    setTimeout(() => card.remove(), ChatLog.NOTIFY_DURATION);
  }

  _stageSeen() {
    document.getElementById("chat-notifications").replaceChildren();
  }

  async updateMessage(message, { notify = false } = {}) {
    this.#drawn = this.#drawn.then(async () => {
      for (const old of document.querySelectorAll(`.chat-message[data-message-id="${message.id}"]`)) {
        const canClose = old.classList.contains("notification-card");
        const html = await message.renderHTML({ canClose });
        if (canClose) html.classList.add("notification-card");
        old.replaceWith(html);
      }
    }).catch((error) => console.error(error));
    void notify;
    return this.#drawn;
  }

  async deleteMessage(id) {
    this.#drawn = this.#drawn.then(() => {
      for (const element of document.querySelectorAll(`.chat-message[data-message-id="${id}"]`)) element.remove();
    });
    return this.#drawn;
  }

  async scrollBottom() {
    this._stageLog.scrollTop = this._stageLog.scrollHeight;
  }

  static #delete(_event, target) {
    const message = game.messages.get(target.closest("[data-message-id]").dataset.messageId);
    message.delete();
  }

  static #dismiss(_event, target) {
    target.closest(".notification-card")?.remove();
  }

  static #expand(event, target) {
    event.preventDefault();
    target.classList.toggle("expanded");
  }

  static #mode(_event, target) {
    const { mode } = target.dataset;
    if (stage.generation >= 14) game.settings.set("core", "messageMode", mode);
    else game.settings.set("core", "rollMode", `${mode}roll`);
  }

  // --- the menu of a message ------------------------------------------------------------------------------------------

  #entries() {
    if (this.#menu) return this.#menu;
    const entries = stage.generation >= 14
      ? [{ label: "CHAT.PopoutMessage", icon: "fa-solid fa-arrow-up-right-from-square", visible: (li) => Boolean(game.messages.get(li.dataset.messageId)?.getFlag("core", "canPopout")), onClick: () => {} }]
      : [{ name: "CHAT.PopoutMessage", icon: '<i class="fa-solid fa-arrow-up-right-from-square"></i>', condition: (li) => Boolean(game.messages.get(li.dataset.messageId)?.getFlag("core", "canPopout")), callback: () => {} }];
    Hooks.callAll("getChatMessageContextOptions", this, entries);
    this.#menu = entries;
    return entries;
  }

  #contextMenu(event) {
    const li = event.target.closest(".chat-message");
    if (!li) return;
    event.preventDefault();
    openContextMenu(event, li, this.#entries());
  }
}

/** A context menu; its entries have the keys of this generation. */
export function openContextMenu(event, target, entries) {
  document.getElementById("context-menu")?.remove();
  const menu = document.createElement("nav");
  menu.id = "context-menu";
  menu.className = `themed theme-${stage.themes.applications}`;
  const list = document.createElement("menu");
  list.className = "context-items";
  for (const entry of entries) {
    const visible = stage.generation >= 14 ? entry.visible ?? true : entry.condition ?? true;
    if (!(typeof visible === "function" ? visible(target) : visible)) continue;
    const li = document.createElement("li");
    li.className = "context-item";
    const label = document.createElement("span");
    label.textContent = game.i18n.localize(stage.generation >= 14 ? entry.label : entry.name);
    li.append(label);
    li.addEventListener("click", (click) => {
      menu.remove();
      if (stage.generation >= 14) entry.onClick(click, target);
      else entry.callback(target);
    });
    list.append(li);
  }
  menu.append(list);
  Object.assign(menu.style, { left: `${event.clientX}px`, top: `${event.clientY}px` });
  document.body.append(menu);
  document.addEventListener("click", () => menu.remove(), { once: true });
}

// --- scene controls ---------------------------------------------------------------------------------------------------------

export class SceneControls extends Panel {
  static DEFAULT_OPTIONS = {
    id: "scene-controls", tag: "aside", classes: ["faded-ui"], actions: { control: SceneControls.#control, tool: SceneControls.#tool },
  };

  static emittedEvents = ["render", "close", "position", "activate"];

  #controls = null;

  #active = { control: "tokens", tools: {} };

  get controls() {
    return this.#controls ?? {};
  }

  get control() {
    return this.controls[this.#active.control] ?? null;
  }

  get tools() {
    return this.control?.tools ?? {};
  }

  get tool() {
    const name = this.#active.tools[this.#active.control] ?? this.control?.activeTool;
    return this.tools[name] ?? null;
  }

  #prepare() {
    const tool = (name, order, icon) => ({ name, order, title: `CONTROLS.${name}`, icon, ...(stage.generation >= 14 ? { interaction: true, control: true, creation: false } : {}) });
    const controls = {
      tokens: {
        name: "tokens", order: 1, title: "CONTROLS.GroupToken", icon: "fa-solid fa-user-large", layer: "tokens", activeTool: "select", visible: true,
        onChange: () => {}, onToolChange: () => {},
        tools: {
          select: tool("select", 1, "fa-solid fa-expand"), target: tool("target", 2, "fa-solid fa-bullseye"), ruler: tool("ruler", 3, "fa-solid fa-ruler"),
        },
      },
      drawings: {
        name: "drawings", order: 4, title: "CONTROLS.GroupDrawing", icon: "fa-solid fa-pencil", layer: "drawings", activeTool: "select",
        visible: game.user.can("DRAWING_CREATE"), onChange: () => {}, onToolChange: () => {}, tools: { select: tool("select", 1, "fa-solid fa-expand") },
      },
      lighting: {
        name: "lighting", order: 6, title: "CONTROLS.GroupLighting", icon: "fa-solid fa-lightbulb", layer: "lighting", activeTool: "light", visible: game.user.isGM,
        onChange: () => {}, onToolChange: () => {}, tools: { light: tool("light", 1, "fa-solid fa-lightbulb") },
      },
    };
    Hooks.callAll("getSceneControlButtons", controls);
    for (const control of Object.values(controls)) {
      for (const [name, entry] of Object.entries(control.tools ?? {})) {
        for (const key of ["name", "title", "icon", "order"]) if (entry[key] === undefined) throw new Error(`the scene tool ${name} has no ${key}`);
        if (entry.name !== name) throw new Error(`the scene tool ${name} calls itself ${entry.name}`);
        if (entry.button && typeof entry.onChange !== "function") throw new Error(`the scene tool ${name} is a button without onChange`);
      }
    }
    return controls;
  }

  _configureRenderOptions(options) {
    super._configureRenderOptions(options);
    // Unverified: that there are no controls where there is no canvas.
    if (!canvas.ready) this.#controls = {};
    else if (options.reset || !this.#controls || !Object.keys(this.#controls).length) this.#controls = this.#prepare();
  }

  _stageHTML() {
    const sorted = (record) => Object.values(record).filter((entry) => entry.visible !== false).sort((a, b) => a.order - b.order);
    const button = (kind, entry, active) => `<li><button type="button" class="control ui-control ${kind === "control" ? "layer" : "tool"} icon ${entry.icon} ${entry.toggle ? "toggle" : ""} ${entry.button ? "button" : ""}"
      data-action="${kind}" data-${kind}="${escapeHTML(entry.name)}" aria-pressed="${Boolean(active)}" aria-label="${escapeHTML(game.i18n.localize(entry.title))}"
      data-tooltip="${escapeHTML(entry.title)}"></button></li>`;
    return `<menu id="scene-controls-layers" class="flexcol">${sorted(this.controls).map((control) => button("control", control, control === this.control)).join("")}</menu>
      <menu id="scene-controls-tools" class="flexcol">${sorted(this.tools).map((tool) => button("tool", tool, tool.toggle ? tool.active : tool === this.tool)).join("")}</menu>`;
  }

  _insertElement(element) {
    inside("#ui-left-column-1")(element);
  }

  async activate({ event = new PointerEvent("click"), control, tool, toggles = {} } = {}) {
    if (control && control !== this.#active.control) {
      this.#active.control = control;
      this.control.onChange?.(event, true);
    }
    for (const [name, active] of Object.entries(toggles)) {
      this.tools[name].active = active;
      this.tools[name].onChange?.(event, active);
    }
    if (tool) {
      this.#active.tools[this.#active.control] = tool;
      this.control.onToolChange?.(event, this.tools[tool], true);
      this.tools[tool].onChange?.(event, true);
    }
    await this.render();
  }

  static #control(event, target) {
    this.activate({ event, control: target.dataset.control });
  }

  static #tool(event, target) {
    const tool = this.tools[target.dataset.tool];
    if (tool.button) tool.onChange(event, true);
    else if (tool.toggle) this.activate({ event, toggles: { [tool.name]: !tool.active } });
    else this.activate({ event, tool: tool.name });
  }
}

// --- hotbar, players -----------------------------------------------------------------------------------------------------------

export class Hotbar extends Panel {
  static DEFAULT_OPTIONS = { id: "hotbar", tag: "aside", classes: ["faded-ui", "flexrow"], actions: { execute: Hotbar.#execute } };

  page = 1;

  get slots() {
    return game.user.getHotbarMacros(this.page).map(({ slot, macro }) => ({
      slot, macro, key: slot % 10, img: macro?.img ?? null, cssClass: macro ? "full" : "open", tooltip: macro?.name ?? null, ariaLabel: macro?.name ?? `Empty slot ${slot}`,
    }));
  }

  get locked() {
    return game.settings.get("core", "hotbarLock");
  }

  _stageHTML() {
    return `<ol id="action-bar" class="plain flexrow">${this.slots.map(({ slot, macro, cssClass, ariaLabel }) =>
      `<li class="slot ${cssClass}" data-action="execute" data-slot="${slot}" role="button" tabindex="0" aria-label="${escapeHTML(ariaLabel)}">
      ${macro ? `<img class="slot-icon" src="${/^(https?:|data:|\/|modules\/)/.test(macro.img) ? macro.img : `/${macro.img}`}" alt="">` : ""}<span class="key">${slot % 10}</span></li>`).join("")}</ol>`;
  }

  _insertElement(element) {
    inside("#ui-bottom")(element);
  }

  async _onFirstRender(context, options) {
    await super._onFirstRender(context, options);
    this.element.addEventListener("dragover", (event) => event.preventDefault());
    this.element.addEventListener("drop", (event) => this.#drop(event));
  }

  #drop(event) {
    event.preventDefault();
    if (this.locked) return;
    const slot = Number(event.target.closest("[data-slot]")?.dataset.slot);
    let data;
    try {
      data = JSON.parse(event.dataTransfer.getData("text/plain"));
    } catch {
      return;
    }
    if (!slot || Hooks.call("hotbarDrop", this, data, slot) === false) return;
    if (data.type === "Macro") game.user.assignHotbarMacro(foundry.utils.fromUuidSync(data.uuid), slot);
  }

  static #execute(_event, target) {
    game.macros.get(game.user.hotbar[target.dataset.slot])?.execute();
  }
}

export class Players extends Panel {
  static DEFAULT_OPTIONS = { id: "players", tag: "aside", classes: ["faded-ui", "flexcol"] };

  _stageHTML() {
    const shown = game.users.filter((user) => user.active).sort((a, b) => b.role - a.role);
    return `<div id="players-active"><ol class="players-list plain">${shown.map((user) => `<li class="player ${user.isSelf ? "self" : ""} ${user.isGM ? "gm" : ""}" data-user-id="${user.id}">
      <span class="player-active active" style="background:${user.color.css}"></span>
      <span class="player-name">${escapeHTML(user.name)}${user.character ? ` [${escapeHTML(user.character.name)}]` : user.isGM ? " [GM]" : ""}</span></li>`).join("")}</ol></div>`;
  }

  _insertElement(element) {
    inside("#ui-left-column-1")(element);
  }
}

// --- tooltips, keys ---------------------------------------------------------------------------------------------------------------

export class TooltipManager {
  element = null;

  #node = null;

  constructor() {
    document.body.addEventListener("pointerover", (event) => {
      const target = event.target.closest?.("[data-tooltip], [data-tooltip-text], [data-tooltip-html]");
      if (target && target !== this.element) this.activate(target);
      else if (!target && this.element) this.deactivate();
    });
  }

  get tooltip() {
    this.#node ??= document.body.appendChild(Object.assign(document.createElement("aside"), { id: "tooltip", role: "tooltip" }));
    return this.#node;
  }

  activate(element, { text, html, cssClass } = {}) {
    const { tooltip, tooltipText, tooltipHtml } = element.dataset;
    const content = html ?? tooltipHtml;
    if (content instanceof HTMLElement) this.tooltip.replaceChildren(content);
    else if (content) this.tooltip.innerHTML = foundry.utils.cleanHTML(content);
    else this.tooltip.textContent = game.i18n.localize(text ?? tooltipText ?? tooltip ?? element.ariaLabel ?? "");
    if (!this.tooltip.textContent) return;
    this.element = element;
    this.tooltip.className = `active ${cssClass ?? ""} themed theme-dark`;
    const box = element.getBoundingClientRect();
    Object.assign(this.tooltip.style, { left: `${Math.max(4, box.left)}px`, top: `${box.bottom + 4}px` });
  }

  deactivate() {
    this.element = null;
    this.#node?.classList.remove("active");
  }
}

export class ClientKeybindings {
  actions = new Map();

  _stageInitialized = false;

  register(namespace, action, data) {
    if (this._stageInitialized) throw new Error("You cannot register a Keybinding after the init hook");
    if (!namespace || !action) throw new Error("You must specify both the namespace and action portion of the Keybinding action");
    this.actions.set(`${namespace}.${action}`, { namespace, action, ...data });
  }

  get(namespace, action) {
    const found = this.actions.get(`${namespace}.${action}`);
    if (!found) throw new Error(`"${namespace}.${action}" is not a registered Keybinding action.`);
    return [...(found.uneditable ?? []), ...(found.editable ?? [])];
  }

  async set() {
    throw new Error("the stand-in has no page of keys");
  }

  _stageListen() {
    for (const [type, name] of [["keydown", "onDown"], ["keyup", "onUp"]]) {
      window.addEventListener(type, (event) => {
        if (event.target.closest?.("input, textarea, select, [contenteditable]")) return;
        for (const action of this.actions.values()) {
          if (action.restricted && !game.user.isGM) continue;
          if (event.repeat && !action.repeat) continue;
          const bindings = this.get(action.namespace, action.action);
          const held = { Shift: event.shiftKey, Control: event.ctrlKey || event.metaKey, Alt: event.altKey };
          const matches = bindings.some(({ key, modifiers = [] }) => key === event.code
            && Object.entries(held).every(([modifier, down]) => down === modifiers.includes(modifier) || (action.reservedModifiers ?? []).includes(modifier)));
          if (!matches || typeof action[name] !== "function") continue;
          const consumed = action[name]({ event, key: event.code, isShift: held.Shift, isControl: held.Control, isAlt: held.Alt, up: type === "keyup", repeat: event.repeat });
          if (consumed === true) {
            event.preventDefault();
            break;
          }
        }
      });
    }
  }
}

/** V14 lets packages add their own commands; V13 has no such table. */
export function chooseGeneration(generation) {
  if (generation >= 14) ChatLog.CHAT_COMMANDS = { ...COMMANDS };
  else ChatLog.MESSAGE_PATTERNS = Object.fromEntries(Object.entries(COMMANDS).map(([name, { rgx }]) => [name, rgx]));
}
