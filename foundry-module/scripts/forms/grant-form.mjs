/**
 * Giving an actor, and others with it, a Boon or a Bane that stands: a reason, how much, for which rolls, until when.
 *
 * Hooks: grant-sign, grant-palette ([data-circumstance]), grant-reason, grant-side, grant-amount, grant-expiry
 * (grant-expiry-of), grant-hidden, grant-more (grant-check, grant-attribute, grant-action, grant-note), also (also-field.mjs).
 */

/** @import { ActorEntry, Command, Scope } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { Tell } from "./standing-acts.mjs" */

import { bdi, el } from "../cards/dom.mjs";
import { unseenIcon } from "../cards/shapes.mjs";
import { alsoField, namesOf } from "./also-field.mjs";
import { GRANT_CLOCKS, clockField } from "./clocks.mjs";
import { optionsOf } from "./param-controls.mjs";
import { field, mark, segments, signOption, toggle } from "./parts.mjs";
import { ownSource } from "./slug.mjs";
import { takingBack } from "./standing-acts.mjs";
import { wayBack } from "./way-back.mjs";

const MOST = 100;

/**
 * @param {TableModel} model
 * @param {ActorEntry} actor who gets it
 * @param {Tell} tell
 * @returns {{root: HTMLElement, save: () => Promise<string | null>}} `save` returns what is wrong
 */
export function grantForm(model, actor, tell) {
  const { words, ruleset } = model;
  /** @type {"boon" | "bane"} */
  let sign = "boon";
  /** @type {"own" | "against"} */
  let side = "own";
  /** @type {{id: string, label: string, kind?: string} | null} */
  let picked = null;
  const palette = el("div", { class: "chips", "data-testid": "grant-palette" });
  const reason = el("input", { type: "text", maxlength: 80, placeholder: words.say("sources.ownPlaceholder"), "data-testid": "grant-reason", oninput: () => pick(null) });
  const amount = el("input", { type: "number", inputmode: "numeric", min: 1, max: MOST, value: "1", "data-testid": "grant-amount" });
  const clock = clockField(model, actor.id, GRANT_CLOCKS, "grant-expiry");
  clock.root.prepend(field(words.say("grant.amount"), amount));
  const more = scopeFields(model, actor);
  const secret = secretField(model);
  const also = alsoField(model, actor, clock.forMany);
  const pick = (/** @type {typeof picked} */ source) => {
    picked = source;
    if (source !== null) reason.value = source.label;
    for (const chip of palette.children) chip.setAttribute("aria-pressed", String(chip.getAttribute("data-circumstance") === source?.id));
  };
  const drawPalette = () => {
    palette.replaceChildren(...(ruleset.circumstances ?? []).filter((each) => each.sign === sign).map((each) =>
      el("button", { type: "button", class: "chip", "data-sign": sign, "data-circumstance": each.id, title: each.example || null, "aria-pressed": "false",
        onclick: () => pick({ id: each.id, label: each.label, kind: each.kind }) }, mark(words, sign), bdi(each.label))));
  };
  drawPalette();
  /** @returns {Promise<string | null>} */
  const save = async () => {
    const label = reason.value.trim();
    if (label === "") {
      reason.focus();
      return words.say("grant.needReason");
    }
    const many = amount.valueAsNumber;
    if (!Number.isInteger(many) || many < 1 || many > MOST) {
      amount.focus();
      return words.say("grant.badAmount", { most: MOST });
    }
    const { note, ...scope } = more.read();
    const all = also.read();
    /** @type {Command} */
    const cmd = {
      t: "Grant",
      actors: all.map(({ id }) => id),
      sign,
      source: picked === null ? ownSource(label) : { id: picked.id, label: picked.label, kind: picked.kind },
      amount: many,
      scope: { side, ...scope },
      expiry: clock.read(),
      ...(note !== "" && { note }),
      ...(secret.on && { hidden: true }),
    };
    const outcome = await model.send(cmd);
    if (!outcome.ok) return words.refusal(outcome);
    if (outcome.changed === false) {
      tell(words.say("grant.already"));
      return null;
    }
    tell(words.say(`grant.given.${sign}${cmd.hidden ? "Hidden" : ""}`, { name: namesOf(all), label }), { undo: wayBack(model, tell, () => takingBack(model, all, outcome.seq)) });
    return null;
  };
  const root = el(
    "div",
    { class: "bb-form" },
    segments({
      label: words.say("grant.sign"),
      options: /** @type {const} */ (["boon", "bane"]).map((value) => signOption(words, value)),
      value: sign,
      choose: (value) => {
        sign = value;
        pick(null);
        drawPalette();
      },
      testid: "grant-sign",
    }),
    palette,
    field(words.say("grant.reason"), reason),
    segments({
      label: words.say("grant.sideTitle"),
      options: /** @type {const} */ (["own", "against"]).map((value) => ({ value, label: words.say(`grant.side.${value}`, { name: actor.name }) })),
      value: side,
      choose: (value) => {
        side = value;
      },
      testid: "grant-side",
    }),
    clock.root,
    secret.root,
    more.root,
    also.root,
  );
  return { root, save };
}

