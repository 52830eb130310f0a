/**
 * What Foundry puts into the global scope of its pages, as far as the module uses it.
 *
 * Loose on purpose. The module serves two generations whose types differ, and no published description covers both; a
 * strict one for the wrong generation would be believed. What is checked strictly is everything this side of Foundry:
 * the protocol, the client, the cards. ESLint says which room may use these names at all.
 */

declare const game: any;
declare const canvas: any;
declare const ui: any;
declare const foundry: any;
declare const Hooks: any;
declare const CONFIG: any;
declare const CONST: any;

declare const Actor: any;
declare const ActiveEffect: any;
declare const ChatMessage: any;
declare const Combat: any;
declare const Combatant: any;
declare const Die: any;
declare const Item: any;
declare const Macro: any;
declare const Roll: any;
declare const Scene: any;
declare const Token: any;
declare const TokenDocument: any;
declare const User: any;

declare function fromUuid(uuid: string): Promise<any>;
declare function fromUuidSync(uuid: string): any;
