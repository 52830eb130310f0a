/** A code that was made: to be typed, to be opened as a link, to be scanned. It is shown once and kept nowhere. */

/** @import { CodeMade } from "../client/types.mjs" */
/** @import { Words } from "../client/words.mjs" */

import { isLoopback } from "../client/address.mjs";
import { el } from "../cards/dom.mjs";
import { button } from "./parts.mjs";
import { qrCode } from "./qr.mjs";
import { countdown, leftWords } from "./time-words.mjs";

/** What is typed is good for so long, by this page's own clock since it came. */
const TYPED_MS = 10 * 60_000;
const TICK_MS = 1_000;

/**
 * A link with its picture, and a button that copies it.
 *
 * @param {Words} words
 * @param {CodeMade} made
 * @param {string} said
 */
export function linkBlock(words, { link, qr = [], expiresAt }, said) {
  const address = link ?? "";
  const text = el("textarea", { class: "link-text", readonly: true, rows: 2, "aria-label": words.say("invite.link"), "data-testid": "invite-link", onfocus: () => text.select() }, address);
  const told = el("p", { class: "help", role: "status" });
  const copy = button(words.say("invite.copy"), async () => {
    text.select();
    // A plain-http page has no clipboard of the newer kind; what is selected can still be copied.
    const done = await (navigator.clipboard?.writeText(address).then(() => true, () => false) ?? document.execCommand("copy"));
    told.textContent = words.say(done ? "invite.copied" : "invite.copyByHand");
  }, { "data-primary": true, "data-testid": "copy-link" });
  return {
    copy,
    root: el(
      "div",
      { class: "bb-link-made" },
      qr.length === 0 ? null : qrCode(qr, words.say("invite.qr")),
      el(
        "div",
        { class: "bb-link-words" },
        el("p", {}, said),
        text,
        el("div", { class: "row" }, copy, told),
        el("p", { class: "help" }, words.say("invite.once", { left: leftWords(words, expiresAt, Date.now()) })),
      ),
      isLoopback(new URL(address).hostname) ? el("p", { class: "hint" }, words.say("invite.loopback")) : null,
    ),
  };
}

/**
 * A short code in large letters with its time running.
 *
 * @param {Words} words
 * @param {CodeMade} made
 * @param {() => void} over its time is up
 */
export function typedBlock(words, { code }, over) {
  const until = Date.now() + TYPED_MS;
  const left = el("span", { class: "bb-code-left" });
  const tell = () => {
    left.textContent = words.say("people.code.running", { time: countdown(until - Date.now()) });
  };
  const timer = setInterval(() => {
    if (root.isConnected && Date.now() < until) tell();
    else clearInterval(timer);
    if (root.isConnected && Date.now() >= until) over();
  }, TICK_MS);
  // The parts apart from each other, so that nobody loses his place; whoever copies it gets the gap, and it does no harm.
  const parts = /^[A-Za-z0-9]{8}$/.test(code) ? `${code.slice(0, 4)} ${code.slice(4)}` : code;
  const root = el("div", { class: "bb-code" }, el("output", { class: "bb-code-big", "aria-label": words.say("people.code.spelled", { code: [...code].join(" ") }), "data-testid": "typed-code" }, parts), left);
  tell();
  return root;
}
