/** What all documents share: source data, flags, ownership, creating and changing by way of the server. */

import SHAPES from "./documents.json" with { type: "json" };
import { Hooks } from "./hooks.mjs";
import { Collection, deepClone, diffObject, expandObject, isEmpty, mergeObject, randomID } from "./utils.mjs";

/** Classes by document name. @type {Map<string, any>} */
export const classes = new Map();

/** What the stage gives to documents: the wire, and the generation. */
export const stage = { wire: /** @type {any} */ (null), generation: 13 };

/** Fields of a kind with initial values, for this generation. */
function initialFields(kind) {
  const shape = SHAPES[kind];
  return deepClone({ ...shape.fields, ...(shape[`fields${stage.generation}`] ?? {}) });
}

const MERGED = ["speaker", "prototypeToken", "grid", "ownership", "duration"];

/** Of these only the known keys are kept: the duration of one generation says nothing to the other. */
const CLOSED = ["speaker", "duration"];

/** Data with every known field and without any unknown one. */
export function shaped(kind, data) {
  const full = initialFields(kind);
  for (const key of Object.keys(full)) {
    if (!(key in data) || data[key] === undefined) continue;
    const value = deepClone(data[key]);
    if (value === null && full[key] !== null && key !== "turn") continue;
    if (!MERGED.includes(key) || !value || typeof value !== "object") full[key] = value;
    else if (CLOSED.includes(key)) for (const name of Object.keys(full[key])) full[key][name] = value[name] ?? full[key][name];
    else full[key] = { ...full[key], ...value };
  }
  return full;
}

/** What a caller may hand over as data: JSON, with rolls and documents written out. */
function written(value) {
  if (value === null || typeof value !== "object") return value;
  if (typeof value.toJSON === "function" && !(value instanceof Date)) return value.toJSON();
  if (value instanceof Set) return Array.from(value, written);
  if (Array.isArray(value)) return value.map(written);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, written(inner)]));
}

export class Document {
  static documentName = "Document";

  /** Fields that are read through an accessor of the class. @type {string[]} */
  static _stageAccessors = [];

  static get collectionName() {
    return { ActiveEffect: "effects", Item: "items", Token: "tokens", Combatant: "combatants", ChatMessage: "messages", Actor: "actors",
      User: "users", Scene: "scenes", Combat: "combats", Macro: "macros" }[this.documentName];
  }

  static get implementation() {
    return CONFIG[this.documentName].documentClass;
  }

  constructor(data = {}, { parent = null } = {}) {
    this.parent = parent;
    this.pack = null;
    const source = written(data);
    /** @type {any} */
    this._source = { _id: source._id ?? null, ...shaped(this.constructor.documentName, source) };
    this._initialize();
  }

  _initialize() {
    const kind = this.constructor.documentName;
    const embedded = Object.entries(SHAPES[kind].embedded);
    const special = new Set([...embedded.map(([, name]) => name), ...this.constructor._stageAccessors]);
    for (const [key, value] of Object.entries(this._source)) {
      if (!special.has(key)) this[key] = deepClone(value);
    }
    for (const [child, name] of embedded) {
      const held = this[name] ?? new Collection();
      const ids = new Set();
      for (const data of this._source[name]) {
        data._id ??= randomID();
        ids.add(data._id);
        const known = held.get(data._id);
        if (known) {
          known._source = data;
          known._initialize();
        } else held.set(data._id, new (classes.get(child).implementation)(data, { parent: this }));
        // The embedded document and the parent's source are one object, so that a change of one is a change of both.
        const index = this._source[name].indexOf(data);
        this._source[name][index] = held.get(data._id)._source;
      }
      for (const id of [...held.keys()]) if (!ids.has(id)) held.delete(id);
      this[name] = held;
    }
    this.prepareData();
  }

  prepareData() {
    this.prepareBaseData();
    this.prepareDerivedData();
  }

  prepareBaseData() {}

  prepareDerivedData() {}

  reset() {
    this._initialize();
  }

  get id() {
    return this._source._id;
  }

  get _id() {
    return this._source._id;
  }

  set _id(_value) {
    // in `_source` only
  }

  get documentName() {
    return this.constructor.documentName;
  }

  get collectionName() {
    return this.constructor.collectionName;
  }

  get uuid() {
    return this.parent ? `${this.parent.uuid}.${this.documentName}.${this.id}` : `${this.documentName}.${this.id}`;
  }

  get isEmbedded() {
    return this.parent !== null;
  }

  get inCompendium() {
    return false;
  }

  get collection() {
    return this.parent ? this.parent[this.collectionName] : globalThis.game.collections.get(this.documentName);
  }

  // --- ownership --------------------------------------------------------------------------------------------------

  getUserLevel(user = game.user) {
    if (user.isGM) return CONST.DOCUMENT_OWNERSHIP_LEVELS.OWNER;
    if (this._source.author && this._source.author === user.id) return CONST.DOCUMENT_OWNERSHIP_LEVELS.OWNER;
    const ownership = this._source.ownership;
    if (ownership) {
      const own = ownership[user.id];
      return own === undefined || own === -1 ? ownership.default ?? 0 : own;
    }
    return this.parent ? this.parent.getUserLevel(user) : CONST.DOCUMENT_OWNERSHIP_LEVELS.NONE;
  }

