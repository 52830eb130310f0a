/** The documents of a world, and their collections. */

import { Document, classes, stage } from "./document.mjs";
import { Hooks } from "./hooks.mjs";
import { Collection, deepClone, mergeObject } from "./utils.mjs";

export class Color extends Number {
  static from(text) {
    return new Color(Number.parseInt(String(text).replace("#", ""), 16));
  }

  get css() {
    return `#${Number(this).toString(16).padStart(6, "0")}`;
  }

  toString() {
    return this.css;
  }
}

// --- users -----------------------------------------------------------------------------------------------------------

export class User extends Document {
  static documentName = "User";

  static _stageAccessors = ["character", "color"];

  active = false;

  viewedScene = null;

  get character() {
    return game.actors.get(this._source.character) ?? null;
  }

  get color() {
    return Color.from(this._source.color);
  }

  get isSelf() {
    return this.id === game.userId;
  }

  get isGM() {
    return this.role >= CONST.USER_ROLES.ASSISTANT;
  }

  get isTrusted() {
    return this.role >= CONST.USER_ROLES.TRUSTED;
  }

  get isBanned() {
    return this.role === CONST.USER_ROLES.NONE;
  }

  get isActiveGM() {
    return this === game.users.activeGM;
  }

  isDesignated(condition) {
    return this === game.users.getDesignatedUser(condition);
  }

  get avatar() {
    return this._source.avatar ?? this.character?.img ?? "icons/svg/mystery-man.svg";
  }

  set avatar(_value) {
    // in `_source` only
  }

  hasRole(role, { exact = false } = {}) {
    const wanted = typeof role === "string" ? CONST.USER_ROLES[role] : role;
    return exact ? this.role === wanted : this.role >= wanted;
  }

  hasPermission(permission) {
    if (this.role >= CONST.USER_ROLES.GAMEMASTER) return true;
    return this.permissions[permission] ?? (game.permissions[permission] ?? []).includes(this.role);
  }

  can(action) {
    return action in CONST.USER_PERMISSIONS ? this.hasPermission(action) : this.hasRole(action);
  }

  getUserLevel(user = game.user) {
    return user.isGM || user.id === this.id ? 3 : 0;
  }

