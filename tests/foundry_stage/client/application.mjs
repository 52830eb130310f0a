/** `foundry.applications.api`: windows, templates, dialogs, forms. */

import { Hooks } from "./hooks.mjs";
import { EventEmitter, cleanHTML, deepClone, escapeHTML, getType } from "./utils.mjs";
import { stage } from "./document.mjs";

/** Every open application by id: `foundry.applications.instances`. */
export const instances = new Map();

const STATES = { ERROR: -3, CLOSING: -2, CLOSED: -1, NONE: 0, RENDERING: 1, RENDERED: 2 };

/** Merge options of an inheritance chain: arrays are joined, objects merged, the rest replaced. */
function mergeOptions(base, more) {
  for (const [key, value] of Object.entries(more)) {
    if (Array.isArray(base[key]) && Array.isArray(value)) base[key] = [...base[key], ...value.filter((entry) => !base[key].includes(entry))];
    else if (getType(base[key]) === "Object" && getType(value) === "Object") mergeOptions(base[key], value);
    else base[key] = getType(value) === "Object" ? mergeOptions({}, value) : Array.isArray(value) ? [...value] : value;
  }
  return base;
}

/** Form data as `FormDataExtended` gives it: numbers as numbers, check boxes as booleans. */
export class FormDataExtended extends FormData {
  #object = {};

  constructor(form, { disabled = false, readonly = true } = {}) {
    super();
    const values = {};
    for (const element of form.elements) {
      const { name } = element;
      if (!name || element.type === "button" || element.type === "submit" || element.localName === "fieldset" || element.localName === "output") continue;
      if (!disabled && (element.disabled || element.closest("fieldset")?.disabled)) continue;
      if (!readonly && element.readOnly) continue;
      const value = FormDataExtended.#read(element);
      if (value === undefined) {
        if (!(name in values)) values[name] = null;
        continue;
      }
      if (element.type === "checkbox" && form.querySelectorAll(`input[type=checkbox][name="${CSS.escape(name)}"]`).length > 1) {
        (values[name] ??= []).push(value ? element.value : null);
      } else values[name] = value;
    }
    for (const [key, value] of Object.entries(values)) this.set(key, value === null ? "" : value);
    this.#object = values;
  }

  static #read(element) {
    const type = element.dataset.dtype ?? element.type;
    if (type === "radio") return element.checked ? element.value : undefined;
    if (type === "checkbox" || type === "Boolean") return element.checked;
    if (type === "number" || type === "range" || type === "Number") return element.value === "" ? null : Number(element.value);
    if (element.multiple) return Array.from(element.selectedOptions, (option) => option.value);
    return element.value;
  }

  get object() {
    return this.#object;
  }
}

export class ApplicationV2 extends EventEmitter {
  static BASE_APPLICATION = ApplicationV2;

  static RENDER_STATES = STATES;

  static emittedEvents = ["render", "close", "position"];

  static TABS = {};

  static DEFAULT_OPTIONS = {
    id: "app-{id}", uniqueId: "", classes: [], tag: "div", actions: {}, position: {},
    window: {
      frame: true, positioned: true, title: "", icon: "", controls: [], minimizable: true, resizable: false, contentTag: "section", contentClasses: [],
    },
  };

  static _appId = 0;

  static _maxZ = 100;

  #element = null;

  #content = null;

  #state = STATES.NONE;

  #minimized = false;

  #frame = {};

  #queue = Promise.resolve();

  constructor(options = {}) {
    super();
    this.options = Object.freeze(this._initializeApplicationOptions(options));
    this.#id = this.options.id.replace("{id}", this.options.uniqueId);
    this.position = { top: null, left: null, width: "auto", height: "auto", scale: 1, zIndex: ++ApplicationV2._maxZ, ...this.options.position };
    this.tabGroups = {};
    for (const [group, { tabs, initial }] of Object.entries(this.constructor.TABS)) if (tabs) this.tabGroups[group] = initial ?? null;
  }

  #id;