  testUserPermission(user, permission, { exact = false } = {}) {
    const level = this.getUserLevel(user);
    const wanted = typeof permission === "string" ? CONST.DOCUMENT_OWNERSHIP_LEVELS[permission] : permission;
    return exact ? level === wanted : level >= wanted;
  }

  get isOwner() {
    return this.testUserPermission(game.user, "OWNER");
  }

  get hasPlayerOwner() {
    return game.users.some((user) => !user.isGM && this.testUserPermission(user, "OWNER"));
  }

  get limited() {
    return this.testUserPermission(game.user, "LIMITED", { exact: true });
  }

  get permission() {
    return this.getUserLevel(game.user);
  }

  get visible() {
    return this.isEmbedded ? this.parent.visible : this.testUserPermission(game.user, "LIMITED");
  }

  canUserModify(user, action) {
    return action === "create" ? user.isGM : this.testUserPermission(user, "OWNER");
  }

  // --- data -------------------------------------------------------------------------------------------------------

  toObject(source = true) {
    return deepClone(source ? this._source : written({ ...this._source }));
  }

  toJSON() {
    return this.toObject();
  }

  clone(changes = {}, { keepId = false } = {}) {
    const data = mergeObject(this.toObject(), changes, { performDeletions: true });
    if (!keepId) data._id = null;
    return new this.constructor(data, { parent: this.parent });
  }

  updateSource(changes = {}) {
    const change = expandObject(written(changes));
    const known = shaped(this.documentName, change);
    const kept = Object.fromEntries(Object.entries(change).filter(([key]) => key in known || key === "_id"));
    mergeObject(this._source, kept, { performDeletions: true });
    this._initialize();
    return kept;
  }

  static #scope(scope) {
    if (!["core", "world", game.system.id].includes(scope) && !game.modules.get(scope)?.active) {
      throw new Error(`Flag scope "${scope}" is not valid or not currently active`);
    }
  }

  getFlag(scope, key) {
    Document.#scope(scope);
    return foundry.utils.getProperty(this.flags[scope] ?? {}, key);
  }

  async setFlag(scope, key, value) {
    Document.#scope(scope);
    return this.update({ flags: { [scope]: expandObject({ [key]: value }) } });
  }

  async unsetFlag(scope, key) {
    Document.#scope(scope);
    const path = key.split(".");
    const last = path.pop();
    return this.update({ [["flags", scope, ...path, `-=${last}`].join(".")]: null });
  }

  // --- operations -------------------------------------------------------------------------------------------------

  static async create(data, operation = {}) {
    const many = Array.isArray(data);
    const made = await this.createDocuments(many ? data : [data], operation);
    return many ? made : made.shift();
  }

  static async createDocuments(data = [], operation = {}) {
    const { parent = null, pack: _pack, ...options } = operation;
    const documents = [];
    for (const entry of data) {
      const given = entry instanceof Document ? entry.toObject() : written(entry);
      const document = new this.implementation({ ...given, _id: options.keepId ? given._id : null }, { parent });
      if (document._source.author === null && "author" in document._source) document.updateSource({ author: game.user.id });
      if ((await document._preCreate(given, options, game.user)) === false) continue;
      if (!Hooks.call(`preCreate${this.documentName}`, document, given, options, game.user.id)) continue;
      documents.push(document);
    }
    if (!documents.length) return [];
    return Document.#modify({
      action: "create", type: this.documentName, parent: parent?.uuid ?? null, data: documents.map((document) => document._source), options,
    });
  }

  static async updateDocuments(updates = [], operation = {}) {
    const { parent = null, pack: _pack, ...options } = operation;
    const sent = [];
    for (const entry of updates) {
      const { _id, ...rest } = entry instanceof Document ? entry.toObject() : written(entry);
      const document = Document.#find(this.documentName, _id, parent);
      if (!document) throw new Error(`${this.documentName} "${_id}" does not exist!`);
      let change = expandObject(rest);
      if (options.diff !== false) change = diffObject(document._source, change);
      if (isEmpty(change)) continue;
      if ((await document._preUpdate(change, options, game.user)) === false) continue;
      if (!Hooks.call(`preUpdate${this.documentName}`, document, change, options, game.user.id)) continue;
      sent.push({ ...change, _id });
    }
    if (!sent.length) return [];
    return Document.#modify({ action: "update", type: this.documentName, parent: parent?.uuid ?? null, updates: sent, options });
  }

  /** The actor of an unlinked token is no embedded document, and yet the token is its parent. */
  static #find(kind, id, parent) {
    if (!parent) return game.collections.get(kind).get(id);
    if (kind === "Actor") return parent.actor?.id === id ? parent.actor : undefined;
    return parent.getEmbeddedDocument(kind, id);
  }

  static async deleteDocuments(ids = [], operation = {}) {
    const { parent = null, pack: _pack, deleteAll = false, ...options } = operation;
    const collection = parent ? parent.getEmbeddedCollection(this.documentName) : game.collections.get(this.documentName);
    const kept = [];
    for (const id of deleteAll ? [...collection.keys()] : ids) {
      const document = collection.get(id);
      if (!document) throw new Error(`${this.documentName} "${id}" does not exist!`);
      if ((await document._preDelete(options, game.user)) === false) continue;
      if (Hooks.call(`preDelete${this.documentName}`, document, options, game.user.id)) kept.push(id);
    }
    if (!kept.length) return [];
    return Document.#modify({ action: "delete", type: this.documentName, parent: parent?.uuid ?? null, ids: kept, options });
  }

  static async #modify(operation) {
    let frame;
    try {
      frame = await stage.wire.request({ t: "modifyDocument", operation });
    } catch (error) {
      ui.notifications.error(error.message);
      throw error;
    }
    return applyDocuments(frame);
  }

  async update(data = {}, operation = {}) {
    const [updated] = await this.constructor.updateDocuments([{ ...data, _id: this.id }], { ...operation, parent: this._stageParent });
    return updated;
  }

  async delete(operation = {}) {
    const [deleted] = await this.constructor.deleteDocuments([this.id], { ...operation, parent: this._stageParent });
    return deleted;
  }

  get _stageParent() {
    return this.parent;
  }

  getEmbeddedCollection(kind) {
    const name = SHAPES[this.documentName].embedded[kind] ?? kind;
    if (!(this[name] instanceof Collection)) throw new Error(`${kind} is not a valid embedded Document within the ${this.documentName} Document`);
    return this[name];
  }

  getEmbeddedDocument(kind, id) {
    return this.getEmbeddedCollection(kind).get(id);
  }

  async createEmbeddedDocuments(kind, data = [], operation = {}) {
    return classes.get(kind).createDocuments(data, { ...operation, parent: this });
  }

  async updateEmbeddedDocuments(kind, updates = [], operation = {}) {
    return classes.get(kind).updateDocuments(updates, { ...operation, parent: this });
  }

  async deleteEmbeddedDocuments(kind, ids, operation = {}) {
    return classes.get(kind).deleteDocuments(ids, { ...operation, parent: this });
  }

  async _preCreate(_data, _options, _user) {}

  async _preUpdate(_changes, _options, _user) {}

  async _preDelete(_options, _user) {}

  _onCreate(_data, _options, _userId) {}

  _onUpdate(_changed, _options, _userId) {
    for (const app of Object.values(this.apps)) app.render();
  }

  _onDelete(_options, _userId) {
    for (const app of Object.values(this.apps)) app.close();
  }

  /** Applications that show this document. @type {Record<string, any>} */
  apps = {};
}

