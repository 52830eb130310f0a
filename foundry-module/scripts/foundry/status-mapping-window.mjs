/**
 * *Status icons and conditions*: which icon of this world stands for which condition of the game. Every GM may change it,
 * and every page reads it: it is no secret.
 *
 * Hooks: statuses-window, status-KEY, statuses-usual, save-statuses.
 */

import { el } from "../cards/dom.mjs";
import { field } from "../forms/parts.mjs";
import { link } from "./link.mjs";
import { saveForm } from "./save-form.mjs";
import { iconsHere } from "./status-icons.mjs";
import { conditionsOf, mappingOf } from "./status-mapping.mjs";
import { chosenStatuses, keepStatuses } from "./switches.mjs";
import { openWindow, stateHint } from "./windows.mjs";

export function openStatuses() {
  const { words } = link;
  openWindow({ id: "boonbridge-statuses", title: words.say("foundry.icons.title"), icon: "icons", kind: "boonbridge-statuses", width: 420 },
    ({ close }) => ({ build: () => (link.model === null ? stateHint("statuses-away") : statusForm(link.model, close)) }));
}

/**
 * @param {import("../forms/model.mjs").TableModel} model
 * @param {() => void} close
 */
function statusForm({ words, ruleset }, close) {
  const conditions = conditionsOf(ruleset);
  if (conditions.length === 0) return el("p", { class: "help", "data-testid": "statuses-window" }, words.say("foundry.icons.nothing"));
  const icons = iconsHere().sort((a, b) => a.name.localeCompare(b.name));
  const kept = chosenStatuses()[ruleset.id] ?? {};
  const now = mappingOf(conditions, icons, kept);
  const rows = conditions.map((condition) => {
    const value = now.get(condition.key) ?? "";
    const gone = kept[condition.key] && !icons.some(({ id }) => id === kept[condition.key]) ? kept[condition.key] : null;
    const select = el("select", { "data-testid": `status-${condition.key}` },
      el("option", { value: "" }, words.say("foundry.icons.none")),
      gone === null ? null : el("option", { value: gone }, words.say("foundry.icons.gone", { id: gone })),
      icons.map(({ id, name }) => el("option", { value: id }, name)));
    select.value = gone ?? value;
    const root = field(condition.label, select);
    root.classList.add("inline", "status-row");
    return { condition, select, root };
  });
  const usual = el("button", {
    type: "button",
    "data-testid": "statuses-usual",
    onclick: () => {
      const again = mappingOf(conditions, icons);
      for (const { condition, select } of rows) select.value = again.get(condition.key) ?? "";
    },
  }, words.say("foundry.icons.usual"));
  return saveForm({
    attributes: { "data-testid": "statuses-window" },
    body: [
      el("p", { class: "help" }, words.say("foundry.icons.lead", { game: ruleset.title })),
      rows.map(({ root }) => root),
    ],
    beside: usual,
    submit: el("button", { type: "submit", "data-primary": true, "data-testid": "save-statuses" }, words.say("page.save")),
    save: async () => {
      /** @type {Map<string, string>} */
      const taken = new Map();
      for (const { condition, select } of rows) {
        const first = taken.get(select.value);
        if (select.value !== "" && first !== undefined) {
          select.focus();
          return words.say("foundry.icons.twice", { icon: select.selectedOptions[0]?.textContent ?? select.value, first, second: condition.label });
        }
        taken.set(select.value, condition.label);
      }
      await keepStatuses(ruleset.id, Object.fromEntries(rows.map(({ condition, select }) => [condition.key, select.value])));
      return null;
    },
    done: close,
  });
}
