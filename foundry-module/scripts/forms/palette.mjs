/**
 * What one does for somebody twenty times an evening, in one place: a Boon or a Bane with a reason of the game or one's own, a
 * condition, what the group holds, a click each; and what stands on him now. What is set beside a click is folded away. What
 * grows stands below what is clicked, so that nothing moves under a finger. Several at once, where several are meant; a player
 * sees the list, and acts where he may.
 *
 * Hooks: boon-palette; palette-now ([data-actor]); [data-circumstance]; palette-until; palette-reason, palette-boon,
 * palette-bane; palette-more (palette-side, palette-hidden, palette-details); palette-conditions ([data-condition]);
 * palette-group ([data-verb]); palette-help; palette-said (undo).
 */

/** @import { Child } from "../cards/dom.mjs" */
/** @import { ActorEntry, ConditionSpec } from "../client/types.mjs" */
/** @import { Meant } from "./palette-acts.mjs" */
/** @import { PaletteState } from "./palette-state.mjs" */
/** @import { StandingDoing, Sure, Tell } from "./standing-acts.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { bdi, el, fill, phrase } from "../cards/dom.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { MARKS, unseenIcon } from "../cards/shapes.mjs";
import { onlyGms } from "../cards/sources.mjs";
import { helpers } from "./assist-form.mjs";
import { GRANT_CLOCKS } from "./clocks.mjs";
import { paletteActs } from "./palette-acts.mjs";
import { isEnter } from "./keys.mjs";
import { button, field, mark, segments, toggle } from "./parts.mjs";
import { standingList } from "./standing.mjs";
import { standingActs } from "./standing-acts.mjs";
import { verbsOf } from "./verbs.mjs";

/**
 * @typedef {object} PaletteDoing what the place brings
 * @property {(who: readonly Meant[]) => Promise<string | null>} meet makes them known to the table; says what is wrong
 * @property {(actor: ActorEntry) => void} details everything that can be given and set
 * @property {Sure} sure
 * @property {boolean} lists whether what stands is listed here: it may stand beside it anyway
 * @property {boolean} group whether what the group holds is here, too: it may stand above it anyway
 */

const SIGNS = /** @type {const} */ (["boon", "bane"]);

export class Palette {
  /** What its buttons were made for. */
  #shape = "";
  /** @type {PaletteState["said"]} */
  #drawn = null;

  /**
   * @param {TableModel} model
   * @param {() => readonly Meant[]} who is meant, now
   * @param {PaletteState} state
   * @param {PaletteDoing} doing
   */
  constructor(model, who, state, doing) {
    this.model = model;
    this.who = who;
    this.state = state;
    this.doing = doing;
    this.now = el("div", { class: "bb-palette-now" });
    this.rest = el("div", { class: "bb-palette-rest" });
    this.said = el("p", { class: "said-line", role: "status", hidden: true, "data-testid": "palette-said" });
    this.acts = paletteActs(model, () => this.#meant(), state, this.#tell);
    this.standing = standingActs(model, this.#tell, doing.sure);
    this.root = el("div", { class: "bb-palette", "data-testid": "boon-palette" }, this.rest, this.said, this.now);
    this.draw();
  }

  /** The table changed, or others are meant: what stands is drawn anew, the buttons only where they are others. */
  draw() {
    const { model, rest } = this;
    const who = this.who();
    redraw(this.now, this.doing.lists || who.length > 1 ? this.#standing(who) : []);
    const one = who.length === 1 ? model.actor(who[0].id) : undefined;
    const help = one !== undefined && !model.isGm && helpers(model, one).length > 0;
    const shape = JSON.stringify([model.isGm, help, who.map(({ name }) => name), model.ruleset.circumstances, model.ruleset.conditions, model.pool !== undefined, groupVerbs(model), model.option("dice_public")]);
    if (shape !== this.#shape) {
      this.#shape = shape;
      redraw(rest, model.isGm && who.length > 0 ? this.#gmParts(who) : [help && one !== undefined
        ? button(model.words.say("actors.help", { name: one.name }), () => this.doing.details(one), { "data-testid": "palette-help", "data-focus": "help" })
        : null]);
      // It may stand in a form of somebody else's, who would send what is set here as his own.
      for (const control of rest.querySelectorAll("input, select")) control.setAttribute("form", "");
    }
    this.#drawGroup();
    this.#drawStands(who);
    this.#drawSaid();
  }

  /**
   * Which of the game's reasons stand already for all that are meant, whoever gave them.
   *
   * @param {readonly Meant[]} who
   */
  #drawStands(who) {
    const { words } = this.model;
    for (const chip of this.rest.querySelectorAll("[data-circumstance]")) {
      const { circumstance, sign } = /** @type {HTMLElement} */ (chip).dataset;
      const stands = who.length > 0 && who.every(({ id }) => this.model.grants(id).some((grant) => grant.source.id === circumstance && grant.sign === sign));
      if (stands === chip.hasAttribute("data-stands")) continue;
      chip.toggleAttribute("data-stands", stands);
      if (stands) chip.append(el("span", { class: "bb-unseen" }, ` (${words.say("palette.stands")})`));
      else chip.lastElementChild?.remove();
    }
  }

  /** @returns {Promise<readonly Meant[] | string>} */
  async #meant() {
    const who = this.who();
    if (who.length === 0) return this.model.words.say("palette.nobody");
    return (await this.doing.meet(who)) ?? who;
  }

