/** From a code that the GM reads out to a token of one's own. */

/** @import { Clock, Paired, RandomBytes } from "./types.mjs" */
/** @import { ConnectionParts } from "./connection.mjs" */

import { NoAnswer } from "./asker.mjs";
import { SUBPROTOCOL } from "./connection.mjs";
import { newId } from "./ids.mjs";

const PATIENCE_MS = 10_000;

/**
 * @typedef {object} PairingParts
 * @property {string} url
 * @property {ConnectionParts["WebSocket"]} WebSocket
 * @property {Clock} clock
 * @property {RandomBytes} random
 * @property {{name: string, version: string, kind: "foundry" | "page" | "cli"}} info
 */

/**
 * Asks twice under one id when the line breaks: the same id and code give the same token.
 *
 * @param {PairingParts} parts
 * @param {string} code
 * @param {string} name
 * @returns {Promise<Paired>} rejected with a `NoAnswer`: a code of the server, a close code as text, or `away`
 */
export async function pair(parts, code, name) {
  const frame = { t: "pair", id: newId(parts.random), code, client: parts.info, name };
  try {
    return await askOnce(parts, frame);
  } catch (why) {
    if (!(why instanceof NoAnswer) || why.code !== "away") throw why;
    return askOnce(parts, frame);
  }
}

/**
 * @param {PairingParts} parts
 * @param {{id: string}} frame
 * @returns {Promise<Paired>}
 */
function askOnce({ url, WebSocket, clock }, frame) {
  return new Promise((resolve, reject) => {
    /** @param {() => void} settle */
    const end = (settle) => {
      cancel();
      socket.onopen = socket.onmessage = socket.onclose = socket.onerror = null;
      try {
        socket.close(1000);
      } catch {
        // It was not open yet.
      }
      settle();
    };
    const socket = new WebSocket(url, SUBPROTOCOL);
    const cancel = clock.after(PATIENCE_MS, () => end(() => reject(new NoAnswer("away"))));
    socket.onopen = () => socket.send(JSON.stringify(frame));
    socket.onerror = () => {};
    socket.onclose = (event) =>
      end(() => reject(event.code >= 1008 && event.code !== 1011
        ? new NoAnswer(`close.${event.code}`, event.reason)
        : new NoAnswer("away")));
    socket.onmessage = (event) => {
      const answer = JSON.parse(event.data);
      if (answer.t === "paired" && answer.id === frame.id) end(() => resolve(answer));
      if (answer.t === "refused") end(() => reject(new NoAnswer(answer.code, answer.message, answer.values ?? {})));
    };
  });
}
