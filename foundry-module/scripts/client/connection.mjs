/**
 * One line to the bridge that comes back by itself.
 *
 *   idle --start--> connecting --welcome--> resuming --caughtUp--> live
 *   connecting, resuming, live --line lost--> away --(back-off)--> connecting
 *   any --close code that no retry can mend--> refused
 *   any --stop--> stopped
 *
 * `resumed()` and `caughtUp()` are told by the owner, who reads the frames.
 */

/** @import { Clock, ConnectionState } from "./types.mjs" */

import { backoff } from "./clock.mjs";

export const SUBPROTOCOL = "boonbridge.v1";

/** Opening, hello and welcome together. */
const HANDSHAKE_MS = 12_000;
const ANSWER_MS = 3_000;
/** Trying again with the same token from the same page changes nothing. */
const FINAL_CODES = new Set([1008, 4401, 4402, 4403, 4404]);
/** The bridge only wants the line to be opened anew. */
const AT_ONCE_CODES = new Set([4408]);

/**
 * @typedef {object} SocketLike
 * @property {number} readyState
 * @property {((event: any) => void) | null} onopen
 * @property {((event: any) => void) | null} onmessage
 * @property {((event: any) => void) | null} onclose
 * @property {((event: any) => void) | null} onerror
 * @property {(data: string) => void} send
 * @property {(code?: number, reason?: string) => void} close
 */

/**
 * @typedef {object} ConnectionParts
 * @property {string} url
 * @property {new (url: string, protocols: string | string[]) => SocketLike} WebSocket
 * @property {Clock} clock
 * @property {() => number} chance a number from 0 to 1, for the jitter
 * @property {() => object} greet the first frame of each connection
 * @property {() => object} poke a cheap frame that is always answered
 * @property {(frame: any) => void} onFrame
 * @property {(state: ConnectionState) => void} onState
 */

export class Connection {
  #parts;
  /** @type {ConnectionState} */
  #state = { state: "idle" };
  /** @type {SocketLike | null} */
  #socket = null;
  #tries = 0;
  /** @type {() => void} */
  #cancelRetry = () => {};
  /** @type {() => void} */
  #cancelHandshake = () => {};
  /** @type {(() => void) | null} */
  #cancelTest = null;
  /** @type {{code: number, reason: string, retryAfterMs?: number | null} | null} */
  #bye = null;

  /** @param {ConnectionParts} parts */
  constructor(parts) {
    this.#parts = parts;
  }

  get state() {
    return this.#state;
  }

  get isLive() {
    return this.#state.state === "live";
  }

  start() {
    if (this.#socket === null) this.#open();
  }

  stop() {
    this.#drop();
    this.#cancelRetry();
    this.#set({ state: "stopped" });
  }

  /** The bridge has said welcome. */
  resumed() {
    this.#cancelHandshake();
    this.#set({ state: "resuming" });
  }

  /** Everything up to now has come. */
  caughtUp() {
    this.#tries = 0;
    this.#set({ state: "live" });
  }

  /** Something is missing: open a new line at once, which resumes where this client stands. Not at once twice. */
  reopen() {
    if (this.#tries > 0) {
      this.#lost(1006, "");
      return;
    }
    this.#drop();
    this.#tries = 1;
    this.#open();
  }

  /** Does anybody still answer? Called after sleep, a tab switch, a change of network. */
  test() {
    const { state } = this.#state;
    if (state === "away") {
      this.#cancelRetry();
      this.#open();
      return;
    }
    if (this.#socket === null || this.#cancelTest !== null || state === "connecting") return;
    this.#cancelTest = this.#parts.clock.after(ANSWER_MS, () => this.reopen());
    if (this.#socket.readyState !== 1) this.reopen();
    else this.send(this.#parts.poke());
  }

  /**
   * @param {object} frame
   * @returns {boolean} whether it went out
   */
  send(frame) {
    if (this.#socket === null || this.#socket.readyState !== 1) return false;
    this.#socket.send(JSON.stringify(frame));
    return true;
  }

  #open() {
    const { WebSocket, url, clock, greet } = this.#parts;
    this.#cancelRetry();
    this.#bye = null;
    this.#set({ state: "connecting" });
    this.#cancelHandshake = clock.after(HANDSHAKE_MS, () => this.#lost(1006, ""));
    let socket;
    try {
      socket = new WebSocket(url, SUBPROTOCOL);
    } catch {
      this.#lost(1006, "");
      return;
    }
    this.#socket = socket;
    socket.onopen = () => this.send(greet());
    socket.onmessage = (event) => this.#read(event.data);
    socket.onclose = (event) => this.#lost(event.code ?? 1006, event.reason ?? "");
    socket.onerror = () => {}; // a close follows, with all there is to know
  }

  /** @param {unknown} data */
  #read(data) {
    this.#cancelTest?.();
    this.#cancelTest = null;
    if (typeof data !== "string") return;
    let frame;
    try {
      frame = JSON.parse(data);
    } catch {
      return;
    }
    if (typeof frame !== "object" || frame === null) return;
    if (frame.t === "bye") this.#bye = frame;
    this.#parts.onFrame(frame);
  }

  /** Leave the socket without waiting for a peer that may no longer be there. */
  #drop() {
    this.#cancelHandshake();
    this.#cancelTest?.();
    this.#cancelTest = null;
    const socket = this.#socket;
    this.#socket = null;
    if (socket === null) return;
    socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null;
    try {
      socket.close(1000);
    } catch {
      // It was not open yet.
    }
  }

  /**
   * @param {number} closeCode
   * @param {string} closeReason
   */
  #lost(closeCode, closeReason) {
    const bye = this.#bye;
    this.#drop();
    const code = bye?.code ?? closeCode;
    const reason = bye?.reason ?? closeReason;
    if (FINAL_CODES.has(code)) {
      this.#set({ state: "refused", code, reason });
      return;
    }
    const { clock, chance } = this.#parts;
    const wait = AT_ONCE_CODES.has(code) && this.#tries === 0 ? 0 : bye?.retryAfterMs ?? backoff(this.#tries, chance());
    this.#tries += 1;
    this.#cancelRetry = clock.after(wait, () => this.#open());
    this.#set({ state: "away", code, reason, retryAt: clock.now() + wait });
  }

  /** @param {ConnectionState} state */
  #set(state) {
    this.#state = this.#tries > 0 ? { ...state, tries: this.#tries } : state;
    this.#parts.onState(this.#state);
  }
}
