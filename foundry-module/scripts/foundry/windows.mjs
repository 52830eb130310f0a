/** Windows of ours are Foundry's windows with elements of ours in them. */

/** @import { Child } from "../cards/dom.mjs" */
/** @import { Tell } from "../forms/standing-acts.mjs" */

import { el, fill } from "../cards/dom.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { link } from "./link.mjs";
import { stateWords } from "./state-words.mjs";

const { ApplicationV2 } = foundry.applications.api;

const EDGE = 8;
/** A window that stays where it is leaves itself as much height at least. */
const LEAST = 320;

/**
 * What is in a window.
 *
 * @typedef {object} Content
 * @property {() => Child} build
 * @property {() => void} [shown] it is on the screen for the first time
 * @property {() => void} [closed]
 */

/**
 * @typedef {object} Frame
 * @property {string} id of the window: one with the same id comes to the front instead
 * @property {string} title
 * @property {string} icon a Font Awesome name
 * @property {string} kind a class of its own
 * @property {number} [width]
 * @property {number} [height] left out: as high as what is in it
 * @property {boolean} [stays] what grows in it scrolls, and moves nothing under a hand
 * @property {{icon: string, label: string, action: string, act: () => void}[]} [controls] entries of its header menu
 */

class BoonbridgeWindow extends ApplicationV2 {
  static DEFAULT_OPTIONS = {
    classes: ["boonbridge"],
    window: { resizable: true, contentClasses: ["boonbridge-content"] },
  };

  #shown = false;
  /** What grows while it is open, such as a list of reasons, pushes the window up and never off the screen. */
  #growing = new ResizeObserver(() => this.#keepInView());

  /**
   * @param {object} options Foundry's
   * @param {(handle: {again: () => void, close: () => void, isOpen: () => boolean}) => Content} makeContent
   * @param {boolean} stays
   */
  constructor(options, makeContent, stays) {
    super(options);
    this.stays = stays;
    this.content = makeContent(handleOf(this));
  }

  async _renderHTML() {
    const root = el("div", { class: "boonbridge-body" });
    fill(root, [this.content.build()]);
    return root;
  }

  /**
   * @param {HTMLElement} result
   * @param {HTMLElement} content
   */
  _replaceHTML(result, content) {
    content.replaceChildren(result);
    this.#growing.disconnect();
    this.#growing.observe(result);
    if (this.#shown) return;
    this.#shown = true;
    // Focus can only go to what Foundry has put into the page.
    requestAnimationFrame(() => this.content.shown?.());
  }

  #keepInView() {
    const { element } = this;
    const view = element?.ownerDocument.defaultView;
    if (!element || !view) return;
    const { top, bottom, height } = element.getBoundingClientRect();
    const room = view.innerHeight - EDGE - top;
    if (this.stays && room >= LEAST) {
      element.style.maxHeight = `${room}px`;
      return;
    }
    element.style.removeProperty("max-height");
    if (bottom > view.innerHeight && top > EDGE) this.setPosition({ top: Math.max(EDGE, view.innerHeight - EDGE - height) });
  }

  /** @param {any} options */
  _onClose(options) {
    super._onClose(options);
    this.#growing.disconnect();
    this.content.closed?.();
  }
}

/**
 * The id of a window about something: another window than the same about something else.
 *
 * @param {string} stem
 * @param {...unknown} about
 */
export const idFor = (stem, ...about) => `boonbridge-${[stem, ...about].join("-").replace(/[^\w-]/g, "-")}`;

/** @typedef {ReturnType<typeof openWindow>} Handle */

/**
 * @param {Frame} frame
 * @param {(handle: {again: () => void, close: () => void, isOpen: () => boolean}) => Content} makeContent
 */
export function openWindow({ id, title, icon, kind, width = 440, height, stays = false, controls = [] }, makeContent) {
  const open = foundry.applications.instances.get(id);
  if (open instanceof BoonbridgeWindow) {
    open.bringToFront();
    return handleOf(open);
  }
  const app = new BoonbridgeWindow({
    id,
    classes: [kind],
    window: { title, icon: `fa-solid fa-${icon}`, controls: controls.map((each) => ({ icon: `fa-solid fa-${each.icon}`, label: each.label, action: each.action })) },
    position: { width, ...(height !== undefined && { height: Math.min(height, window.innerHeight - 2 * EDGE) }) },
    actions: Object.fromEntries(controls.map(({ action, act }) => [action, act])),
  }, makeContent, stays);
  void app.render({ force: true });
  return handleOf(app);
}

/** @param {BoonbridgeWindow} app */
const handleOf = (app) => ({
  /** Draw it anew where it is open. */
  again: () => {
    if (app.rendered) void app.render();
  },
  close: () => void app.close(),
  isOpen: () => app.rendered === true,
});

/** Stops listening to several things at once. */
export class Listening {
  /** @type {(() => void)[]} */
  #stops = [];

  /** @param {() => void} stop */
  until(stop) {
    this.#stops.push(stop);
  }

  stop() {
    for (const stop of this.#stops.splice(0)) stop();
  }
}

/**
 * A line that says what went wrong, hidden until then.
 */
export function troubleLine() {
  const root = el("p", { class: "trouble", role: "alert", hidden: true, "data-testid": "trouble" });
  return {
    root,
    /** @param {string | null} text null: nothing */
    say(text) {
      root.textContent = text ?? "";
      root.hidden = text === null;
    },
  };
}

/**
 * A line that says what was done or was not, with a way back where there is one; hidden until then.
 *
 * @param {string} testid
 */
export function saidLine(testid) {
  const root = el("p", { class: "said-line", role: "status", hidden: true, "data-testid": testid });
  /** @type {Tell} */
  const tell = (text, { undo = null, tone = "plain" } = {}) => {
    root.dataset.tone = tone;
    root.hidden = false;
    root.replaceChildren(el("span", {}, text));
    if (undo === null) return;
    root.append(" ", el("button", { type: "button", class: "bb-link", "data-testid": "undo", onclick: () => {
      keepPlace(root.parentElement ?? root, () => {
        root.replaceChildren();
        root.hidden = true;
      });
      undo();
    } }, link.words.say("page.undo")));
  };
  return { root, tell };
}

/**
 * How the line to the bridge is, where a window waits for it.
 *
 * @param {string | null} [testid]
 */
export function stateHint(testid = null) {
  const said = stateWords(link.words, link.now, game.user?.isGM === true);
  return el("p", { class: "hint", "data-testid": testid }, el("strong", {}, said.title), " ", said.next);
}

/**
 * Ask before something is done that is not easily undone.
 *
 * @param {string} title
 * @param {string} text
 * @param {string} yes
 * @returns {Promise<boolean>}
 */
export async function sure(title, text, yes) {
  const content = el("div", {}, el("p", {}, text));
  const answer = await foundry.applications.api.DialogV2.confirm({
    window: { title },
    content,
    yes: { label: yes, icon: "fa-solid fa-check" },
    no: { label: link.words.say("page.cancel"), icon: "fa-solid fa-xmark" },
    rejectClose: false,
    modal: true,
  });
  return answer === true;
}

/**
 * @param {string} icon a Font Awesome name
 */
export const faIcon = (icon) => el("i", { class: `fa-solid fa-${icon}`, "aria-hidden": "true" });

/**
 * A button as Foundry has them.
 *
 * @param {string} icon
 * @param {string} text
 * @param {() => void} click
 * @param {Readonly<Record<string, unknown>>} [props]
 */
export const iconButton = (icon, text, click, props = {}) =>
  el("button", { type: "button", onclick: click, ...props }, faIcon(icon), " ", text);