  /** @type {Tell} */
  #tell = (text, { tone = "plain", undo = null } = {}) => {
    this.state.said = { text, tone, undo };
    this.#drawSaid();
  };

  #drawSaid() {
    const { said } = this.state;
    // What stands there is not said again, and its button stays under a hand.
    if (said === this.#drawn) return;
    this.#drawn = said;
    this.said.hidden = said === null;
    this.said.replaceChildren();
    if (said === null) return;
    const { text, tone, undo } = said;
    this.said.dataset.tone = tone;
    this.said.append(el("span", {}, text));
    if (undo === null) return;
    this.said.append(" ", el("button", { type: "button", class: "bb-link", "data-testid": "undo", "data-focus": "undo", onclick: () => {
      this.state.said = null;
      keepPlace(this.root, () => this.#drawSaid());
      undo();
    } }, this.model.words.say("page.undo")));
  }

  /**
   * @param {readonly Meant[]} who
   * @returns {Child[]}
   */
  #standing(who) {
    const { model } = this;
    const { words } = model;
    return who.map(({ id, name }) => {
      const actor = model.actor(id);
      const list = actor === undefined ? null : standingList(model, actor, this.standing);
      return el("section", { "data-actor": id, "data-testid": "palette-now" },
        el("h3", {}, phrase(words, "palette.now", { name })),
        list ?? el("p", { class: "help" }, words.say(actor === undefined && !model.isGm ? "foundry.standing.stranger" : "palette.nothing", { name })));
    });
  }

  /**
   * @param {readonly Meant[]} who
   * @returns {Child[]}
   */
  #gmParts(who) {
    const { model, state } = this;
    const { words } = model;
    const until = el("select", { "data-testid": "palette-until", "data-focus": "until", onchange: () => {
      state.until = GRANT_CLOCKS[until.selectedIndex];
    } }, GRANT_CLOCKS.map((when) => el("option", { value: when, selected: when === state.until }, words.say(`expiry.${when}.name`))));
    const untilField = field(words.say("grant.until"), until);
    untilField.classList.add("inline");
    this.group = !this.doing.group || model.pool === undefined ? null : el("section", { class: "bb-palette-group", "data-testid": "palette-group" });
    return [
      el("div", { class: "bb-palette-signs" }, SIGNS.map((sign) => this.#circumstances(sign))),
      this.#ownReason(),
      untilField,
      this.#conditions(),
      this.#more(who),
      this.group,
    ];
  }

  /** @param {"boon" | "bane"} sign */
  #circumstances(sign) {
    const { model } = this;
    const those = (model.ruleset.circumstances ?? []).filter((each) => each.sign === sign);
    if (those.length === 0) return null;
    const title = model.words.say(`palette.${sign}`);
    return el("section", { "data-sign": sign },
      el("h4", {}, title),
      el("div", { class: "chips", role: "group", "aria-label": title }, those.map((each) => el("button", {
        type: "button",
        class: "chip",
        "data-sign": sign,
        "data-circumstance": each.id,
        "data-focus": `circumstance ${each.id}`,
        title: each.example || null,
        onclick: () => void this.acts.give(sign, each),
      }, mark(model.words, sign), bdi(each.label)))));
  }

  /** A reason that the game does not have, given as either. */
  #ownReason() {
    const { model, state } = this;
    const { words } = model;
    const give = async (/** @type {"boon" | "bane"} */ sign) => {
      const label = state.reason.trim();
      if (label === "") {
        this.#tell(words.say("grant.needReason"), { tone: "trouble" });
        reason.focus();
        return;
      }
      if (!(await this.acts.give(sign, label))) return;
      state.reason = "";
      reason.value = "";
    };
    const reason = el("input", {
      type: "text",
      maxlength: 80,
      value: state.reason,
      "aria-label": words.say("palette.reason"),
      placeholder: words.say("palette.reason"),
      "data-testid": "palette-reason",
      "data-focus": "reason",
      oninput: () => {
        state.reason = reason.value;
      },
      // It stands in a form of Foundry's, which is not to be sent.
      onkeydown: (/** @type {KeyboardEvent} */ event) => {
        if (!isEnter(event)) return;
        event.preventDefault();
        /** @type {HTMLElement | null} */ (reason.nextElementSibling)?.focus();
      },
    });
    return el("div", { class: "bb-palette-own" }, reason, SIGNS.map((sign) => {
      const label = words.say(`palette.give.${sign}`);
      return el("button", { type: "button", class: "icon-button signs", "data-sign": sign, "aria-label": label, title: label, "data-testid": `palette-${sign}`, "data-focus": `give ${sign}`, onclick: () => void give(sign) }, MARKS[sign]);
    }));
  }

  #conditions() {
    const { model } = this;
    const specs = model.ruleset.conditions ?? [];
    if (specs.length === 0) return null;
    return this.#fold("conditions", model.words.say("palette.conditions"), el("div", { class: "bb-palette-conditions" },
      el("div", { class: "chips" }, specs.filter((spec) => (spec.of ?? []).length === 0).map((spec) => this.#condition(spec, spec.key, spec.label))),
      specs.filter((spec) => (spec.of ?? []).length > 0).map((spec) => el("div", { class: "chips", role: "group", "aria-label": spec.label },
        el("span", { class: "help" }, spec.label),
        (spec.of ?? []).map(({ value, label }) => this.#condition(spec, `${spec.key}.${value}`, label))))));
  }

  /**
   * @param {ConditionSpec} spec
   * @param {string} key
   * @param {string} label
   */
  #condition(spec, key, label) {
    return el("button", {
      type: "button",
      class: "chip",
      "data-condition": key,
      "data-focus": `condition ${key}`,
      "aria-label": (spec.of ?? []).length > 0 ? this.model.words.condition(key) : null,
      title: spec.help || null,
      onclick: () => void this.acts.set(key),
    }, label);
  }

  /** What the group holds, and the moves of the game that need nothing but a click. */
  #drawGroup() {
    const { model, group } = this;
    if (!group) return;
    const { pool, words } = model;
    redraw(group, [
      pool === undefined ? null : el("p", { class: "bb-palette-pool" }, el("strong", {}, words.say("pool.title")), " ", words.say("pool.held", { held: pool.held, cap: pool.cap })),
      el("div", { class: "chips" }, groupVerbs(model).map((verb) => el("button", {
        type: "button",
        class: "chip",
        title: verb.help || null,
        "data-verb": verb.key,
        "data-focus": `verb ${verb.key}`,
        onclick: async () => {
          const outcome = await model.send({ t: "Act", verb: verb.key, args: {} });
          this.#tell(outcome.ok ? words.say("palette.done", { verb: verb.label }) : words.refusal(outcome), { tone: outcome.ok ? "plain" : "trouble" });
        },
      }, verb.label))),
    ]);
  }

  /** @type {HTMLElement | null} */
  group = null;

  /** @param {readonly Meant[]} who */
  #more(who) {
    const { model, state } = this;
    const { words } = model;
    const names = who.map(({ name }) => name).join(", ");
    const known = who.length === 1 ? who[0] : undefined;
    // What is set is seen without unfolding it: a click gives it so.
    const set = el("span", { class: "bb-palette-set" });
    const tell = () => {
      set.replaceChildren();
      fill(set, [state.side === "against" ? el("span", { class: "bb-tag" }, words.say("standing.against")) : null, state.hidden ? onlyGms(words) : null]);
    };
    tell();
    return this.#fold("more", [words.say("palette.more"), " ", set],
      segments({
        label: words.say("grant.sideTitle"),
        options: /** @type {const} */ (["own", "against"]).map((value) => ({ value, label: words.say(`grant.side.${value}`, { name: names }) })),
        value: state.side,
        choose: (value) => {
          state.side = value;
          tell();
        },
        testid: "palette-side",
      }),
      toggle({
        label: [unseenIcon(), " ", words.say("grant.hidden")],
        on: state.hidden,
        turn: (on) => {
          state.hidden = on;
          tell();
        },
        testid: "palette-hidden",
      }),
      el("p", { class: "help" }, words.say(model.option("dice_public") === true ? "grant.hiddenNever" : "grant.hiddenHelp")),
      known === undefined ? null : button(words.say("palette.details"), () => void this.#details(known), { "data-testid": "palette-details", "data-focus": "details" }));
  }

  /** @param {Meant} one */
  async #details(one) {
    const wrong = await this.doing.meet([one]);
    const actor = this.model.actor(one.id);
    if (actor === undefined || wrong !== null) this.#tell(wrong ?? this.model.words.say("palette.nobody"), { tone: "trouble" });
    else this.doing.details(actor);
  }

  /**
   * @param {string} key
   * @param {Child} title
   * @param {...Child} children
   */
  #fold(key, title, ...children) {
    const { open } = this.state;
    const root = el("details", { class: "fold", open: open.has(key), "data-testid": `palette-${key}`, ontoggle: () => {
      if (root.open) open.add(key);
      else open.delete(key);
    } }, el("summary", { "data-focus": `fold ${key}` }, title), el("div", { class: "bb-form" }, children));
    return root;
  }
}

/** Moves that only say what happens to the group, and ask nothing. @param {TableModel} model */
const groupVerbs = (model) => (model.pool === undefined ? [] : verbsOf(model).filter(({ params = [], who }) => params.length === 0 && who !== "player"));

/**
 * @param {HTMLElement} place
 * @param {Child[]} children
 */
function redraw(place, children) {
  keepPlace(place, () => {
    place.replaceChildren();
    fill(place, children);
  });
}
