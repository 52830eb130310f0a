/** For whoever has no token yet: what this is, an invitation that was opened, a code to type, and where a link comes from. */

/** @import { Words } from "../client/words.mjs" */

import { el } from "../cards/dom.mjs";
import { NoAnswer } from "../client/asker.mjs";
import { systemClock } from "../client/clock.mjs";
import { systemRandom } from "../client/ids.mjs";
import { pair } from "../client/pairing.mjs";
import { ownSocketUrl } from "../client/address.mjs";
import { INFO } from "./info.mjs";
import { dieShape } from "../cards/shapes.mjs";
import { button, field } from "../forms/parts.mjs";

/**
 * @typedef {object} StartParts
 * @property {string | null} why what is wrong with the token there was
 * @property {string | null} code one that came with the address
 * @property {(() => void) | null} goOn back to the table that this browser is at already
 * @property {(token: string) => void} paired
 */

/**
 * @param {Words} words
 * @param {StartParts} parts
 */
export function startPage(words, { why, code, goOn, paired }) {
  // Whoever was invited needs nothing else, unless that fails.
  const others = el(
    "div",
    { class: "start-others", hidden: code !== null },
    el("section", { class: code === null ? "panel" : "panel quiet" }, el("h2", {}, words.say("start.codeTitle")), codeForm(words, paired)),
    el("section", { class: "panel quiet" }, el("h2", {}, words.say("start.linkTitle")), el("p", {}, words.say("start.link"))),
  );
  const failed = () => {
    others.hidden = false;
  };
  return el(
    "main",
    { class: "start", "data-testid": "start-page" },
    el(
      "div",
      { class: "start-dice", "aria-hidden": "true" },
      [[8, "7"], [20, "20"], [10, "4"], [12, "12"], [6, "6"]].map(([sides, face]) => dieShape(Number(sides), String(face))),
    ),
    el("h1", {}, "Boonbridge"),
    el("p", { class: "lead" }, words.say("start.lead")),
    why === null ? null : el("p", { class: "trouble", role: "alert", "data-testid": "why" }, why),
    code === null ? null : invited(words, { code, goOn, paired, failed }),
    others,
  );
}

/**
 * @param {string} code
 * @param {string} name
 */
const tokenFor = async (code, name) =>
  (await pair({ url: ownSocketUrl(location.href), WebSocket, clock: systemClock, random: systemRandom, info: INFO }, code, name)).token;

/**
 * @param {Words} words
 * @param {NoAnswer} reason
 */
const whyNot = (words, reason) => (words.has(`start.trouble.${reason.code}`) ? words.say(`start.trouble.${reason.code}`) : words.refusal(reason));

/** A line that says what went wrong. */
function troubleLine() {
  const root = el("p", { class: "trouble", role: "alert", hidden: true, "data-testid": "trouble" });
  return {
    root,
    /** @param {string} text "": nothing */
    say: (text) => {
      root.textContent = text;
      root.hidden = text === "";
    },
  };
}

/**
 * An invitation asks for nothing but a click: a page that is only looked at, by a program that follows links, uses nothing up.
 *
 * @param {Words} words
 * @param {{code: string, goOn: (() => void) | null, paired: (token: string) => void, failed: () => void}} parts
 */
function invited(words, { code, goOn, paired, failed }) {
  const trouble = troubleLine();
  const join = button(words.say("start.join"), async () => {
    trouble.say("");
    join.disabled = true;
    join.textContent = words.say("start.joining");
    try {
      // Whoever made the code said what he is called.
      paired(await tokenFor(code, words.say("somebody")));
    } catch (reason) {
      if (!(reason instanceof NoAnswer)) throw reason;
      const key = `start.linkTrouble.${reason.code}`;
      trouble.say(words.has(key) ? words.say(key) : whyNot(words, reason));
      failed();
    } finally {
      join.disabled = false;
      join.textContent = words.say("start.join");
    }
  }, { "data-primary": true, "data-testid": "join" });
  return el(
    "section",
    { class: "panel", "data-testid": "invited" },
    el("h2", {}, words.say("start.invitedTitle")),
    el("p", {}, words.say("start.invited")),
    trouble.root,
    join,
    goOn === null ? null : [el("p", { class: "help" }, words.say("start.againHelp")), button(words.say("start.again"), goOn, { "data-testid": "go-on" })],
  );
}

/**
 * @param {Words} words
 * @param {(token: string) => void} paired
 */
function codeForm(words, paired) {
  const code = el("input", {
    type: "text",
    name: "code",
    required: true,
    maxlength: 20,
    autocomplete: "one-time-code",
    autocapitalize: "characters",
    spellcheck: "false",
    class: "code-input",
    "data-testid": "pairing-code",
  });
  const name = el("input", { type: "text", name: "name", required: true, maxlength: 80, autocomplete: "nickname", "data-testid": "pairing-name" });
  const trouble = troubleLine();
  const submit = el("button", { type: "submit", class: "button", "data-primary": true, "data-testid": "pair" }, words.say("start.pair"));
  return el(
    "form",
    {
      novalidate: true,
      onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        trouble.say("");
        if (code.value.trim() === "" || name.value.trim() === "") {
          trouble.say(words.say(code.value.trim() === "" ? "start.needCode" : "start.needName"));
          (code.value.trim() === "" ? code : name).focus();
          return;
        }
        submit.disabled = true;
        try {
          paired(await tokenFor(code.value.trim(), name.value.trim()));
        } catch (reason) {
          if (!(reason instanceof NoAnswer)) throw reason;
          trouble.say(whyNot(words, reason));
        } finally {
          submit.disabled = false;
        }
      },
    },
    field(words.say("start.code"), code, words.say("start.codeHelp")),
    field(words.say("start.name"), name, words.say("start.nameHelp")),
    trouble.root,
    submit,
  );
}
