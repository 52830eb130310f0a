/**
 * The messages of the wire, as the schemas define them, under the names the client uses.
 *
 * @typedef {import("../../../schemas/ts/v1/protocol").Ack} Ack
 * @typedef {import("../../../schemas/ts/v1/protocol").ActorEntry} ActorEntry
 * @typedef {import("../../../schemas/ts/v1/protocol").Amount} Amount
 * @typedef {import("../../../schemas/ts/v1/protocol").AnswerRequest} AnswerRequest
 * @typedef {import("../../../schemas/ts/v1/protocol").AsOf} AsOf
 * @typedef {import("../../../schemas/ts/v1/protocol").AskedCheck} AskedCheck
 * @typedef {import("../../../schemas/ts/v1/protocol").AssistRecord} AssistRecord
 * @typedef {import("../../../schemas/ts/v1/protocol").Bye} Bye
 * @typedef {import("../../../schemas/ts/v1/protocol").CheckRolled} CheckRolled
 * @typedef {import("../../../schemas/ts/v1/protocol").CheckSpec} CheckSpec
 * @typedef {import("../../../schemas/ts/v1/protocol").ChoiceOffer} ChoiceOffer
 * @typedef {import("../../../schemas/ts/v1/protocol").Chosen} Chosen
 * @typedef {import("../../../schemas/ts/v1/protocol").Circumstance} Circumstance
 * @typedef {import("../../../schemas/ts/v1/protocol").CodeMade} CodeMade
 * @typedef {import("../../../schemas/ts/v1/protocol").CodeOpen} CodeOpen
 * @typedef {import("../../../schemas/ts/v1/protocol").ConditionsEntry} ConditionsEntry
 * @typedef {import("../../../schemas/ts/v1/protocol").ConditionSpec} ConditionSpec
 * @typedef {import("../../../schemas/ts/v1/protocol").Device} Device
 * @typedef {import("../../../schemas/ts/v1/protocol").DiceRolled} DiceRolled
 * @typedef {import("../../../schemas/ts/v1/protocol").DiceTerm} DiceTerm
 * @typedef {import("../../../schemas/ts/v1/protocol").Die} Die
 * @typedef {import("../../../schemas/ts/v1/protocol").DieSpec} DieSpec
 * @typedef {import("../../../schemas/ts/v1/protocol").Entry} Entry
 * @typedef {import("../../../schemas/ts/v1/protocol").Expiry} Expiry
 * @typedef {import("../../../schemas/ts/v1/protocol").Foreseen} Foreseen
 * @typedef {import("../../../schemas/ts/v1/protocol").GrantRecord} GrantRecord
 * @typedef {import("../../../schemas/ts/v1/protocol").GrantsEntry} GrantsEntry
 * @typedef {import("../../../schemas/ts/v1/protocol").GroupResult} GroupResult
 * @typedef {import("../../../schemas/ts/v1/protocol").GroupSpec} GroupSpec
 * @typedef {import("../../../schemas/ts/v1/protocol").HeldCondition} HeldCondition
 * @typedef {import("../../../schemas/ts/v1/protocol").Ladder} Ladder
 * @typedef {import("../../../schemas/ts/v1/protocol").Left} Left
 * @typedef {import("../../../schemas/ts/v1/protocol").Hidden} Hidden
 * @typedef {import("../../../schemas/ts/v1/protocol").Limits} Limits
 * @typedef {import("../../../schemas/ts/v1/protocol").Logged} Logged
 * @typedef {import("../../../schemas/ts/v1/protocol").MarksEntry} MarksEntry
 * @typedef {import("../../../schemas/ts/v1/protocol").MarkKind} MarkKind
 * @typedef {import("../../../schemas/ts/v1/protocol").MarkSpec} MarkSpec
 * @typedef {import("../../../schemas/ts/v1/protocol").Minted} Minted
 * @typedef {import("../../../schemas/ts/v1/protocol").Numbers} Numbers
 * @typedef {import("../../../schemas/ts/v1/protocol").NumberSpec} NumberSpec
 * @typedef {import("../../../schemas/ts/v1/protocol").Odds} Odds
 * @typedef {import("../../../schemas/ts/v1/protocol").OnCrit} OnCrit
 * @typedef {import("../../../schemas/ts/v1/protocol").OpportunityRecord} OpportunityRecord
 * @typedef {import("../../../schemas/ts/v1/protocol").OptionsEntry} OptionsEntry
 * @typedef {import("../../../schemas/ts/v1/protocol").OptionSpec} OptionSpec
 * @typedef {import("../../../schemas/ts/v1/protocol").OwnCircumstance} OwnCircumstance
 * @typedef {import("../../../schemas/ts/v1/protocol").OwnCondition} OwnCondition
 * @typedef {import("../../../schemas/ts/v1/protocol").Overridden} Overridden
 * @typedef {import("../../../schemas/ts/v1/protocol").Page} Page
 * @typedef {import("../../../schemas/ts/v1/protocol").Paired} Paired
 * @typedef {import("../../../schemas/ts/v1/protocol").ParamSpec} ParamSpec
 * @typedef {import("../../../schemas/ts/v1/protocol").PendingCheck} PendingCheck
 * @typedef {import("../../../schemas/ts/v1/protocol").Person} Person
 * @typedef {import("../../../schemas/ts/v1/protocol").PersonDevices} PersonDevices
 * @typedef {import("../../../schemas/ts/v1/protocol").PoolEntry} PoolEntry
 * @typedef {import("../../../schemas/ts/v1/protocol").Post} Post
 * @typedef {import("../../../schemas/ts/v1/protocol").Presence} Presence
 * @typedef {import("../../../schemas/ts/v1/protocol").Previewed} Previewed
 * @typedef {import("../../../schemas/ts/v1/protocol").PreviewRow} PreviewRow
 * @typedef {import("../../../schemas/ts/v1/protocol").Proven} Proven
 * @typedef {import("../../../schemas/ts/v1/protocol").ProvenPart} ProvenPart
 * @typedef {import("../../../schemas/ts/v1/protocol").Refused} Refused
 * @typedef {import("../../../schemas/ts/v1/protocol").RequestRecord} RequestRecord
 * @typedef {import("../../../schemas/ts/v1/protocol").RequestRow} RequestRow
 * @typedef {import("../../../schemas/ts/v1/protocol").ResistanceEntry} ResistanceEntry
 * @typedef {import("../../../schemas/ts/v1/protocol").Result} Result
 * @typedef {import("../../../schemas/ts/v1/protocol").Revealed} Revealed
 * @typedef {import("../../../schemas/ts/v1/protocol").RollCheck} RollCheck
 * @typedef {import("../../../schemas/ts/v1/protocol").RollDice} RollDice
 * @typedef {import("../../../schemas/ts/v1/protocol").Rolled} Rolled
 * @typedef {import("../../../schemas/ts/v1/protocol").Roster} Roster
 * @typedef {import("../../../schemas/ts/v1/protocol").RulesetInfo} RulesetInfo
 * @typedef {import("../../../schemas/ts/v1/protocol").Scope} Scope
 * @typedef {import("../../../schemas/ts/v1/protocol").Settled} Settled
 * @typedef {import("../../../schemas/ts/v1/protocol").SeenBy} SeenBy
 * @typedef {import("../../../schemas/ts/v1/protocol").SessionEntry} SessionEntry
 * @typedef {import("../../../schemas/ts/v1/protocol").Source} Source
 * @typedef {import("../../../schemas/ts/v1/protocol").SourceClaim} SourceClaim
 * @typedef {import("../../../schemas/ts/v1/protocol").Step} Step
 * @typedef {import("../../../schemas/ts/v1/protocol").TableData} TableData
 * @typedef {import("../../../schemas/ts/v1/protocol").TableFile} TableFile
 * @typedef {import("../../../schemas/ts/v1/protocol").TotalChance} TotalChance
 * @typedef {import("../../../schemas/ts/v1/protocol").Attempt} Attempt
 * @typedef {import("../../../schemas/ts/v1/protocol").Underway} Underway
 * @typedef {import("../../../schemas/ts/v1/protocol").TurnEntry} TurnEntry
 * @typedef {import("../../../schemas/ts/v1/protocol").VerbSpec} VerbSpec
 * @typedef {import("../../../schemas/ts/v1/protocol").Voided} Voided
 * @typedef {import("../../../schemas/ts/v1/protocol").Wanted} Wanted
 * @typedef {import("../../../schemas/ts/v1/protocol").Welcome} Welcome
 * @typedef {import("../../../schemas/ts/v1/protocol").XpEarned} XpEarned
 *
 * @typedef {import("../../../schemas/ts/v1/protocol").Command} Command
 * @typedef {import("../../../schemas/ts/v1/protocol").Event} TableEvent
 * @typedef {import("../../../schemas/ts/v1/protocol").Effect} Effect
 * @typedef {import("../../../schemas/ts/v1/protocol").ServerFrame} ServerFrame
 * @typedef {import("../../../schemas/ts/v1/protocol").ClientFrame} ClientFrame
 */

