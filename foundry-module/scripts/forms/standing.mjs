/**
 * What stands on one actor, as a list: Boons and Banes, conditions, help that is offered, what failed before. Each with
 * whose it is and until when, and with its buttons for those who may.
 *
 * Hooks: `data-testid` grant, condition, assist, lock; `data-grant`, `data-condition`, `data-by`, `data-assist`;
 * buttons revoke, reveal, clear, less, more, luck, accept, decline, take-back. `data-focus` names a button across a new drawing.
 */

/** @import { ActorEntry, AssistRecord, GrantRecord, HeldCondition } from "../client/types.mjs" */
/** @import { Child } from "../cards/dom.mjs" */
/** @import { Words } from "../client/words.mjs" */
/** @import { TableModel } from "./model.mjs" */
/** @import { StandingDoing } from "./standing-acts.mjs" */

import { bdi, el } from "../cards/dom.mjs";
import { glyph } from "../cards/glyphs.mjs";
import { onlyGms } from "../cards/sources.mjs";
import { mark } from "./parts.mjs";
import { conditionDetails, grantDetails } from "./standing-words.mjs";

/**
 * @param {TableModel} model
 * @param {ActorEntry} actor
 * @param {StandingDoing} doing
 * @returns {HTMLUListElement | null} null where nothing stands
 */
export function standingList(model, actor, doing) {
  const lines = [
    ...model.assists(actor.id).map((assist) => assistLine(model, assist, doing)),
    ...model.grants(actor.id).map((grant) => grantLine(model, grant, doing)),
    ...model.conditions(actor.id).map((held) => conditionLine(model, actor, held, doing)),
    ...(actor.locks ?? []).map((action) => lockLine(model, action)),
  ];
  return lines.length === 0 ? null : el("ul", { class: "bb-standings" }, lines);
}

/**
 * @param {Record<string, unknown>} props
 * @param {Child} name
 * @param {readonly string[]} details
 * @param {Child} [buttons]
 * @param {Child} [under] on a line of its own
 */
function line(props, name, details, buttons = null, under = null) {
  return el(
    "li",
    { class: "bb-standing", ...props },
    el("span", { class: "bb-standing-words" },
      el("span", { class: "bb-standing-name" }, name),
      details.length === 0 ? null : el("small", {}, details.map((text, index) => [index > 0 ? " \u00b7 " : "", bdi(text)])),
      under),
    buttons ? el("span", { class: "bb-standing-buttons" }, buttons) : null,
  );
}

/**
 * @param {"close" | "minus" | "plus" | "check"} icon
 * @param {string} label
 * @param {string} testid
 * @param {string} focus
 * @param {() => void} click
 */
function iconButton(icon, label, testid, focus, click) {
  return el("button", { type: "button", class: "icon-button", "aria-label": label, title: label, "data-testid": testid, "data-focus": `${testid} ${focus}`, onclick: click }, glyph(icon));
}

/**
 * @param {TableModel} model
 * @param {GrantRecord} grant
 * @param {StandingDoing} doing
 */
function grantLine(model, grant, doing) {
  const { words } = model;
  const { label } = grant.source;
  return line(
    { "data-sign": grant.sign, "data-grant": grant.id, "data-hidden": grant.hidden === true, "data-testid": "grant" },
    [mark(words, grant.sign), " ", bdi(label), grant.amount > 1 ? ` \u00d7\u2009${grant.amount}` : ""],
    grantDetails(model, grant),
    model.isGm ? iconButton("close", words.say("actors.revoke", { label }), "revoke", grant.id, () => doing.revoke(grant)) : null,
    grant.hidden ? (model.isGm ? secret(words, grant, doing) : el("span", { class: "bb-standing-secret" }, onlyGms(words))) : null,
  );
}

/**
 * That only GMs know of it, and the way to change that.
 *
 * @param {Words} words
 * @param {GrantRecord} grant
 * @param {StandingDoing} doing
 */
