/** What the module adds to Foundry, for the published types of generation 13. What they do not know is in compat.mjs. */

import "fvtt-types/configuration";

declare module "fvtt-types/configuration" {
  interface AssumeHookRan {
    ready: never;
  }
  interface SettingConfig {
    "boonbridge.own": object;
    "boonbridge.table": object;
    "boonbridge.tracker": boolean;
    "boonbridge.statusIcons": boolean;
    "boonbridge.floating": boolean;
    "boonbridge.badges": boolean;
    "boonbridge.atOnce": boolean;
    "boonbridge.statuses": object;
  }
  interface FlagConfig {
    Actor: { boonbridge: { link?: { table: string; actor: string } } };
    ChatMessage: { boonbridge: object };
  }
  interface ModuleConfig {
    boonbridge: { api: object };
  }
}
