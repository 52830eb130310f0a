/**
 * Rows that people write: added, removed and moved with buttons. Whatever moves keeps the focus.
 *
 * Hooks: `data-testid` of the list; in a row `row-up`, `row-down`, `row-remove`; `TESTID-add`.
 */

/** @import { Child } from "../cards/dom.mjs" */
/** @import { Words } from "../client/words.mjs" */

import { el } from "../cards/dom.mjs";
import { glyph } from "../cards/glyphs.mjs";
import { button, unique } from "./parts.mjs";

/**
 * A row as its list makes it.
 *
 * @template Value
 * @typedef {object} RowParts
 * @property {Child} fields
 * @property {() => Value} read
 * @property {() => string} name what it is called, for the buttons
 * @property {(nth: number) => void} [placed] where it stands now, from 0
 */

/**
 * @template Value
 * @typedef {{parts: RowParts<Value>, root: HTMLElement, buttons: HTMLButtonElement[], wrong: HTMLElement}} RowOf
 */

/** @template Value */
export class RowList {
  /** @type {RowOf<Value>[]} */
  #rows = [];

  /**
   * @param {Words} words
   * @param {object} about
   * @param {string} about.testid
   * @param {readonly Value[]} about.values
   * @param {(value: Value) => RowParts<Value>} about.make
   * @param {{label: string, value: () => Value} | null} [about.add] null: the rows are given
   * @param {string} [about.kind] a class of its rows
   */
  constructor(words, { testid, values, make, add = null, kind = "" }) {
    this.words = words;
    /** @type {(value: Value) => RowParts<Value>} */
    this.make = make;
    this.kind = kind;
    this.given = add === null;
    this.list = el("ol", { class: "data-rows", "data-testid": testid });
    this.adder = add === null ? null : button(add.label, () => {
      const row = this.#put(add.value());
      this.#placed();
      focusIn(row.root);
    }, { class: "button small", "data-testid": `${testid}-add` });
    this.root = el("div", { class: "row-list" }, this.list, this.adder);
    for (const value of values) this.#put(value);
    this.#placed();
  }

  /** @returns {Value[]} */
  read() {
    return this.#rows.map(({ parts }) => parts.read());
  }

  /**
   * Say what is wrong in a row.
   *
   * @param {number} nth
   * @param {string} text
   */
  blame(nth, text) {
    const row = this.#rows[nth];
    if (row === undefined) return false;
    row.wrong.textContent = text;
    row.wrong.hidden = false;
    const input = row.root.querySelector("input, select, textarea");
    input?.setAttribute("aria-invalid", "true");
    input?.setAttribute("aria-describedby", row.wrong.id);
    row.root.scrollIntoView({ block: "center" });
    return true;
  }

  clean() {
    for (const { root, wrong } of this.#rows) {
      wrong.hidden = true;
      for (const input of root.querySelectorAll("[aria-invalid]")) input.removeAttribute("aria-invalid");
    }
  }

  /** @param {Value} value */
  #put(value) {
    const { words } = this;
    const parts = this.make(value);
    const step = (/** @type {number} */ by) => () => this.#move(row, by);
    const buttons = this.given ? [] : [
      icon("up", "row-up", step(-1)),
      icon("down", "row-down", step(1)),
      icon("close", "row-remove", () => this.#remove(row)),
    ];
    const wrong = el("p", { class: "data-wrong", role: "alert", hidden: true, id: unique("wrong") });
    const root = el("li", { class: `data-row ${this.kind}`.trim() },
      el("div", { class: "data-fields" }, parts.fields),
      buttons.length > 0 ? el("span", { class: "data-buttons" }, buttons) : null,
      wrong);
    /** @type {RowOf<Value>} */
    const row = { parts, root, buttons, wrong };
    const called = () => {
      const name = parts.name().trim() || words.say("data.unnamed");
      for (const [index, key] of /** @type {const} */ (["data.up", "data.down", "data.remove"]).entries()) {
        buttons[index]?.setAttribute("aria-label", words.say(key, { name }));
        if (buttons[index]) buttons[index].title = words.say(key, { name });
      }
    };
    root.addEventListener("input", called);
    called();
    this.#rows.push(row);
    this.list.append(root);
    return row;
  }

  /**
   * @param {RowOf<Value>} row
   * @param {number} by
   */
  #move(row, by) {
    const from = this.#rows.indexOf(row);
    const to = from + by;
    if (to < 0 || to >= this.#rows.length) return;
    this.#rows.splice(from, 1);
    this.#rows.splice(to, 0, row);
    const focused = /** @type {HTMLElement | null} */ (row.root.ownerDocument.activeElement);
    this.list.insertBefore(row.root, this.#rows[to + 1]?.root ?? null);
    this.#placed();
    const usable = row.buttons.find((each) => each === focused && !each.disabled) ?? row.buttons.find((each) => !each.disabled);
    usable?.focus();
  }

  /** @param {RowOf<Value>} row */
  #remove(row) {
    const nth = this.#rows.indexOf(row);
    this.#rows.splice(nth, 1);
    row.root.remove();
    this.#placed();
    const next = this.#rows[Math.min(nth, this.#rows.length - 1)];
    (next?.buttons.at(-1) ?? this.adder)?.focus();
  }

  #placed() {
    for (const [nth, { parts, buttons }] of this.#rows.entries()) {
      parts.placed?.(nth);
      if (buttons.length > 0) {
        buttons[0].disabled = nth === 0;
        buttons[1].disabled = nth === this.#rows.length - 1;
      }
    }
  }
}

/**
 * @param {"up" | "down" | "close"} name
 * @param {string} testid
 * @param {() => void} click
 */
const icon = (name, testid, click) => el("button", { type: "button", class: "icon-button", "data-testid": testid, onclick: click }, glyph(name));

/**
 * What stands in a new row is there to be written over.
 *
 * @param {HTMLElement} root
 */
function focusIn(root) {
  const first = /** @type {HTMLInputElement | null} */ (root.querySelector("input:not([type=radio]), select, textarea"));
  first?.focus();
  first?.select?.();
}
