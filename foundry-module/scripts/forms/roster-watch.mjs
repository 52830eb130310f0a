/**
 * The list of people as GMs get it: asked for while somebody looks at it, and again when something of it changed, but not
 * more often than a person can read.
 */

/** @import { Clock, Roster } from "../client/types.mjs" */
/** @import { TableModel } from "./model.mjs" */

import { NoAnswer } from "../client/asker.mjs";
import { systemClock } from "../client/clock.mjs";

const CALM_MS = 400;
/** Who connects with a second device is no news for others, and times in words go on. */
const OFTEN_MS = 30_000;
const ABOUT_PEOPLE = new Set(["Invited", "AccessRevoked", "RoleSet", "NameErased", "OriginAdded", "OriginRemoved"]);

export class RosterWatch {
  /** @type {Roster | null} */
  roster = null;
  /** @type {NoAnswer | null} why there is none, or no newer one */
  why = null;
  /** @type {(() => void)[]} */
  #stops = [];
  #cancel = () => {};
  #waiting = false;
  #asking = false;
  #again = false;

  /**
   * @param {TableModel} model
   * @param {() => void} changed
   * @param {Clock} [clock]
   */
  constructor(model, changed, clock = systemClock) {
    this.model = model;
    this.changed = changed;
    this.clock = clock;
  }

  /** Somebody looks. */
  start() {
    if (this.#stops.length > 0) return;
    const { client } = this.model;
    this.#stops = [
      client.on("presence", () => this.soon()),
      client.on("code", () => this.soon()),
      client.on("connection", ({ state }) => state === "live" && this.soon()),
      client.on("commit", (commit) => {
        if (commit.t === "logged" && (commit.events ?? []).some(({ t }) => ABOUT_PEOPLE.has(t))) this.soon();
      }),
    ];
    void this.ask();
  }

  /** Nobody looks any more. */
  stop() {
    for (const stop of this.#stops.splice(0)) stop();
    this.#cancel();
    this.#waiting = false;
  }

  /** Something changed. */
  soon() {
    if (!this.#waiting && this.#stops.length > 0) this.#later(CALM_MS);
  }

  /** @param {number} ms */
  #later(ms) {
    this.#cancel();
    this.#waiting = ms === CALM_MS;
    this.#cancel = this.clock.after(ms, () => {
      this.#waiting = false;
      void this.ask();
    });
  }

  /** Ask at once; while a question is open, once more when it is answered. */
  async ask() {
    if (!this.model.isGm) return;
    if (this.#asking) {
      this.#again = true;
      return;
    }
    this.#asking = true;
    const answer = await this.model.client.roster();
    this.#asking = false;
    this.take(answer);
    if (this.#stops.length === 0) return;
    if (this.#again) this.soon();
    else if (!this.#waiting) this.#later(OFTEN_MS);
    this.#again = false;
  }

  /** @param {Roster | NoAnswer} answer */
  take(answer) {
    this.why = answer instanceof NoAnswer ? answer : null;
    if (!(answer instanceof NoAnswer)) this.roster = answer;
    this.changed();
  }
}
