/** What a correction leaves as it is, and why, in words. */

/** @import { Left } from "../client/types.mjs" */
/** @import { CardContext } from "./context.mjs" */
/** @import { Line } from "./lines.mjs" */

/**
 * @param {CardContext} context
 * @param {Left} left
 * @returns {Line}
 */
export function leftWords(context, { what, key, actor, label, amount = 1, why }) {
  const { words } = context;
  const name = (actor && context.actorName(actor)) || words.say("somebody");
  const resource = words.say(`resource.${key}`, {}, words.say(`resource.${key}.name`, {}, label || key || ""));
  const values = {
    name,
    label: label || (key ?? ""),
    amount,
    condition: what === "condition" && key ? words.condition(key, amount) : "",
    many: what === "resource" ? words.say(`resource.${key}.${amount === 1 ? "one" : "other"}`, { n: amount }, `${amount} ${resource}`) : "",
    why: words.say(`left.why.${why}`, {}, why.replace(/_/g, " ")),
  };
  const known = [`left.${what}.${why}`, `left.${what}.other`].find((each) => words.has(each));
  return { key: known ?? "left.other", values };
}
