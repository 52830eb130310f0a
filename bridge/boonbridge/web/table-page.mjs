/** The page of a table: header, roll panel, log, and who is here; side by side where there is room, tabs where not. */

/** @import { BridgeClient } from "../client/bridge-client.mjs" */
/** @import { Words } from "../client/words.mjs" */

import { el } from "../cards/dom.mjs";
import { glyph } from "../cards/glyphs.mjs";
import { actorDialog } from "./actor-dialog.mjs";
import { assistDialog, conditionDialog, grantDialog } from "./actor-dialogs.mjs";
import { Asking } from "./asking.mjs";
import { correctionDialog } from "./correction-dialog.mjs";
import { confirm, openDialog } from "./dialogs.mjs";
import { deviceDialog, inviteDialog, peopleDialog } from "./invite-dialog.mjs";
import { LogView } from "./log-view.mjs";
import { TableModel } from "../forms/model.mjs";
import { Notices } from "./notices.mjs";
import { optionsDialog, renameDialog, tableDataDialog } from "./options-dialog.mjs";
import { OtherDice } from "./other-dice.mjs";
import { RollPanel } from "../forms/roll-panel.mjs";
import { replayDialog } from "./replay-dialog.mjs";
import { standingActs } from "../forms/standing-acts.mjs";
import { turnActs } from "../forms/turn-acts.mjs";
import { TurnBar } from "../forms/turn-bar.mjs";
import { UnderwayView } from "../forms/underway-view.mjs";
import { useVerb } from "../forms/verbs.mjs";
import { atOnce, keepAtOnce, keepOwnMode, ownMode, setTheme, theme } from "./session.mjs";
import { StatusView } from "./status-view.mjs";
import { TablePanel } from "./table-panel.mjs";

const TABS = /** @type {const} */ (["roll", "log", "table"]);
const THEMES = /** @type {const} */ (["auto", "light", "dark"]);
/** Where the tabs of web.css stand in for columns. */
const NARROW = matchMedia("(max-width: 799px)");

export class TablePage {
  /** @type {RollPanel | null} */
  #roll = null;
  /** @type {OtherDice | null} */
  #dice = null;
  /** @type {LogView | null} */
  #log = null;
  /** @type {TablePanel | null} */
  #panel = null;
  #fresh = true;
  #names = "";
  #role = "";

