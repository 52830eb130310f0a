/**
 * The stand-in invents no names: whatever its pieces have, Foundry's published types have too.
 *
 * The types describe generation 13. What only 14 has is listed here, each name by itself. Names that begin with `_stage` are the
 * stand-in's own; other names with an underscore are protected in Foundry and are looked at in `hidden.ts`.
 */

import type * as api from "../client/application.mjs";
import type * as map from "../client/canvas.mjs";
import type { ChatMessage as StageChatMessage } from "../client/chat-message.mjs";
import type * as constants from "../client/constants.mjs";
import type * as dice from "../client/dice.mjs";
import type { Document as StageDocument } from "../client/document.mjs";
import type * as documents from "../client/documents.mjs";
import type shapes from "../client/documents.json";
import type { Hooks as StageHooks } from "../client/hooks.mjs";
import type * as parts from "../client/interface.mjs";
import type * as settings from "../client/settings.mjs";
import type * as utils from "../client/utils.mjs";
import type { Wire } from "../client/wire.mjs";

type Public<T> = Exclude<keyof T & string, `_${string}`>;
type Instance<T> = T extends abstract new (...args: never[]) => infer I ? I : never;

/** Names of ours that Foundry has not. */
type Invented<Ours, Theirs, In14 extends string = never> = Exclude<Public<Ours>, keyof Theirs | In14>;
/** The same for a class: its instances and its statics. */
type InventedByClass<Ours, Theirs, In14 extends string = never> =
  | Invented<Instance<Ours>, Instance<Theirs>, In14>
  | Invented<Ours, Theirs, In14>;

declare function nothing<T extends never>(...found: T[]): void;

const { applications, canvas: maps, dice: theirDice, helpers, utils: theirUtils } = foundry;
const { collections } = foundry.documents;

// --- documents --------------------------------------------------------------------------------------------------------------

nothing<InventedByClass<typeof StageDocument, typeof foundry.abstract.Document, ClientDocumentNames>>();
nothing<InventedByClass<typeof documents.User, typeof User>>();
nothing<InventedByClass<typeof documents.Actor, typeof Actor>>();
nothing<InventedByClass<typeof documents.Item, typeof Item>>();
nothing<InventedByClass<typeof documents.ActiveEffect, typeof ActiveEffect>>();
nothing<InventedByClass<typeof documents.Scene, typeof Scene>>();
nothing<InventedByClass<typeof documents.TokenDocument, typeof TokenDocument>>();
nothing<InventedByClass<typeof documents.Macro, typeof Macro>>();
nothing<InventedByClass<typeof documents.Combat, typeof Combat>>();
nothing<InventedByClass<typeof documents.Combatant, typeof Combatant>>();
nothing<InventedByClass<typeof StageChatMessage, typeof ChatMessage>>();
nothing<InventedByClass<typeof documents.Color, typeof foundry.utils.Color>>();

/** What the client's document mix-in adds to the abstract document. */
type ClientDocumentNames = "apps" | "hasPlayerOwner" | "isOwner" | "limited" | "permission" | "visible";

nothing<Invented<Instance<typeof documents.Users>, Instance<typeof collections.Users>>>();
nothing<Invented<Instance<typeof documents.Actors>, Instance<typeof collections.Actors>>>();
nothing<Invented<Instance<typeof documents.Scenes>, Instance<typeof collections.Scenes>>>();
nothing<Invented<Instance<typeof documents.ChatMessages>, Instance<typeof collections.ChatMessages>>>();
nothing<Invented<Instance<typeof documents.CombatEncounters>, Instance<typeof collections.CombatEncounters>>>();
nothing<Invented<Instance<typeof documents.Macros>, Instance<typeof collections.Macros>>>();

type Fields<Kind extends keyof typeof shapes> = keyof (typeof shapes)[Kind]["fields"] & string;
nothing<Exclude<Fields<"User">, keyof User.Source>>();
nothing<Exclude<Fields<"Actor">, keyof Actor.Source>>();
nothing<Exclude<Fields<"Item">, keyof Item.Source>>();
nothing<Exclude<Fields<"ActiveEffect">, keyof ActiveEffect.Source>>();
nothing<Exclude<Fields<"Scene">, keyof Scene.Source>>();
nothing<Exclude<Fields<"Token">, keyof TokenDocument.Source>>();
nothing<Exclude<Fields<"ChatMessage">, keyof ChatMessage.Source | "title">>(); // since 13.332, and missing in the types
nothing<Exclude<Fields<"Combat">, keyof Combat.Source>>();
nothing<Exclude<Fields<"Combatant">, keyof Combatant.Source>>();
nothing<Exclude<Fields<"Macro">, keyof Macro.Source>>();