/**
 * Whom a code is for, and of which kind it is: a `makeCode` without its id.
 *
 * @typedef {Omit<import("../../../schemas/ts/v1/protocol").MakeCode, "t" | "id">} CodeWish
 */

/**
 * A commit as this viewer may see it: `Logged`, or `Hidden` where he may read nothing of it.
 *
 * @typedef {Logged | Hidden} Commit
 */

/**
 * Where a client stands in the log.
 *
 * @typedef {{epoch: number, seq: number, hash: string}} Position
 */

/**
 * Time, as far as the client needs it. `after` returns a function that cancels.
 *
 * @typedef {object} Clock
 * @property {() => number} now
 * @property {(ms: number, then: () => void) => (() => void)} after
 */

/**
 * A source of bytes from the operating system, filled in place: `crypto.getRandomValues`.
 *
 * @typedef {(bytes: Uint8Array) => Uint8Array} RandomBytes
 */

/**
 * What came of a command.
 *
 * `ok`: it is in the log as commit `seq` (or `changed` is false: there was nothing to do). `late`: it took so long
 * that the client had given it up, and it did happen. Otherwise `code` says why not: one of the server's, or the
 * client's own `away` (nothing was sent).
 *
 * @typedef {object} Outcome
 * @property {boolean} ok
 * @property {string} id
 * @property {number} [seq]
 * @property {boolean} [changed]
 * @property {boolean} [late]
 * @property {Minted} [minted]
 * @property {string} [code]
 * @property {string} [message]
 * @property {Record<string, unknown>} [values]
 */

/**
 * What is known of a command on its way.
 *
 * sent, slow (no answer for 2 s), waiting (the server asked for patience: `ms`), withdrawing (given up after 30 s;
 * the server is asked whether it happened).
 *
 * @typedef {{phase: "sent" | "slow" | "waiting" | "withdrawing", ms?: number}} Progress
 */

/**
 * How the line to the bridge is.
 *
 * idle, connecting, resuming (connected, catching up), live, away (not connected; `retryAt` is the next try), refused
 * (the bridge does not want this client; `code` says why, nothing is tried any more), stopped.
 *
 * @typedef {object} ConnectionState
 * @property {"idle" | "connecting" | "resuming" | "live" | "away" | "refused" | "stopped"} state
 * @property {number} [code] close code of the last connection
 * @property {string} [reason] what the server said with it
 * @property {number} [retryAt] time of the next try
 * @property {number} [tries] tries since it was last live
 */

export {};
