/** Building elements. Text is always text: nothing here ever parses markup. */

/** @import { Words } from "../client/words.mjs" */

const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | false | readonly Child[]} Child */

/**
 * @param {Element} element
 * @param {Readonly<Record<string, unknown>>} props
 */
function dress(element, props) {
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on") && typeof value === "function") {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (name === "value" || name === "checked") {
      Reflect.set(element, name, value);
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
}

/**
 * @param {ParentNode & Node} parent
 * @param {readonly Child[]} children
 */
export function fill(parent, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) fill(parent, child);
    else parent.append(child instanceof Node ? child : String(child));
  }
  return parent;
}

/**
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Readonly<Record<string, unknown>>} [props] attributes; functions under `onclick` and so on
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function el(tag, props = {}, ...children) {
  const element = document.createElement(tag);
  dress(element, props);
  fill(element, children);
  return element;
}

/**
 * @param {string} tag
 * @param {Readonly<Record<string, unknown>>} [props]
 * @param {...Child} children
 */
export function svg(tag, props = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  dress(element, props);
  fill(element, children);
  return element;
}

/**
 * Words a person wrote, kept apart from the sentence around them whatever their direction.
 *
 * @param {string} text
 */
export function bdi(text) {
  return el("bdi", {}, text);
}

/**
 * A sentence in which everything that was filled in is kept apart.
 *
 * @param {Words} words
 * @param {string} key
 * @param {Readonly<Record<string, unknown>>} [values]
 * @param {string} [fallback]
 * @returns {Node[]}
 */
export function phrase(words, key, values, fallback) {
  return words.pieces(key, values, fallback)
    .filter((piece) => piece.text !== "")
    .map((piece) => (piece.given ? bdi(piece.text) : document.createTextNode(piece.text)));
}
