/**
 * *Table*: what belongs to nobody alone. The evening, requests, the Boons of the group, the round and whose turn it is, the
 * public switches and the game's own moves; the house rules, what the table edits of its game, and who is here, each in a
 * tab of its own. It follows the table while it is open.
 */

/** @import { VerbSpec } from "../client/types.mjs" */
/** @import { TableModel } from "../forms/model.mjs" */

import { el } from "../cards/dom.mjs";
import { keepPlace } from "../cards/keep-place.mjs";
import { OpportunitiesView } from "../forms/opportunities-view.mjs";
import { PanelRows } from "../forms/panel-rows.mjs";
import { PanelStory } from "../forms/panel-story.mjs";
import { PoolView } from "../forms/pool-view.mjs";
import { RequestsView } from "../forms/requests-view.mjs";
import { SessionView } from "../forms/session-view.mjs";
import { TurnBar, roundButtons } from "../forms/turn-bar.mjs";
import { useVerb } from "../forms/verbs.mjs";
import { requestDoing } from "./asking.mjs";
import { dataPane, rulesPane } from "./house-panes.mjs";
import { link } from "./link.mjs";
import { openLog } from "./log-window.mjs";
import { openReplay } from "./replay-window.mjs";
import { paletteDoing } from "./palette-doing.mjs";
import { peoplePane } from "./people-pane.mjs";
import { openRename } from "./rename-window.mjs";
import { openRequest } from "./request-window.mjs";
import { openSessionEnd, openSessionStart } from "./session-window.mjs";
import { openStatuses } from "./status-mapping-window.mjs";
import { tabbed } from "./tabs.mjs";
import { isTracked } from "./tracker.mjs";
import { turnsOf } from "./turns.mjs";
import { openVerb } from "./verb-window.mjs";
import { Listening, openWindow, saidLine, stateHint } from "./windows.mjs";

const CALM_MS = 60;

class TableContent {
  #listening = new Listening();
  #later = 0;
  /** @type {TableModel | null} what the parts were made for */
  #model = null;
  #role = "";
  #draw = () => {};
  #tab = "now";

  /** @param {{isOpen: () => boolean}} handle */
  constructor(handle) {
    this.handle = handle;
    this.state = el("div", {});
    this.parts = el("div", { class: "table-parts" });
    this.said = saidLine("table-said");
    this.root = el("div", { class: "table-window", "data-testid": "table-window" }, this.state, this.parts, this.said.root);
    // What was said is about what was there before somebody went on.
    this.parts.addEventListener("input", () => {
      this.said.root.hidden = true;
    });
    this.#listening.until(link.on("entries", () => this.#soon()));
    this.#listening.until(link.on("commit", () => this.#soon()));
    this.#listening.until(link.on("state", () => this.#soon()));
    this.#listening.until(link.on("people", () => this.#soon()));
  }

  build() {
    this.#drawAll();
    return this.root;
  }

  closed() {
    window.clearTimeout(this.#later);
    this.#listening.stop();
  }

  #soon() {
    window.clearTimeout(this.#later);
    this.#later = window.setTimeout(() => this.handle.isOpen() && this.#drawAll(), CALM_MS);
  }

  #drawAll() {
    const { model } = link;
    this.state.replaceChildren(...(model === null || !link.isLive ? [stateHint("table-away")] : []));
    const role = model?.welcome.role ?? "";
    if (model !== this.#model || role !== this.#role) {
      this.#model = model;
      this.#role = role;
      this.#draw = model === null ? () => this.parts.replaceChildren() : this.#partsOf(model);
    }
    this.#draw();
  }

  /** @param {TableModel} model */
  #partsOf(model) {
    const turns = turnsOf(model, this.said.tell);
    const doing = { endRound: () => void turns.endRound(), endCombat: () => void turns.endCombat(), tracked: () => isTracked(model) };
    const bar = new TurnBar(model, doing);
    const pool = new PoolView(model, (verb) => this.#use(model, verb));
    const session = new SessionView(model, { start: openSessionStart, end: openSessionEnd });
    const requests = new RequestsView(model, { ...requestDoing(model, this.said.tell), open: () => openRequest(), show: null });
    const waiting = new OpportunitiesView(model, this.said.tell);
    const rows = new PanelRows(model, { ...paletteDoing, group: false });
    const story = new PanelStory(model);
    const empty = el("p", { class: "help", "data-testid": "table-empty" }, model.words.say("foundry.table.empty"));
    const foot = el("footer", { class: "boonbridge-buttons" });
    const now = el("div", { class: "table-parts" }, pool.root, bar.root, rows.root, story.pool, story.last, requests.root, waiting.root, session.root, empty, foot);
    const { words } = model;
    const rules = rulesPane(model, this.said.tell);
    const data = model.isGm ? dataPane(model, this.said.tell) : null;
    const people = peoplePane(model);
    const tabs = [
      { key: "now", label: words.say("foundry.table.now"), pane: now },
      { key: "rules", label: words.say("options.open"), pane: rules.root },
      ...(data === null ? [] : [{ key: "data", label: words.say("data.open"), pane: data.root }]),
      { key: "people", label: words.say("foundry.table.people"), pane: people.root },
    ];
    this.parts.replaceChildren(tabbed(words.say("tabs.table"), tabs, this.#tab, (key) => {
      this.#tab = key;
      this.said.root.hidden = true;
    }));
    return () => {
      for (const pane of [rules, data, people]) pane?.draw();
      bar.draw();
      pool.draw();
      for (const part of [session, requests, waiting, rows, story]) part.draw();
      empty.hidden = [bar, pool, session, requests, waiting].some((part) => !part.root.hidden);
      keepPlace(foot, () => foot.replaceChildren(...(model.isGm && model.turn === undefined ? roundButtons(model.words, doing) : [])));
    };
  }

  /**
   * @param {TableModel} model
   * @param {VerbSpec} verb
   */
  #use(model, verb) {
    this.said.root.hidden = true;
    void useVerb(model, verb, this.said.tell, (body, send) => openVerb(verb, body, send, {
      done: () => this.said.tell(model.words.say("foundry.table.done", { verb: verb.label })),
      closed: () => /** @type {HTMLElement | null} */ (this.root.querySelector(`[data-verb="${CSS.escape(verb.key)}"]`))?.focus(),
    }));
  }
}

export function openTable() {
  const { words } = link;
  openWindow({
    id: "boonbridge-table",
    title: words.say("tabs.table"),
    icon: "users",
    kind: "boonbridge-table",
    width: 480,
    stays: true,
    controls: [
      { icon: "book-open", label: words.say("log.title"), action: "boonbridgeLog", act: openLog },
      { icon: "clock-rotate-left", label: words.say("replay.open"), action: "boonbridgeReplay", act: () => openReplay() },
      ...(game.user?.isGM ? [{ icon: "pen", label: words.say("tableName.open"), action: "boonbridgeRename", act: openRename }] : []),
      ...(game.user?.isGM ? [{ icon: "icons", label: words.say("foundry.icons.open"), action: "boonbridgeStatuses", act: openStatuses }] : []),
    ],
  }, (handle) => new TableContent(handle));
}
