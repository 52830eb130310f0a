/**
 * The GM's first minutes: an address and a code, the game that is played, the characters and their numbers, one roll
 * to see that it works. Players need none of this.
 */

/** @import { Paired } from "../client/types.mjs" */

import { invitation, isBlocked, socketUrl } from "../client/address.mjs";
import { NoAnswer } from "../client/asker.mjs";
import { systemClock } from "../client/clock.mjs";
import { systemRandom } from "../client/ids.mjs";
import { pair } from "../client/pairing.mjs";
import { announcementOf } from "../cards/card.mjs";
import { bdi, el } from "../cards/dom.mjs";
import { field } from "../forms/parts.mjs";
import { foundryActor, idOf, nameFor, ownersOf } from "./actors.mjs";
import { link, moduleVersion } from "./link.mjs";
import { numbersOf } from "./numbers-window.mjs";
import { keepOwn, keepWorldTable, own, worldTable } from "./settings.mjs";
import { stateWords } from "./state-words.mjs";
import { publicView } from "./view.mjs";
import { Listening, faIcon, iconButton, openWindow, sure, troubleLine } from "./windows.mjs";

const USUAL = "localhost:30300";
const TEST_CHARACTERS = 12;
const WAIT_MS = 8_000;

class SetupContent {
  #listening = new Listening();
  /** @type {"code" | "table"} */
  #step = "code";

