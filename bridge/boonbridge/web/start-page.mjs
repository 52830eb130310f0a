/** For whoever has no token yet: what this is, a code to type, and where a link comes from. */

/** @import { Words } from "../client/words.mjs" */

import { el } from "../cards/dom.mjs";
import { NoAnswer } from "../client/asker.mjs";
import { systemClock } from "../client/clock.mjs";
import { systemRandom } from "../client/ids.mjs";
import { pair } from "../client/pairing.mjs";
import { ownSocketUrl } from "../client/address.mjs";
import { INFO } from "./info.mjs";
import { dieShape } from "../cards/shapes.mjs";
import { field } from "../forms/parts.mjs";

/**
 * @param {Words} words
 * @param {{why: string | null, paired: (token: string) => void}} parts why: what is wrong with the token there was
 */
export function startPage(words, { why, paired }) {
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
  const trouble = el("p", { class: "trouble", role: "alert", hidden: true, "data-testid": "trouble" });
  const submit = el("button", { type: "submit", class: "button", "data-primary": true, "data-testid": "pair" }, words.say("start.pair"));
  const complain = (/** @type {string} */ text) => {
    trouble.textContent = text;
    trouble.hidden = false;
  };
  const form = el(
    "form",
    {
      novalidate: true,
      onsubmit: async (/** @type {Event} */ event) => {
        event.preventDefault();
        trouble.hidden = true;
        if (code.value.trim() === "" || name.value.trim() === "") {
          complain(words.say(code.value.trim() === "" ? "start.needCode" : "start.needName"));
          (code.value.trim() === "" ? code : name).focus();
          return;
        }
        submit.disabled = true;
        try {
          const parts = { url: ownSocketUrl(location.href), WebSocket, clock: systemClock, random: systemRandom, info: INFO };
          const answer = await pair(parts, code.value.trim(), name.value.trim());
          paired(answer.token);
        } catch (reason) {
          if (!(reason instanceof NoAnswer)) throw reason;
          complain(words.refusal(reason));
        } finally {
          submit.disabled = false;
        }
      },
    },
    field(words.say("start.code"), code, words.say("start.codeHelp")),
    field(words.say("start.name"), name, words.say("start.nameHelp")),
    trouble,
    submit,
  );
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
    el("section", { class: "panel" }, el("h2", {}, words.say("start.codeTitle")), form),
    el(
      "section",
      { class: "panel quiet" },
      el("h2", {}, words.say("start.linkTitle")),
      el("p", {}, words.say("start.link")),
    ),
  );
}
