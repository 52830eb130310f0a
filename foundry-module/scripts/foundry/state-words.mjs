/** How the line to the bridge is, in words, and what helps next; said to a GM and to a player. */

/** @import { Words } from "../client/words.mjs" */
/** @import { LinkNews } from "./link.mjs" */

/**
 * @param {Words} words
 * @param {LinkNews} now
 * @param {boolean} isGM
 * @returns {{title: string, next: string, tone: "good" | "busy" | "bad"}}
 */
export function stateWords(words, now, isGM) {
  const who = isGM ? "gm" : "player";
  const title = words.has(`foundry.state.${now.state}`) ? words.say(`foundry.state.${now.state}`) : words.say(`connection.${now.state}`);
  const tone = now.state === "live" ? "good" : ["connecting", "resuming", "waiting", "idle"].includes(now.state) ? "busy" : "bad";
  const keys = [
    now.state === "refused" ? `foundry.next.refused.${now.code ?? 0}.${who}` : "",
    now.why === undefined ? "" : `foundry.next.${now.state}.${now.why}.${who}`,
    `foundry.next.${now.state}.any.${who}`,
  ];
  const key = keys.find((each) => each !== "" && words.has(each));
  const next = key === undefined ? "" : words.say(key, { title: now.why ?? "" });
  return { title, next, tone };
}