  /** @param {{again: () => void, close: () => void, isOpen: () => boolean}} handle */
  constructor(handle) {
    this.handle = handle;
    this.#step = link.isGm ? "table" : "code";
    this.said = el("p", { class: "help", role: "status", "data-testid": "setup-said" });
    this.#listening.until(link.on("state", ({ state }) => {
      if (state === "live" && this.#step === "code" && link.isGm && !this.busy) {
        this.#step = "table";
        handle.again();
      }
    }));
  }

  busy = false;

  closed() {
    this.#listening.stop();
  }

  build() {
    return this.#step === "code" || link.model === null ? this.#code() : this.#table();
  }

  #code() {
    const { words } = link;
    const address = el("input", {
      type: "text", required: true, spellcheck: "false", autocapitalize: "off", value: own().address ?? worldTable()?.addresses[0] ?? USUAL, "data-testid": "address",
    });
    const code = el("input", {
      type: "text", required: true, maxlength: 300, spellcheck: "false", autocapitalize: "characters", autocomplete: "one-time-code", class: "code-input", "data-testid": "code",
    });
    // A link that somebody sent says both; it may be pasted whole into either.
    const apart = (/** @type {Event} */ event) => {
      const given = invitation(/** @type {HTMLInputElement} */ (event.target).value);
      if (given === null) return;
      address.value = given.page;
      code.value = given.code;
      submit.focus();
    };
    for (const input of [address, code]) input.addEventListener("input", apart);
    const trouble = troubleLine();
    const submit = el("button", { type: "submit", "data-primary": true, "data-testid": "pair" }, faIcon("link"), " ", words.say("foundry.setup.connect"));
    const known = worldTable() === null ? null : stateWords(words, link.now, true);
    return el(
      "form",
      {
        class: "boonbridge-form",
        novalidate: true,
        "data-testid": "setup-code",
        onsubmit: (/** @type {Event} */ event) => {
          event.preventDefault();
          if (submit.disabled) return;
          const wrong = this.#lookAt(address.value, code.value);
          trouble.say(wrong);
          if (wrong !== null) return;
          submit.disabled = true;
          void this.#pair(address.value, code.value.trim()).then((why) => {
            submit.disabled = false;
            trouble.say(why);
          });
        },
      },
      el("p", { class: "lead" }, words.say("foundry.setup.lead")),
      known === null ? null : el("p", { class: "hint" }, el("strong", {}, known.title), " ", known.next),
      field(words.say("foundry.setup.address"), address, words.say("foundry.setup.addressHelp")),
      field(words.say("start.code"), code, words.say("foundry.setup.codeHelp")),
      trouble.root,
      el("footer", { class: "boonbridge-buttons" }, submit),
    );
  }

  /** What can be said before anything is tried. @param {string} address @param {string} code */
  #lookAt(address, code) {
    const { words } = link;
    const socket = socketUrl(address, location);
    if (socket === null) return words.say("foundry.setup.badAddress");
    if (isBlocked(socket, location)) return words.say("foundry.setup.blocked");
    return code.trim() === "" ? words.say("start.needCode") : null;
  }

  /**
   * @param {string} address
   * @param {string} code
   * @returns {Promise<string | null>} what is wrong
   */
  async #pair(address, code) {
    const { words } = link;
    const url = /** @type {string} */ (socketUrl(address, location));
    const info = { name: "Boonbridge for Foundry", version: moduleVersion(), kind: /** @type {const} */ ("foundry") };
    /** @type {Paired} */
    let paired;
    try {
      paired = await pair({ url, WebSocket, clock: systemClock, random: systemRandom, info }, code, nameFor(game.user?.name ?? "GM"));
    } catch (why) {
      if (!(why instanceof NoAnswer)) throw why;
      if (why.code === "away") return words.say("foundry.setup.noAnswer", { address: url });
      return why.code === "rate.limited" ? words.say("start.trouble.rate.limited") : words.refusal(why);
    }
    const before = worldTable();
    if (before !== null && before.id !== paired.table) {
      const yes = await sure(words.say("foundry.other.title"), words.say("foundry.other.moved", { before: before.id, now: paired.table }), words.say("foundry.other.yes"));
      if (!yes) return words.say("foundry.other.no");
    }
    this.busy = true;
    await keepWorldTable({ id: paired.table, addresses: [url] });
    await keepOwn({ token: paired.token, address: url, seen: undefined });
    link.join(paired.token, [url]);
    const live = await liveSoon();
    this.busy = false;
    if (!live) return stateWords(words, link.now, true).next;
    if (before?.id !== paired.table && !(await this.#ours())) {
      await keepOwn({ token: undefined });
      await keepWorldTable(before ?? { id: "", addresses: [] });
      link.leave();
      return words.say("foundry.other.no");
    }
    if (!link.isGm) {
      ui.notifications?.warn(words.say("foundry.setup.notGm", { role: words.say(`role.${paired.role}`) }));
      this.handle.close();
      return null;
    }
    this.#step = "table";
    this.handle.again();
    return null;
  }

  /** A table that another world plays at is joined only on purpose. */
  async #ours() {
    const { model, words } = link;
    const strangers = (model?.actors() ?? []).filter(({ id }) => id.startsWith("Actor.") && foundryActor(id) === null);
    if (model === null || strangers.length === 0) return true;
    const names = strangers.slice(0, 5).map(({ name }) => name).join(", ");
    return sure(words.say("foundry.other.title"), words.say("foundry.other.strangers", { title: model.title, names }), words.say("foundry.other.yes"));
  }

  #table() {
    const model = /** @type {NonNullable<typeof link.model>} */ (link.model);
    const { words, ruleset, welcome } = model;
    const characters = [...(game.actors ?? [])].filter((actor) => ownersOf(actor).length > 0).slice(0, TEST_CHARACTERS);
    const forms = characters.map((actor, index) => {
      const { root, save } = numbersOf(actor);
      const has = (model.actor(idOf(actor))?.numbers?.values ?? []).length > 0;
      const part = el("details", { class: "setup-actor", open: index === 0 && !has, "data-actor": actor.id },
        el("summary", {}, bdi(actor.name), el("span", { class: "bb-tag" }, words.say(has ? "foundry.setup.has" : "foundry.setup.hasNot"))), root);
      return { save, part, actor };
    });
    const trouble = troubleLine();
    const saveAll = iconButton("floppy-disk", words.say("foundry.setup.saveAll"), () => {
      void this.#saveAll(forms).then((wrong) => {
        trouble.say(wrong);
        if (wrong === null) this.said.textContent = words.say("foundry.setup.saved");
      });
    }, { "data-primary": true, "data-testid": "save-characters" });
    const loopback = !(welcome.addresses ?? []).some((address) => !/^(wss?:\/\/)?(localhost|127\.|\[::1\])/.test(address));
    return el(
      "div",
      { class: "boonbridge-form", "data-testid": "setup-table" },
      el("section", {}, el("h3", {}, bdi(model.title)), el("p", {}, el("strong", {}, ruleset.title), " \u2013 ", ruleset.summary)),
      loopback ? el("p", { class: "hint" }, words.say("foundry.setup.loopback")) : null,
      el(
        "section",
        {},
        el("h3", {}, words.say("foundry.setup.characters")),
        forms.length === 0 ? el("p", { class: "help" }, words.say("foundry.setup.noCharacters")) : forms.map(({ part }) => part),
        trouble.root,
        forms.length === 0 ? null : saveAll,
      ),
      el(
        "section",
        {},
        el("h3", {}, words.say("foundry.setup.testTitle")),
        iconButton("dice-d20", words.say("foundry.setup.test"), () => void this.#testRoll(), { "data-testid": "test-roll" }),
        this.said,
      ),
      el("footer", { class: "boonbridge-buttons" }, iconButton("check", words.say("foundry.setup.done"), this.handle.close, { "data-testid": "setup-done" })),
    );
  }

  /** @param {readonly {save: () => Promise<string | null>, part: HTMLDetailsElement, actor: any}[]} forms */
  async #saveAll(forms) {
    for (const { save, part, actor } of forms) {
      const wrong = await save();
      if (wrong !== null) {
        part.setAttribute("open", "");
        return `${actor.name}: ${wrong}`;
      }
    }
    return null;
  }

  /** One roll of nobody, to see the card come. */
  async #testRoll() {
    const { model } = link;
    if (model === null) return;
    const { words } = model;
    const { RollState, FREE } = await import("../forms/roll-state.mjs");
    const state = new RollState(model);
    state.actor = FREE;
    state.free.name = words.say("foundry.setup.tester");
    state.check = model.ruleset.checks.find((check) => check.targets !== "required")?.key ?? "";
    state.settle();
    state.action = words.say("foundry.setup.testAction");
    const outcome = await model.send(state.command());
    const commit = outcome.seq === undefined ? undefined : model.client.commit(outcome.seq);
    this.said.textContent = outcome.ok
      ? words.say("foundry.setup.tested", { told: commit === undefined ? "" : announcementOf(publicView(model), commit) })
      : words.refusal(outcome);
  }
}

/** @returns {Promise<boolean>} whether the line is live before long */
function liveSoon() {
  return new Promise((resolve) => {
    const timer = window.setTimeout(() => end(link.isLive), WAIT_MS);
    const stop = link.on("state", ({ state }) => {
      if (state === "live") end(true);
      else if (state === "refused" || state === "unreachable" || state === "other") end(false);
    });
    /** @param {boolean} live */
    function end(live) {
      window.clearTimeout(timer);
      stop();
      resolve(live);
    }
    if (link.isLive) end(true);
  });
}

export function openSetup() {
  openWindow({ id: "boonbridge-setup", title: link.words.say("foundry.setup.title"), icon: "link", kind: "boonbridge-setup", width: 460 }, (handle) => new SetupContent(handle));
}
