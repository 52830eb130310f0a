/** A clock that stands still until it is told to go on, and a socket whose other end is the test. */

export class FakeClock {
  #now = 1_000_000;
  #timers = [];

  now() {
    return this.#now;
  }

  after(ms, then) {
    const timer = { at: this.#now + ms, then };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }

  /** Let time pass, one timer after the other, with everything that promises do in between. */
  async pass(ms) {
    const end = this.#now + ms;
    for (;;) {
      await settle();
      const next = this.#timers.filter((timer) => timer.at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((each) => each !== next);
      this.#now = next.at;
      next.then();
    }
    this.#now = end;
    await settle();
  }
}

/** Let everything that is ready to run do so. */
export const settle = () => new Promise((resolve) => {
  setImmediate(resolve);
});

export class FakeSocket {
  static all = [];
  readyState = 0;
  sent = [];
  closed = false;
  onopen = null;
  onmessage = null;
  onclose = null;
  onerror = null;

  constructor(url, protocols) {
    this.url = url;
    this.protocols = protocols;
    FakeSocket.all.push(this);
  }

  static get last() {
    return FakeSocket.all[FakeSocket.all.length - 1];
  }

  send(text) {
    if (this.readyState !== 1) throw new Error("not open");
    this.sent.push(JSON.parse(text));
  }

  close() {
    this.closed = true;
    this.readyState = 3;
  }

  // --- the other end ---
  open() {
    this.readyState = 1;
    this.onopen?.({});
  }

  say(frame) {
    this.onmessage?.({ data: typeof frame === "string" ? frame : JSON.stringify(frame) });
  }

  breakOff(code = 1006, reason = "") {
    this.readyState = 3;
    this.onclose?.({ code, reason });
  }

  /** Frames of one kind that were sent here. */
  of(kind) {
    return this.sent.filter((frame) => frame.t === kind);
  }
}

/** Bytes that count, so that ids differ and are the same in every run. */
export function countingBytes() {
  let next = 0;
  return (bytes) => {
    for (let index = 0; index < bytes.length; index += 1) bytes[index] = next++ % 251;
    return bytes;
  };
}

export const hash = (n) => n.toString(16).padStart(64, "0");

export const RULESET = {
  id: "toy", title: "Toy", version: 1, summary: "", options: {}, optionSpecs: [], checks: [], numbers: [], outcomes: [], roles: [],
};

export function welcome(head, more = {}) {
  return {
    t: "welcome",
    table: "toy",
    title: "Toy",
    user: "u1",
    name: "Anna",
    role: "player",
    epoch: 1,
    head,
    headHash: hash(head),
    from: null,
    reset: "first",
    ruleset: RULESET,
    limits: { frameIn: 16384 },
    seedHashes: Array.from({ length: 64 }, (_, index) => hash(0xa000 + head + 1 + index)),
    expiresAt: 10 ** 13,
    bridge: "0",
    ...more,
  };
}

export function logged(seq, events = [], more = {}) {
  return { t: "logged", seq, at: 1, hash: hash(seq), seedHash: hash(0xa000 + seq + 64), by: "u1", id: `i${seq}`, events, changes: [], seeds: {}, ...more };
}
