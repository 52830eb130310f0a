/** Tells the others what is put together in a form: only of one's own actor, and only where the roll will be public. */

/** @import { ActorEntry, Attempt, CheckSpec } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Mode } from "./roll-mode.mjs" */

const TOUCHES = ["input", "change", "click", "keydown"];

/**
 * A roll being put together, as far as the others may hear of it.
 *
 * @typedef {object} Prepared
 * @property {ActorEntry | null | undefined} actor null: nobody, several at once, or somebody without a sheet
 * @property {CheckSpec | undefined} spec
 * @property {string} action
 * @property {Mode} mode
 */

/**
 * @param {TableModel} model
 * @param {Prepared} prepared
 * @returns {Attempt | null}
 */
export function attemptOf(model, { actor, spec, action, mode }) {
  if (!actor || spec === undefined || mode !== "public" || model.actor(actor.id) === undefined) return null;
  // What a GM prepares for the other side is not told before it is rolled, and whoever is here speaks for his own.
  const mayTell = model.isGm
    ? actor.side === "party" && !actor.owners.some((owner) => model.client.person(owner)?.online === true)
    : model.welcome.role === "player" && model.owns(actor);
  if (!mayTell) return null;
  return { actor: actor.id, check: spec.key, action: action.trim() };
}

export class UnderwayTold {
  #begun;

  /**
   * @param {TableModel} model
   * @param {() => Prepared} prepared
   * @param {HTMLElement} form
   * @param {boolean} opened whether opening it is the deed already; otherwise it begins with the first touch
   */
  constructor(model, prepared, form, opened) {
    this.model = model;
    this.prepared = prepared;
    this.opened = opened;
    this.#begun = opened;
    const touch = (/** @type {Event} */ event) => {
      // Choosing for whom one rolls, or what is on the screen anyway, is nothing yet; a click that ends it is the end.
      if (event.target instanceof Element && event.target.closest("[data-testid=clear], [data-testid=cancel], [data-testid=roll], [data-testid=actor-picker]")) return;
      if (event instanceof KeyboardEvent && ["Escape", "Enter", "Tab", "Shift"].includes(event.key)) return;
      this.#begun = true;
      this.#say(true);
    };
    for (const kind of TOUCHES) form.addEventListener(kind, touch);
  }

  /** Something of it is different now, by whomever. */
  update() {
    if (this.#begun) this.#say(false);
  }

  /** It was rolled, or somebody thought better of it. */
  end() {
    this.#begun = false;
    this.model.client.compose(this, null);
  }

  /** @param {boolean} touched */
  #say(touched) {
    this.model.client.compose(this, attemptOf(this.model, this.prepared()), touched);
  }
}
