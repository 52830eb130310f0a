/** This page's line to the bridge: which address, which token, and what the table is at the moment. */

/** @import { ConnectionState, Post } from "../client/types.mjs" */

import { CheckIndex } from "../cards/check-index.mjs";
import { BridgeClient } from "../client/bridge-client.mjs";
import { Emitter } from "../client/emitter.mjs";
import { reachable, whyNot } from "../client/reachable.mjs";
import { Words } from "../client/words.mjs";
import { TableModel } from "../forms/model.mjs";
import { usualMode } from "./compat.mjs";
import { ID, keepOwn, keepWorldTable, own, worldTable } from "./settings.mjs";
import { pace } from "./switches.mjs";

const SEEN_AFTER_MS = 2_000;
/** How many commits' moments of arrival are remembered. */
const HEARD = 200;
/** As often as an address may fail before another one is tried. */
const PATIENCE = 3;
/** A token of another table is as good as one that was taken back. */
const OTHER_TABLE = 4403;

/**
 * idle: this world has no table yet. waiting: for a GM to hand a token over. unreachable: no address can be tried from
 * this page. other: the table is not this world's. Otherwise as the line itself says.
 *
 * @typedef {ConnectionState["state"] | "waiting" | "unreachable" | "other"} LinkState
 * @typedef {{state: LinkState, why?: string, code?: number, retryAt?: number}} LinkNews
 */

/**
 * @typedef {object} News
 * @property {LinkNews} state
 * @property {string[]} entries
 * @property {import("../client/types.mjs").Commit} commit
 * @property {number[] | null} cards commits whose cards look different now; null: all
 * @property {Post} post
 * @property {readonly import("../client/types.mjs").Person[]} people who is here
 * @property {null} underway others put rolls together, or are done
 * @property {{code: number}} refused this token does not work (any more)
 */

export function moduleVersion() {
  return String(game.modules.get(ID)?.version ?? "0");
}

/** @type {Words | null} */
let plain = null;

/** Sentences of the language file as Foundry loaded it; not before it has. */
export function plainWords() {
  plain ??= new Words((key) => (game.i18n.has(key) ? game.i18n.localize(key) : undefined), null, game.i18n.lang);
  return plain;
}

class Link {
  /** @type {Emitter<News>} */
  #news = new Emitter();
  /** @type {BridgeClient | null} */
  client = null;
  /** @type {TableModel | null} the table, once the bridge has said what is played; kept while the bridge is away */
  model = null;
  /** @type {LinkNews} */
  now = { state: "idle" };
  #token = "";
  /** @type {string[]} */
  #sockets = [];
  #failed = 0;
  #keeping = 0;
  /** @type {Map<number, number>} when a commit came live, by this page's own clock: no other is like it */
  #heard = new Map();

  /**
   * @template {keyof News} Name
   * @param {Name} name
   * @param {(value: News[Name]) => void} listener
   */
  on(name, listener) {
    return this.#news.on(name, listener);
  }