  _initializeApplicationOptions(options) {
    const merged = {};
    for (const cls of Array.from(this.constructor.inheritanceChain()).reverse()) {
      if (Object.hasOwn(cls, "DEFAULT_OPTIONS")) mergeOptions(merged, cls.DEFAULT_OPTIONS);
    }
    mergeOptions(merged, options);
    merged.uniqueId = options.uniqueId || String(++ApplicationV2._appId);
    for (const [name, action] of Object.entries(merged.actions)) {
      if (typeof action !== "function" && typeof action?.handler !== "function") throw new Error(`the action ${name} of ${this.constructor.name} has no handler`);
    }
    return merged;
  }

  static *inheritanceChain() {
    let cls = this;
    while (cls && cls !== EventEmitter && cls !== Function.prototype) {
      yield cls;
      if (cls === ApplicationV2) return;
      cls = Object.getPrototypeOf(cls);
    }
  }

  static *instances() {
    for (const app of instances.values()) if (app instanceof this) yield app;
  }

  get id() {
    return this.#id;
  }

  get title() {
    return game.i18n.localize(this.options.window.title);
  }

  get element() {
    return this.#element;
  }

  get form() {
    if (this.#element?.localName === "form") return this.#element;
    return this.#element?.querySelector("form") ?? null;
  }

  get classList() {
    return this.#element?.classList;
  }

  get minimized() {
    return this.#minimized;
  }

  get rendered() {
    return this.#state === STATES.RENDERED;
  }

  get state() {
    return this.#state;
  }

  get hasFrame() {
    return this.options.window.frame;
  }

  get window() {
    return { ...this.#frame, content: this.#content };
  }

  // --- rendering ------------------------------------------------------------------------------------------------------

  async render(options = {}, legacy = {}) {
    const given = typeof options === "boolean" ? { ...legacy, force: options } : { ...options };
    const next = this.#queue.then(() => this.#render(given));
    this.#queue = next.catch(() => {});
    return next;
  }

  async #render(options) {
    if (!this.#element && !options.force) return this;
    options.isFirstRender = !this.#element;
    this._configureRenderOptions(options);
    if (this._canRender(options) === false) return this;
    const before = this.#state;
    this.#state = STATES.RENDERING;
    try {
      const context = await this._prepareContext(options);
      if (options.isFirstRender) await this._preFirstRender(context, options);
      await this._preRender(context, options);
      if (stage.generation >= 14) this.#hooks("preRender", context, options);
      const result = await this._renderHTML(context, options);
      if (options.isFirstRender) {
        this.#element = await this._renderFrame(options);
        this.#content = this.hasFrame ? this.#element.querySelector(".window-content") : this.#element;
        this._replaceHTML(result, this.#content, options);
        this._insertElement(this.#element);
        instances.set(this.id, this);
        this.#element.addEventListener("click", (event) => this.#click(event));
        if (this.hasFrame) this._attachFrameListeners();
        this.#listenToForm();
      } else this._replaceHTML(result, this.#content, options);
      if (this.hasFrame) this._updateFrame(options);
      if (this.options.window.positioned) this.setPosition(this.position);
      if (options.position) this.setPosition(options.position);
      if (options.isFirstRender) await this._onFirstRender(context, options);
      await this._onRender(context, options);
      this.#state = STATES.RENDERED;
      this.#hooks("render", this.#element, context, options);
      await this._postRender(context, options);
      this.dispatchEvent(new Event("render"));
      if (options.force && this.hasFrame) this.bringToFront();
    } catch (error) {
      this.#state = before === STATES.RENDERED ? before : STATES.ERROR;
      Hooks.onError("ApplicationV2#render", error, { msg: `Failed to render Application "${this.id}"`, log: "error" });
      throw error;
    }
    return this;
  }

  /** `name` and the name of each class, the most derived first. */
  #hooks(name, ...args) {
    for (const cls of this.constructor.inheritanceChain()) if (cls.name) Hooks.callAll(`${name}${cls.name}`, this, ...args);
  }

  _configureRenderOptions(options) {
    options.window ??= {};
  }

  _canRender(_options) {}

  async _prepareContext(options) {
    const context = {};
    for (const group of Object.keys(this.constructor.TABS)) context.tabs = this._prepareTabs(group);
    void options;
    return context;
  }

  _getTabsConfig(group) {
    return this.constructor.TABS[group] ?? null;
  }

  _prepareTabs(group) {
    const config = this._getTabsConfig(group);
    if (!config) return {};
    this.tabGroups[group] ??= config.initial ?? config.tabs[0]?.id ?? null;
    return Object.fromEntries(config.tabs.map(({ id, cssClass, ...tab }) => {
      const active = this.tabGroups[group] === id;
      const label = tab.label ?? `${config.labelPrefix}.${id}`;
      return [id, { id, group, active, ...tab, label, cssClass: [cssClass, active ? "active" : ""].filter(Boolean).join(" ") }];
    }));
  }

  async _renderHTML(_context, _options) {
    throw new Error(`The ${this.constructor.name} Application class is not renderable because it does not define a _renderHTML method`);
  }

  _replaceHTML(_result, _content, _options) {
    throw new Error(`The ${this.constructor.name} Application class is not renderable because it does not define a _replaceHTML method`);
  }

  async _renderFrame(options) {
    const element = document.createElement(this.options.tag);
    element.id = this.id;
    if (element.localName === "form") element.autocomplete = "off";
    if (!this.hasFrame) {
      element.classList.add(...this.options.classes);
      return element;
    }
    element.classList.add("application", ...this.options.classes);
    if (!this.options.classes.some((name) => name.startsWith("theme-"))) element.classList.add("themed", `theme-${stage.themes.applications}`);
    element.innerHTML = `
      <header class="window-header">
        <i class="window-icon fa-fw ${this.options.window.icon || "hidden"}"></i>
        <h1 class="window-title"></h1>
        <button type="button" class="header-control icon fa-solid fa-ellipsis-vertical" data-action="toggleControls"
          data-tooltip="APPLICATION.TOOLS.ControlsMenu" aria-label="${game.i18n.localize("APPLICATION.TOOLS.ControlsMenu")}"></button>
        <button type="button" class="header-control icon fa-solid fa-xmark" data-action="close"
          data-tooltip="APPLICATION.TOOLS.Close" aria-label="${game.i18n.localize("APPLICATION.TOOLS.Close")}"></button>
      </header>
      <menu class="controls-dropdown" hidden></menu>
      <${this.options.window.contentTag} class="window-content ${this.options.window.contentClasses.join(" ")}"></${this.options.window.contentTag}>
      ${this.options.window.resizable ? '<div class="window-resize-handle"></div>' : ""}`;
    const [header] = element.children;
    this.#frame = {
      header, icon: header.querySelector(".window-icon"), title: header.querySelector(".window-title"),
      controls: header.querySelector("[data-action=toggleControls]"), close: header.querySelector("[data-action=close]"),
      controlsDropdown: element.querySelector(".controls-dropdown"), resize: element.querySelector(".window-resize-handle"),
    };
    void options;
    return element;
  }

  _updateFrame(options) {
    this.#frame.title.textContent = options.window?.title ?? this.title;
    const controls = this.#controls();
    this.#frame.controls.classList.toggle("hidden", controls.length === 0);
    this.#frame.controlsDropdown.replaceChildren(...controls.map((control) => this._renderHeaderControl(control)));
  }

  #controls() {
    const list = this._getHeaderControls();
    this.#hooks("getHeaderControls", list);
    return list.filter(({ visible = true }) => (typeof visible === "function" ? visible.call(this, this) : visible));
  }

  _getHeaderControls() {
    return [...this.options.window.controls];
  }

  _renderHeaderControl(control) {
    const li = document.createElement("li");
    li.className = "header-control";
    const button = document.createElement("button");
    button.type = "button";
    button.className = "control";
    if (control.action) button.dataset.action = control.action;
    const icon = document.createElement("i");
    icon.className = `control-icon fa-fw ${control.icon ?? ""}`;
    icon.inert = true;
    const label = document.createElement("span");
    label.className = "control-label";
    label.textContent = game.i18n.localize(control.label);
    button.append(icon, label);
    button.addEventListener("click", (event) => {
      this.toggleControls(false);
      if (typeof control.onClick !== "function") return;
      event.stopPropagation();
      control.onClick.call(this, event);
    });
    li.append(button);
    return li;
  }

  async toggleControls(expanded) {
    const menu = this.#frame.controlsDropdown;
    if (!menu) return;
    const open = expanded ?? menu.hidden;
    if (open) menu.replaceChildren(...this.#controls().map((control) => this._renderHeaderControl(control)));
    menu.hidden = !open;
  }

  _insertElement(element) {
    const existing = document.getElementById(element.id);
    if (existing) existing.replaceWith(element);
    else document.body.append(element);
  }

  // --- closing --------------------------------------------------------------------------------------------------------

  async close(options = {}) {
    if (!this.#element) return this;
    this.#state = STATES.CLOSING;
    await this._preClose(options);
    this._removeElement(this.#element);
    this._tearDown(options);
    this.#element = null;
    this.#content = null;
    this.#state = STATES.CLOSED;
    instances.delete(this.id);
    this._onClose(options);
    this.#hooks("close");
    this.dispatchEvent(new Event("close"));
    return this;
  }

  _removeElement(element) {
    element.remove();
  }

  _tearDown(_options) {}

  async _preFirstRender(_context, _options) {}

  async _onFirstRender(_context, _options) {}

  async _preRender(_context, _options) {}

  async _onRender(_context, _options) {}

  async _postRender(_context, _options) {}

  async _preClose(_options) {}

  _onClose(_options) {}

  _prePosition(_position) {}

  _onPosition(_position) {}

  // --- position ---------------------------------------------------------------------------------------------------------

  setPosition(position = {}) {
    if (!this.#element || !this.options.window.positioned) return undefined;
    this._prePosition(position);
    Object.assign(this.position, position);
    this.position = this._updatePosition(this.position);
    const { width, height, left, top, zIndex } = this.position;
    const px = (value) => (typeof value === "number" ? `${value}px` : value === "auto" || value === null ? "" : String(value));
    Object.assign(this.#element.style, { width: px(width), height: px(height), left: px(left), top: px(top), zIndex: String(zIndex) });
    this._onPosition(this.position);
    this.dispatchEvent(new Event("position"));
    return this.position;
  }

  _updatePosition(position) {
    const { innerWidth, innerHeight } = window;
    const width = typeof position.width === "number" ? position.width : this.#element.offsetWidth;
    const height = typeof position.height === "number" ? position.height : this.#element.offsetHeight;
    return {
      ...position,
      left: position.left ?? Math.max(0, Math.round((innerWidth - width) / 2)),
      top: position.top ?? Math.max(0, Math.round((innerHeight - height) / 2)),
    };
  }

  bringToFront() {
    if (!this.#element) return;
    this.position.zIndex = ++ApplicationV2._maxZ;
    this.#element.style.zIndex = String(this.position.zIndex);
    ui.activeWindow = this;
  }

  async minimize() {
    this.#minimized = true;
    this.#element?.classList.add("minimized");
  }

  async maximize() {
    this.#minimized = false;
    this.#element?.classList.remove("minimized");
  }

  changeTab(tab, group, { force = false, updatePosition = true } = {}) {
    if (this.tabGroups[group] === tab && !force) return;
    const root = this.#content ?? this.#element;
    if (!root.querySelector(`.tab[data-group="${group}"][data-tab="${tab}"]`)) throw new Error(`No matching tab element found for group "${group}" and tab "${tab}"`);
    for (const element of root.querySelectorAll(`[data-group="${group}"][data-tab]`)) element.classList.toggle("active", element.dataset.tab === tab);
    this.tabGroups[group] = tab;
    if (updatePosition) this.setPosition();
  }

  // --- events -------------------------------------------------------------------------------------------------------------

  _attachFrameListeners() {
    this.#frame.header.addEventListener("pointerdown", (event) => {
      if (event.target.closest("button")) return;
      this.bringToFront();
    });
    this.#element.addEventListener("pointerdown", () => this.bringToFront(), { capture: true });
  }

  #click(event) {
    const target = event.target.closest("[data-action]");
    if (!target || !this.#element.contains(target)) return;
    const { action } = target.dataset;
    if (action === "close") {
      event.stopPropagation();
      this.close();
      return;
    }
    if (action === "toggleControls") {
      event.stopPropagation();
      this.toggleControls();
      return;
    }
    if (action === "tab") {
      this._onClickTab(event);
      return;
    }
    const known = this.options.actions[action];
    if (!known) {
      this._onClickAction(event, target);
      return;
    }
    const { handler, buttons = [0] } = typeof known === "function" ? { handler: known } : known;
    if (!buttons.includes(event.button)) return;
    event.preventDefault();
    handler.call(this, event, target);
  }

  _onClickAction(_event, _target) {}

  _onClickTab(event) {
    const { tab, group } = event.target.closest("[data-action=tab]").dataset;
    this.changeTab(tab, group);
  }

  #listenToForm() {
    const config = this.options.form;
    if (this.options.tag !== "form" || !config) return;
    this.#element.addEventListener("submit", (event) => this._onSubmitForm(config, event));
    this.#element.addEventListener("change", (event) => this._onChangeForm(config, event));
  }

  async _onSubmitForm(config, event) {
    event.preventDefault();
    const form = event.currentTarget ?? this.form;
    const data = new FormDataExtended(form);
    const close = config.closeOnSubmit;
    if (config.handler) {
      try {
        await config.handler.call(this, event, form, data);
      } catch (error) {
        ui.notifications.error(error.message);
        console.error(error);
        return;
      }
    }
    if (close) await this.close({ submitted: true });
  }

  _onChangeForm(config, event) {
    if (config.submitOnChange) this._onSubmitForm(config, event);
  }

  async submit() {
    if (!this.form) throw new Error(`The ${this.constructor.name} Application does not support a single top-level form element`);
    return this._onSubmitForm(this.options.form ?? {}, Object.assign(new Event("submit", { cancelable: true }), {}));
  }
}

/** Only V14 can put a window into a browser window of its own; here it is only there to be tested for. */
export function chooseGeneration(generation) {
  if (generation < 14) {
    delete ApplicationV2.instances;
    return;
  }
  Object.assign(ApplicationV2.prototype, {
    async detachWindow() {
      throw new Error("the stand-in cannot detach windows");
    },
    async attachWindow() {},
    async renderChild(app, options = {}) {
      return app.render({ force: true, ...options });
    },
    _onAttach() {},
    _onDetach() {},
  });
}

// --- templates -------------------------------------------------------------------------------------------------------------

const templates = new Map();

export async function getTemplate(path, id) {
  if (!templates.has(path)) {
    const answer = await fetch(`/${path}`);
    if (!answer.ok) throw new Error(`The template ${path} could not be loaded: ${answer.status}`);
    const compiled = Handlebars.compile(await answer.text());
    templates.set(path, compiled);
    Handlebars.registerPartial(id ?? path, compiled);
  }
  return templates.get(path);
}

export async function loadTemplates(paths) {
  const entries = Array.isArray(paths) ? paths.map((path) => [undefined, path]) : Object.entries(paths);
  return Promise.all(entries.map(([id, path]) => getTemplate(path, id)));
}

export async function renderTemplate(path, data) {
  const template = await getTemplate(path);
  return template(data, { allowProtoMethodsByDefault: true, allowProtoPropertiesByDefault: true });
}

export function HandlebarsApplicationMixin(Base) {
  return class HandlebarsApplication extends Base {
    static PARTS = {};

    #parts = {};

    get parts() {
      return this.#parts;
    }

    _configureRenderOptions(options) {
      super._configureRenderOptions(options);
      const all = Object.keys(this._configureRenderParts(options));
      for (const part of options.parts ?? []) if (!all.includes(part)) throw new Error(`"${part}" is no part of ${this.constructor.name}`);
      options.parts = options.isFirstRender ? all : options.parts ?? all;
    }

    _configureRenderParts(_options) {
      return deepClone(this.constructor.PARTS);
    }

    async _preFirstRender(context, options) {
      await super._preFirstRender(context, options);
      await loadTemplates(Object.values(this.constructor.PARTS).flatMap((part) => [part.template, ...(part.templates ?? [])]));
    }

    async _preparePartContext(partId, context, _options) {
      context.partId = `${this.id}-${partId}`;
      return context;
    }

    async _renderHTML(context, options) {
      const rendered = {};
      for (const id of options.parts) {
        const part = this.constructor.PARTS[id];
        const partContext = await this._preparePartContext(id, { ...context }, options);
        const holder = document.createElement("template");
        holder.innerHTML = await renderTemplate(part.template, partContext);
        const elements = [...holder.content.children];
        if (part.root) {
          const element = document.createElement(this.options.tag);
          element.append(...holder.content.childNodes);
          rendered[id] = element;
          continue;
        }
        if (elements.length !== 1 || [...holder.content.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim())) {
          throw new Error(`Template part "${id}" must render a single HTML element.`);
        }
        const [element] = elements;
        element.dataset.applicationPart = id;
        if (part.id) element.id = `${this.id}-${part.id}`;
        if (part.classes) element.classList.add(...part.classes);
        rendered[id] = element;
      }
      return rendered;
    }

    _replaceHTML(result, content, options) {
      for (const [id, element] of Object.entries(result)) {
        const part = this.constructor.PARTS[id];
        const prior = part.root ? content : content.querySelector(`[data-application-part="${id}"]`);
        const state = {};
        if (prior) this._preSyncPartState(id, element, prior, state);
        if (part.root) {
          content.dataset.applicationPart = id;
          content.replaceChildren(...element.childNodes);
          this.#parts[id] = content;
        } else {
          if (prior) prior.replaceWith(element);
          else this.#insert(content, id, element);
          this.#parts[id] = element;
        }
        if (prior) this._syncPartState(id, this.#parts[id], prior, state);
        this._attachPartListeners(id, this.#parts[id], options);
      }
    }

    #insert(content, id, element) {
      const order = Object.keys(this.constructor.PARTS);
      const after = order.slice(order.indexOf(id) + 1).map((name) => content.querySelector(`[data-application-part="${name}"]`)).find(Boolean);
      if (after) after.before(element);
      else content.append(element);
    }

    _preSyncPartState(id, _element, prior, state) {
      const { activeElement } = document;
      if (activeElement && prior.contains(activeElement)) {
        if (activeElement.id) state.focus = `#${CSS.escape(activeElement.id)}`;
        else if (activeElement.name) state.focus = `${activeElement.localName}[name="${CSS.escape(activeElement.name)}"]`;
      }
      state.scroll = (this.constructor.PARTS[id].scrollable ?? [])
        .map((selector) => [selector, (selector === "" ? prior : prior.querySelector(selector))?.scrollTop ?? 0]);
    }

    _syncPartState(_id, element, _prior, state) {
      if (state.focus) element.querySelector(state.focus)?.focus();
      for (const [selector, top] of state.scroll ?? []) {
        const target = selector === "" ? element : element.querySelector(selector);
        if (target) target.scrollTop = top;
      }
    }

    _attachPartListeners(id, element, _options) {
      const { forms = {} } = this.constructor.PARTS[id];
      for (const [selector, config] of Object.entries(forms)) {
        const form = element.matches(selector) ? element : element.querySelector(selector);
        if (form?.localName !== "form") throw new Error(`the part ${id} has no form ${selector}`);
        form.addEventListener("submit", (event) => this._onSubmitForm(config, event));
        form.addEventListener("change", (event) => this._onChangeForm(config, event));
      }
    }

    _tearDown(options) {
      super._tearDown(options);
      this.#parts = {};
    }
  };
}

export function registerHelpers() {
  const safe = (text) => new Handlebars.SafeString(text);
  Handlebars.registerHelper({
    localize: (value, { hash }) => game.i18n.format(String(value?.string ?? value), Object.fromEntries(
      Object.entries(hash).map(([key, entry]) => [key, typeof entry === "string" ? escapeHTML(entry) : entry]))),
    eq: (a, b) => a === b,
    ne: (a, b) => a !== b,
    lt: (a, b) => a < b,
    gt: (a, b) => a > b,
    lte: (a, b) => a <= b,
    gte: (a, b) => a >= b,
    not: (value) => !value,
    and: (...args) => args.slice(0, -1).every(Boolean),
    or: (...args) => args.slice(0, -1).some(Boolean),
    concat: (...args) => args.slice(0, -1).filter((value) => typeof value !== "object").join(""),
    checked: (value) => (value ? "checked" : ""),
    disabled: (value) => (value ? "disabled" : ""),
    ifThen: (test, yes, no) => (test ? yes : no),
    object: ({ hash }) => hash,
    array: (...args) => args.slice(0, -1),
    numberFormat: (value, { hash: { decimals = 0, sign = false } }) => {
      const text = Number(value).toFixed(decimals);
      return sign && Number(value) >= 0 ? `+${text}` : text;
    },
    selectOptions: (choices, { hash }) => {
      const { selected = null, localize = false, blank = null, labelAttr = "label", valueAttr = null } = hash;
      const chosen = new Set((Array.isArray(selected) ? selected : [selected]).map(String));
      const option = (value, label) => `<option value="${escapeHTML(value)}" ${chosen.has(String(value)) ? "selected" : ""}>${
        escapeHTML(localize ? game.i18n.localize(label) : label)}</option>`;
      const entries = Array.isArray(choices)
        ? choices.map((choice, index) => [valueAttr ? choice[valueAttr] : choice.value ?? index, choice[labelAttr] ?? choice])
        : Object.entries(choices).map(([key, choice]) => [valueAttr ? choice[valueAttr] : key, choice?.[labelAttr] ?? choice]);
      return safe((blank === null ? "" : option("", blank)) + entries.map(([value, label]) => option(value, String(label))).join(""));
    },
  });
}

// --- dialogs -----------------------------------------------------------------------------------------------------------------

export class DialogV2 extends ApplicationV2 {
  static DEFAULT_OPTIONS = {
    id: "dialog-{id}", classes: ["dialog"], tag: "dialog", form: { closeOnSubmit: true },
    window: { frame: true, positioned: true, minimizable: false },
  };

  _initializeApplicationOptions(options) {
    const merged = super._initializeApplicationOptions(options);
    if (!merged.buttons?.length) throw new Error("You must define at least one entry in options.buttons");
    merged.buttons = Object.fromEntries(merged.buttons.map((button) => [button.action, button]));
    return merged;
  }

  async _renderHTML(_context, _options) {
    const form = document.createElement("form");
    form.className = "dialog-form standard-form";
    form.autocomplete = "off";
    const content = document.createElement("div");
    content.className = "dialog-content standard-form";
    const given = this.options.content;
    if (given instanceof HTMLElement) content.append(given);
    else content.innerHTML = cleanHTML(given ?? "");
    const footer = document.createElement("footer");
    footer.className = "form-footer";
    footer.innerHTML = this._renderButtons();
    form.append(content, footer);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this._onSubmit(event.submitter ?? form.querySelector("[autofocus]") ?? footer.querySelector("button"), event);
    });
    return form;
  }

  _renderButtons() {
    return Object.values(this.options.buttons).map(({ action, label, icon, class: style = "", default: first, type = "submit", disabled }) =>
      `<button type="${type}" data-action="${escapeHTML(action)}" class="${style}" ${first ? "autofocus" : ""} ${disabled ? "disabled" : ""}>
        ${icon ? `<i class="${icon}"></i>` : ""}<span>${escapeHTML(game.i18n.localize(label))}</span></button>`).join("");
  }

  _replaceHTML(result, content, _options) {
    content.replaceChildren(result);
  }

  _insertElement(element) {
    super._insertElement(element);
    if (this.options.modal) element.showModal();
    else element.show();
  }

  async _onFirstRender(context, options) {
    await super._onFirstRender(context, options);
    this.element.addEventListener("keydown", (event) => this._onKeyDown(event));
    this.element.addEventListener("cancel", (event) => {
      event.preventDefault();
      this.close();
    });
    this.element.querySelector("[autofocus]")?.focus();
  }

  _onKeyDown(event) {
    if (event.key === "Escape" && !event.defaultPrevented) {
      event.preventDefault();
      this.close();
    }
  }

  async _onSubmit(target, event) {
    event.preventDefault();
    const button = this.options.buttons[target?.dataset.action];
    const result = (await button?.callback?.(event, target, this)) ?? button?.action;
    await this.options.submit?.(result, this);
    if (this.options.form.closeOnSubmit) await this.close({ submitted: true });
    return this;
  }

  static async confirm({ yes = {}, no = {}, buttons = [], ...options } = {}) {
    return this.wait({
      ...options,
      buttons: [
        { action: "yes", label: "Yes", icon: "fa-solid fa-check", callback: () => true, ...yes },
        { action: "no", label: "No", icon: "fa-solid fa-xmark", default: true, callback: () => false, ...no },
        ...buttons,
      ],
    });
  }

  static async prompt({ ok = {}, buttons = [], ...options } = {}) {
    return this.wait({ ...options, buttons: [{ action: "ok", label: "Confirm", icon: "fa-solid fa-check", default: true, ...ok }, ...buttons] });
  }

  static async input({ ok = {}, ...options } = {}) {
    const callback = (_event, button) => new FormDataExtended(button.form).object;
    return this.prompt({ ...options, ok: { callback, ...ok } });
  }

  static async wait({ rejectClose = false, close, submit, render, ...options } = {}) {
    return new Promise((resolve, reject) => {
      const dialog = new this({
        ...options,
        submit: async (result) => {
          await submit?.(result, dialog);
          resolve(result);
        },
      });
      dialog.addEventListener("close", (event) => {
        const value = close?.(event, dialog);
        if (value !== undefined) resolve(value);
        else if (rejectClose) reject(new Error("Dialog was dismissed without pressing a button."));
        else resolve(null);
      }, { once: true });
      if (render) dialog.addEventListener("render", (event) => render(event, dialog), { once: true });
      dialog.render({ force: true }).catch(reject);
    });
  }
}

// --- document sheets -----------------------------------------------------------------------------------------------------------

export class DocumentSheetV2 extends ApplicationV2 {
  static DEFAULT_OPTIONS = { id: "{id}", classes: ["sheet"], tag: "form", document: null, form: { submitOnChange: false, closeOnSubmit: false } };

  _initializeApplicationOptions(options) {
    const merged = super._initializeApplicationOptions(options);
    if (!options.document) throw new Error("A document sheet needs a document");
    merged.document = options.document;
    merged.uniqueId = `${this.constructor.name}-${options.document.uuid.replaceAll(".", "-")}`;
    return merged;
  }

  get document() {
    return this.options.document;
  }

  get isEditable() {
    return this.document.isOwner;
  }

  get isVisible() {
    return this.document.testUserPermission(game.user, "LIMITED");
  }

  get title() {
    return `${this.document.documentName}: ${this.document.name}`;
  }

  _canRender() {
    if (!this.isVisible) throw new Error(`You do not have permission to view this ${this.document.documentName} sheet.`);
  }

  async _onFirstRender(context, options) {
    await super._onFirstRender(context, options);
    this.document.apps[this.id] = this;
  }

  _onClose(options) {
    super._onClose(options);
    delete this.document.apps[this.id];
  }
}

export class ActorSheetV2 extends DocumentSheetV2 {
  static DEFAULT_OPTIONS = { classes: ["actor"], position: { width: 420 } };

  get actor() {
    return this.document;
  }

  get token() {
    return this.document.token;
  }
}

export class ItemSheetV2 extends DocumentSheetV2 {
  get item() {
    return this.document;
  }
}

/** The sheet that the stage's own game system has for every actor. */
export class StageActorSheet extends ActorSheetV2 {
  static DEFAULT_OPTIONS = { window: { icon: "fa-solid fa-user", resizable: true } };

  async _renderHTML() {
    const element = document.createElement("div");
    const rows = Object.entries(foundry.utils.flattenObject(this.document.system));
    element.innerHTML = `<div class="stage-sheet"><img src="/${escapeHTML(this.document.img)}" alt="" width="64" height="64">
      <div><h2>${escapeHTML(this.document.name)}</h2>${rows.map(([key, value]) => `<p>${escapeHTML(key)}: ${escapeHTML(value)}</p>`).join("")}</div></div>`;
    return element;
  }

  _replaceHTML(result, content) {
    content.replaceChildren(result);
  }
}

