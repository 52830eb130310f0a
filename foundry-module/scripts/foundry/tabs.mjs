/**
 * Tabs in a window of ours: one pane at a time; arrow keys go from tab to tab, as in any list of tabs.
 *
 * Hooks: `data-tab` on tabs and panes; tab-KEY, pane-KEY.
 */

import { el } from "../cards/dom.mjs";
import { unique } from "../forms/parts.mjs";

/**
 * @typedef {object} Tab
 * @property {string} key
 * @property {string} label
 * @property {HTMLElement} pane
 */

/**
 * @param {string} label what they are the parts of
 * @param {readonly Tab[]} tabs
 * @param {string} chosen
 * @param {(key: string) => void} shown
 * @returns {HTMLElement}
 */
export function tabbed(label, tabs, chosen, shown) {
  const parts = tabs.map(({ key, label: text, pane }) => {
    const id = unique("pane");
    const tab = el("button", {
      type: "button", role: "tab", class: "bb-tab", id: `${id}-tab`, "aria-controls": id, "data-tab": key, "data-testid": `tab-${key}`,
      onclick: () => show(key),
    }, text);
    const root = el("section", { role: "tabpanel", id, "aria-labelledby": `${id}-tab`, tabindex: -1, class: "bb-pane", "data-tab": key, "data-testid": `pane-${key}` }, pane);
    return { key, tab, root };
  });
  const show = (/** @type {string} */ key) => {
    for (const part of parts) {
      const now = part.key === key;
      part.tab.setAttribute("aria-selected", String(now));
      part.tab.tabIndex = now ? 0 : -1;
      part.root.hidden = !now;
    }
    shown(key);
  };
  const list = el("div", {
    class: "bb-tabs",
    role: "tablist",
    "aria-label": label,
    onkeydown: (/** @type {KeyboardEvent} */ event) => {
      const nth = parts.findIndex(({ tab }) => tab === event.target);
      const to = { ArrowRight: nth + 1, ArrowLeft: nth - 1, Home: 0, End: parts.length - 1 }[event.key];
      if (nth < 0 || to === undefined) return;
      event.preventDefault();
      const { key, tab } = parts[(to + parts.length) % parts.length];
      show(key);
      tab.focus();
    },
  }, parts.map(({ tab }) => tab));
  show(parts.some(({ key }) => key === chosen) ? chosen : parts[0].key);
  return el("div", { class: "bb-tabbed" }, list, parts.map(({ root }) => root));
}
