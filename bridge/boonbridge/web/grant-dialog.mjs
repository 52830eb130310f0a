/** Giving an actor a Boon or a Bane that stands: a reason, how much, for which rolls, until when. */

/** @import { ActorEntry, Command, GrantRecord } from "/client/types.mjs" */
/** @import { TableModel } from "/forms/model.mjs" */
/** @import { Notices } from "./notices.mjs" */

import { bdi, el } from "/cards/dom.mjs";
import { openDialog } from "./dialogs.mjs";
import { field, mark, segments } from "/forms/parts.mjs";
import { slug } from "/forms/slug.mjs";

const EXPIRIES = /** @type {const} */ (["none", "next_roll", "next_roll_against"]);

/**
 * @param {TableModel} model
 * @param {Notices} notices
 * @param {ActorEntry} actor
 */
export function grantDialog(model, notices, actor) {
  const { words, ruleset } = model;
  /** @type {"boon" | "bane"} */
  let sign = "boon";
  /** @type {"own" | "against"} */
  let side = "own";
  /** @type {{id: string, label: string, kind?: string} | null} */
  let picked = null;
  const palette = el("div", { class: "chips", "data-testid": "grant-palette" });
  const reason = el("input", { type: "text", maxlength: 80, placeholder: words.say("sources.ownPlaceholder"), "data-testid": "grant-reason", oninput: () => pick(null) });
  const amount = el("input", { type: "number", inputmode: "numeric", min: 1, max: 100, value: "1", "data-testid": "grant-amount" });
  const expiry = el("select", { "data-testid": "grant-expiry" }, EXPIRIES.map((when) => el("option", { value: when }, words.say(`expiry.${when}.name`))));
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
  const give = async () => {
    const label = reason.value.trim();
    if (label === "") {
      reason.focus();
      return words.say("grant.needReason");
    }
    /** @type {Command} */
    const cmd = {
      t: "Grant",
      actors: [actor.id],
      sign,
      source: picked === null ? { id: `own.${slug(label)}`, label } : { id: picked.id, label: picked.label, kind: picked.kind },
      amount: Math.max(1, Math.trunc(amount.valueAsNumber) || 1),
      scope: { side },
      expiry: { when: EXPIRIES[expiry.selectedIndex] },
    };
    const outcome = await model.send(cmd);
    if (!outcome.ok) return words.refusal(outcome);
    const given = outcome.changed === false ? undefined : `${outcome.seq}.1`;
    const text = given === undefined ? words.say("grant.already") : words.say(`grant.given.${sign}`, { name: actor.name, label });
    notices.show(text, { undo: given === undefined ? null : () => void model.send({ t: "RevokeGrant", grant: given }) });
    return null;
  };
  openDialog(words, {
    title: words.say("grant.title", { name: actor.name }),
    testid: "grant-dialog",
    body: [
      segments({
        label: words.say("grant.sign"),
        options: /** @type {const} */ (["boon", "bane"]).map((value) => ({ value, label: `${value === "boon" ? "\u25b2" : "\u25bc"} ${words.term(value === "boon" ? "Boon" : "Bane")}` })),
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
      el("div", { class: "grid-fields" }, field(words.say("grant.amount"), amount), field(words.say("grant.until"), expiry)),
    ],
    done: { label: words.say("grant.give"), act: give },
  });
}

/**
 * @param {TableModel} model
 * @param {Notices} notices
 * @param {GrantRecord} grant
 */
export async function revokeGrant(model, notices, grant) {
  const { words } = model;
  const outcome = await model.send({ t: "RevokeGrant", grant: grant.id });
  if (!outcome.ok) {
    notices.show(words.refusal(outcome), { tone: "trouble" });
    return;
  }
  const { actor, sign, source, amount, scope, expiry, note } = grant;
  notices.show(words.say("grant.revoked", { label: source.label }), {
    undo: () => void model.send({ t: "Grant", actors: [actor], sign, source, amount, scope, expiry, note }),
  });
}