/** The parent of an operation that came over the wire. */
const parentOf = (uuid) => (uuid ? globalThis.foundry.utils.fromUuidSync(uuid) : null);

/** Take over what the server did, here and for everybody: the same for the client who asked and for all others. */
export function applyDocuments(frame) {
  const { action, type, result, options, user } = frame;
  const parent = parentOf(frame.parent);
  if (frame.parent && !parent) return [];
  const cls = classes.get(type);
  if (type === "Actor" && parent?.documentName === "Token") return applyDelta(parent, frame);
  const collection = parent ? parent.getEmbeddedCollection(type) : game.collections.get(type);
  const sources = parent?._source[SHAPES[parent.documentName].embedded[type]];
  const done = [];
  if (action === "create") {
    for (const data of result) {
      const document = new cls.implementation(data, { parent });
      collection.set(document.id, document);
      sources?.push(document._source);
      parent?._stageEmbeddedChanged?.();
      done.push(document);
    }
    for (const document of done) {
      document._onCreate(document.toObject(), options, user);
      Hooks.callAll(`create${type}`, document, options, user);
    }
  } else if (action === "update") {
    for (const change of result) {
      const document = collection.get(change._id);
      if (!document) continue;
      const { _id, ...rest } = change;
      document._stageBeforeUpdate?.(rest);
      mergeObject(document._source, rest, { performDeletions: true });
      document._initialize();
      parent?._stageEmbeddedChanged?.();
      done.push([document, change]);
    }
    for (const [document, change] of done) {
      document._onUpdate(change, options, user);
      Hooks.callAll(`update${type}`, document, change, options, user);
    }
    return done.map(([document]) => document);
  } else {
    for (const id of result) {
      const document = collection.get(id);
      if (!document) continue;
      collection.delete(id);
      if (sources) sources.splice(sources.findIndex((data) => data._id === id), 1);
      parent?._stageEmbeddedChanged?.();
      done.push(document);
    }
    for (const document of done) {
      document._onDelete(options, user);
      Hooks.callAll(`delete${type}`, document, options, user);
    }
  }
  return done;
}

/** A change of the actor of an unlinked token is kept in the token. */
function applyDelta(token, { result, options, user }) {
  const [{ _id, ...change }] = result;
  mergeObject(token._source.delta, change, { performDeletions: true });
  token._initialize();
  token.actor._onUpdate({ ...change, _id }, options, user);
  Hooks.callAll("updateActor", token.actor, { ...change, _id }, options, user);
  return [token.actor];
}
