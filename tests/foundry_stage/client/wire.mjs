/** The connection to the stage's server: requests with answers, news, the game socket. */

export class Wire {
  #socket;
  #waiting = new Map();
  #number = 0;
  #handlers = new Map();
  #early = [];
  /** Set by the page when it is ready to hear news. @type {((frame: any) => void) | null} */
  onFrame = null;

  /** Called when a lost connection is there again, with the world as it is now. @type {((world: any) => void) | null} */
  onReturn = null;

  /** @returns {Promise<any>} the world */
  connect() {
    return new Promise((resolve) => this.#open(resolve));
  }

  /** A lost connection is opened anew; what was said meanwhile is not told again, as in Foundry. */
  #open(joined) {
    this.#socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`);
    this.#socket.onclose = ({ code }) => {
      this.connected = false;
      for (const { fail } of this.#waiting.values()) fail(new Error("the connection to the server is lost"));
      this.#waiting.clear();
      if (code !== 1012) setTimeout(() => this.#open((world) => this.onReturn?.(world)), 300);
    };
    this.#socket.onmessage = ({ data }) => {
      const frame = JSON.parse(data);
      if (frame.t === "world") {
        this.connected = true;
        joined(frame.data);
      } else this.#hear(frame);
    };
  }

  connected = false;

  #hear(frame) {
    if (frame.t === "answer") {
      const waiting = this.#waiting.get(frame.id);
      this.#waiting.delete(frame.id);
      if (!waiting) return;
      if ("error" in frame) waiting.fail(new Error(frame.error));
      else waiting.done(frame.result);
      return;
    }
    if (frame.t === "socket") {
      for (const handler of this.#handlers.get(frame.event) ?? []) {
        try {
          // What the server adds from the session, and nothing else, says who sent it.
          handler(frame.data, frame.sender);
        } catch (error) {
          console.error(error);
        }
      }
      return;
    }
    if (this.onFrame) this.onFrame(frame);
    else this.#early.push(frame);
  }

  /** News that came while the page was still loading. */
  start(onFrame) {
    this.onFrame = onFrame;
    for (const frame of this.#early.splice(0)) onFrame(frame);
  }

  send(frame) {
    if (this.connected) this.#socket.send(JSON.stringify(frame));
  }

  request(frame) {
    const id = `r${++this.#number}`;
    return new Promise((done, fail) => {
      if (!this.connected) {
        fail(new Error("the connection to the server is lost"));
        return;
      }
      this.#waiting.set(id, { done, fail });
      this.send({ ...frame, id });
    });
  }

  /** `game.socket` */
  get socket() {
    const wire = this;
    return {
      get connected() {
        return wire.connected;
      },
      on(event, handler) {
        if (!wire.#handlers.has(event)) wire.#handlers.set(event, []);
        wire.#handlers.get(event).push(handler);
        return this;
      },
      off(event, handler) {
        wire.#handlers.set(event, (wire.#handlers.get(event) ?? []).filter((known) => handler && known !== handler));
        return this;
      },
      emit(event, data, options) {
        if (typeof options === "function") throw new Error("no acknowledgement: a package's event has none");
        // What JSON cannot carry is lost here, as on the way to a server.
        wire.send({ t: "emit", event, data: data === undefined ? null : data, options: options ?? {} });
        return this;
      },
    };
  }
}

