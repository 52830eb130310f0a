/** Opportunities that wait, to be used with this roll. Hooks: opportunities ([data-opportunity]). */

/** @import { OpportunityRecord } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { bdi, el } from "../cards/dom.mjs";
import { mark } from "./parts.mjs";
import { opportunitiesOf } from "./play.mjs";

/**
 * For whom an opportunity is, in words.
 *
 * @param {TableModel} model
 * @param {OpportunityRecord} opportunity
 */
export const opportunityWords = ({ words }, { sign, name }) =>
  words.say(`opportunity.${sign}`, { name, boon: words.term("Boon"), bane: words.term("Bane") });

export class OpportunityBlock {
  /**
   * @param {{model: TableModel, opportunities: Set<string>}} state
   * @param {() => void} changed
   */
  constructor(state, changed) {
    this.state = state;
    this.changed = changed;
    this.chips = el("div", { class: "chips" });
    this.root = el("fieldset", { class: "opportunities", hidden: true, "data-testid": "opportunities" },
      el("legend", {}, state.model.words.say("opportunity.claim")), this.chips);
  }

  /** What waits now; what is gone is used no more. */
  draw() {
    const { state } = this;
    const all = opportunitiesOf(state.model);
    for (const id of state.opportunities) if (!all.some((each) => each.id === id)) state.opportunities.delete(id);
    this.root.hidden = all.length === 0;
    this.chips.replaceChildren(...all.map((opportunity) => {
      const { id, sign, label } = opportunity;
      const box = el("input", {
        type: "checkbox",
        checked: state.opportunities.has(id),
        onchange: () => {
          if (box.checked) state.opportunities.add(id);
          else state.opportunities.delete(id);
          this.changed();
        },
      });
      return el("label", { class: "chip check-chip", "data-sign": sign, "data-opportunity": id }, box,
        el("span", {}, mark(state.model.words, sign), " ", bdi(label), el("small", {}, opportunityWords(state.model, opportunity))));
    }));
  }
}
