/** A roll that a GM waits for, as a wide button over the chat input, wherever Foundry moves that. */

/** @import { Loose } from "./compat.mjs" */

import { el } from "../cards/dom.mjs";
import { PendingBar } from "../forms/pending-bar.mjs";
import { answer } from "./answer-window.mjs";
import { on } from "./compat.mjs";
import { link } from "./link.mjs";

/** While the line is only interrupted, what waits goes on waiting. */
const AT_THE_TABLE = new Set(["live", "away", "resuming", "connecting"]);

/** From the moment on at which Foundry has a chat to show it in. */
export function watchPending() {
  const place = el("div", { id: "boonbridge-pending", class: "boonbridge boonbridge-pending" });
  /** @type {PendingBar | null} */
  let bar = null;
  /** @param {Loose} [elements] the parts of the input by their selectors, where Foundry names them */
  const stand = (elements = {}) => {
    const input = elements["#chat-message"] ?? document.getElementById("chat-message");
    const controls = elements["#chat-controls"] ?? document.getElementById("chat-controls");
    const parts = [controls, input].filter((part) => part?.parentElement && part.parentElement === input?.parentElement);
    const [first] = parts.sort((a, b) => (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1));
    if (first && first.previousElementSibling !== place) first.before(place);
  };
  const draw = () => {
    const { model } = link;
    if (bar?.model !== model) {
      bar = model === null ? null : new PendingBar(model, (request, actor) => void answer(model, request, actor));
      place.replaceChildren(...(bar === null ? [] : [bar.root]));
    }
    place.hidden = bar === null || !AT_THE_TABLE.has(link.now.state);
    if (!place.hidden) bar?.draw();
  };
  on("renderChatInput", (_app, elements) => stand(elements));
  on("renderChatLog", () => stand());
  link.on("entries", draw);
  link.on("state", draw);
  stand();
  draw();
}
