/** Looking back through the log, in a window. It shows what the bridge answers: no message is made here, and no dice fall. */

import { Timeline } from "../forms/timeline.mjs";
import { link } from "./link.mjs";
import { openWindow, stateHint } from "./windows.mjs";

const ID = "boonbridge-replay";

/** @type {ReplayContent | null} what is open: a card's own button leads to another moment in it */
let open = null;

class ReplayContent {
  /** @param {number} [seq] */
  constructor(seq) {
    this.timeline = link.model !== null && canReplay() ? new Timeline({ model: link.model }) : null;
    this.seq = seq;
    open = this;
  }

  build() {
    return this.timeline?.root ?? stateHint();
  }

  shown() {
    this.timeline?.open(this.seq);
    this.timeline?.focus();
  }

  closed() {
    this.timeline?.closed();
    if (open === this) open = null;
  }
}

/** Whether this bridge can say how a table stood: an older one is not asked. */
export const canReplay = () => link.client?.can("replay") === true;

/** @param {number} [seq] left out: the newest */
export function openReplay(seq) {
  const { words } = link;
  if (link.client?.welcome && !canReplay()) {
    ui.notifications?.warn(words.say("foundry.replay.old"));
    return;
  }
  const before = open;
  openWindow({ id: ID, title: words.say("replay.title"), icon: "clock-rotate-left", kind: ID, width: 760, height: 640, stays: true }, () => new ReplayContent(seq));
  if (before !== null && seq !== undefined) before.timeline?.open(seq);
}
