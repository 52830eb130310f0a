/**
 * What goes with a choice: words with a ruling, faces of dice that lay on a real table.
 *
 * @typedef {{args?: Record<string, boolean | number | string>, faces?: number[]}} ChoiceMore
 */

/**
 * What the buttons of a request do.
 *
 * @typedef {object} RequestDoing
 * @property {(request: import("../client/types.mjs").RequestRecord, actor: string) => void} answer put the roll together, or roll at once
 * @property {(request: import("../client/types.mjs").RequestRecord, actor: string) => void} look put it together, whatever is usual
 * @property {(request: import("../client/types.mjs").RequestRecord, actor: string) => void} decline
 * @property {(request: import("../client/types.mjs").RequestRecord) => void} rollMissing
 * @property {(request: import("../client/types.mjs").RequestRecord) => void} close
 */

/**
 * What can be corrected: its name, what it is called, and how it stands.
 *
 * @typedef {object} Correctable
 * @property {string} what the name of the deed
 * @property {string} title
 * @property {string} [check]
 * @property {string} [outcome] as it stands now
 * @property {boolean} [hidden] not everybody saw it
 * @property {boolean} [settled] it does to the table what it does
 * @property {boolean} [alone] only its roller saw it
 */

/**
 * What a card needs to know of the table it is shown at. The page and Foundry each bring their own.
 *
 * @typedef {object} CardContext
 * @property {import("../client/words.mjs").Words} words
 * @property {import("../client/types.mjs").RulesetInfo} ruleset
 * @property {{user: string, role: "gm" | "player" | "observer"}} viewer
 * @property {(id: string) => string | undefined} actorName
 * @property {(id: string) => string | undefined} personName
 * @property {(actor: string, key: string) => string | undefined} numberName the table's own word for a number or an attack of an actor
 * @property {(actor: string) => boolean} owns whether the viewer plays this actor
 * @property {(check: string) => import("../client/types.mjs").PendingCheck | undefined} pending what is open on a check
 * @property {import("./check-index.mjs").CheckIndex} checks what earlier and later commits told
 * @property {((check: string, choice: string, more?: ChoiceMore) => Promise<import("../client/types.mjs").Outcome>) | null} choose
 * @property {() => boolean} [manual] whether this table takes dice that were rolled by hand
 * @property {((seq: number) => Promise<import("../client/check.mjs").Checked>) | null} verify
 * @property {((seq: number) => void) | null} goTo
 * @property {(id: string) => import("../client/types.mjs").RequestRecord | undefined} [request] a request as the table has it now
 * @property {(request: string, actor: string) => boolean} [hasSeen] whether somebody who plays this actor has it before his eyes
 * @property {RequestDoing | null} [asks] what can be done with a request
 * @property {((about: Correctable) => void) | null} [correct] put a correction together
 * @property {((seq: number) => void) | null} [moment] show the table as it was after a commit
 * @property {(at: number) => string} clock the time of day
 */

export {};
