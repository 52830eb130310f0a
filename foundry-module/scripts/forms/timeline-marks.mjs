/** What a commit may be found by, in the words of the table: only what its game knows. No elements. */

/** @import { MarkKind } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

const OF_EVERY_GAME = /** @type {const} */ (["request", "evening", "correction", "people"]);

/**
 * @param {TableModel} model
 * @returns {{value: MarkKind | "", label: string}[]}
 */
export function optionsOf({ ruleset, words }) {
  const outcomes = (/** @type {string} */ tone) => ruleset.outcomes.filter((outcome) => outcome.tone === tone).map(({ label }) => label).join(" / ");
  const critical = outcomes("critical");
  const fumble = outcomes("worst");
  const plain = (/** @type {MarkKind} */ value) => ({ value, label: words.say(`replay.mark.${value}`) });
  return [
    { value: "roll", label: words.say("replay.mark.roll") },
    ...(critical === "" ? [] : [{ value: /** @type {const} */ ("critical"), label: critical }]),
    ...(fumble === "" ? [] : [{ value: /** @type {const} */ ("fumble"), label: fumble }]),
    plain("spent"),
    plain("gained"),
    plain("grant"),
    ...OF_EVERY_GAME.map(plain),
    { value: "", label: words.say("replay.mark.any") },
  ];
}
