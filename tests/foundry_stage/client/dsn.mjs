/**
 * A stand-in for Dice So Nice: no dice are drawn; what it would animate, for whom and when is written down, and a message waits for
 * its dice as it would.
 *
 * V13 is 5.x, V14 is 6.x. A test decides how long an animation takes: a number of milliseconds, or "held" until `finish()`.
 */

import { stage } from "./document.mjs";
import { Hooks } from "./hooks.mjs";

export class Dice3D {
  /** What was animated on this page. @type {{messageId: string | null, formula: string, faces: number[], user: string, how: string, ghost: boolean, at: number}[]} */
  _stageAnimations = [];

  _stageDuration;

  #running = new Map();

  #held = [];

  #shown = new Map();

  messageHookDisabled = false;

  constructor(duration) {
    this._stageDuration = duration;
    Hooks.on("createChatMessage", (message) => this.#created(message));
    Hooks.on("renderChatMessageHTML", (message, html) => {
      if (this.#running.has(message.id)) html.classList.add("dsn-hide");
    });
  }

  isEnabled() {
    return true;
  }

  #created(message) {
    if (!message.isRoll || this.messageHookDisabled || !message.rolls.some((roll) => roll.dice.length)) return;
    if (stage.generation >= 14 && message.flags["dice-so-nice"]?.skip) return;
    const interception = { willTrigger3DRoll: true };
    if (stage.generation >= 14) Hooks.callAll("diceSoNiceMessagePreProcess", message.id, interception);
    if (stage.generation < 14 || interception.willTrigger3DRoll) Hooks.callAll("diceSoNiceMessageProcessed", message.id, interception);
    if (!interception.willTrigger3DRoll) return;
    // Who may not see the content sees no dice.
    if (!message.isContentVisible) return;
    const done = Promise.all(message.rolls.map((roll) => this.#animate(roll, message.author, message.id, "message")));
    this.#running.set(message.id, done);
    this.#hide(message.id);
    done.then(() => {
      this.#running.delete(message.id);
      this.#show(message.id);
      Hooks.callAll("diceSoNiceRollComplete", message.id, []);
    });
  }

  #hide(id) {
    for (const element of document.querySelectorAll(`.chat-message[data-message-id="${id}"]`)) element.classList.add("dsn-hide");
  }

  #show(id) {
    for (const element of document.querySelectorAll(`.chat-message[data-message-id="${id}"]`)) element.classList.remove("dsn-hide");
  }

  #animate(roll, user, messageId, how, { ghost = false } = {}) {
    if (!roll._evaluated) throw new Error("Dice So Nice shows evaluated rolls only");
    this._stageAnimations.push({
      messageId, formula: roll.formula, how, ghost, user: user?.id ?? null, at: performance.now(),
      faces: roll.dice.flatMap((die) => die.results.filter((result) => !result.hidden).map((result) => result.result)),
    });
    Hooks.callAll("diceSoNiceRollStart", messageId, { roll, user, users: null, blind: false });
    return new Promise((resolve) => {
      if (this._stageDuration === "held") this.#held.push(resolve);
      else setTimeout(resolve, this._stageDuration);
    });
  }

  /** Let every animation that is held come to its end. */
  _stageFinish() {
    for (const resolve of this.#held.splice(0)) resolve();
  }

  async showForRoll(roll, user = game.user, synchronize = false, users = null, blind = false, messageID = null, speaker = null, options = { ghost: false, secret: false }) {
    void speaker;
    if (!roll) throw new Error("Roll data should be not null");
    if (synchronize) {
      const to = users?.map((entry) => (typeof entry === "string" ? entry : entry.id)) ?? null;
      stage.wire.send({ t: "dice3d", roll: JSON.parse(JSON.stringify(roll)), user: user.id, users: to, blind, messageId: messageID });
    }
    if (blind) return false;
    const done = this.#animate(roll, user, messageID, "showForRoll", options);
    if (messageID) {
      this.#shown.set(messageID, done);
      done.then(() => this.#shown.delete(messageID));
    }
    await done;
    return true;
  }

  async show(_data, user = game.user) {
    void user;
    throw new Error("the stand-in has showForRoll only");
  }

  async waitFor3DAnimationByMessageID(id) {
    const running = this.#running.get(id) ?? this.#shown.get(id);
    if (!running) return true;
    await running;
    return true;
  }

  /** Another client asked for it to be shown here too. */
  _stageRemote({ roll, user, users, blind, messageId }) {
    if (blind || (users && !users.includes(game.userId))) return;
    this.#animate(foundry.dice.Roll.fromJSON(JSON.stringify(roll)), game.users.get(user), messageId, "synchronized");
  }
}