/**
 * Whether only GMs know of it, and what that comes to.
 *
 * @param {TableModel} model
 */
function secretField(model) {
  const { words } = model;
  const help = el("p", { class: "help", "aria-live": "polite", "data-testid": "grant-hidden-help" }, words.say("grant.hiddenHelp"));
  const state = {
    on: false,
    root: el("div", { class: "grant-hidden" }),
  };
  const never = model.option("dice_public") === true;
  state.root.append(toggle({
    label: [unseenIcon(), " ", words.say("grant.hidden")],
    on: false,
    turn: (on) => {
      state.on = on;
      help.textContent = words.say(on && never ? "grant.hiddenNever" : "grant.hiddenHelp");
    },
    testid: "grant-hidden",
  }), help);
  return state;
}

/**
 * Fewer rolls than all: one kind of check, one number, one action.
 *
 * @param {TableModel} model
 * @param {ActorEntry} actor
 * @returns {{root: HTMLElement, read: () => Pick<Scope, "checks" | "attributes" | "action"> & {note: string}}}
 */
function scopeFields(model, actor) {
  const { words, ruleset } = model;
  const any = () => el("option", { value: "" }, words.say("grant.any"));
  const check = el("select", { "data-testid": "grant-check" }, any(), ruleset.checks.map((spec) => el("option", { value: spec.key }, spec.label)));
  const attributes = new Map(ruleset.checks.flatMap((spec) => spec.params).filter((param) => param.kind === "number" && !param.ofTarget)
    .flatMap((param) => optionsOf(param, actor, model))
    .map(({ value, label }) => [String(value), label]));
  const attribute = el("select", { "data-testid": "grant-attribute" }, any(), [...attributes].map(([value, label]) => el("option", { value }, label)));
  const action = el("input", { type: "text", maxlength: 80, placeholder: words.say("grant.anyAction"), "data-testid": "grant-action" });
  const note = el("input", { type: "text", maxlength: 500, "data-testid": "grant-note" });
  const root = el(
    "details",
    { class: "fold", "data-testid": "grant-more" },
    el("summary", {}, words.say("grant.more")),
    el("div", { class: "bb-form" },
      el("div", { class: "grid-fields" },
        ruleset.checks.length > 1 ? field(words.say("grant.check"), check) : null,
        attributes.size > 0 ? field(words.say("grant.attribute"), attribute) : null),
      field(words.say("grant.action"), action),
      field(words.say("condition.note"), note)),
  );
  return {
    root,
    read: () => ({
      ...(check.value !== "" && { checks: [check.value] }),
      ...(attribute.value !== "" && { attributes: [attribute.value] }),
      ...(action.value.trim() !== "" && { action: action.value.trim() }),
      note: note.value.trim(),
    }),
  };
}
