/** What stored cards are made of: text that is never markup, and what stands on cards of every kind. */

/** @import { CardContext } from "../cards/context.mjs" */
/** @import { Logged, Source } from "../client/types.mjs" */

import { percentOf } from "../cards/chance.mjs";
import { MARKS } from "../cards/shapes.mjs";
import { whyWords } from "../cards/sources.mjs";

/** The icons of verdicts as signs. */
export const ICONS = { critical: "\u2726", success: "\u2713", failure: "\u2715", worst: "\u2620", plain: "\u00b7" };

const ENTITIES = new Map([["&", "&amp;"], ["<", "&lt;"], [">", "&gt;"], ['"', "&quot;"], ["'", "&#39;"]]);

/** @param {unknown} text */
export const escape = (text) => String(text).replace(/[&<>"']/g, (sign) => ENTITIES.get(sign) ?? sign);

/** @param {number} value */
export const signed = (value) => (value < 0 ? `\u2212${-value}` : `+${value}`);

/** @param {number} value */
export const numeral = (value) => (value < 0 ? `\u2212${-value}` : String(value));

/**
 * @param {string} name
 * @param {string} kind class beside `bb-`
 * @param {...string} inner markup
 */
export const tag = (name, kind, ...inner) => `<${name} class="bb-${kind}">${inner.join("")}</${name}>`;

/**
 * @param {string} title
 * @param {...string} lines
 */
export const headOf = (title, ...lines) =>
  tag("div", "head", `<h3>${escape(title)}</h3>`, ...lines.filter((line) => line !== "").map((line) => `<p>${escape(line)}</p>`));

/**
 * How a roll came about, where that is not how rolls usually do.
 *
 * @param {CardContext} context
 * @param {{manual?: boolean, again?: boolean, auto?: boolean}} rolled
 */
export const tags = ({ words }, { manual = false, again = false, auto = false }) =>
  Object.entries({ manual, again, auto }).filter(([, on]) => on).map(([name]) => ` (${words.say(`tag.${name}`)})`).join("");

/**
 * @param {CardContext} context
 * @param {readonly Source[]} list
 */
export function sources({ words }, list) {
  const shown = list.filter((source) => source.applies !== false);
  if (shown.length === 0) return "";
  return tag("ul", "sources", ...shown.map((source) => {
    const label = `${MARKS[source.sign]} ${source.label}`;
    const by = source.hidden ? ` (${words.say("source.onlyGmsThen")})` : source.byPlayer ? ` (${words.say("source.byPlayer")})` : "";
    return `<li>${source.counted ? escape(label) : `<s>${escape(label)}</s>`}${escape(by)} \u2013 ${escape(whyWords(words, source))}</li>`;
  }));
}

/**
 * @param {CardContext} context
 * @param {Logged} commit
 * @param {string} [chance]
 */
export function foot({ words }, commit, chance) {
  const had = chance === undefined ? "" : `${words.say("foot.chance", { chance: percentOf(chance) })} \u00b7 `;
  return tag("p", "foot", escape(`${had}#${commit.seq}`));
}
