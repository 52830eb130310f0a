/** How the line is, who is here, and what helps; and a small button that says so all the time. */

import { el } from "../cards/dom.mjs";
import { peopleList } from "../forms/person-line.mjs";
import { diceLine } from "../forms/table-name.mjs";
import { on } from "./compat.mjs";
import { ask, letIn, waitingPeople } from "./joining.mjs";
import { link, moduleVersion } from "./link.mjs";
import { openLog } from "./log-window.mjs";
import { openSetup } from "./setup-window.mjs";
import { stateWords } from "./state-words.mjs";
import { Listening, iconButton, openWindow } from "./windows.mjs";

const TONES = { good: "circle-check", busy: "hourglass-half", bad: "triangle-exclamation" };
const WINDOW = "boonbridge-connection";

/** @returns {string | null} which side is to be updated, in a sentence */
export function updateWords() {
  const welcome = link.client?.welcome;
  if (!welcome) return null;
  const values = { bridge: welcome.bridge, module: moduleVersion() };
  if (welcome.update === "client") return link.words.say("foundry.update.module", values);
  if (welcome.update === "bridge" || !(welcome.features ?? []).includes("post")) return link.words.say("foundry.update.bridge", values);
  return null;
}

class ConnectionContent {
  #listening = new Listening();
  #timer = 0;

  /** @param {{again: () => void, close: () => void}} handle */
  constructor(handle) {
    this.handle = handle;
    this.#listening.until(link.on("state", handle.again));
    this.#listening.until(link.on("entries", (keys) => keys.includes("table") && handle.again()));
  }

  closed() {
    this.#listening.stop();
    window.clearInterval(this.#timer);
  }

  build() {
    window.clearInterval(this.#timer);
    const { words, now, model } = link;
    const isGM = game.user?.isGM === true;
    const { title, next, tone } = stateWords(words, now, isGM);
    const update = updateWords();
    const countdown = el("span", { class: "help" });
    if (now.state === "away" && now.retryAt !== undefined) {
      const { retryAt } = now;
      const tick = () => {
        const seconds = Math.ceil((retryAt - Date.now()) / 1000);
        countdown.textContent = seconds > 0 ? words.say("band.next", { seconds }) : words.say("band.trying");
      };
      tick();
      this.#timer = window.setInterval(tick, 1000);
    }
    return el(
      "div",
      { class: "boonbridge-form", "data-testid": "connection-window", "data-state": now.state },
      el("div", { class: "state-line", "data-tone": tone }, el("i", { class: `fa-solid fa-${TONES[tone]}`, "aria-hidden": "true" }), el("strong", {}, title), countdown),
      next === "" ? null : el("p", {}, next),
      update === null ? null : el("p", { class: "hint", "data-testid": "update" }, update),
      model === null ? null : el("p", { class: "help" }, words.say("foundry.connection.table", { title: model.title, game: model.ruleset.title })),
      model === null ? null : diceLine(model),
      this.#people(),
      el("div", { class: "boonbridge-buttons" }, this.#buttons(isGM)),
    );
  }

  #people() {
    const { words, model } = link;
    if (model === null) return null;
    const waiting = [...waitingPeople.keys()].map((id) => game.users?.get(id)).filter((user) => user !== undefined);
    return [
      peopleList(model),
      waiting.length === 0 ? null : el("ul", { class: "people-waiting" }, waiting.map((user) => el("li", { class: "hint" }, words.say("foundry.connection.barred", { name: user.name }),
        iconButton("door-open", words.say("foundry.connection.letIn"), () => void letIn(user.id).then(this.handle.again))))),
    ];
  }

  /** @param {boolean} isGM */
  #buttons(isGM) {
    const { words, now } = link;
    const buttons = [];
    if (now.state === "away") buttons.push(iconButton("rotate", words.say("band.tryNow"), () => link.client?.test(), { "data-testid": "try-now" }));
    if (!isGM && ["waiting", "refused", "unreachable"].includes(now.state)) buttons.push(iconButton("hand", words.say("foundry.connection.ask"), ask, { "data-testid": "ask" }));
    if (link.model !== null) buttons.push(iconButton("book-open", words.say("log.title"), openLog, { "data-testid": "open-log" }));
    if (isGM) buttons.push(iconButton("link", words.say(now.state === "live" ? "foundry.connection.setup" : "foundry.connection.join"), openSetup, { "data-testid": "open-setup" }));
    return buttons;
  }
}

/** @type {{again: () => void} | null} */
let current = null;

export function openConnection() {
  current = openWindow({ id: WINDOW, title: link.words.say("foundry.connection.title"), icon: "satellite-dish", kind: "boonbridge-connection", width: 380 }, (handle) => new ConnectionContent(handle));
}

/** Somebody waits for a GM's word. */
export function tellOfWaiting() {
  ui.notifications?.info(link.words.say("foundry.connection.waits"));
  current?.again();
}

/** The button beside the players; Foundry draws that list anew at will, so it stands before it and not in it. */
export function showIndicator() {
  const button = el("button", { type: "button", id: "boonbridge-state", class: "boonbridge boonbridge-state", onclick: openConnection, "data-testid": "boonbridge-state" });
  const draw = () => {
    const { title, next, tone } = stateWords(link.words, link.now, game.user?.isGM === true);
    button.dataset.state = link.now.state;
    button.dataset.tone = tone;
    button.setAttribute("aria-label", [words(title), next].filter((text) => text !== "").join(". "));
    button.dataset.tooltip = next === "" ? title : next;
    button.replaceChildren(el("i", { class: "fa-solid fa-dice-d20", "aria-hidden": "true" }), el("span", {}, words(title)));
    place();
  };
  const place = () => {
    if (button.isConnected) return;
    const players = document.getElementById("players");
    if (players !== null) players.before(button);
    else (document.getElementById("ui-left") ?? document.getElementById("interface") ?? document.body).append(button);
  };
  const words = (/** @type {string} */ title) => link.words.say("foundry.indicator", { state: title });
  link.on("state", draw);
  on("renderPlayers", place);
  draw();
}