  /**
   * @param {BridgeClient} client
   * @param {Words} words
   * @param {{leave: () => void, seen: () => void}} does
   */
  constructor(client, words, { leave, seen }) {
    this.model = new TableModel(client, words);
    this.model.habit = {
      mode: ownMode,
      keep: (mode) => {
        keepOwnMode(mode);
        this.#roll?.update();
        this.#dice?.update();
      },
      said: "mode.why.kept",
      stub: false,
    };
    this.model.pace = { atOnce, keep: keepAtOnce };
    this.notices = new Notices(words);
    this.status = new StatusView(this.model, { leave });
    this.leave = leave;
    const turns = turnActs(this.model, this.notices.tell, (text, yes) => {
      const asked = this.model.words;
      confirm(asked, { title: asked.say("turn.endTitle"), text, label: asked.say("turn.endAnyway"), act: yes });
    });
    this.turns = { ...turns, endCombat: () => this.#endCombat(turns.endCombat) };
    this.turnBar = new TurnBar(this.model, { endRound: () => void this.turns.endRound(), endCombat: () => this.turns.endCombat() });
    this.asking = new Asking(this.model, this.notices);
    this.underway = new UnderwayView(this.model, {
      tell: this.notices.tell,
      choose: (actor, on) => assistDialog(this.model, this.notices, actor, on),
      check: (helper, check, to) => {
        this.#show("roll");
        this.#roll?.begin(helper.id, check, { to: to.id });
      },
    });
    this.title = el("h1", {}, "Boonbridge");
    this.game = el("p", { class: "quiet-text", "data-testid": "game" });
    this.main = el("main", { class: "columns" }, el("p", { class: "opening" }, words.say("connection.connecting")));
    this.tabs = el("nav", { class: "tabs", "aria-label": words.say("tabs.title"), hidden: true });
    const head = el(
      "div",
      { class: "head" },
      el("header", { class: "top" }, el("div", { class: "top-title" }, this.title, this.game), this.status.sign, this.#themeButton(words), this.#leaveButton(words)),
      this.status.band,
      this.status.memory,
      this.turnBar.root,
      this.asking.asks.root,
      this.asking.prompts.root,
      this.underway.root,
    );
    // What sticks below it leaves as much room as it takes, with and without a band.
    new ResizeObserver(() => document.documentElement.style.setProperty("--head", `${head.offsetHeight}px`)).observe(head);
    this.root = el(
      "div",
      { class: "page", "data-tab": "roll", "data-testid": "table-page" },
      head,
      this.main,
      this.tabs,
      this.notices.shelf,
      this.notices.live,
    );
    client.on("connection", (state) => {
      this.status.show(state);
      if (state.state !== "live") return;
      this.#roll?.live();
      this.asking.live();
    });
    client.on("welcome", (welcome) => this.#welcomed(welcome.from === null || welcome.from === undefined));
    client.on("memory", (news) => this.status.remember(news));
    client.on("commit", (commit) => {
      this.#log?.add(commit);
      this.asking.look(this.root);
      seen();
    });
    client.on("entries", (keys) => this.#entries(keys));
    client.on("underway", () => this.underway.draw());
    client.on("seen", ({ request }) => this.#log?.redraw(Number(request)));
    client.on("presence", (people) => {
      this.asking.asks.presence(people);
      this.#panel?.draw();
      // Cards show names, not who is here.
      const names = JSON.stringify(people.map(({ id, name }) => [id, name]));
      if (names !== this.#names) this.#log?.redrawAll();
      this.#names = names;
    });
    this.status.show(client.connection);
  }

  /** @param {boolean} anew */
  #welcomed(anew) {
    const { model } = this;
    model.welcomed();
    const { words, welcome } = model;
    this.#called();
    this.game.replaceChildren(`${welcome.name} (${words.say(`role.${welcome.role}`)}) \u00b7 ${welcome.ruleset.title}`);
    this.root.dataset.role = welcome.role;
    this.root.dataset.ruleset = welcome.ruleset.id;
    if (anew) this.#fresh = true;
    if (this.#role !== "" && this.#role !== welcome.role) {
      this.notices.forget();
      this.notices.show(words.say(`people.nowRole.${welcome.role}`));
    }
    this.#role = welcome.role;
  }

  #called() {
    const { title } = this.model;
    this.title.textContent = title;
    document.title = `${title} \u00b7 Boonbridge`;
  }

  /** @param {string[]} keys empty: everything */
  #entries(keys) {
    this.model.learn();
    if (keys.includes("table")) this.#called();
    if (this.#fresh) this.#build();
    else {
      this.#roll?.update();
      this.#dice?.update();
      this.#panel?.draw();
    }
    this.turnBar.draw();
    this.asking.draw();
    this.underway.draw();
    const model = this.model;
    const checks = keys.filter((key) => key.startsWith("check/"));
    const requests = keys.length === 0 ? model.checks.requests.cards() : keys.filter((key) => key.startsWith("request/")).map((key) => Number(key.slice(8)));
    for (const seq of new Set([...requests, ...checks.flatMap((key) => model.checks.cardsOf(key.slice(6)))])) this.#log?.redraw(seq);
    this.asking.look(this.root);
  }

  #build() {
    this.#fresh = false;
    const { model, notices } = this;
    const { words } = model;
    notices.words = words;
    model.correct = (about) => correctionDialog(model, notices, about);
    model.moment = (seq) => replayDialog(model, seq);
    this.#log = new LogView(model, notices);
    const toLog = () => {
      this.#show("log");
      // With the frame that shows the card: before it, the browser would lay out everything twice.
      requestAnimationFrame(() => scrollTo({ top: 0 }));
    };
    this.#roll = new RollPanel(model, toLog);
    this.#dice = new OtherDice(model, toLog);
    this.#roll.root.append(this.#dice.root);
    this.#panel = new TablePanel(model, {
      ...this.turns,
      standing: standingActs(model, notices.tell, (title, text, label, act) => confirm(words, { title, text, label, act })),
      palette: {
        meet: () => Promise.resolve(null),
        details: (actor) => (model.isGm ? grantDialog : assistDialog)(model, notices, actor),
        sure: (title, text, label, act) => confirm(words, { title, text, label, act }),
        lists: false,
        group: false,
      },
      editActor: (actor) => actorDialog(model, notices, actor),
      give: (actor) => grantDialog(model, notices, actor),
      condition: (actor) => conditionDialog(model, notices, actor),
      help: (actor) => assistDialog(model, notices, actor),
      invite: () => inviteDialog(model, null),
      people: () => peopleDialog(model),
      device: () => deviceDialog(model, { id: model.welcome.user, name: model.welcome.name }),
      options: () => optionsDialog(model, notices),
      data: () => tableDataDialog(model, notices),
      rename: () => renameDialog(model, notices),
      ask: () => this.asking.open(),
      startSession: () => this.asking.startSession(),
      endSession: () => this.asking.endSession(),
      asks: this.asking.acts,
      tell: notices.tell,
      show: (seq) => {
        this.#show("log");
        void this.#log?.goTo(seq);
      },
      verb: (verb) => void useVerb(model, verb, notices.tell, (body, act) =>
        openDialog(words, { title: verb.label, testid: "verb-dialog", body, done: { label: words.say("verb.do"), act } })),
      roll: (actor) => {
        this.#show("roll");
        this.#roll?.chooseActor(actor);
      },
    });
    this.main.replaceChildren(this.#roll.root, this.#log.root, this.#panel.root);
    this.tabs.hidden = false;
    this.tabs.replaceChildren(...TABS.map((tab) => el(
      "button",
      { type: "button", class: "tab", "data-tab": tab, "data-testid": `tab-${tab}`, onclick: () => this.#show(tab) },
      glyph(tab === "roll" ? "dice" : tab === "log" ? "list" : "people"),
      words.say(`tabs.${tab}`),
    )));
    this.#show(this.root.dataset.tab ?? "roll", false);
    // The line is not live yet; the newest page is asked for as soon as it is.
    const stop = model.client.on("connection", (state) => {
      if (state.state !== "live") return;
      stop();
      void this.#log?.older();
    });
  }

  /**
   * @param {string} tab
   * @param {boolean} [toTop]
   */
  #show(tab, toTop = true) {
    this.root.dataset.tab = tab;
    for (const button of this.tabs.children) {
      if (button.getAttribute("data-tab") === tab) button.setAttribute("aria-current", "page");
      else button.removeAttribute("aria-current");
    }
    if (toTop && NARROW.matches) scrollTo({ top: 0 });
  }

  /**
   * It cannot be taken back, and stands beside what is clicked every round.
   *
   * @param {() => Promise<void>} end
   */
  #endCombat(end) {
    const { words } = this.model;
    const label = words.say("turn.endCombat");
    confirm(words, {
      title: label,
      text: words.say("turn.endCombatText"),
      label,
      act: async () => {
        await end();
        return null;
      },
    });
  }

  /** @param {Words} words */
  #themeButton(words) {
    const button = el("button", { type: "button", class: "icon-button", "data-testid": "theme" });
    const draw = () => {
      const now = theme();
      const label = words.say("theme.button", { theme: words.say(`theme.${now}`) });
      button.replaceChildren(glyph(now === "auto" ? "auto" : now === "light" ? "sun" : "moon"));
      button.setAttribute("aria-label", label);
      button.title = label;
    };
    button.addEventListener("click", () => {
      setTheme(THEMES[(THEMES.indexOf(theme()) + 1) % THEMES.length]);
      draw();
    });
    draw();
    return button;
  }

  /** @param {Words} words */
  #leaveButton(words) {
    const label = words.say("page.leave");
    return el("button", { type: "button", class: "icon-button", "aria-label": label, title: label, "data-testid": "leave", onclick: () => this.leave() }, glyph("leave"));
  }
}
