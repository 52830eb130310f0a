/** The map: a board of plain elements, tokens that can be selected and aimed at, and the HUD. */

import { ApplicationV2 } from "./application.mjs";
import { stage } from "./document.mjs";
import { Hooks } from "./hooks.mjs";
import { escapeHTML } from "./utils.mjs";

const url = (src) => (/^(https?:|data:|\/)/.test(src ?? "") ? src : `/${src ?? "icons/svg/mystery-man.svg"}`);

export class Token {
  #element = null;

  constructor(document_) {
    this.document = document_;
    this.controlled = false;
    this.hover = false;
    this.targeted = new Set();
    this.mesh = { alpha: 1 };
  }

  get id() {
    return this.document.id;
  }

  get name() {
    return this.document.name;
  }

  get actor() {
    return this.document.actor;
  }

  get scene() {
    return this.document.parent;
  }

  get layer() {
    return canvas.tokens;
  }

  get isOwner() {
    return this.document.isOwner;
  }

  get observer() {
    return game.user.isGM || Boolean(this.actor?.testUserPermission(game.user, "OBSERVER"));
  }

  get combatant() {
    return this.document.combatant;
  }

  get inCombat() {
    return this.document.inCombat;
  }

  get isTargeted() {
    return this.targeted.size > 0;
  }

  get isVisible() {
    return !this.document.hidden || game.user.isGM;
  }

  get visible() {
    return this.isVisible;
  }

  get hasActiveHUD() {
    return canvas.hud.token.object === this;
  }

  get x() {
    return this.document.x;
  }

  get y() {
    return this.document.y;
  }

  get w() {
    return this.document.width * canvas.grid.size;
  }

  get h() {
    return this.document.height * canvas.grid.size;
  }

  get bounds() {
    return { x: this.x, y: this.y, width: this.w, height: this.h };
  }

  get center() {
    return this.getCenterPoint();
  }

  getCenterPoint({ x = this.x, y = this.y } = {}) {
    return { x: x + this.w / 2, y: y + this.h / 2, elevation: this.document.elevation };
  }

  getSize() {
    return { width: this.w, height: this.h };
  }

  control({ releaseOthers = true } = {}) {
    if (!this.isOwner) return false;
    if (releaseOthers) for (const other of canvas.tokens.controlled) if (other !== this) other.release();
    if (this.controlled) return true;
    this.controlled = true;
    this._stageRefresh();
    Hooks.callAll("controlToken", this, true);
    return true;
  }

  release() {
    if (!this.controlled) return true;
    this.controlled = false;
    if (this.hasActiveHUD) canvas.hud.token.close();
    this._stageRefresh();
    Hooks.callAll("controlToken", this, false);
    return true;
  }

  setTarget(targeted = true, { user = game.user, releaseOthers = true, groupSelection = false } = {}) {
    if (releaseOthers) for (const other of [...user.targets]) if (other !== this) other.setTarget(false, { user, releaseOthers: false, groupSelection: true });
    if (user.targets.has(this) === targeted) return;
    if (targeted) {
      user.targets.add(this);
      this.targeted.add(user);
    } else {
      user.targets.delete(this);
      this.targeted.delete(user);
    }
    this._stageRefresh();
    Hooks.callAll("targetToken", user, this, targeted);
    if (user === game.user && !groupSelection) stage.wire.send({ t: "activity", targets: Array.from(user.targets, (token) => token.id) });
  }