// --- dice ----------------------------------------------------------------------------------------------------------------------

nothing<InventedByClass<typeof dice.Roll, typeof foundry.dice.Roll>>();
nothing<InventedByClass<typeof dice.RollTerm, typeof foundry.dice.terms.RollTerm>>();
nothing<InventedByClass<typeof dice.NumericTerm, typeof foundry.dice.terms.NumericTerm>>();
nothing<InventedByClass<typeof dice.OperatorTerm, typeof foundry.dice.terms.OperatorTerm>>();
nothing<InventedByClass<typeof dice.DiceTerm, typeof foundry.dice.terms.DiceTerm>>();
nothing<InventedByClass<typeof dice.Die, typeof foundry.dice.terms.Die>>();
nothing<InventedByClass<typeof dice.ParentheticalTerm, typeof foundry.dice.terms.ParentheticalTerm>>();
nothing<Exclude<keyof typeof dice.terms, keyof typeof theirDice.terms>>();

// --- applications -----------------------------------------------------------------------------------------------------------------

// V14: `instances`, and windows that leave the page.
nothing<InventedByClass<typeof api.ApplicationV2, typeof foundry.applications.api.ApplicationV2, "instances">>();
nothing<InventedByClass<typeof api.DialogV2, typeof foundry.applications.api.DialogV2, "instances">>();
nothing<InventedByClass<typeof api.DocumentSheetV2, typeof foundry.applications.api.DocumentSheetV2, "instances">>();
nothing<InventedByClass<typeof api.ActorSheetV2, typeof foundry.applications.sheets.ActorSheetV2, "instances">>();
nothing<InventedByClass<typeof api.FormDataExtended, typeof foundry.applications.ux.FormDataExtended>>();
nothing<InventedByClass<typeof parts.SceneControls, typeof foundry.applications.ui.SceneControls, "instances">>();
nothing<InventedByClass<typeof parts.Hotbar, typeof foundry.applications.ui.Hotbar, "instances">>();
nothing<InventedByClass<typeof parts.Players, typeof foundry.applications.ui.Players, "instances">>();
nothing<InventedByClass<typeof parts.Notifications, typeof foundry.applications.ui.Notifications>>();
nothing<InventedByClass<typeof parts.AbstractSidebarTab, typeof foundry.applications.sidebar.AbstractSidebarTab, "instances">>();
nothing<InventedByClass<typeof parts.TooltipManager, typeof foundry.helpers.interaction.TooltipManager>>();
nothing<InventedByClass<typeof parts.ClientKeybindings, typeof foundry.helpers.interaction.ClientKeybindings>>();
nothing<InventedByClass<typeof map.TokenHUD, typeof foundry.applications.hud.TokenHUD, HudNames>>();

/** The published types of the HUDs, the log and the sidebar are stubs; these names are the API pages' and the release notes'. */
type HudNames = "instances" | "bind" | "object" | "document" | "layer" | "actor" | "activePalette" | "togglePalette";
type LogNames =
  | "instances" | "NOTIFY_DURATION" | "parse" | "processMessage" | "postOne" | "updateMessage" | "deleteMessage" | "scrollBottom";
nothing<InventedByClass<typeof parts.ChatLog, typeof foundry.applications.sidebar.tabs.ChatLog, LogNames>>();
type SidebarNames = "instances" | "expanded" | "expand" | "collapse" | "toggleExpanded";
nothing<InventedByClass<typeof parts.Sidebar, typeof foundry.applications.sidebar.Sidebar, SidebarNames>>();

// --- the rest -------------------------------------------------------------------------------------------------------------------------

nothing<InventedByClass<typeof map.Token, typeof foundry.canvas.placeables.Token>>();
nothing<InventedByClass<typeof map.TokenLayer, typeof foundry.canvas.layers.TokenLayer>>();
nothing<Invented<ReturnType<typeof map.makeCanvas>, Canvas>>();
nothing<Invented<typeof StageHooks, typeof Hooks>>();
nothing<Invented<Instance<typeof settings.ClientSettings>, Instance<typeof helpers.ClientSettings>>>();
nothing<Invented<Instance<typeof settings.Localization>, Instance<typeof helpers.Localization>>>();
nothing<Exclude<keyof typeof settings.fields, keyof typeof foundry.data.fields>>();
nothing<Exclude<keyof typeof constants.CONST, keyof typeof CONST>>();
nothing<Exclude<keyof typeof constants.CONFIG, keyof CONFIG>>();
nothing<Exclude<keyof typeof utils, keyof typeof theirUtils | "loadAllowed" | "EventEmitter">>(); // kept out of `foundry.utils`, or named there otherwise
nothing<Exclude<keyof Wire["socket"], keyof typeof game.socket>>();

void [applications, maps];
