/** ChatMessage: whose it is, who sees it, and how it is drawn. */

import { Roll } from "./dice.mjs";
import { Document, classes, stage } from "./document.mjs";
import { Hooks } from "./hooks.mjs";
import { escapeHTML, timeSince } from "./utils.mjs";

const MODES13 = { publicroll: "public", gmroll: "gm", blindroll: "blind", selfroll: "self" };

/** What a mode makes of whisper and blind. An explicit whisper is kept. */
function applyVisibility(data, mode) {
  const set = (name, value) => {
    if (data instanceof Document) data.updateSource({ [name]: value });
    else data[name] = value;
  };
  const whisper = data.whisper ?? [];
  if (mode === "gm" || mode === "blind") {
    if (!whisper.length) set("whisper", ChatMessage.getWhisperRecipients("GM").map((user) => user.id));
  } else if (mode === "self") set("whisper", [game.user.id]);
  else if (mode === "public" || mode === "ic") set("whisper", []);
  else throw new Error(`there is no mode ${mode}`);
  set("blind", mode === "blind");
  return data;
}

export class ChatMessage extends Document {
  static documentName = "ChatMessage";

  static _stageAccessors = ["author", "rolls"];

  logged = false;

  _initialize() {
    this.rolls = (this._source.rolls ?? []).map((roll) => Roll.fromJSON(roll));
    if (this.rolls.some((roll) => !roll._evaluated)) throw new Error("Roll objects added to ChatMessage documents must be evaluated");
    // Rolls are strings in the source, as they are in Foundry's database.
    this._source.rolls = this.rolls.map((roll) => JSON.stringify(roll));
    super._initialize();
  }

  get author() {
    return game.users.get(this._source.author) ?? null;
  }

  get alias() {
    return this.speaker.alias || this.speakerActor?.name || (this.author ? this.author.name : game.i18n.localize("CHAT.UnknownUser"));
  }

  get isAuthor() {
    return game.user === this.author;
  }

  get isRoll() {
    return this.rolls.length > 0;
  }

  get visible() {
    if (!this.whisper.length) return true;
    // A private roll is announced to everybody; a private text is not, not even to a Game Master.
    return this.isRoll || this.isAuthor || this.whisper.includes(game.user.id);
  }

  get isContentVisible() {
    if (!this.whisper.length) return true;
    if (this.whisper.includes(game.user.id)) return true;
    return this.isAuthor && !(this.isRoll && this.blind);
  }

  get speakerActor() {
    return ChatMessage.getSpeakerActor(this.speaker);
  }

  getUserLevel(user = game.user) {
    return user.isGM || this._source.author === user.id ? 3 : 0;
  }

  getRollData() {
    return this.speakerActor?.getRollData() ?? this.author?.character?.getRollData() ?? {};
  }

  static getSpeaker({ scene, actor, token, alias } = {}) {
    const place = scene ?? (canvas.ready ? canvas.scene : null);
    if (token) {
      const doc = token.document ?? token;
      return { scene: doc.parent?.id ?? null, token: doc.id, actor: doc.actor?.id ?? null, alias: alias ?? doc.name };
    }
    if (actor) {
      if (actor.isToken) return ChatMessage.getSpeaker({ token: actor.token, alias });
      const [found] = actor.getActiveTokens();
      return { scene: place?.id ?? null, token: found?.id ?? null, actor: actor.id, alias: alias ?? found?.name ?? actor.name };
    }
    const controlled = canvas.ready ? canvas.tokens.controlled : [];
    if (controlled.length) return ChatMessage.getSpeaker({ token: controlled.at(-1).document, alias });
    const character = game.user.character;
    if (character) return ChatMessage.getSpeaker({ actor: character, alias });
    return { scene: place?.id ?? null, actor: null, token: null, alias: alias ?? game.user.name };
  }

  static getSpeakerActor(speaker) {
    if (!speaker) return null;
    const token = speaker.scene && speaker.token ? game.scenes.get(speaker.scene)?.tokens.get(speaker.token) : null;
    return token?.actor ?? game.actors.get(speaker.actor) ?? null;
  }

  static getWhisperRecipients(name) {
    if (["gm", "dm"].includes(name.toLowerCase())) return game.users.filter((user) => user.isGM);
    if (name.toLowerCase() === "players") return game.users.players;
    const lower = name.toLowerCase();
    return game.users.filter((user) => user.name.toLowerCase() === lower || user.character?.name.toLowerCase() === lower);
  }