  _stageDraw(board) {
    this.#element = document.createElement("div");
    this.#element.className = "stage-token";
    this.#element.dataset.tokenId = this.id;
    this.#element.addEventListener("click", (event) => {
      if (ui.controls.tool?.name === "target") this.setTarget(!this.targeted.has(game.user), { releaseOthers: !event.shiftKey });
      else this.control({ releaseOthers: !event.shiftKey });
    });
    this.#element.addEventListener("contextmenu", (event) => {
      event.preventDefault();
      if (!this.isOwner) return;
      this.control({ releaseOthers: !this.controlled });
      canvas.hud.token.bind(this);
    });
    const hover = (over) => {
      this.hover = over;
      canvas.tokens.hover = over ? this : null;
      Hooks.callAll("hoverToken", this, over);
    };
    this.#element.addEventListener("pointerenter", () => hover(true));
    this.#element.addEventListener("pointerleave", () => hover(false));
    board.append(this.#element);
    this._stageRefresh();
    Hooks.callAll("drawToken", this);
  }

  _stageRefresh(changed = {}) {
    if (!this.#element) return;
    Object.assign(this.#element.style, { left: `${this.x}px`, top: `${this.y}px`, width: `${this.w}px`, height: `${this.h}px` });
    this.#element.hidden = !this.isVisible;
    this.#element.classList.toggle("controlled", this.controlled);
    this.#element.classList.toggle("targeted", this.isTargeted);
    this.#element.innerHTML = `<img src="${url(this.document.texture.src)}" alt=""><span class="nameplate">${escapeHTML(this.name)}</span>`;
    if (("x" in changed || "y" in changed) && this.hasActiveHUD) canvas.hud.token.close();
    else if (this.hasActiveHUD) canvas.hud.token.render();
    Hooks.callAll("refreshToken", this, { refreshState: true, refreshSize: "width" in changed, refreshPosition: "x" in changed });
  }

  _stageDestroy() {
    if (this.hasActiveHUD) canvas.hud.token.close();
    this.release();
    for (const user of [...this.targeted]) this.setTarget(false, { user, releaseOthers: false });
    this.#element?.remove();
    this.#element = null;
    Hooks.callAll("destroyToken", this);
  }
}

export class TokenLayer {
  #placeables = new Map();

  hover = null;

  get placeables() {
    return Array.from(this.#placeables.values());
  }

  get controlled() {
    return this.placeables.filter((token) => token.controlled);
  }

  get ownedTokens() {
    return this.placeables.filter((token) => token.isOwner);
  }

  get documentCollection() {
    return canvas.scene.tokens;
  }

  get(id) {
    return this.#placeables.get(id);
  }

  controlAll() {
    for (const token of this.placeables) token.control({ releaseOthers: false });
    return this.controlled;
  }

  releaseAll() {
    const held = this.controlled;
    for (const token of held) token.release();
    return held.length;
  }

  _stageTarget(ids, { mode = "replace" } = {}) {
    const wanted = new Set(ids);
    for (const token of this.placeables) {
      if (wanted.has(token.id)) token.setTarget(true, { releaseOthers: false, groupSelection: true });
      else if (mode === "replace") token.setTarget(false, { releaseOthers: false, groupSelection: true });
    }
    stage.wire.send({ t: "activity", targets: Array.from(game.user.targets, (token) => token.id) });
  }

  _stageAdd(document_) {
    const token = new CONFIG.Token.objectClass(document_);
    this.#placeables.set(document_.id, token);
    token._stageDraw(document.getElementById("board"));
  }

  _stageRemove(id) {
    const token = this.#placeables.get(id);
    this.#placeables.delete(id);
    token?._stageDestroy();
  }

  _stageClear() {
    for (const id of [...this.#placeables.keys()]) this._stageRemove(id);
  }
}

// --- HUD ---------------------------------------------------------------------------------------------------------------------

export class BasePlaceableHUD extends ApplicationV2 {
  static DEFAULT_OPTIONS = {
    classes: ["placeable-hud"], tag: "form", window: { frame: false, positioned: false },
    form: { submitOnChange: true, closeOnSubmit: false, handler: BasePlaceableHUD.#submit },
    actions: { togglePalette: BasePlaceableHUD.#toggle, config: () => {}, visibility: BasePlaceableHUD.#visibility, locked: () => {}, sort: () => {} },
  };

  #object;

  #palette = "";

  get object() {
    return this.#object;
  }

  get document() {
    return this.#object?.document;
  }

  get layer() {
    return this.#object?.layer;
  }

  get activePalette() {
    return this.#palette;
  }

  async bind(object) {
    if (this.#object && this.#object !== object) await this.close();
    this.#object = object;
    return this.render({ force: true });
  }

  async close(options) {
    this.#object = undefined;
    this.#palette = "";
    return super.close(options);
  }

  togglePalette(palette, active) {
    const open = active ?? this.#palette !== palette;
    this.#palette = palette && open ? palette : "";
    this._stagePalettes();
  }

  _stagePalettes() {
    for (const part of this.element.querySelectorAll("[data-palette]")) part.classList.toggle("active", part.dataset.palette === this.#palette);
  }

  async _onRender(context, options) {
    await super._onRender(context, options);
    // Before 14.361 what a hook adds later does not keep its open state.
    this._stagePalettes();
  }

  async _postRender(context, options) {
    await super._postRender(context, options);
    if (stage.generation >= 14) this._stagePalettes();
  }

  _insertElement(element) {
    const existing = document.getElementById(element.id);
    if (existing) existing.remove();
    document.getElementById("hud").append(element);
  }

  async _renderHTML() {
    const holder = document.createElement("template");
    holder.innerHTML = this._stageHTML();
    return holder.content;
  }

  _replaceHTML(result, content) {
    content.replaceChildren(result);
  }

  static #toggle(_event, target) {
    this.togglePalette(target.dataset.palette);
  }

  static #visibility() {
    this.document.update({ hidden: !this.document.hidden });
  }

  static #submit(_event, _form, formData) {
    return this.document.update(formData.object);
  }
}

export class TokenHUD extends BasePlaceableHUD {
  static DEFAULT_OPTIONS = {
    id: "token-hud",
    actions: {
      effect: TokenHUD.#effect, target: TokenHUD.#target, combat: TokenHUD.#combat, movementAction: () => {}, level: () => {},
    },
  };

  get actor() {
    return this.document?.actor;
  }

  async render(options, legacy) {
    return this.object ? super.render(options, legacy) : this;
  }

  _stageHTML() {
    const { document: doc, actor } = this;
    const palette = stage.generation >= 14 ? "palette palette-list" : "palette";
    const icon = (action, style, extra = "") => `<button type="button" class="control-icon" data-action="${action}" ${extra}><i class="${style}" inert></i></button>`;
    const effects = Object.values(CONFIG.statusEffects).map((effect) =>
      `<img class="effect-control ${actor?.statuses.has(effect.id) ? "active" : ""}" data-action="effect" data-status-id="${effect.id}" src="${url(effect.img)}" alt="${escapeHTML(effect.id)}">`).join("");
    return `<div class="col left">
        <div class="attribute elevation"><input type="text" name="elevation" value="${doc.elevation}"></div>
        ${icon("sort", "fa-solid fa-angles-up")}${icon("config", "fa-solid fa-gear")}
      </div>
      <div class="col middle"><div class="attribute bar2"></div><div class="attribute bar1"></div></div>
      <div class="col right">
        ${game.user.isGM ? icon("visibility", "fa-solid fa-eye-slash") : ""}
        ${icon("togglePalette", "fa-solid fa-person-falling-burst", 'data-palette="effects"')}
        <div class="${palette} status-effects" data-palette="effects">${effects}</div>
        ${icon("togglePalette", "fa-solid fa-person-running", 'data-palette="movementActions"')}
        <div class="${palette} movement-actions" data-palette="movementActions"></div>
        ${icon("target", "fa-solid fa-bullseye")}${icon("combat", "fa-solid fa-swords")}
      </div>`;
  }

  _onPosition() {}

  async _onFirstRender(context, options) {
    await super._onFirstRender(context, options);
    const { x, y, w, h } = this.object;
    Object.assign(this.element.style, { left: `${x}px`, top: `${y}px`, width: `${w}px`, height: `${h}px` });
  }

  static #effect(_event, target) {
    this.actor?.toggleStatusEffect(target.dataset.statusId);
  }

  static #target() {
    this.object.setTarget(!this.object.targeted.has(game.user), { releaseOthers: false });
  }

  static async #combat() {
    const combat = game.combat ?? await CONFIG.Combat.documentClass.create({ scene: canvas.scene.id, active: true });
    const { document: doc } = this;
    if (doc.combatant) await doc.combatant.delete();
    else await combat.createEmbeddedDocuments("Combatant", [{ tokenId: doc.id, sceneId: doc.parent.id, actorId: doc.actorId }]);
  }
}

class HeadsUpDisplayContainer {
  token = null;

  bubbles = {
    async say(token, message, { cssClasses = [] } = {}) {
      const bubble = document.createElement("div");
      bubble.className = ["chat-bubble", ...cssClasses].join(" ");
      bubble.innerHTML = foundry.utils.cleanHTML(message);
      Object.assign(bubble.style, { left: `${token.x}px`, top: `${token.y - 40}px` });
      document.getElementById("hud").append(bubble);
      return bubble;
    },
  };

  align() {}
}

// --- canvas --------------------------------------------------------------------------------------------------------------------

/** The canvas of this page; with `noCanvas` its layers are not there at all, as in Foundry. */
export function makeCanvas() {
  const canvas = {
    ready: false,
    loading: false,
    initializing: false,
    scene: null,
    id: undefined,
    tokens: undefined,
    hud: undefined,
    interface: undefined,
    stage: undefined,
    grid: undefined,
    dimensions: undefined,
    activeLayer: undefined,
    performance: { mode: 2 },
    get photosensitiveMode() {
      return game.settings.get("core", "photosensitiveMode");
    },
    clientCoordinatesFromCanvas({ x, y }) {
      return { x, y };
    },
    canvasCoordinatesFromClient({ x, y }) {
      return { x, y };
    },
    isOffscreen({ x, y }) {
      return x < 0 || y < 0 || x > innerWidth || y > innerHeight;
    },
    async animatePan({ x, y, scale = 1 }) {
      Hooks.callAll("canvasPan", canvas, { x, y, scale });
      return true;
    },
    pan() {},
    async ping() {
      return true;
    },
    async draw(scene = game.scenes.active) {
      await canvas._stageDraw(scene);
      return canvas;
    },
    _stageRefresh() {
      for (const token of canvas.tokens?.placeables ?? []) token._stageRefresh();
    },
    async _stageDraw(scene) {
      if (game.settings.get("core", "noCanvas")) return;
      if (canvas.ready) {
        Hooks.callAll("canvasTearDown", canvas);
        canvas.ready = false;
        canvas.tokens._stageClear();
      }
      canvas.tokens ??= new TokenLayer();
      if (!canvas.hud) {
        canvas.hud = new HeadsUpDisplayContainer();
        canvas.hud.token = new CONFIG.Token.hudClass();
      }
      canvas.interface ??= {
        _stageScrolling: [],
        async createScrollingText(origin, content, options = {}) {
          if (!game.settings.get("core", "scrollingStatusText")) return undefined;
          canvas.interface._stageScrolling.push({ origin, content, options });
          return {};
        },
      };
      canvas.stage ??= { scale: { x: 1, y: 1 } };
      canvas.activeLayer = canvas.tokens;
      canvas.scene = scene ?? null;
      canvas.id = scene?.id;
      game.scenes._viewed = scene?.id ?? null;
      const board = document.getElementById("board");
      board.replaceChildren();
      if (!scene) {
        await ui.controls.render({ force: true, reset: true });
        return;
      }
      canvas.grid = { size: scene.grid.size, distance: scene.grid.distance, units: scene.grid.units };
      canvas.dimensions = scene.dimensions;
      board.style.setProperty("--grid", `${scene.grid.size}px`);
      Hooks.callAll("canvasInit", canvas);
      canvas.ready = true;
      for (const doc of scene.tokens) canvas.tokens._stageAdd(doc);
      await ui.controls.render({ force: true, reset: true });
      Hooks.callAll("canvasReady", canvas);
    },
  };
  return canvas;
}
