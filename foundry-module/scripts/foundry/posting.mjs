/**
 * Cards in Foundry's chat. The bridge names one connection for each; this page makes exactly those, and says so. An id
 * that follows from the commit stands behind it as a second net: flags anybody can copy, and a copy is no card.
 */

/** @import { Logged, Post } from "../client/types.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */
/** @import { Mark } from "./marks.mjs" */
/** @import { Mode } from "./news.mjs" */

import { NoAnswer } from "../client/asker.mjs";
import { announcementOf } from "../cards/card.mjs";
import { storyOf } from "../cards/story.mjs";
import { foundryActor } from "./actors.mjs";
import { createMessage, rollOf } from "./compat.mjs";
import { link } from "./link.mjs";
import { liesStill } from "./marks.mjs";
import { messageId } from "./message-id.mjs";
import { modeOfCommit, publicPart } from "./news.mjs";
import { addedDice, formulaData, rollData } from "./roll-data.mjs";
import { ID } from "./settings.mjs";
import { storedAway, storedCard, storedStub } from "./stored-card.mjs";
import { learnChecksOf, past, publicView, wordsOf } from "./view.mjs";

/** @typedef {import("./compat.mjs").Loose} Loose */

/** Older than that, nobody expects dice to fall for it. */
const LATE_MS = 20_000;
const MOST_LINES = 40;

/** Posts come one after the other, as the log has them. */
let queue = Promise.resolve();

/** @param {Post} post */
export function takePost(post) {
  queue = queue.then(() => answer(post)).catch((error) => {
    // No answer: the bridge asks another page in a moment.
    if (!(error instanceof NoAnswer)) console.warn("Boonbridge: a card was not posted", error);
  });
}

/** @param {Post} post */
async function answer(post) {
  const { model } = link;
  if (model === null || link.client === null) return;
  const cards = post.cards ?? [];
  /** @type {string | null} */
  let last = null;
  if (cards.length === 0 && post.count > 0) last = await postAway(model, post);
  for (const seq of cards) {
    const commit = await past.get(model, seq);
    if (commit !== null) last = (await postCard(model, commit)) ?? last;
  }
  link.client?.posted(post, last);
}

/**
 * @param {Mark} mark
 * @param {object} data
 * @returns {Promise<string>} the id of the message that shows this
 */
async function create(mark, data) {
  const id = messageId(mark.table, mark.epoch, mark.to === undefined ? mark.seq : `${mark.seq}-${mark.to}`);
  const isThere = () => game.messages?.get(id) !== undefined;
  if (isThere()) return id;
  try {
    await createMessage({ _id: id, author: game.user?.id, flags: flagsOf(mark), ...data });
  } catch (error) {
    // Somebody else was quicker: what counts is that it is there.
    if (!isThere()) throw error;
  }
  return id;
}

/**
 * @param {TableModel} model
 * @param {number} seq
 * @returns {Mark}
 */
const markFor = (model, seq) => ({ table: model.welcome.table, epoch: model.client.position?.epoch ?? model.welcome.epoch, seq, words: wordsOf(model) });

/** @param {Mark} mark */
const flagsOf = (mark) => ({ [ID]: mark, ...(liesStill(mark) && { "dice-so-nice": { skip: true } }) });

/**
 * @param {TableModel} model
 * @param {Logged} commit
 * @returns {Promise<string | null>} the message's id; null where this commit leaves nothing in chat
 */
async function postCard(model, commit) {
  await learnChecksOf(model, commit);
  const mode = modeOf(model, commit);
  if (mode === "secret") return null;
  const late = link.ageOf(commit.seq) > LATE_MS;
  const mark = { ...markFor(model, commit.seq), ...(late && { late }) };
  if (mode !== "public") {
    const content = storedStub(model.words, commit.seq);
    return create({ ...mark, stub: true }, { content, whisper: readersOf(mode, commit.by), speaker: nobody() });
  }
  const shown = publicPart(commit);
  const content = storedCard(publicView(model), shown);
  if (content === "") return null;
  const rolls = rollsOf(model, shown);
  // Dice that fell on a real table do not fall again.
  const byHand = rolls.length > 0 && rolls.every((roll) => roll.byHand);
  return create({ ...mark, ...(byHand && { byHand }) }, {
    content,
    rolls: rolls.map(({ data }) => rollOf(data)),
    speaker: speakerOf(shown),
    ...(rolls.length > 0 && !late && !byHand && { sound: CONFIG.sounds?.dice }),
  });
}

