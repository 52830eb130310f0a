/**
 * The protocol client: one table of one bridge, as one person. It shows what the server says and folds nothing.
 *
 * News (`client.on(name, listener)`):
 *   connection  ConnectionState             how the line is
 *   welcome     Welcome                     who and what; after a reset everything held is dropped
 *   entries     string[]                    keys of the state that changed ([] after a reset: all of it)
 *   commit      Commit                      the next one of the log
 *   presence    Person[]                    who is here
 *   seen        {request, user}             somebody has a request before his eyes (to GMs)
 *   underway    Underway                    somebody else is putting a roll together, or not any more
 *   token       Minted                      a fresh token of one's own
 *   code        CodeMade                    a code that was asked for here is open
 *   post        {from, to}                  this connection is to post the cards of these commits (clients in Foundry)
 *   memory      {what, remembered, head}    the bridge's log does not fit what this client remembers of it
 */

/** @import { AnswerRequest, Attempt, Clock, CodeMade, CodeWish, Command, Commit, ConnectionState, Foreseen, Minted, Outcome, Person, Position, Post, Previewed, Progress, RandomBytes, RollCheck, Roster, RulesetInfo, SeenBy, Underway, Welcome } from "./types.mjs" */
/** @import { ConnectionParts } from "./connection.mjs" */

import { Asker, NoAnswer } from "./asker.mjs";
import { systemClock } from "./clock.mjs";
import { Composer } from "./composer.mjs";
import { Connection } from "./connection.mjs";
import { Emitter } from "./emitter.mjs";
import { Held } from "./held.mjs";
import { History } from "./history.mjs";
import { newId, systemRandom } from "./ids.mjs";
import { compareWithMemory } from "./ledger.mjs";
import { Outbox } from "./outbox.mjs";
import { Previewer } from "./previewer.mjs";
import { Renewal } from "./renewal.mjs";
import { Replay } from "./replay.mjs";

const FRAME_LIMIT = 16 * 1024;
const LAPSE_SECONDS = 60;

/**
 * @typedef {object} ClientOptions
 * @property {string} url the websocket's address
 * @property {string} token
 * @property {{name: string, version: string, kind: "foundry" | "page" | "cli"}} info
 * @property {string} [table]
 * @property {(table: string) => Position | null} [recall] the last commit an earlier run of this client saw
 * @property {ConnectionParts["WebSocket"]} [WebSocket]
 * @property {Clock} [clock]
 * @property {RandomBytes} [random]
 * @property {number} [keep] how many commits are kept
 */

/**
 * @typedef {object} News
 * @property {ConnectionState} connection
 * @property {Welcome} welcome
 * @property {string[]} entries
 * @property {Commit} commit
 * @property {readonly Person[]} presence
 * @property {SeenBy} seen
 * @property {Underway} underway
 * @property {Minted} token
 * @property {CodeMade} code
 * @property {Post} post
 * @property {{what: "behind" | "other" | "restored", remembered: Position, head: number}} memory
 */

export class BridgeClient extends Held {
  /** @type {Emitter<News>} */
  #news = new Emitter();
  #options;
  #clock;
  #connection;
  #outbox;
  #asker;
  #renewal;
  #composer;
  #token;
  /** @type {Set<string>} requests of which this connection has said that they are seen */
  #saw = new Set();

  /** @type {Welcome | null} who this client is and what is played, once the bridge said so */
  welcome = null;
  /** @type {Position | null} the last commit that was known when this client began */
  remembered = null;

