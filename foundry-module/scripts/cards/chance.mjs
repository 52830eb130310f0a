/** Exact chances (`n/d`), as percent, as one bar, as a curve of totals. */

/** @import { Odds, RulesetInfo, TotalChance } from "../client/types.mjs" */
/** @import { Words } from "../client/words.mjs" */
/** @import { Tone } from "./shapes.mjs" */

import { el, svg } from "./dom.mjs";
import { toneIcon } from "./shapes.mjs";

const MILLION = 1_000_000n;
/** The share of the bar in which a percentage fits. */
const ROOM = 0.12;

/**
 * A chance as a number from 0 to 1, to six digits.
 *
 * @param {string} chance
 */
export function share(chance) {
  const [n = "0", d = "1"] = chance.split("/");
  const below = BigInt(d);
  return below === 0n ? 0 : Number((BigInt(n) * MILLION) / below) / 1e6;
}

/**
 * Never rounded to something certain that is not.
 *
 * @param {number} part from 0 to 1
 */
export function percent(part) {
  const whole = Math.round(part * 100);
  if (whole <= 0) return part > 0 ? "<\u202f1\u202f%" : "0\u202f%";
  if (whole >= 100) return part < 1 ? ">\u202f99\u202f%" : "100\u202f%";
  return `${whole}\u202f%`;
}

/** @param {string} chance */
export const percentOf = (chance) => {
  const part = share(chance);
  if (part === 0 && !chance.startsWith("0/")) return percent(1e-9);
  return percent(part);
};

/**
 * @param {Odds} odds
 * @returns {{tone: Tone, part: number}[]} what may come, best first; together 1
 */
export function outcomesOf(odds) {
  const [success, critical, worst] = [share(odds.success), share(odds.critical), share(odds.worst)];
  return [
    { tone: "critical", part: critical },
    { tone: "success", part: Math.max(0, success - critical) },
    { tone: "failure", part: Math.max(0, 1 - success - worst) },
    { tone: "worst", part: worst },
  ];
}

/**
 * The game's word for a tone.
 *
 * @param {Words} words
 * @param {RulesetInfo} ruleset
 * @param {Tone} tone
 */
function toneWord(words, ruleset, tone) {
  return ruleset.outcomes.find((outcome) => outcome.tone === tone)?.label ?? words.say(`tone.${tone}`);
}

/**
 * @param {Odds} odds
 * @param {Words} words
 * @param {RulesetInfo} ruleset
 * @param {boolean} [slim] one of many: the legend is only read aloud
 */
export function oddsBar(odds, words, ruleset, slim = false) {
  const shown = outcomesOf(odds).filter(({ part }) => part > 0);
  const bar = el("div", { class: "bb-odds-bar", "aria-hidden": "true" });
  const legend = el("ul", { class: slim ? "bb-odds-legend bb-unseen" : "bb-odds-legend" });
  for (const { tone, part } of shown) {
    const segment = el("span", { class: "bb-odds-part", "data-tone": tone }, part >= ROOM ? percent(part) : "");
    segment.style.setProperty("flex-grow", String(Math.max(part, 0.012)));
    bar.append(segment);
    legend.append(
      el("li", { "data-tone": tone }, toneIcon(tone), `${toneWord(words, ruleset, tone)} `,
        // Said once to the eye: where the bar has no room for it.
        el("span", { class: part >= ROOM ? "bb-unseen" : "" }, percent(part))),
    );
  }
  return el("div", { class: "bb-odds", "data-part": "odds", "data-success": odds.success }, bar, legend);
}

/**
 * Totals and their chances, for viewers who may not know the number to reach.
 *
 * @param {readonly TotalChance[]} curve
 * @param {Words} words
 */
export function totalsCurve(curve, words) {
  const points = curve.map(({ total, chance }) => ({ total, part: share(chance) })).sort((a, b) => a.total - b.total);
  const peak = Math.max(...points.map((point) => point.part), 1e-6);
  const likeliest = points.find((point) => point.part === peak)?.total ?? 0;
  const step = 100 / Math.max(points.length, 1);
  const drawing = svg("svg", { class: "bb-curve-bars", viewBox: "0 0 100 40", preserveAspectRatio: "none", "aria-hidden": "true" });
  let above = 1;
  for (const [index, { total, part }] of points.entries()) {
    const height = Math.max(0.6, (part / peak) * 40);
    const tip = words.say("curve.point", { total, chance: percent(part), atLeast: percent(above) });
    const bar = svg("rect", { x: index * step + step * 0.1, y: 40 - height, width: step * 0.8, height }, svg("title", {}, tip));
    drawing.append(bar);
    above -= part;
  }
  const half = middle(points);
  const first = points[0]?.total ?? 0;
  const last = points[points.length - 1]?.total ?? 0;
  return el(
    "div",
    { class: "bb-curve", "data-part": "curve" },
    drawing,
    el("div", { class: "bb-curve-axis", "aria-hidden": "true" }, el("span", {}, first), el("span", {}, last)),
    el("p", { class: "bb-curve-words" }, words.say("curve.words", { first, last, half, likeliest })),
  );
}

/**
 * The highest total that is reached at least every second time.
 *
 * @param {readonly {total: number, part: number}[]} points
 */
function middle(points) {
  let above = 0;
  for (const { total, part } of [...points].reverse()) {
    above += part;
    if (above >= 0.5) return total;
  }
  return points[0]?.total ?? 0;
}