  async _preCreate(data, options, user) {
    if (stage.generation >= 14) {
      const mode = options.messageMode ?? (options.rollMode ? Roll._mapLegacyRollMode(options.rollMode) : null);
      if (mode) this.applyMode(mode);
    } else if (options.rollMode) this.applyRollMode(options.rollMode);
    return super._preCreate(data, options, user);
  }

  _onCreate(data, options, userId) {
    super._onCreate(data, options, userId);
    ui.chat.postOne(this, { notify: true });
  }

  _onUpdate(changed, options, userId) {
    super._onUpdate(changed, options, userId);
    ui.chat.updateMessage(this);
  }

  _onDelete(options, userId) {
    super._onDelete(options, userId);
    ui.chat.deleteMessage(this.id);
  }

  /** The element of this message, as it is put into the log. It is another element at each call. */
  async renderHTML({ canDelete, canClose = false } = {}) {
    const mayDelete = canDelete ?? game.user.isGM;
    const data = this.toObject();
    const whisperTo = this.whisper.map((id) => game.users.get(id)?.name).filter(Boolean).join(", ");
    const li = document.createElement("li");
    li.className = ["chat-message", "message", "flexcol", this.whisper.length ? "whisper" : "", this.blind ? "blind" : "",
      this.style === CONST.CHAT_MESSAGE_STYLES.IC ? "ic" : "", this.style === CONST.CHAT_MESSAGE_STYLES.EMOTE ? "emote" : ""]
      .filter(Boolean).join(" ");
    li.dataset.messageId = this.id;
    const private_ = this.isRoll && !this.isContentVisible;
    const flavor = private_ ? game.i18n.format("CHAT.PrivateRollContent", { user: escapeHTML(this.author?.name ?? "") }) : this.flavor;
    const content = await this.#content(private_);
    li.innerHTML = `
      <header class="message-header flexrow">
        <h4 class="message-sender"><span class="title">${escapeHTML(private_ ? this.author?.name ?? "" : this.alias)}</span></h4>
        <span class="message-metadata"><time class="message-timestamp">${timeSince(this.timestamp)}</time>
        ${mayDelete ? '<a aria-label="Delete" class="message-delete" data-action="deleteMessage"><i class="fa-solid fa-trash fa-fw"></i></a>' : ""}
        ${canClose ? '<a aria-label="Dismiss" class="message-dismiss" data-action="dismissMessage"><i class="fa-solid fa-xmark fa-fw"></i></a>' : ""}</span>
        ${flavor ? `<span class="flavor-text">${flavor}</span>` : ""}
        ${this.whisper.length && !this.isRoll ? `<span class="whisper-to">${escapeHTML(`To: ${whisperTo}`)}</span>` : ""}
      </header>
      <div class="message-content">${content}</div>`;
    li.style.borderColor = this.author?.color.css ?? "";
    const messageData = {
      message: data, user: game.user, author: this.author, alias: this.alias, cssClass: li.className, isWhisper: this.whisper.length,
      canDelete: mayDelete, whisperTo,
    };
    Hooks.callAll("renderChatMessageHTML", this, li, messageData);
    return li;
  }

  async #content(isPrivate) {
    const holder = document.createElement("div");
    holder.innerHTML = this.content;
    if (!this.isRoll) return this.content;
    if (isPrivate) return (await Promise.all(this.rolls.map((roll) => roll.render({ isPrivate: true })))).join("");
    // The standard box of dice only where the content is no HTML of somebody's own.
    if (holder.childElementCount > 0) return this.content;
    return (await Promise.all(this.rolls.map((roll) => roll.render()))).join("");
  }

  export() {
    return `[${new Date(this.timestamp).toLocaleString()}] ${this.alias}\n${this.content}`;
  }
}

/** The names of modes differ by generation, and each generation has only its own. */
export function chooseGeneration(generation) {
  if (generation >= 14) {
    ChatMessage.applyMode = (data, mode) => applyVisibility(data, mode);
    ChatMessage.prototype.applyMode = function applyMode(mode) {
      applyVisibility(this, mode);
    };
  } else {
    ChatMessage.applyRollMode = (data, mode) =>
      applyVisibility(data, MODES13[mode === "roll" ? game.settings.get("core", "rollMode") : mode] ?? mode);
    ChatMessage.prototype.applyRollMode = function applyRollMode(mode) {
      ChatMessage.applyRollMode(this, mode);
    };
  }
}

classes.set("ChatMessage", ChatMessage);