/**
 * @param {TableModel} model
 * @param {Logged} commit
 */
function modeOf(model, commit) {
  /** @param {string} check @returns {Mode | undefined} */
  const ofCheck = (check) => {
    // What was shown to everybody is open from then on, however it was rolled; what was done to it before is not.
    const shown = model.checks.corrections.revealed(check)?.seq;
    if (shown !== undefined && shown < commit.seq) return "public";
    return model.checks.told(check)?.event.mode ?? model.client.entry(`check/${check}`)?.mode;
  };
  return modeOfCommit(commit, (chosen) => ofCheck(chosen.check), (request) => modeAsked(model, request), ofCheck);
}

/**
 * @param {TableModel} model
 * @param {string} request
 * @returns {Mode | undefined}
 */
const modeAsked = (model, request) => model.client.entry(`request/${request}`)?.mode ?? model.checks.requests.record(request)?.mode;

/**
 * Everything that was rolled in a commit, as far as this page may read it.
 *
 * @param {TableModel} model
 * @param {Logged} commit
 * @returns {{data: import("./roll-data.mjs").RollData, byHand: boolean}[]}
 */
export function rollsOf(model, commit) {
  const { roles } = model.ruleset;
  const signOf = (/** @type {{role: string}} */ die) => roles.find((role) => role.key === die.role)?.sign;
  const story = storyOf(commit);
  const all = [
    ...story.checks.map(({ event, result }) => ({ data: rollData(result, signOf), byHand: event.rolled.manual === true })),
    ...story.later.map(({ result, drawn = 0, manual = false }) => ({ data: result && drawn > 0 ? addedDice(result.dice.slice(-drawn)) : null, byHand: manual })),
    ...story.dice.map((event) => ({ data: formulaData(event), byHand: event.manual === true })),
  ];
  return all.flatMap(({ data, byHand }) => (data === null ? [] : [{ data, byHand }]));
}

const nobody = () => ({ scene: null, actor: null, token: null, alias: "" });

/** @param {Logged} commit */
export function speakerOf(commit) {
  const { checks, dice } = storyOf(commit);
  const rolled = [
    ...checks.map(({ event }) => ({ actor: event.rolled.actor, name: event.rolled.name })),
    ...dice.map(({ actor, name = "" }) => ({ actor: actor ?? "", name })),
  ];
  const [first, ...others] = rolled;
  if (first === undefined || others.some(({ actor }) => actor !== first.actor)) return nobody();
  const actor = foundryActor(first.actor);
  const { token } = actor ?? {};
  return {
    scene: token?.parent?.id ?? null,
    actor: (token ? token.actorId : actor?.id) ?? null,
    token: token?.id ?? null,
    alias: first.name,
  };
}

/**
 * Who finds the stub in his log. Its content is the same nothing for all of them.
 *
 * @param {Mode} mode
 * @param {string | null | undefined} by
 * @returns {string[]}
 */
function readersOf(mode, by) {
  const users = [...(game.users ?? [])];
  const mine = by === link.client?.welcome?.user ? game.user?.id : by;
  const roller = users.some((user) => user.id === mine) ? [String(mine)] : [];
  const gms = mode === "self" ? [] : users.filter((user) => user.isGM).map((user) => String(user.id));
  return [...new Set([...gms, ...roller, ...(gms.length + roller.length === 0 ? [String(game.user?.id)] : [])])];
}

/**
 * Too many to show each: one card says what happened while nobody was here to show it.
 *
 * @param {TableModel} model
 * @param {Post} post
 */
async function postAway(model, post) {
  /** @type {string[]} */
  const lines = [];
  const context = publicView(model);
  let more = false;
  for (let after = post.from - 1; after < post.to && !more;) {
    const page = await model.client.history.past(after, 100);
    for (const commit of page.commits) {
      after = commit.seq;
      if (commit.t !== "logged" || commit.seq > post.to) continue;
      model.checks.take(commit);
      if (modeOf(model, commit) !== "public") continue;
      const text = announcementOf(context, publicPart(commit));
      more = text !== "" && lines.length === MOST_LINES;
      if (more) break;
      if (text !== "") lines.push(`#${commit.seq} ${text}`);
    }
    if (page.commits.length === 0) break;
  }
  const mark = { ...markFor(model, post.from), to: post.to, late: true };
  return create(mark, { content: storedAway(model.words, lines, post.from, post.to, more), speaker: nobody() });
}