  async query(name, data = {}, { timeout } = {}) {
    if (!game.user.hasPermission("QUERY_USER")) throw new Error("You do not have permission to query other users.");
    if (!this.active) throw new Error(`${this.name} is not active.`);
    if (!(name in CONFIG.queries)) throw new Error(`"${name}" is not a registered query.`);
    if (this.isSelf) {
      return JSON.parse(JSON.stringify(await CONFIG.queries[name](JSON.parse(JSON.stringify(data)), answering(timeout, game.user)) ?? null));
    }
    const asked = stage.wire.request({ t: "query", user: this.id, name, data, timeout });
    if (timeout === undefined) return asked;
    let timer;
    const late = new Promise((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`The query "${name}" timed out.`)), timeout);
    });
    try {
      return await Promise.race([asked, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async assignHotbarMacro(macro, slot, { fromSlot } = {}) {
    const hotbar = deepClone(this.hotbar);
    const at = slot ?? Array.from({ length: 50 }, (_value, index) => index + 1).find((index) => !(index in hotbar));
    const change = macro ? { [`hotbar.${at}`]: macro.id } : { [`hotbar.-=${at}`]: null };
    if (fromSlot) change[`hotbar.-=${fromSlot}`] = null;
    return this.update(change);
  }

  getHotbarMacros(page = 1) {
    return Array.from({ length: 10 }, (_value, index) => {
      const slot = (page - 1) * 10 + index + 1;
      return { slot, macro: game.macros.get(this.hotbar[slot]) ?? null };
    });
  }

  _onUpdate(changed, options, userId) {
    super._onUpdate(changed, options, userId);
    ui.players.render();
    if (this.isSelf && "hotbar" in changed) ui.hotbar.render();
  }
}

/** What a query's handler is told: only V14 says who asks. */
export const answering = (timeout, user) => (stage.generation >= 14 ? { timeout, user } : { timeout });

// --- actors, items, effects --------------------------------------------------------------------------------------------

export class ActiveEffect extends Document {
  static documentName = "ActiveEffect";

  prepareData() {
    this.statuses = new Set(this._source.statuses);
    super.prepareData();
  }

  get active() {
    return !this.disabled;
  }

  get target() {
    return this.parent instanceof Actor ? this.parent : this.parent?.parent ?? null;
  }

  get isTemporary() {
    return Object.values(this.duration ?? {}).some((value) => typeof value === "number" && value > 0) || this.statuses.size > 0;
  }
}

export class Item extends Document {
  static documentName = "Item";

  get actor() {
    return this.parent instanceof Actor ? this.parent : null;
  }

  getRollData() {
    return { ...this.system };
  }

  _stageEmbeddedChanged() {
    this.actor?._stageEmbeddedChanged();
  }
}

export class Actor extends Document {
  static documentName = "Actor";

  get token() {
    return this.parent instanceof TokenDocument ? this.parent : null;
  }

  get isToken() {
    return this.token !== null;
  }

  get uuid() {
    return this.isToken ? `${this.token.uuid}.Actor.${this.id}` : super.uuid;
  }

  get collection() {
    return game.actors;
  }

  getUserLevel(user = game.user) {
    return this.isToken && this.token.baseActor ? this.token.baseActor.getUserLevel(user) : super.getUserLevel(user);
  }

  prepareData() {
    this.statuses = new Set();
    super.prepareData();
    const carried = this.items.contents.flatMap((item) => item.effects.filter((effect) => effect.transfer));
    for (const effect of [...this.effects, ...carried]) if (effect.active) for (const status of effect.statuses ?? []) this.statuses.add(status);
  }

  get temporaryEffects() {
    return this.effects.filter((effect) => effect.active && effect.isTemporary);
  }

  get inCombat() {
    return Boolean(game.combat?.getCombatantsByActor(this).length);
  }

  getRollData() {
    return this.system;
  }

  getActiveTokens(linked = false, document = false) {
    const found = (canvas.ready ? canvas.scene.tokens.contents : [])
      .filter((token) => token.actorId === this.id && (!linked || token.actorLink) && (!this.isToken || token === this.token));
    return document ? found : found.map((token) => token.object).filter(Boolean);
  }

  getDependentTokens() {
    return game.scenes.contents.flatMap((scene) => scene.tokens.filter((token) => token.actorId === this.id));
  }

  get sheet() {
    this._stageSheet ??= new CONFIG.Actor._stageSheet({ document: this });
    return this._stageSheet;
  }

  async toggleStatusEffect(id, { active, overlay = false } = {}) {
    const status = Object.values(CONFIG.statusEffects).find((effect) => effect.id === id);
    if (!status) throw new Error(`Invalid status ID "${id}" provided to Actor#toggleStatusEffect`);
    const held = this.effects.filter((effect) => effect.statuses.has(id));
    if (held.length) {
      if (active) return true;
      await this.deleteEmbeddedDocuments("ActiveEffect", held.map((effect) => effect.id));
      return false;
    }
    if (active === false) return undefined;
    // The effect of a status has always the same id, so an actor has it once; a second one is refused.
    const data = { _id: id.replace(/\W/g, "").padEnd(16, "0").slice(0, 16), name: game.i18n.localize(status.name), img: status.img, statuses: [id] };
    if (overlay) data.flags = { core: { overlay: true } };
    const [made] = await this.createEmbeddedDocuments("ActiveEffect", [data], { keepId: true });
    return made;
  }

  async modifyTokenAttribute(attribute, value, isDelta = false, isBar = true) {
    const current = foundry.utils.getProperty(this.system, attribute);
    const path = isBar ? `system.${attribute}.value` : `system.${attribute}`;
    const before = isBar ? current.value : current;
    return this.update({ [path]: isDelta ? before + value : value });
  }

  _stageEmbeddedChanged() {
    if (this.isToken) this.token._source.delta.effects = this._source.effects;
    this._initialize();
    if (!this.isToken) for (const token of this.getDependentTokens()) token._stageBaseChanged();
    canvas._stageRefresh();
  }

  _onUpdate(changed, options, userId) {
    super._onUpdate(changed, options, userId);
    if (!this.isToken) for (const token of this.getDependentTokens()) token._stageBaseChanged();
    canvas._stageRefresh();
  }
}

// --- scenes, tokens ----------------------------------------------------------------------------------------------------

export class Scene extends Document {
  static documentName = "Scene";

  get isView() {
    return game.scenes.viewed === this;
  }

  get dimensions() {
    return { width: this.width, height: this.height, size: this.grid.size, distance: this.grid.distance };
  }

  async view() {
    return canvas._stageDraw(this);
  }

  async activate() {
    await this.update({ active: true });
    return this.view();
  }

  _onUpdate(changed, options, userId) {
    super._onUpdate(changed, options, userId);
    if (changed.active) for (const scene of game.scenes) if (scene !== this && scene.active) scene.updateSource({ active: false });
  }
}

export class TokenDocument extends Document {
  static documentName = "Token";

  #actor = null;

  get baseActor() {
    return game.actors.get(this.actorId) ?? null;
  }

  get isLinked() {
    return this.actorLink;
  }

  get actor() {
    const base = this.baseActor;
    if (!base || this.actorLink) return base;
    if (!this.#actor || this.#actor.id !== base.id) this.#actor = new CONFIG.Actor.documentClass(this.#syntheticSource(), { parent: this });
    return this.#actor;
  }

  #syntheticSource() {
    const source = mergeObject(this.baseActor.toObject(), this._source.delta ?? {}, { performDeletions: true });
    source._id = this.actorId;
    return source;
  }

  _stageBaseChanged() {
    if (!this.#actor) return;
    if (!this.baseActor) {
      this.#actor = null;
      return;
    }
    this.#actor._source = this.#syntheticSource();
    this.#actor._initialize();
  }

  _initialize() {
    super._initialize();
    // The first call comes from the constructor, before this class has its own fields.
    if (#actor in this && this.#actor) this._stageBaseChanged();
  }

  get object() {
    return canvas.ready && canvas.scene === this.parent ? canvas.tokens.get(this.id) ?? null : null;
  }

  get layer() {
    return canvas.tokens;
  }

  get rendered() {
    return Boolean(this.object);
  }

  get isSecret() {
    return this.disposition === CONST.TOKEN_DISPOSITIONS.SECRET && !this.isOwner;
  }

  getUserLevel(user = game.user) {
    return this.baseActor ? this.baseActor.getUserLevel(user) : user.isGM ? 3 : 0;
  }

  get combatant() {
    return game.combat?.combatants.find((combatant) => combatant.tokenId === this.id) ?? null;
  }

  get inCombat() {
    return this.combatant !== null;
  }

  hasStatusEffect(id) {
    return this.actor?.statuses.has(id) ?? false;
  }

  getBarAttribute(_name, { alternative } = {}) {
    const data = alternative ? foundry.utils.getProperty(this.actor?.system ?? {}, alternative) : undefined;
    return data === undefined ? null : { type: "bar", attribute: alternative, value: data.value, max: data.max, editable: true };
  }

  _onCreate(data, options, userId) {
    super._onCreate(data, options, userId);
    if (canvas.ready && canvas.scene === this.parent) canvas.tokens._stageAdd(this);
  }

  _onUpdate(changed, options, userId) {
    super._onUpdate(changed, options, userId);
    if ("delta" in changed || "actorId" in changed) this._stageBaseChanged();
    this.object?._stageRefresh(changed);
  }

  _onDelete(options, userId) {
    super._onDelete(options, userId);
    if (canvas.ready && canvas.scene === this.parent) canvas.tokens._stageRemove(this.id);
  }
}

// --- macros --------------------------------------------------------------------------------------------------------------

const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;

export class Macro extends Document {
  static documentName = "Macro";

  static _stageAccessors = ["author"];

  get author() {
    return game.users.get(this._source.author) ?? null;
  }

  get isAuthor() {
    return game.user === this.author;
  }

  get canExecute() {
    return this.testUserPermission(game.user, "LIMITED");
  }

  execute(scope = {}) {
    if (!this.canExecute) {
      ui.notifications.warn(`You do not have permission to execute Macro ${this.name}.`);
      return undefined;
    }
    if (this.type === "chat") {
      ui.chat.processMessage(this.command).catch((error) => ui.notifications.error(error.message));
      return undefined;
    }
    const speaker = scope.speaker ?? ChatMessage.implementation.getSpeaker();
    const actor = scope.actor ?? game.actors.get(speaker.actor) ?? null;
    const token = scope.token ?? (canvas.ready ? canvas.tokens.get(speaker.token) : null) ?? null;
    const run = new AsyncFunction("speaker", "actor", "token", "character", "scope", `{${this.command}\n}`);
    return run.call(this, speaker, actor, token, game.user.character, scope).catch((error) => {
      ui.notifications.error("There was an error in your macro syntax. See the console (F12) for details");
      console.error(error);
    });
  }

  _onCreate(data, options, userId) {
    super._onCreate(data, options, userId);
    ui.hotbar?.render();
  }
}

// --- combat --------------------------------------------------------------------------------------------------------------

export class Combatant extends Document {
  static documentName = "Combatant";

  get combat() {
    return this.parent;
  }

  get token() {
    return game.scenes.get(this.sceneId)?.tokens.get(this.tokenId) ?? null;
  }

  get actor() {
    return this.token ? this.token.actor : game.actors.get(this.actorId) ?? null;
  }

  get isNPC() {
    return !this.actor || !this.hasPlayerOwner;
  }

  get players() {
    return game.users.filter((user) => !user.isGM && this.testUserPermission(user, "OWNER"));
  }

  get isDefeated() {
    return this.defeated || Boolean(this.actor?.statuses.has(CONFIG.specialStatusEffects.DEFEATED));
  }

  getUserLevel(user = game.user) {
    return this.actor?.getUserLevel(user) ?? (user.isGM ? 3 : 0);
  }

  prepareDerivedData() {
    if (!this._source.name) this.name = this.token?.name ?? this.actor?.name ?? "";
    if (!this._source.img) this.img = this.token?.texture.src ?? this.actor?.img ?? null;
  }

  _onUpdate(changed, options, userId) {
    super._onUpdate(changed, options, userId);
    this.combat?._stageKeepTurn(userId);
  }

  _onCreate(data, options, userId) {
    super._onCreate(data, options, userId);
    this.combat?._stageKeepTurn(userId);
  }

  _onDelete(options, userId) {
    super._onDelete(options, userId);
    this.combat?._stageKeepTurn(userId);
  }
}

export class Combat extends Document {
  static documentName = "Combat";

  static _stageAccessors = ["scene"];

  previous = { round: 0, turn: null, tokenId: null, combatantId: null };

  get scene() {
    return game.scenes.get(this._source.scene) ?? null;
  }

  get started() {
    return this.round > 0;
  }

  get isActive() {
    return this.active;
  }

  get settings() {
    return { skipDefeated: game.settings.get("core", "combatTrackerConfig").skipDefeated ?? false, resource: "" };
  }

  get turns() {
    return this.combatants.contents.sort((a, b) =>
      (b.initiative ?? -Infinity) - (a.initiative ?? -Infinity) || (a.id > b.id ? 1 : -1));
  }

  get combatant() {
    return this.turn === null ? null : this.turns[this.turn] ?? null;
  }

  get nextCombatant() {
    const turns = this.turns;
    return turns[((this.turn ?? -1) + 1) % turns.length] ?? null;
  }

  get current() {
    const combatant = this.combatant;
    return { round: this.round, turn: this.turn, tokenId: combatant?.tokenId ?? null, combatantId: combatant?.id ?? null };
  }

  getCombatantsByToken(token) {
    const id = typeof token === "string" ? token : token.id;
    return this.combatants.filter((combatant) => combatant.tokenId === id);
  }

  getCombatantsByActor(actor) {
    const id = typeof actor === "string" ? actor : actor.id;
    return this.combatants.filter((combatant) => (typeof actor === "string" || !actor.isToken
      ? combatant.actorId === id : combatant.tokenId === actor.token.id));
  }

  async setInitiative(id, value) {
    await this.combatants.get(id, { strict: true }).update({ initiative: value });
  }

  async startCombat() {
    const updateData = { round: 1, turn: this.turns.length ? 0 : null };
    Hooks.callAll("combatStart", this, updateData);
    return this.update(updateData, { direction: 1 });
  }

  async nextTurn() {
    const turns = this.turns;
    let next = (this.turn ?? -1) + 1;
    if (this.settings.skipDefeated) while (next < turns.length && turns[next].isDefeated) next++;
    if (!this.started || next >= turns.length) return this.nextRound();
    const updateData = { round: this.round, turn: next };
    const updateOptions = { direction: 1, worldTime: { delta: CONFIG.time.turnTime } };
    Hooks.callAll("combatTurn", this, updateData, updateOptions);
    return this.update(updateData, updateOptions);
  }

  async previousTurn() {
    if (this.turn === 0 && this.round === 0) return this;
    if (!this.turn) return this.previousRound();
    const updateData = { round: this.round, turn: this.turn - 1 };
    const updateOptions = { direction: -1, worldTime: { delta: -CONFIG.time.turnTime } };
    Hooks.callAll("combatTurn", this, updateData, updateOptions);
    return this.update(updateData, updateOptions);
  }

  async nextRound() {
    const updateData = { round: this.round + 1, turn: this.turns.length ? 0 : null };
    const updateOptions = { direction: 1, worldTime: { delta: CONFIG.time.roundTime } };
    Hooks.callAll("combatRound", this, updateData, updateOptions);
    return this.update(updateData, updateOptions);
  }

  async previousRound() {
    const round = Math.max(this.round - 1, 0);
    const updateData = { round, turn: round > 0 && this.turns.length ? this.turns.length - 1 : null };
    const updateOptions = { direction: -1, worldTime: { delta: -CONFIG.time.roundTime } };
    Hooks.callAll("combatRound", this, updateData, updateOptions);
    return this.update(updateData, updateOptions);
  }

  async endCombat() {
    const yes = await foundry.applications.api.DialogV2.confirm({ window: { title: "End Combat?" }, content: "<p>End this combat encounter?</p>" });
    return yes ? this.delete() : null;
  }

  async rollInitiative(ids, { formula = "1d20" } = {}) {
    const updates = [];
    for (const id of typeof ids === "string" ? [ids] : ids) {
      const roll = await new foundry.dice.Roll(formula).evaluate();
      updates.push({ _id: id, initiative: roll.total });
    }
    await this.updateEmbeddedDocuments("Combatant", updates);
    return this;
  }

  _stageEmbeddedChanged() {}

  /** Whoever has the turn keeps it when the order is another one: by an update of whoever changed it, a moment later. */
  _stageKeepTurn(userId) {
    if (!this.started || this.turn === null) return;
    const now = this.turns.findIndex((combatant) => combatant.id === this._stageHolder);
    const turn = now === -1 ? Math.min(this.turn, this.turns.length - 1) : now;
    if (now === -1) this._stageHolder = this.combatant?.id ?? null;
    if (userId === game.userId && turn !== this.turn) void this.update({ turn: turn === -1 ? null : turn }, { turnEvents: false });
  }

  prepareData() {
    super.prepareData();
    this._stageHolder ??= this.combatant?.id ?? null;
  }

  _stageBeforeUpdate(change) {
    if ("turn" in change || "round" in change) this.previous = this.current;
  }

  _onUpdate(changed, options, userId) {
    super._onUpdate(changed, options, userId);
    if ("turn" in changed || "round" in changed) this._stageHolder = this.combatant?.id ?? null;
    if (("turn" in changed || "round" in changed) && options.turnEvents !== false) {
      Hooks.callAll("combatTurnChange", this, this.previous, this.current);
    }
    ui.combat.render();
  }

  _onCreate(data, options, userId) {
    super._onCreate(data, options, userId);
    ui.combat.render();
  }

  _onDelete(options, userId) {
    super._onDelete(options, userId);
    ui.combat.render();
  }
}

// --- collections -----------------------------------------------------------------------------------------------------------

export class WorldCollection extends Collection {
  constructor(kind, data) {
    super();
    this._kind = kind;
    for (const source of data) {
      const document = new CONFIG[kind].documentClass(source);
      this.set(document.id, document);
    }
  }

  get documentName() {
    return this._kind;
  }

  get documentClass() {
    return CONFIG[this._kind].documentClass;
  }

  get invalidDocumentIds() {
    return new Set();
  }
}

export class Users extends WorldCollection {
  get current() {
    return this.get(game.userId);
  }

  get players() {
    return this.filter((user) => !user.isGM && user.hasRole("PLAYER"));
  }

  get activeGM() {
    return this.getDesignatedUser((user) => user.active && user.isGM);
  }

  /** The one of those who meet a condition: highest role first, then by id. */
  getDesignatedUser(condition) {
    return this.filter(condition).sort((a, b) => b.role - a.role || (a.id > b.id ? 1 : -1))[0] ?? null;
  }
}

export class Actors extends WorldCollection {
  get tokens() {
    return {};
  }
}

export class Items extends WorldCollection {}

export class Macros extends WorldCollection {}

export class Scenes extends WorldCollection {
  _viewed = null;

  get active() {
    return this.find((scene) => scene.active) ?? null;
  }

  get current() {
    return this.viewed;
  }

  get viewed() {
    return this.get(this._viewed) ?? null;
  }
}

export class ChatMessages extends WorldCollection {
  get directory() {
    return ui.chat;
  }

  async flush() {
    const yes = await foundry.applications.api.DialogV2.confirm({
      window: { title: "CHAT.FlushTitle" }, content: "<p>All chat messages will be deleted.</p>",
    });
    return yes ? this.documentClass.deleteDocuments([], { deleteAll: true }) : null;
  }
}

export class CombatEncounters extends WorldCollection {
  get active() {
    return this.find((combat) => combat.active) ?? null;
  }

  get viewed() {
    return this.active;
  }

  get combats() {
    return this.contents;
  }
}

for (const cls of [User, Actor, Item, ActiveEffect, Scene, TokenDocument, Macro, Combat, Combatant]) classes.set(cls.documentName, cls);

export const collectionClasses = {
  User: Users, Actor: Actors, Item: Items, Scene: Scenes, ChatMessage: ChatMessages, Combat: CombatEncounters, Macro: Macros,
};
