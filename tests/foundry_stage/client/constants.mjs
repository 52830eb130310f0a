/** `CONST` and `CONFIG`. */

export const CONST = Object.freeze({
  USER_ROLES: Object.freeze({ NONE: 0, PLAYER: 1, TRUSTED: 2, ASSISTANT: 3, GAMEMASTER: 4 }),
  USER_ROLE_NAMES: Object.freeze({ 0: "NONE", 1: "PLAYER", 2: "TRUSTED", 3: "ASSISTANT", 4: "GAMEMASTER" }),
  USER_PERMISSIONS: Object.freeze(Object.fromEntries(Object.entries({
    ACTOR_CREATE: 3, BROADCAST_AUDIO: 2, BROADCAST_VIDEO: 2, CARDS_CREATE: 3, DRAWING_CREATE: 2, FILES_BROWSE: 2, FILES_UPLOAD: 3, ITEM_CREATE: 3,
    JOURNAL_CREATE: 2, MACRO_SCRIPT: 1, MANUAL_ROLLS: 2, MESSAGE_WHISPER: 1, NOTE_CREATE: 2, PING_CANVAS: 1, PLAYLIST_CREATE: 3, QUERY_USER: 1,
    SETTINGS_MODIFY: 3, SHOW_CURSOR: 1, SHOW_RULER: 1, TEMPLATE_CREATE: 1, TOKEN_CONFIGURE: 2, TOKEN_CREATE: 3, TOKEN_DELETE: 3, WALL_DOORS: 1,
  }).map(([name, defaultRole]) => [name, Object.freeze({ label: `PERMISSION.${name}`, hint: "", disableGM: false, defaultRole })]))),
  DOCUMENT_OWNERSHIP_LEVELS: Object.freeze({ INHERIT: -1, NONE: 0, LIMITED: 1, OBSERVER: 2, OWNER: 3 }),
  CHAT_MESSAGE_STYLES: Object.freeze({ OTHER: 0, OOC: 1, IC: 2, EMOTE: 3 }),
  DICE_ROLL_MODES: Object.freeze({ PUBLIC: "publicroll", PRIVATE: "gmroll", BLIND: "blindroll", SELF: "selfroll" }),
  TOKEN_DISPOSITIONS: Object.freeze({ SECRET: -2, HOSTILE: -1, NEUTRAL: 0, FRIENDLY: 1 }),
  TEXT_ANCHOR_POINTS: Object.freeze({ CENTER: 0, BOTTOM: 1, TOP: 2, LEFT: 3, RIGHT: 4 }),
  ACTIVE_EFFECT_MODES: Object.freeze({ CUSTOM: 0, MULTIPLY: 1, ADD: 2, DOWNGRADE: 3, UPGRADE: 4, OVERRIDE: 5 }),
  KEYBINDING_PRECEDENCE: Object.freeze({ PRIORITY: 0, NORMAL: 1, DEFERRED: 2 }),
  BASE_DOCUMENT_TYPE: "base",
});

/** Before the generation is known; `main.mjs` adds what depends on it. */
export const CONFIG = {
  debug: { hooks: false, queries: false },
  sounds: { dice: "sounds/dice.wav", lock: "sounds/lock.wav", notification: "sounds/notify.wav", combat: "sounds/drums.wav" },
  time: { turnTime: 0, roundTime: 6 },
  queries: {},
  ui: {},
  specialStatusEffects: { DEFEATED: "dead", INVISIBLE: "invisible", BLIND: "blind" },
  TextEditor: { enrichers: [] },
};

const STATUSES = ["dead", "unconscious", "prone", "blind", "invisible"];

export function configure(generation) {
  const list = STATUSES.map((id) => ({ id, name: `EFFECT.Status${id}`, img: `icons/svg/${id}.svg` }));
  // V13 has an array; V14 answers by id.
  CONFIG.statusEffects = generation >= 14 ? Object.fromEntries(list.map((effect) => [effect.id, effect])) : list;
  CONFIG.ChatMessage = { ...CONFIG.ChatMessage, sidebarIcon: "fa-solid fa-comments", batchSize: 100 };
  if (generation >= 14) {
    CONFIG.ChatMessage.modes = Object.fromEntries(["public", "gm", "blind", "self", "ic"].map((mode) => [mode, { label: `CHAT.Mode.${mode}`, icon: "fa-solid fa-dice-d20" }]));
    CONFIG.ActiveEffect.expiryAction = "update";
  } else {
    CONFIG.Dice.rollModes = Object.fromEntries(["publicroll", "gmroll", "blindroll", "selfroll"].map((mode) => [mode, { label: `CHAT.Roll.${mode}`, icon: "fa-solid fa-dice-d20" }]));
  }
}
