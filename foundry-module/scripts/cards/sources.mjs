/** Every Boon and Bane that was looked at, and what became of it. */

/** @import { Source } from "../client/types.mjs" */
/** @import { Words } from "../client/words.mjs" */

import { bdi, el } from "./dom.mjs";
import { MARKS, unseenIcon } from "./shapes.mjs";

const SHOWN = 6;

/**
 * @param {Words} words
 * @param {Source} source
 */
export function whyWords(words, source) {
  const why = words.why(source.why);
  return source.amount > 1 && source.counted ? words.say("source.times", { why, amount: source.amount }) : why;
}

/**
 * The mark of what only GMs know: a picture and words, so that neither colour nor eyesight decides.
 *
 * @param {Words} words
 * @param {"source.onlyGms" | "source.onlyGmsThen"} [key] as it is now, or as it was when the dice fell
 */
export const onlyGms = (words, key = "source.onlyGms") => el("span", { class: "bb-tag bb-only-gms", "data-tag": "hidden" }, unseenIcon(), words.say(key));

/**
 * @param {Words} words
 * @param {Source} source
 * @param {"source.onlyGms" | "source.onlyGmsThen"} [known]
 */
export function sourceLine(words, source, known = "source.onlyGms") {
  return el(
    "li",
    {
      class: "bb-source",
      "data-sign": source.sign,
      "data-counted": String(source.counted),
      "data-why": source.why,
      "data-source": source.id,
    },
    el("span", { class: "bb-mark", "aria-hidden": "true" }, MARKS[source.sign]),
    el("span", { class: "bb-unseen" }, `${words.term(source.sign)}: `),
    el("span", { class: "bb-source-label" }, bdi(source.label)),
    source.hidden ? onlyGms(words, known) : null,
    source.byPlayer ? el("span", { class: "bb-tag" }, words.say("source.byPlayer")) : null,
    el("span", { class: "bb-why" }, whyWords(words, source)),
  );
}

/**
 * What touched the roll comes first; what does not concern it at all is left out.
 *
 * @param {Words} words
 * @param {readonly Source[]} sources
 */
export function sourceList(words, sources) {
  const shown = sources.filter((source) => source.applies !== false);
  if (shown.length === 0) return null;
  const lines = shown.map((source) => sourceLine(words, source, "source.onlyGmsThen"));
  const list = el("ul", { class: "bb-sources", "data-part": "sources" }, lines.slice(0, SHOWN));
  if (lines.length <= SHOWN) return list;
  const more = el(
    "button",
    {
      type: "button",
      class: "bb-link",
      onclick: () => {
        more.parentElement?.remove();
        list.append(...lines.slice(SHOWN));
      },
    },
    words.count("source.more", lines.length - SHOWN),
  );
  list.append(el("li", {}, more));
  return list;
}
