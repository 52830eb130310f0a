"""Every refusal and close code, each with its meaning. One flat list of stable strings.

``values`` of a refusal fill the clients' own wording; ``message`` is the English fallback.
"""

from enum import IntEnum, StrEnum
from typing import Self


class Code(StrEnum):
    """Why something was not done. The text beside each is its meaning and the fallback sentence's gist."""

    def __new__(cls, value: str, meaning: str = "") -> Self:
        """A code is its string; the meaning comes along."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.meaning = meaning
        return member

    meaning: str

    FRAME_BAD = "frame.bad", "The message is not valid JSON of this protocol."
    FRAME_TOO_LARGE = "frame.too_large", "The message is larger than the limit."
    FRAME_UNEXPECTED = "frame.unexpected", "This message may not be sent in this state of the connection."
    AUTH_REQUIRED = "auth.required", "Say hello with a token first."
    AUTH_CODE_WRONG = "auth.code_wrong", "The pairing code is wrong or was used up."
    AUTH_CODE_EXPIRED = "auth.code_expired", "The pairing code is too old."
    AUTH_RENEW_EARLY = "auth.renew_early", "The token is in the first half of its life."
    ROLE_FORBIDDEN = "role.forbidden", "Your role may not do this."
    ACTOR_NOT_YOURS = "actor.not_yours", "You do not own this actor."
    ACTOR_UNKNOWN = "actor.unknown", "The bridge does not know this actor; the GM has to give it numbers once."
    ACTOR_LIMIT = "actor.limit", "The table has as many actors as it can hold."
    ACTOR_NAME_MISSING = "actor.name_missing", "A new actor needs a name."
    ACTOR_BAD_NUMBER = "actor.bad_number", "A number of the actor does not fit the ruleset."
    ACTOR_NUMBER_MISSING = "actor.number_missing", "The actor lacks a number that this check needs."
    COMMAND_ID_TAKEN = "command.id_taken", "This command id was used for something else."
    COMMAND_WITHDRAWN = "command.withdrawn", "This command was withdrawn before it arrived."
    DICE_STALE = "dice.stale", "The table went on too far since; send again with the new `seen`."
    ROLL_UNKNOWN_CHECK = "roll.unknown_check", "The ruleset has no such check."
    ROLL_UNKNOWN_PARAMETER = "roll.unknown_parameter", "The check has no such parameter."
    ROLL_BAD_PARAMETER = "roll.bad_parameter", "A parameter of the check is missing or out of range."
    ROLL_NO_ACTOR = "roll.no_actor", "A roll needs an actor, or a name and numbers."
    ROLL_TARGET_NEEDED = "roll.target_needed", "This check is rolled against somebody: choose a target."
    ROLL_NO_TARGETS = "roll.no_targets", "This check is not rolled against anybody."
    ROLL_TOO_MANY_DICE = "roll.too_many_dice", "More dice than a roll may have; nothing was rolled."
    ROLL_TOO_MANY_ROWS = "roll.too_many_rows", "Too many actors times targets for one roll."
    ROLL_MODE = "roll.mode", "This table does not allow that visibility for this roll."
    ROLL_AD_HOC = "roll.ad_hoc", "Only the GM rolls for a name without numbers at this table."
    ROLL_DIFFICULTY = "roll.difficulty", "Only the GM sets difficulties at this table."
    ROLL_SOURCES = "roll.sources", "Only the GM names Boons and Banes at this table."
    ROLL_TOO_MANY_SOURCES = "roll.too_many_sources", "More Boons and Banes apply than a check may have; nothing was rolled."
    ROLL_LOCKED = "roll.locked", "This failed before; say what changed."
    ROLL_ENDS_NOTHING = "roll.ends_nothing", "There is no such condition for this roll to end."
    FACES_NOT_TAKEN = "faces.not_taken", "This table does not take dice rolled by hand."
    FACES_COUNT = "faces.count", "As many faces are needed as dice are rolled."
    FACES_RANGE = "faces.range", "A die has no such face."
    DICE_BAD_FORMULA = "dice.bad_formula", "That is no formula for dice."
    DICE_NO_BOONS = "dice.no_boons", "Boons and Banes do not touch these dice."
    SPEND_NOT_OFFERED = "spend.not_offered", "This ruleset has nothing to spend before a roll."
    SPEND_NO_NEGATIVE = "spend.no_negative_chances", "There is no negative chance to buy off."
    SPEND_LIMIT = "spend.limit", "No more Boons may be spent on this check."
    SPEND_NOT_FAILED = "spend.not_failed", "The check has not failed."
    SPEND_CRITICAL_FAILURE = "spend.critical_failure", "A critical failure cannot be bought off."
    SPEND_NEGATIVE = "spend.negative_chances", "A check with negative chances left cannot be tried again."
    SPEND_NOT_A_PLAYER = "spend.not_a_player", "Only the party spends group Boons."
    SPEND_OPEN_ROLLS_ONLY = "spend.open_rolls_only", "Only a public roll may use what others could still use."
    SPEND_INITIATIVE = "spend.initiative_not_lost", "The initiative is not lost; there is nothing to buy back."
    POOL_EMPTY = "pool.empty", "The group has no Boon left."
    CHECK_UNKNOWN = "check.unknown", "There is no such check, or nothing is open on it any more."
    CHOICE_NOT_OFFERED = "choice.not_offered", "The check does not offer this choice."
    CHOICE_NOT_YOURS = "choice.not_yours", "This choice belongs to somebody else."
    CHOICE_DONE = "choice.done", "This check has been decided already."
    CHOICE_BAD_NOTE = "choice.bad_note", "That note does not fit the choice."
    REQUEST_UNKNOWN = "request.unknown", "There is no such request."
    REQUEST_NOBODY = "request.nobody", "A request needs somebody to ask."
    REQUEST_CLOSED = "request.closed", "This request is over."
    REQUEST_ANSWERED = "request.answered", "This actor has answered already."
    REQUEST_NOT_ASKED = "request.not_asked", "This actor was not asked, or not for that check."
    REQUEST_FIXED = "request.fixed", "The request has fixed that already."
    REQUEST_ONLY = "request.only", "This check is rolled for a request of the GM only."
    REQUEST_GROUP = "request.group", "Rolls cannot belong together that way here."
    REQUEST_LIMIT = "request.limit", "As many requests are open as a table may have; close one first."
    OPPORTUNITY_UNKNOWN = "opportunity.unknown", "There is no such opportunity; it may have been used."
    OPPORTUNITY_NOT_FOR_YOU = "opportunity.not_for_you", "This opportunity is not for this roll."
    OPPORTUNITY_LIMIT = "opportunity.limit", "As many opportunities wait as a table can hold; use one, or let it pass."
    SESSION_RUNNING = "session.running", "An evening runs already; end it first."
    SESSION_NONE = "session.none", "No evening runs."
    XP_TOO_LITTLE = "xp.too_little", "Not enough experience."
    CORRECTION_UNKNOWN = "correction.unknown", "There is nothing there to take back, or it was too long ago."
    CORRECTION_DONE = "correction.done", "It has been taken back already."
    CORRECTION_FINAL = "correction.final", "A correction cannot itself be taken back; grant, set or roll anew."
    CORRECTION_USED = "correction.used", "Something of it was used since. Look at what is left, and confirm."
    CORRECTION_OUTCOME = "correction.outcome", "The check cannot come to that."
    CORRECTION_OPEN = "correction.open", "Everybody sees this check; there is nothing to reveal or settle."
    FORESEE_ROLLS = "foresee.rolls", "What dice will say cannot be foreseen."
    DATA_OTHER_RULESET = "data.other_ruleset", "That is the table data of another game."
    DATA_TOO_MANY = "data.too_many", "More entries than the table may have."
    DATA_BAD_DIE = "data.bad_die", "There is no such die."
    DATA_BAD_VALUE = "data.bad_value", "A value of the table data is out of range."
    DATA_CYCLE = "data.cycle", "Conditions imply each other in a circle."
    DATA_UNKNOWN = "data.unknown", "The table data names something that the game, or the data itself, does not have."
    DATA_TWICE = "data.twice", "Two entries have the same name."
    TURN_CHOICE_OPEN = "turn.choice_open", "A player here has still to choose; end the turn all the same?"
    VERB_UNKNOWN = "verb.unknown", "The ruleset has no such move."
    GRANT_UNKNOWN = "grant.unknown", "There is no such grant; it may have ended."
    GRANT_LIMIT = "grant.limit", "This actor has as many Boons and Banes as it can hold."
    CONDITION_UNKNOWN = "condition.unknown", "The ruleset has no such condition."
    CONDITION_NOT_HELD = "condition.not_held", "The actor does not have this condition; it may have ended."
    CONDITION_AMOUNT = "condition.amount", "The condition does not come in that amount."
    CONDITION_NO_LUCK = "condition.no_luck", "No luck roll ends this condition."
    CONDITION_LIMIT = "condition.limit", "This actor has as many conditions as it can hold."
    ASSIST_OFF = "assist.off", "At this table nobody helps another's roll with a Boon."
    ASSIST_OPPORTUNITY = "assist.opportunity", "In this game help is a check of its own: create an opportunity."
    ASSIST_SELF = "assist.self", "Nobody helps himself."
    ASSIST_UNKNOWN = "assist.unknown", "This help is not offered any more."
    ASSIST_LIMIT = "assist.limit", "As much help is offered to this actor as can wait."
    OPTION_UNKNOWN = "option.unknown", "The ruleset has no such option."
    OPTION_BAD_VALUE = "option.bad_value", "The option has no such value."
    OPTION_CONTRADICTION = "option.contradiction", "Two options contradict each other."
    PEOPLE_LIMIT = "people.limit", "The table has as many people as it can hold."
    PEOPLE_UNKNOWN = "people.unknown", "Nobody by that id is at this table."
    PEOPLE_SELF = "people.self", "You cannot take your own access away."
    PROOF_UNKNOWN = "proof.unknown", "There is no such commit."
    RATE_LIMITED = "rate.limited", "Too fast; wait and send the same again."
    BUSY = "busy", "The bridge could not write just now; nothing was done. Send the same again."
    INTERNAL = "internal", "The bridge made a mistake and has logged it; nothing was done."


class Close(IntEnum):
    """Websocket close codes of the bridge, with the reason a person reads."""

    def __new__(cls, value: int, reason: str = "") -> Self:
        """A close code is its number; the reason comes along."""
        member = int.__new__(cls, value)
        member._value_ = value
        member.reason = reason
        return member

    reason: str

    GOING_AWAY = 1001, "The bridge is shutting down. It resumes by itself when it is back."
    TOO_MANY_BAD_FRAMES = 1008, "Too many messages that this protocol does not know."
    TOO_LARGE = 1009, "A message was larger than the limit."
    INTERNAL = 1011, "The bridge made a mistake and has logged it. Nothing is lost; connect again."
    TRY_LATER = 1013, "The bridge cannot take anybody in just now. Connect again in a moment."
    AUTH_BAD = 4401, "The token is missing or not valid. Ask the GM for a new link."
    AUTH_EXPIRED = 4402, "The token has expired. Ask the GM for a new link."
    AUTH_REVOKED = 4403, "The token was revoked, or belongs to another table. Ask the GM for a new link."
    ORIGIN_UNKNOWN = 4404, "Pages from this address may not connect yet. Pair once from here with a code."
    HELLO_TIMEOUT = 4405, "No hello within the time limit."
    SLOW_READER = 4408, "Too far behind. Connect again; nothing is lost."
