/**
 * Where to jump: to what, and whose. The form only; who looks is forms/timeline.mjs.
 *
 * Hooks: jump-what, jump-who, jump-back, jump-on.
 */

/** @import { ActorEntry, MarkKind, Wanted } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { el } from "../cards/dom.mjs";
import { glyph } from "../cards/glyphs.mjs";
import { field } from "./parts.mjs";
import { optionsOf } from "./timeline-marks.mjs";

export class TimelineJumps {
  #drawn = "";
  /** @type {Map<string, string>} names of actors by id, also of those who were at the table once */
  #actors = new Map();

  /**
   * @param {TableModel} model
   * @param {(way: 1 | -1) => void} jump
   */
  constructor(model, jump) {
    const { words } = model;
    this.model = model;
    this.what = el("select", { "data-testid": "jump-what" });
    this.who = el("select", { "data-testid": "jump-who" });
    this.back = el("button", { type: "button", class: "button", "data-testid": "jump-back", onclick: () => jump(-1) }, glyph("earlier"), words.say("replay.findEarlier"));
    this.on = el("button", { type: "button", class: "button", "data-testid": "jump-on", onclick: () => jump(1) }, words.say("replay.findLater"), glyph("later"));
    this.fields = el("div", { class: "timeline-what" }, field(words.say("replay.what"), this.what), field(words.say("replay.who"), this.who));
    this.buttons = el("div", { class: "timeline-find", role: "group", "aria-label": words.say("replay.what") }, this.back, this.on);
    this.draw();
  }

  /**
   * What there is to choose; what was chosen stays, where it is still there.
   *
   * @param {readonly ActorEntry[]} [then] who was at the table at some moment
   */
  draw(then = []) {
    const { model } = this;
    for (const { id, name } of [...then, ...model.actors()]) this.#actors.set(id, name);
    const { words } = model;
    const whom = [
      { label: words.say("actors.title"), options: [...this.#actors].map(([id, name]) => ({ value: `actor ${id}`, label: name })) },
      { label: words.say("people.title"), options: model.people().filter(({ role }) => role !== "observer").map(({ id, name }) => ({ value: `user ${id}`, label: name })) },
    ].filter(({ options }) => options.length > 0);
    const what = optionsOf(model);
    const drawn = JSON.stringify([what, whom]);
    if (drawn === this.#drawn) return;
    this.#drawn = drawn;
    const option = (/** @type {{value: string, label: string}} */ { value, label }) => el("option", { value }, label);
    refill(this.what, what.map(option));
    refill(this.who, [option({ value: "", label: words.say("replay.anybody") }), ...whom.map(({ label, options }) => el("optgroup", { label }, options.map(option)))]);
  }

  /** After a reset, or as somebody else, who was seen once is not known any more. */
  forget() {
    this.#actors.clear();
    this.draw();
  }

  /** @returns {Wanted} */
  get wanted() {
    const mark = this.what.value;
    const [kind, ...rest] = this.who.value.split(" ");
    const id = rest.join(" ");
    return {
      ...(mark !== "" && { marks: [/** @type {MarkKind} */ (mark)] }),
      ...(kind === "actor" && { actor: id }),
      ...(kind === "user" && { user: id }),
    };
  }

  /** What is looked for, in words. */
  get words() {
    return [this.what, this.who].filter(({ value }) => value !== "").map((select) => select.selectedOptions[0]?.textContent ?? "").join(", ");
  }
}

/**
 * @param {HTMLSelectElement} select
 * @param {readonly HTMLElement[]} options
 */
function refill(select, options) {
  const chosen = select.selectedIndex === -1 ? null : select.value;
  select.replaceChildren(...options);
  if (chosen !== null) select.value = chosen;
  if (select.selectedIndex === -1) select.selectedIndex = 0;
}
