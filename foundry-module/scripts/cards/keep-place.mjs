/**
 * Drawing anew under somebody's hands: focus, what is typed, what is unfolded and how far a list is scrolled stay as
 * they are. Things are found again by what they are called, not by where they stand.
 */

const NAMES = ["data-choice", "data-check", "data-testid", "data-key", "name", "aria-label"];

/**
 * What says by `data-focus` who it is may be called something else in the meantime.
 *
 * @param {Element} element
 */
function nameOf(element) {
  const own = element.getAttribute("data-focus");
  if (own !== null) return `${element.tagName}\n${own}`;
  return [element.tagName, ...NAMES.map((name) => element.getAttribute(name) ?? ""), element.tagName === "BUTTON" ? element.textContent : ""].join("\n");
}

/**
 * @param {Element} root
 * @param {string} selector
 * @returns {Map<string, Element>} by name, and by number where several have one
 */
function named(root, selector) {
  /** @type {Map<string, Element>} */
  const found = new Map();
  for (const element of root.querySelectorAll(selector)) {
    const name = nameOf(element);
    let number = 0;
    while (found.has(`${name}\n${number}`)) number += 1;
    found.set(`${name}\n${number}`, element);
  }
  return found;
}

const FOCUSABLE = "button, input, select, textarea, summary, a[href], [tabindex]";
const TYPED = "textarea, input[type=text], input[type=number], input:not([type])";

/**
 * What has the focus keeps it, with what is selected in it.
 *
 * @param {HTMLElement} root what is drawn anew
 * @param {() => void} draw
 */
export function keepFocus(root, draw) {
  const active = root.ownerDocument.activeElement;
  const focused = active !== null && root.contains(active) ? [...named(root, FOCUSABLE)].find(([, element]) => element === active)?.[0] : undefined;
  const { selectionStart = null, selectionEnd = null } = /** @type {Partial<HTMLInputElement>} */ (active ?? {});
  // To ask where something is scrolled to has the browser lay everything out, and only giving the focus back may scroll.
  const scrollers = focused === undefined ? [] : [...ancestors(root)].filter(({ scrollTop }) => scrollTop > 0);
  const scrolled = scrollers.map((element) => /** @type {const} */ ([element, element.scrollTop]));
  draw();
  if (focused !== undefined) {
    const again = /** @type {HTMLInputElement | undefined} */ (named(root, FOCUSABLE).get(focused));
    (again ?? reachable(root)).focus({ preventScroll: true });
    if (again !== undefined && selectionStart !== null && again.selectionStart !== null) again.setSelectionRange(selectionStart, selectionEnd);
  }
  for (const [element, top] of scrolled) element.scrollTop = top;
}

/**
 * @param {HTMLElement} root what is drawn anew
 * @param {() => void} draw
 */
export function keepPlace(root, draw) {
  const typed = [...named(root, TYPED)].map(([name, element]) => /** @type {const} */ ([name, /** @type {HTMLInputElement} */ (element).value]));
  const unfolded = [...named(root, "details")].filter(([, element]) => element.hasAttribute("open")).map(([name]) => name);
  keepFocus(root, () => {
    draw();
    const inputs = named(root, TYPED);
    for (const [name, value] of typed) {
      const input = /** @type {HTMLInputElement | undefined} */ (inputs.get(name));
      if (input !== undefined && value !== "" && input.value === "") input.value = value;
    }
    const folds = named(root, "details");
    for (const name of unfolded) folds.get(name)?.setAttribute("open", "");
  });
}

/** What had the focus is gone: the reader stays where he was, and is not sent to the top of the page. @param {HTMLElement} root */
function reachable(root) {
  if (!root.hasAttribute("tabindex")) root.setAttribute("tabindex", "-1");
  return root;
}

/** @param {Element} root @returns {Iterable<Element>} itself and what it stands in */
function* ancestors(root) {
  for (let element = /** @type {Element | null} */ (root); element !== null; element = element.parentElement) yield element;
}