  /**
   * @param {number} seq
   * @returns {number} how long ago a commit came here as it happened; Infinity where it did not
   */
  ageOf(seq) {
    return performance.now() - (this.#heard.get(seq) ?? -Infinity);
  }

  get isLive() {
    return this.now.state === "live";
  }

  get words() {
    return this.model?.words ?? plainWords();
  }

  /** Whether this page acts for the GM at the bridge. */
  get isGm() {
    return this.isLive && this.client?.welcome?.role === "gm";
  }

  /** Begin with what is remembered. */
  start() {
    const { token, address } = own();
    const table = worldTable();
    if (token !== undefined && token !== "") this.join(token, [...(address === undefined ? [] : [address]), ...(table?.addresses ?? [])]);
    else this.say({ state: table === null ? "idle" : "waiting" });
  }

  /**
   * @param {string} token
   * @param {readonly string[]} addresses best first
   */
  join(token, addresses) {
    this.client?.stop();
    this.#token = token;
    this.#sockets = reachable(addresses, location);
    this.#failed = 0;
    const [first] = this.#sockets;
    if (first === undefined) {
      this.say({ state: "unreachable", why: whyNot(addresses, location) });
      return;
    }
    this.#open(first);
  }

  leave() {
    this.client?.stop();
    this.client = null;
    this.model = null;
    this.say({ state: worldTable() === null ? "idle" : "waiting" });
  }

  /** @param {LinkNews} news */
  say(news) {
    this.now = news;
    this.#news.emit("state", news);
  }

  /** @param {string} url */
  #open(url) {
    const client = new BridgeClient({
      url,
      token: this.#token,
      info: { name: "Boonbridge for Foundry", version: moduleVersion(), kind: "foundry" },
      recall: () => own().seen ?? null,
    });
    this.client = client;
    const model = new TableModel(client, plainWords());
    model.habit = { mode: usualMode, keep: null, said: "foundry.mode.asChat", stub: true };
    model.pace = pace;
    const current = () => this.client === client;
    client.on("welcome", (welcome) => {
      const table = worldTable();
      if (table !== null && table.id !== welcome.table) {
        client.stop();
        this.say({ state: "other", why: welcome.title });
        this.#news.emit("refused", { code: OTHER_TABLE });
        return;
      }
      model.welcomed();
      model.learn();
      if (welcome.from === null || welcome.from === undefined) model.checks = new CheckIndex();
      this.model = model;
    });
    client.on("connection", (state) => current() && this.#stateChanged(state, url));
    client.on("commit", (commit) => {
      const changed = model.checks.take(commit);
      if (commit.t === "logged" && commit.catchup !== true) this.#hear(commit.seq);
      this.#news.emit("commit", commit);
      this.#news.emit("cards", [commit.seq, ...changed]);
      this.#remember();
    });
    client.on("entries", (keys) => {
      model.learn();
      this.#news.emit("entries", keys);
      const open = keys.filter((key) => key.startsWith("check/")).flatMap((key) => model.checks.cardsOf(key.slice("check/".length)));
      const asked = keys.filter((key) => key.startsWith("request/")).map((key) => Number(key.slice("request/".length)));
      this.#news.emit("cards", keys.length === 0 ? null : [...open, ...asked]);
    });
    client.on("memory", ({ what, remembered, head }) => {
      ui.notifications?.warn(model.words.say(`memory.${what}`, { seen: remembered.seq, head }), { permanent: true });
    });
    client.on("underway", () => current() && this.#news.emit("underway", null));
    client.on("seen", ({ request }) => this.#news.emit("cards", [Number(request)]));
    client.on("presence", (people) => current() && this.#news.emit("people", people));
    client.on("post", (post) => this.#news.emit("post", post));
    client.on("token", (minted) => {
      this.#token = minted.token;
      void keepOwn({ token: minted.token });
    });
    client.start();
  }

  /**
   * @param {ConnectionState} state
   * @param {string} url
   */
  #stateChanged(state, url) {
    if (this.now.state === "other") return;
    if (state.state === "live") {
      this.#failed = 0;
      void this.#settle(url);
    }
    this.say({ state: state.state, code: state.code, retryAt: state.retryAt });
    if (state.state === "refused") this.#news.emit("refused", { code: state.code ?? 0 });
    if (state.state === "away" && this.client?.welcome === null) {
      this.#failed += 1;
      const next = this.#sockets[(this.#sockets.indexOf(url) + 1) % this.#sockets.length];
      if (next !== url && this.#failed % PATIENCE === 0) {
        this.client.stop();
        this.#open(next);
      }
    }
  }

  /** What worked is remembered here, and by a GM for everybody in this world. @param {string} url */
  async #settle(url) {
    await keepOwn({ address: url });
    const welcome = this.client?.welcome;
    if (!welcome || welcome.role !== "gm" || !game.user?.isGM) return;
    const known = worldTable();
    const addresses = [...new Set([...(welcome.addresses ?? []), url, ...(known?.addresses ?? [])])].slice(0, 16);
    await keepWorldTable({ id: welcome.table, addresses });
  }

  /** @param {number} seq */
  #hear(seq) {
    this.#heard.set(seq, performance.now());
    if (this.#heard.size > HEARD) this.#heard.delete(/** @type {number} */ (this.#heard.keys().next().value));
  }

  #remember() {
    window.clearTimeout(this.#keeping);
    this.#keeping = window.setTimeout(() => {
      const seen = this.client?.position;
      if (seen) void keepOwn({ seen });
    }, SEEN_AFTER_MS);
  }
}

/** The one line of this page. */
export const link = new Link();
