/**
 * The table page. Hooks for tests, stable: `data-testid` on everything a person uses, `data-*` on what changes.
 *
 *   start-page: why, invited (join, go-on, trouble), pairing-code, pairing-name, pair, trouble
 *   table-page [data-tab, data-role, data-ruleset]: game, connection [data-state], band, memory-band, theme, leave,
 *     tab-roll, tab-log, tab-table, notices (undo), announcer, turn-bar [data-round, data-turn] (mark [data-mark,
 *     data-value], end-round, end-combat)
 *     request-prompts (request-prompt [data-request]: prompt-row [data-actor] with answer, decline), session-asks
 *     [data-asks] (new-evening, same-evening, close-evening, not-yet), underway (forms/underway-view.mjs)
 *   roll-panel: actor-picker, check-picker, action, retry (retry-changed, [data-change]), param-KEY, param-KEY-free,
 *     more-params, targets ([data-target]), sources ([data-source]), add-boon, add-bane, palette ([data-circumstance]),
 *     own-reason, add-own, opportunities ([data-opportunity]), spend-before, hand (hand-faces, hand-count), mode, preview [data-state, data-code]
 *     (preview-row, chance, chance-was, net, retry-hint), send-status [data-tone], roll, clear, roll-empty, free (free-name,
 *     free-side, free-KEY)
 *   other-dice: dice-formula, dice-label, dice-damage, dice-who, dice-mode, dice-faces, roll-dice, dice-status
 *   log-view: look-back, log (log-item [data-seq]), log-empty, older, jump; the cards' own hooks are in cards/card.mjs
 *   table-panel: session [data-number, data-running] (start-session, end-session), requests (ask-check, open-request
 *     [data-request]: forms/requests-view.mjs), waiting (opportunity, resistance), pool [data-held] ([data-verb]), actors (actor [data-actor, data-turn], give, help, actor-menu:
 *     condition-for, start-turn, end-turn, edit-actor; what stands on an actor: forms/standing.mjs; new-actor,
 *     end-round, end-combat), actors-empty, people ([data-user, data-online], invite, manage-people, own-device), options
 *   dialogs: actor-dialog (actor-name, actor-side, actor-owners, numbers, number-KEY, group-KEY, add-KEY, attacks,
 *     add-attack, attack, attack-name, remove-actor), grant-dialog (forms/grant-form.mjs), condition-dialog
 *     (forms/condition-form.mjs), assist-dialog (forms/assist-form.mjs), options-dialog (option-KEY), invite-dialog
 *     (invite-name, invite-role, invite-hours), link-dialog (invite-link, copy-link, qr), people-dialog (forms/people-view.mjs),
 *     device-dialog (forms/device-form.mjs), verb-dialog, confirm; each with a submit button and trouble; replay-dialog
 *     (forms/timeline.mjs)
 */

import { ownSocketUrl } from "../client/address.mjs";
import { BridgeClient } from "../client/bridge-client.mjs";
import { Words, dictionaryLookup } from "../client/words.mjs";
import { INFO } from "./info.mjs";
import { forgetToken, keepSeen, keepToken, lastSeen, showTheme, takeCode, takeToken } from "./session.mjs";
import { startPage } from "./start-page.mjs";
import { TablePage } from "./table-page.mjs";

const SEEN_AFTER_MS = 1_000;
const REFUSED_TOKEN = new Set([4401, 4402, 4403]);

const app = /** @type {HTMLElement} */ (document.getElementById("app"));
/** @type {BridgeClient | null} */
let current = null;

/**
 * @param {Words} words
 * @param {string | null} why
 * @param {string | null} [code] one that came with the address
 */
function begin(words, why, code = null) {
  current?.stop();
  current = null;
  document.title = "Boonbridge";
  closeDialogs();
  const held = code === null ? null : takeToken();
  app.replaceChildren(startPage(words, {
    why,
    code,
    goOn: held === null ? null : () => join(words, held),
    paired: (token) => {
      keepToken(token);
      join(words, token);
    },
  }));
  app.removeAttribute("aria-busy");
}

/**
 * @param {Words} words
 * @param {string} token
 */
function join(words, token) {
  const client = new BridgeClient({ url: ownSocketUrl(location.href), token, info: INFO, recall: lastSeen });
  current = client;
  let keeping = 0;
  const seen = () => {
    clearTimeout(keeping);
    keeping = window.setTimeout(() => {
      if (client.position !== null && client.welcome !== null) keepSeen(client.welcome.table, client.position);
    }, SEEN_AFTER_MS);
  };
  const page = new TablePage(client, words, {
    seen,
    leave: () => {
      forgetToken();
      begin(words, null);
    },
  });
  client.on("token", (minted) => keepToken(minted.token));
  client.on("welcome", seen);
  client.on("connection", ({ state, code = 0, reason }) => {
    // A token that never worked here says nothing about a table; the start page knows the next step.
    if (state === "refused" && REFUSED_TOKEN.has(code) && client.welcome === null) {
      forgetToken();
      begin(words, words.say(`close.${code}`, {}, reason));
    }
  });
  app.replaceChildren(page.root);
  app.removeAttribute("aria-busy");
  client.start();
}

/** What was open belongs to a table that this page leaves. */
function closeDialogs() {
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
}

async function main() {
  showTheme();
  const code = takeCode();
  const response = await fetch("lang/en.json");
  const words = new Words(dictionaryLookup(await response.json()));
  addEventListener("online", () => current?.test());
  addEventListener("pageshow", (event) => event.persisted && current?.test());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && current?.test());
  /** @type {EventTarget | undefined} */ (Reflect.get(navigator, "connection"))?.addEventListener("change", () => current?.test());
  addEventListener("hashchange", () => {
    const invited = takeCode();
    if (invited !== null) {
      open(words, invited);
      return;
    }
    const given = location.hash.includes("token=") ? takeToken() : null;
    if (given !== null) join(words, given);
  });
  if (code !== null) open(words, code);
  else {
    const token = takeToken();
    if (token === null) begin(words, null);
    else join(words, token);
  }
}

/**
 * A link with a code was opened.
 *
 * @param {Words} words
 * @param {string} code "": it is not whole
 */
function open(words, code) {
  if (code === "") begin(words, words.say("start.linkTrouble.auth.code_wrong"));
  else begin(words, null, code);
}

await main();
