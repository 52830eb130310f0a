/** Looking back, in a window over the page; the log below stays as it is. */

/** @import { TableModel } from "../forms/model.mjs" */

import { Timeline } from "../forms/timeline.mjs";
import { openDialog } from "./dialogs.mjs";

/**
 * @param {TableModel} model
 * @param {number} [seq] left out: the newest
 */
export function replayDialog(model, seq) {
  const timeline = new Timeline({ model });
  const { dialog } = openDialog(model.words, { title: model.words.say("replay.title"), testid: "replay-dialog", body: timeline.root, kind: "replay-dialog", foot: false });
  dialog.addEventListener("close", () => timeline.closed());
  timeline.open(seq);
  timeline.focus();
}
