/** Pieces of the stand-in, given where Foundry's types ask for theirs: same parameters, same results. */

import { DialogV2, FormDataExtended, instances, loadTemplates, renderTemplate } from "../client/application.mjs";
import { CONST as STAGE_CONST } from "../client/constants.mjs";
import { Hooks as StageHooks } from "../client/hooks.mjs";
import { Notifications } from "../client/interface.mjs";
import * as utils from "../client/utils.mjs";

export const theirUtils: Pick<
  typeof foundry.utils,
  "randomID" | "escapeHTML" | "isNewerVersion" | "cleanHTML" | "timeSince" | "setProperty"
> = utils;
export const once: (hook: string, fn: () => void) => number = StageHooks.once;
export const on: Parameters<(hook: "ready", fn: () => void, options?: Hooks.OnOptions) => void> = ["ready", () => {}, { once: true }];
StageHooks.on(...on);
export const off: (hook: string, which: number) => void = StageHooks.off;
export const render: (path: string, data: object) => Promise<string> = renderTemplate;
export const load: (paths: string[]) => Promise<unknown[]> = loadTemplates;
export const open: Map<string, unknown> = instances;
export const form: (form: HTMLFormElement) => FormData = (element) => new FormDataExtended(element);
export const confirm: () => Promise<unknown> = () => DialogV2.confirm();

export const roles: Record<keyof typeof CONST.USER_ROLES, number> = STAGE_CONST.USER_ROLES;
export const permissions: readonly (keyof typeof CONST.USER_PERMISSIONS)[] = Object.keys(STAGE_CONST.USER_PERMISSIONS) as never;
export const levels: Record<keyof typeof CONST.DOCUMENT_OWNERSHIP_LEVELS, number> = STAGE_CONST.DOCUMENT_OWNERSHIP_LEVELS;
export const styles: Record<Exclude<keyof typeof CONST.CHAT_MESSAGE_STYLES, "ROLL" | "WHISPER">, number> = STAGE_CONST.CHAT_MESSAGE_STYLES;
export const dispositions: Record<keyof typeof CONST.TOKEN_DISPOSITIONS, number> = STAGE_CONST.TOKEN_DISPOSITIONS;
export const toast: Pick<Notifications, "info" | "warn" | "error"> = new Notifications();
export const said: foundry.applications.ui.Notifications.Notification["message"] = toast.info("words", { permanent: true }).message;
