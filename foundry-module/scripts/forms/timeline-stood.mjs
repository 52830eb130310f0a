/**
 * How the table stood at one moment: what the group held, the evening and the turn, and who had which Boons, Banes and
 * conditions. To read only.
 *
 * Hooks: stood-pool [data-held]; stood-actor [data-actor]; what stands on it as in forms/standing.mjs; stood-nothing.
 */

/** @import { PastModel } from "./timeline-past.mjs" */
/** @import { StandingDoing } from "./standing-acts.mjs" */

import { portrait } from "../cards/card-parts.mjs";
import { bdi, el, phrase } from "../cards/dom.mjs";
import { OpportunitiesView } from "./opportunities-view.mjs";
import { sessionOf } from "./play.mjs";
import { pips } from "./pool-view.mjs";
import { sessionTitle } from "./session-acts.mjs";
import { standingList } from "./standing.mjs";

/** More of those on whom nothing stands are told by their number. */
const NAMED = 12;
/** Nobody may do anything to what is past, so no button is made that would call these. */
const NOTHING = /** @type {StandingDoing} */ ({});

/**
 * @param {PastModel} past
 * @returns {(HTMLElement | null)[]}
 */
export function stoodView(past) {
  const { words } = past;
  const all = past.actors().map((actor) => ({ actor, list: standingList(past, actor, NOTHING) }));
  const standing = all.filter(({ list }) => list !== null);
  const without = all.filter(({ list }) => list === null).map(({ actor }) => actor.name);
  return [
    facts(past),
    pool(past),
    waiting(past),
    standing.length === 0 ? null : el("ul", { class: "timeline-actors" }, standing.map(({ actor, list }) => el(
      "li",
      { class: "timeline-actor", "data-actor": actor.id, "data-testid": "stood-actor" },
      portrait(actor.name),
      el("div", {}, el("strong", {}, bdi(actor.name)), list),
    ))),
    all.length === 0 ? el("p", { class: "help", "data-testid": "stood-nothing" }, words.say("replay.nobody")) : null,
    without.length === 0 ? null : el("p", { class: "help", "data-testid": "stood-nothing" }, nothingOn(past, without)),
  ];
}

/**
 * @param {PastModel} past
 * @param {readonly string[]} names
 */
const nothingOn = ({ words }, names) => (names.length <= NAMED
  ? phrase(words, "replay.nothingOn", { names: names.join(", ") })
  : phrase(words, "replay.nothingOnMany", { names: names.slice(0, NAMED).join(", "), n: names.length - NAMED }));

/**
 * The evening, the round, whose turn it was, and the public switches.
 *
 * @param {PastModel} past
 */
function facts(past) {
  const { turn, words } = past;
  const session = sessionOf(past);
  const name = turn?.actor ? past.actor(turn.actor)?.name ?? words.say("somebody") : null;
  const told = [
    session === undefined ? null : session.running ? sessionTitle(past, session) : words.say("session.last", { n: session.number }),
    turn === undefined ? null : words.say("turn.round", { round: turn.round }),
    name === null ? null : words.say("turn.of", { name }),
    ...past.marks().map(({ spec, value }) => `${spec.label}: ${spec.values.find((option) => option.value === value)?.label ?? String(value)}`),
  ].filter((each) => each !== null);
  return told.length === 0 ? null : el("p", { class: "timeline-facts" }, told.map((text, nth) => [nth > 0 ? " \u00b7 " : "", bdi(text)]));
}

/** @param {PastModel} past */
function pool({ pool: held, words }) {
  return held === undefined ? null : el("p", { class: "timeline-pool", "data-held": held.held, "data-testid": "stood-pool" },
    el("strong", {}, words.say("pool.title")), pips(held), el("span", { class: "pool-words" }, words.say("pool.held", { held: held.held, cap: held.cap })));
}

/** @param {PastModel} past */
function waiting(past) {
  const lines = new OpportunitiesView(past, () => {}).lines();
  return lines.length === 0 ? null : el("ul", { class: "bb-standings" }, lines);
}