  /** @param {ClientOptions} options */
  constructor(options) {
    super(options.keep);
    const { clock = systemClock, random = systemRandom, WebSocket = /** @type {any} */ (globalThis.WebSocket) } = options;
    this.#options = options;
    this.#clock = clock;
    this.#token = options.token;
    const isLive = () => this.#connection.isLive;
    const send = (/** @type {object} */ frame) => this.#connection.send(frame);
    const makeId = () => newId(random);
    this.#connection = new Connection({
      url: options.url,
      WebSocket,
      clock,
      chance: () => random(new Uint8Array(1))[0] / 255,
      greet: () => this.#hello(),
      poke: () => ({ t: "history", id: makeId(), limit: 1 }),
      onFrame: (frame) => this.#read(frame),
      onState: (state) => this.#stateChanged(state),
    });
    this.#asker = new Asker({ clock, newId: makeId, isLive, send });
    /** What can be read of the log besides what is told. */
    this.history = new History({
      asker: this.#asker,
      ledger: this.ledger,
      remembered: () => this.remembered,
      onOther: (remembered) => {
        this.#news.emit("memory", { what: "other", remembered, head: this.ledger.position?.seq ?? 0 });
      },
    });
    /** How the table stood, and where something is in the log. */
    this.replay = new Replay(this.#asker);
    this.#renewal = new Renewal({
      clock,
      isLive,
      held: () => ({ token: this.#token, expiresAt: this.welcome?.expiresAt ?? Infinity }),
      ask: () => this.#asker.ask({ t: "renew" }),
      keep: (minted) => this.#renewed(minted),
    });
    this.#composer = new Composer({
      clock,
      lapse: () => (this.welcome?.limits.composingSeconds ?? LAPSE_SECONDS) * 1000,
      send: (on) => isLive() && this.can("composing") && send({ t: "composing", on }),
    });
    this.#outbox = new Outbox({
      clock,
      newId: makeId,
      isLive,
      send,
      seen: () => this.ledger.position?.seq ?? 0,
      heard: () => this.ledger.heard,
      frameLimit: () => this.welcome?.limits.frameIn ?? FRAME_LIMIT,
      onSlow: () => this.test(),
    });
  }

  /**
   * @template {keyof News} Name
   * @param {Name} name
   * @param {(value: News[Name]) => void} listener
   */
  on(name, listener) {
    return this.#news.on(name, listener);
  }

  start() {
    this.#connection.start();
  }

  stop() {
    this.#connection.stop();
    this.#asker.disconnected();
  }

  /** After sleep, a tab switch, a change of network: is anybody still there? */
  test() {
    this.#connection.test();
  }

  /** @returns {ConnectionState} */
  get connection() {
    return this.#connection.state;
  }

  /** @returns {RulesetInfo | null} the game as the table has it: an entry of its own where its data were edited since */
  get ruleset() {
    return this.entries.get("ruleset") ?? this.welcome?.ruleset ?? null;
  }

  /** How many commands are unanswered. */
  get unanswered() {
    return this.#outbox.size;
  }

  /**
   * Send a command. It happens once or not at all, and `done` tells which.
   *
   * @param {Command} cmd
   * @param {(progress: Progress) => void} [tell]
   * @returns {{id: string, done: Promise<Outcome>}}
   */
  send(cmd, tell) {
    return this.#outbox.submit(cmd, tell);
  }

  /**
   * Whether this bridge knows a feature that an older one lacks.
   *
   * @param {string} feature
   */
  can(feature) {
    return (this.welcome?.features ?? []).includes(feature);
  }

  /**
   * What a command would come to, without doing it.
   *
   * @param {Command} cmd
   * @returns {Promise<Foreseen | NoAnswer>} the events it would bring, or why it would be refused
   */
  foresee(cmd) {
    return this.#wonder("foresee", { t: "foresee", cmd });
  }

  /**
   * Who may take part, with which devices, and which codes are open; for GMs.
   *
   * @returns {Promise<Roster | NoAnswer>}
   */
  roster() {
    return this.#wonder("people", { t: "people" });
  }

  /**
   * A code that lets somebody in, once. It comes back to this connection alone.
   *
   * @param {CodeWish} wish
   * @returns {Promise<CodeMade | NoAnswer>}
   */
  makeCode(wish) {
    return this.#wonder("people", { t: "makeCode", ...wish });
  }

  /**
   * Take a code back that nobody used yet; for GMs.
   *
   * @param {string} code its id, not the code
   * @returns {Promise<Roster | NoAnswer>}
   */
  dropCode(code) {
    return this.#wonder("people", { t: "dropCode", code });
  }

  /**
   * A question that an older bridge would not understand.
   *
   * @param {string} feature
   * @param {object} frame
   * @returns {Promise<any>} the answer or a `NoAnswer`, and never rejected
   */
  async #wonder(feature, frame) {
    if (!this.can(feature)) return new NoAnswer(this.welcome === null ? "away" : "unsupported");
    try {
      return await this.#asker.ask(frame);
    } catch (why) {
      if (!(why instanceof NoAnswer)) throw why;
      return why;
    }
  }

  /**
   * This person has an open request before his eyes: said once a connection, and not to a bridge that would not know.
   *
   * @param {string} request
   */
  saw(request) {
    if (!this.can("requests") || this.#saw.has(request) || !this.#connection.isLive) return;
    if (this.#connection.send({ t: "saw", request })) this.#saw.add(request);
  }

  /**
   * What this person is putting together in one of his forms, for the others to hear of.
   *
   * @param {object} form
   * @param {Attempt | null} on null: it is over, or not to be told
   * @param {boolean} [touched] he is at it this moment
   */
  compose(form, on, touched) {
    this.#composer.say(form, on, touched);
  }

  /** @param {(answer: Previewed | NoAnswer, check: RollCheck | AnswerRequest) => void} show */
  previewer(show) {
    return new Previewer({ clock: this.#clock, ask: (check) => this.#asker.ask({ t: "preview", check }), show });
  }

  /**
   * The cards that this connection was asked for are there.
   *
   * @param {Post} post
   * @param {string | null} messageId null: there was nothing left to post
   */
  posted({ from, to }, messageId) {
    return this.#connection.send({ t: "posted", from, to, messageId });
  }

  #hello() {
    const { info, table } = this.#options;
    // Before the first `caughtUp` nothing is held that could be continued.
    const last = this.welcome === null ? null : this.ledger.position;
    return {
      t: "hello",
      token: this.#token,
      client: info,
      ...(table !== undefined && { table }),
      ...(last !== null && { last }),
    };
  }

  /** @param {ConnectionState} state */
  #stateChanged(state) {
    if (state.state !== "live" && state.state !== "resuming") this.#asker.disconnected();
    this.#news.emit("connection", state);
    if (state.state === "live") {
      this.#outbox.connected();
      this.#composer.connected();
      void this.#renewal.look();
    }
  }

  /** @param {any} frame */
  #read(frame) {
    switch (frame.t) {
      case "welcome":
        this.#welcomed(frame);
        break;
      case "state":
        this.#gameAgain(this.entries.take(frame.entries));
        break;
      case "logged":
      case "hidden":
        this.#logged(frame);
        break;
      case "caughtUp":
        this.#caughtUp(frame.head);
        break;
      case "ack":
        if (frame.changed !== false) this.#clicked(frame.seq, frame.id);
        this.#outbox.take(frame);
        // A commit is told before it is acknowledged: what is missing here was lost on the way.
        if (frame.seq > (this.ledger.position?.seq ?? 0)) this.#connection.reopen();
        break;
      case "refused":
      case "minted":
      case "page":
      case "asOf":
      case "foreseen":
      case "previewed":
      case "proven":
      case "roster":
      case "codeMade":
        if (!this.#outbox.take(frame)) this.#asker.take(frame);
        if (frame.t === "codeMade") this.#news.emit("code", frame);
        break;
      case "presence":
        this.persons = new Map(frame.users.map((/** @type {Person} */ person) => [person.id, person]));
        this.#news.emit("presence", this.people);
        break;
      case "post":
        this.#news.emit("post", frame);
        break;
      case "seenBy":
        this.seen.set(frame.request, (this.seen.get(frame.request) ?? new Set()).add(frame.user));
        this.#news.emit("seen", frame);
        break;
      case "underway":
        if (frame.on === null) this.attempts.delete(frame.user);
        else this.attempts.set(frame.user, frame.on);
        this.#news.emit("underway", frame);
        break;
      default: // a kind of a later version: nothing this client shows depends on it
    }
  }

  /** @param {Welcome} welcome */
  #welcomed(welcome) {
    if (this.welcome === null && this.ledger.position === null) this.remembered = this.#options.recall?.(welcome.table) ?? null;
    const before = this.ledger.position ?? this.remembered;
    const what = compareWithMemory(before, welcome);
    const anew = welcome.from === null || welcome.from === undefined;
    this.welcome = welcome;
    if (anew) {
      this.entries.clear();
      this.seen.clear();
      this.ledger.reset(welcome);
    } else if (this.ledger.position === null || welcome.from !== this.ledger.position.seq) {
      // The bridge goes on from where this client does not stand: begin anew instead of guessing.
      this.welcome = null;
      this.#connection.reopen();
      return;
    } else {
      this.ledger.resume(welcome);
    }
    this.#saw.clear();
    this.attempts.clear();
    this.#connection.resumed();
    this.#news.emit("welcome", welcome);
    if (what !== null && before !== null) this.#news.emit("memory", { what, remembered: before, head: welcome.head });
  }

  /** @param {Commit} commit */
  #logged(commit) {
    const place = this.ledger.add(commit);
    if (place === "known") return;
    if (place === "gap") {
      this.#connection.reopen();
      return;
    }
    if (commit.t === "logged") this.#clicked(commit.seq, commit.id);
    const keys = commit.t === "logged" ? this.entries.take(commit.changes ?? []) : [];
    for (const event of (commit.t === "logged" && commit.events) || []) {
      if (event.t === "Withdrawn") this.#outbox.withdrawn(event.command);
    }
    this.#news.emit("commit", commit);
    if (keys.length > 0) this.#news.emit("entries", keys);
    this.#gameAgain(keys);
  }

  /**
   * A commit is that of a click on its way, says the log or the answer.
   *
   * @param {number} seq
   * @param {string | null | undefined} id
   */
  #clicked(seq, id) {
    const heard = typeof id === "string" ? this.#outbox.heardAt(id) : undefined;
    if (typeof id === "string" && heard !== undefined) this.ledger.clicked(seq, id, heard);
  }

  /**
   * The table gave up its edited data. Whoever came while they stood was never told the game's own: he asks for it anew.
   *
   * @param {readonly string[]} keys
   */
  #gameAgain(keys) {
    if (keys.includes("ruleset") && this.entries.get("ruleset") === undefined && this.welcome?.ruleset.edited) this.#connection.reopen();
  }

  /** @param {number} head */
  #caughtUp(head) {
    if (this.ledger.position === null || this.ledger.position.seq < head) {
      this.#connection.reopen();
      return;
    }
    this.#news.emit("entries", []);
    this.#connection.caughtUp();
  }

  /** @param {Minted} minted */
  #renewed(minted) {
    this.#token = minted.token;
    if (this.welcome !== null) this.welcome = { ...this.welcome, expiresAt: minted.expiresAt };
    this.#news.emit("token", minted);
  }
}