const secret = (words, grant, doing) => el("span", { class: "bb-standing-secret" }, onlyGms(words),
  el("button", {
    type: "button",
    class: "bb-link",
    "aria-label": words.say("grant.revealOf", { label: grant.source.label }),
    "data-testid": "reveal",
    "data-focus": `reveal ${grant.id}`,
    onclick: () => doing.reveal(grant),
  }, words.say("grant.reveal")));

/**
 * @param {TableModel} model
 * @param {ActorEntry} actor
 * @param {HeldCondition} held
 * @param {StandingDoing} doing
 */
function conditionLine(model, actor, held, doing) {
  const { words, isGm } = model;
  const spec = model.conditionSpec(held.key);
  const condition = words.condition(held.key, held.amount);
  const focus = `${actor.id} ${held.key} ${held.by ?? ""}`;
  const mine = isGm || model.owns(actor);
  const luck = held.luckDue && mine
    ? el("button", { type: "button", class: "button small", "data-testid": "luck", "data-focus": `luck ${focus}`, onclick: () => doing.luck(actor, held) }, words.say("standing.luck"))
    : null;
  const counted = isGm && spec?.counted
    ? [
      iconButton("minus", words.say("standing.less", { condition }), "less", focus, () => doing.count(actor, held, -1)),
      iconButton("plus", words.say("standing.more", { condition }), "more", focus, () => doing.count(actor, held, 1)),
    ]
    : [];
  const clear = isGm ? iconButton("close", words.say("standing.clear", { condition, name: actor.name }), "clear", focus, () => doing.clear(actor, held)) : null;
  const buttons = [luck, ...counted, clear].filter((each) => each !== null);
  return line(
    { "data-tone": spec?.tone ?? "plain", "data-condition": held.key, "data-by": held.by ?? null, "data-amount": held.amount ?? 1, "data-testid": "condition", title: spec?.help || null },
    condition,
    [...conditionDetails(model, actor.id, held), held.luckDue && !mine ? words.say("standing.luckDue") : "", held.note ?? ""].filter((text) => text !== ""),
    buttons.length > 0 ? buttons : null,
  );
}

/**
 * @param {TableModel} model
 * @param {AssistRecord} assist
 * @param {StandingDoing} doing
 */
function assistLine(model, assist, doing) {
  const { words, isGm } = model;
  const name = model.actor(assist.helper)?.name ?? words.say("somebody");
  return line(
    { "data-assist": assist.id, "data-testid": "assist", "data-tone": "open" },
    words.say("standing.help", { name }),
    [assist.action ? words.say("standing.action", { action: assist.action }) : assist.check ? words.say("standing.check", { check: words.label("checks", assist.check) }) : "", assist.note ?? "", isGm ? "" : words.say("standing.waits")].filter((text) => text !== ""),
    isGm
      ? [
        iconButton("check", words.say("standing.accept", { name }), "accept", assist.id, () => doing.answer(assist, true)),
        iconButton("close", words.say("standing.decline", { name }), "decline", assist.id, () => doing.answer(assist, false)),
      ]
      : assist.by === model.welcome.user ? takeBack(words, name, assist, doing) : null,
  );
}

/**
 * Whoever offered help may think better of it, until a GM has answered.
 *
 * @param {Words} words
 * @param {string} name
 * @param {AssistRecord} assist
 * @param {StandingDoing} doing
 */
const takeBack = (words, name, assist, doing) => el("button", {
  type: "button",
  class: "button small",
  "aria-label": words.say("standing.takeBackOf", { name }),
  "data-testid": "take-back",
  "data-focus": `take-back ${assist.id}`,
  onclick: () => doing.answer(assist, false),
}, words.say("standing.takeBack"));

/**
 * @param {TableModel} model
 * @param {string} action
 */
const lockLine = (model, action) =>
  line({ "data-testid": "lock", "data-tone": "lock" }, model.words.say("standing.failed", { action }), []);
