/** `game.settings` and `game.i18n`. */

import { stage } from "./document.mjs";
import { Hooks } from "./hooks.mjs";
import { deepClone, getProperty, mergeObject } from "./utils.mjs";

/** A value as its setting's type would have it. Types that this does not know throw. */
function cast(type, value) {
  if (value === null || value === undefined) return value;
  if (type === undefined || type === Object || type === Array) return deepClone(value);
  if (type === String) return String(value);
  if (type === Number) return Number(value);
  if (type === Boolean) return Boolean(value);
  if (typeof type === "object" && typeof type.clean === "function") return type.clean(value);
  throw new Error("the stand-in knows settings of type String, Number, Boolean, Object, Array and the fields of foundry.data.fields");
}

export class ClientSettings {
  settings = new Map();

  menus = new Map();

  storage;

  #world;

  #user;

  constructor(world, user) {
    this.#world = world;
    this.#user = user;
    this.storage = new Map([["client", window.localStorage], ["world", world], ["user", user]]);
  }

  register(namespace, key, data) {
    if (!namespace || !key) throw new Error("You must specify both namespace and key portions of the setting");
    const { scope = "client" } = data;
    const setting = { ...data, id: `${namespace}.${key}`, namespace, key, scope: ["world", "user"].includes(scope) ? scope : "client" };
    if (setting.default === undefined && setting.type && typeof setting.type === "object") setting.default = setting.type.initial;
    this.settings.set(setting.id, setting);
  }

  registerMenu(namespace, key, data) {
    if (!namespace || !key) throw new Error("You must specify both namespace and key portions of the menu");
    if (typeof data.type !== "function") throw new Error("You must provide a menu type that is an ApplicationV2 class");
    this.menus.set(`${namespace}.${key}`, { restricted: false, ...data, key: `${namespace}.${key}`, namespace });
  }

  #setting(namespace, key) {
    const setting = this.settings.get(`${namespace}.${key}`);
    if (!setting) throw new Error(`"${namespace}.${key}" is not a registered game setting`);
    return setting;
  }

  get(namespace, key) {
    const setting = this.#setting(namespace, key);
    let value;
    if (setting.scope === "world") value = this.#world.get(setting.id);
    else if (setting.scope === "user") value = this.#user.get(setting.id);
    else {
      const text = window.localStorage.getItem(setting.id);
      value = text === null ? undefined : JSON.parse(text);
    }
    return cast(setting.type, value === undefined ? deepClone(setting.default) : value);
  }

  async set(namespace, key, value, options = {}) {
    const setting = this.#setting(namespace, key);
    const wanted = cast(setting.type, value === undefined ? setting.default : value);
    const json = JSON.stringify(wanted);
    if (setting.scope === "client") {
      const before = window.localStorage.getItem(setting.id);
      window.localStorage.setItem(setting.id, json);
      if (before !== json) this._stageChanged(setting.id, JSON.parse(json), options, game.userId);
      return wanted;
    }
    try {
      const frame = await stage.wire.request({ t: "setting", scope: setting.scope, key: setting.id, value: JSON.parse(json), options });
      if (frame) this._stageTake(frame);
    } catch (error) {
      ui.notifications.error(error.message);
      throw error;
    }
    return wanted;
  }

  /** A setting of the world or of a user, as the server tells it to everybody. */
  _stageTake({ scope, key, value, options, user }) {
    if (scope === "user" && user !== game.userId) return;
    (scope === "user" ? this.#user : this.#world).set(key, value);
    this._stageChanged(key, value, options, user);
  }

  _stageChanged(key, value, options, user) {
    const setting = this.settings.get(key);
    if (setting?.onChange) {
      try {
        setting.onChange(this.get(setting.namespace, setting.key), options, user);
      } catch (error) {
        console.error(error);
      }
    }
    Hooks.callAll("clientSettingChanged", key, value, options);
  }
}

/** The few fields that settings are usually typed with. */
class DataField {
  constructor(options = {}) {
    Object.assign(this, { required: false, nullable: false, initial: undefined, ...options });
  }

  clean(value) {
    const done = this._cast(value);
    if (this.choices) {
      const allowed = Array.isArray(this.choices) ? this.choices : Object.keys(typeof this.choices === "function" ? this.choices() : this.choices);
      if (!allowed.map(String).includes(String(done))) throw new Error(`${done} is not a valid choice`);
    }
    return done;
  }

  _cast(value) {
    return deepClone(value);
  }
}

class StringField extends DataField {
  _cast(value) {
    const text = String(value);
    if (this.blank === false && text === "") throw new Error("may not be a blank string");
    return text;
  }
}

class NumberField extends DataField {
  _cast(value) {
    const number = Number(value);
    if (Number.isNaN(number) || (this.integer && !Number.isInteger(number)) || number < this.min || number > this.max) throw new Error(`${value} is not a valid number`);
    return number;
  }
}

class BooleanField extends DataField {
  initial = false;

  constructor(options = {}) {
    super(options);
    Object.assign(this, options);
  }

  _cast(value) {
    return Boolean(value);
  }
}

class ObjectField extends DataField {}

class ArrayField extends DataField {
  constructor(element, options = {}) {
    super(options);
    this.element = element;
    this.initial ??= [];
  }
}

class SchemaField extends DataField {
  constructor(schema, options = {}) {
    super(options);
    this.fields = schema;
    this.initial ??= Object.fromEntries(Object.entries(schema).map(([name, field]) => [name, field.initial]));
  }
}

export const fields = { DataField, StringField, NumberField, BooleanField, ObjectField, ArrayField, SchemaField };

export class Localization {
  lang = "en";

  translations = {};

  async _stageLoad(modules) {
    this.translations = await (await fetch("/stage/lang.json")).json();
    for (const module of modules) {
      if (!module.active) continue;
      for (const language of module.languages ?? []) {
        if (language.lang !== this.lang) continue;
        const answer = await fetch(`/modules/${module.id}/${language.path}`);
        if (!answer.ok) throw new Error(`The language file ${language.path} of ${module.id} could not be loaded`);
        mergeObject(this.translations, await answer.json());
      }
    }
  }

  has(key) {
    return typeof this.#find(key) === "string";
  }

  #find(key) {
    return this.translations[key] ?? getProperty(this.translations, key);
  }

  localize(key, data) {
    const text = this.#find(String(key));
    const found = typeof text === "string" ? text : String(key);
    return data && stage.generation >= 14 ? this.format(key, data) : found;
  }

  format(key, data = {}) {
    const text = this.#find(String(key));
    return (typeof text === "string" ? text : String(key)).replace(/\{([^}]+)\}/g, (whole, name) => (name in data ? String(data[name]) : whole));
  }

  getListFormatter({ style = "long", type = "conjunction" } = {}) {
    return new Intl.ListFormat(this.lang, { style, type });
  }
}

