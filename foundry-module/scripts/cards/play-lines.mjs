/** Requests, evenings and opportunities as quiet lines. */

/** @import { CardContext } from "./context.mjs" */
/** @import { TableEvent } from "../client/types.mjs" */
/** @import { Line } from "./lines.mjs" */

import { outcomeOf } from "./request-index.mjs";
import { checksLine, listed, outcomeLines } from "./request-words.mjs";
import { opportunityLabel } from "./sentences.mjs";

/**
 * @param {CardContext} context
 * @param {TableEvent} event
 * @param {string} who did it
 * @returns {Line[]}
 */
export function playLines(context, event, who) {
  const { words } = context;
  const { requests } = context.checks;
  const named = (/** @type {string} */ actor) => context.actorName(actor) ?? words.say("somebody");
  switch (event.t) {
    case "CheckRequested": {
      const { request } = event;
      const values = { who, names: listed(request.rows.map((row) => row.name)), checks: checksLine(context, request), action: request.action ?? "" };
      return [{ key: `event.CheckRequested.${request.action ? "action" : "plain"}`, values }];
    }
    case "RequestAnswered":
      // Who reads the roll is told by the roll.
      return event.check ? [] : [{ key: "event.RequestAnswered", values: { name: named(event.actor), seq: event.request } }];
    case "Declined":
      return [{ key: "event.Declined", values: { name: named(event.actor), seq: event.request } }];
    case "RequestExpired":
      return [{ key: "event.RequestExpired", values: { names: listed(event.actors.map(named)), seq: event.request } }];
    case "RequestClosed":
    case "GroupTold":
    case "GroupRecounted": {
      const request = context.request?.(event.request) ?? requests.record(event.request);
      const outcome = outcomeOf(event, 0);
      const told = request === undefined || outcome === null ? [] : outcomeLines(context, request, outcome);
      const closed = event.t === "RequestClosed" && (event.why !== "complete" || outcome === null)
        ? [{ key: `event.RequestClosed.${event.why}`, values: { who, seq: event.request } }]
        : [];
      return [...closed, ...told];
    }
    case "SessionStarted":
      return [{ key: `event.SessionStarted.${event.name ? "named" : "plain"}`, values: { n: event.session, name: event.name ?? "" } }];
    case "SessionEnded":
      return [
        { key: "event.SessionEnded.end", values: { n: event.session } },
        ...(event.xp ?? []).map(({ name, amount, now }) => ({ key: "event.SessionEnded.xp", values: { name, amount, now } })),
        ...((event.checks ?? []).length > 0 ? [{ key: `event.SessionEnded.${event.checks?.length === 1 ? "check" : "checks"}`, values: { n: event.checks?.length } }] : []),
        ...(event.opportunities ?? []).map((id) => ({ key: "event.OpportunityDropped", values: { label: opportunityLabel(context, id) } })),
      ];
    case "SessionContinued":
      return [{ key: "event.SessionContinued", values: { who } }];
    case "UnsettledDropped":
      return [{ key: `event.UnsettledDropped.${event.checks.length === 1 ? "one" : "other"}`, values: { n: event.checks.length } }];
    case "OpportunityUsed":
    case "OpportunityDropped":
      return [{ key: `event.${event.t}`, values: { label: opportunityLabel(context, event.opportunity) } }];
    default: // the difficulties that players may not know stand on the card
      return [];
  }
}
