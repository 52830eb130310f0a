"""Builds that leak: each is the running product with one small mistake in it, of a kind that somebody could make.

The harness of ``leaking.py`` has to find each of them, in the channel that is named; one that survives is a hole in the harness.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass

import structlog
from msgspec.structs import replace

from boonbridge.commands import replaying
from boonbridge.core import (
    choosing,
    decide,
    foreseeing,
    granting,
    grouping,
    permissions,
    requesting,
    revealing,
    rolling,
    turns,
    visibility,
)
from boonbridge.core import entries as core_entries
from boonbridge.core import preview as core_preview
from boonbridge.core.permissions import authorise
from boonbridge.core.visibility import Viewer
from boonbridge.net import http as net_http
from boonbridge.net import reader as net_reader
from boonbridge.obs.metrics import Metrics
from boonbridge.tables import (
    composing,
    exporting,
    frames,
    hub,
    identity,
    in_use,
    inviting,
    looking,
    posting,
    seeing,
    session,
    shown,
    table,
)
from boonbridge_schemas.base import PARTS
from boonbridge_schemas.codes import Code
from boonbridge_schemas.events import GrantSpent
from boonbridge_schemas.refusal import Refusal
from boonbridge_schemas.server import Hidden, Presence, RawLogged, SeenBy
from tests.support import leaking_plantings as planted
from tests.support.leaking import Planting

ANYBODY = Viewer("somebody", "gm")


@dataclass(frozen=True, kw_only=True)
class Build:
    """``wrong`` makes the mistake; ``channel`` finds it, in that cell, by a fault of that kind. ``short``: in the normal suite."""

    name: str
    wrong: Callable
    planting: Planting = planted.DICE
    mode: str = "gm"
    roller: str = "Pia"
    channel: str = "live"
    kind: str = "told"
    short: bool = False


# --- who reads which part ------------------------------------------------------------------------------------------
def reads(role, own, *parts):
    return lambda patch: patch.setitem(visibility._READS, (role, own), parts)


def stands_in(mode, part):
    return lambda patch: patch.setitem(visibility._PART_OF, mode, part)


def unfiltered(module):
    """Told as to a game master."""

    def wrong(patch):
        right = module.logged
        patch.setattr(module, "logged", lambda commit, _viewer, *args, **more: right(commit, ANYBODY, *args, **more))

    return wrong


def of_all_parts(module):
    return lambda patch: patch.setattr(module, "readable", lambda _viewer, _by: PARTS)


# --- what is looked back at ----------------------------------------------------------------------------------------
def exported_for_a_gm(patch):
    right = exporting.shown
    patch.setattr(exporting, "shown", lambda commit, rung, _viewer, state: right(commit, rung, ANYBODY, state))


def seeds_in_an_export(patch):
    right = exporting.shown

    def wrong(commit, rung, viewer, state):
        parts = right(commit, rung, viewer, state)
        return {name: replace(part, seed_hash=rung.seeds[name].hex()) for name, part in parts.items()}

    patch.setattr(exporting, "shown", wrong)


def sizes_in_an_export(patch):
    """Where the commit that promised it is to stand, its size does."""
    right = exporting.Lines.commit

    def commit(self, commit, rung):
        line = json.loads(right(self, commit, rung))
        return json.dumps({**line, "promisedBy": sum(map(len, commit.parts))}, separators=(",", ":")).encode() + b"\n"

    patch.setattr(exporting.Lines, "commit", commit)


def moment_as_gm(patch):
    right = looking._as_of
    patch.setattr(looking, "_as_of", lambda id_, state, keys, _viewer, room: right(id_, state, keys, ANYBODY, room))


def replayed_as_gm(patch):
    for name in ("records", "standing"):
        right = getattr(replaying, name)
        patch.setattr(replaying, name, lambda state, _viewer, right=right: right(state, ANYBODY))


# --- frames --------------------------------------------------------------------------------------------------------
def hidden_with_sender(patch):
    right = frames.logged

    def logged(commit, viewer, *args, **more):
        frame = right(commit, viewer, *args, **more)
        if not isinstance(frame, Hidden):
            return frame
        return RawLogged(seq=commit.seq, at=commit.at, hash=commit.hash, seed_hash=commit.seed_hash, by=commit.by)

    patch.setattr(frames, "logged", logged)


def seeds_of_all_parts(patch):
    right = frames.logged

    def logged(commit, viewer, rung, **more):
        frame = right(commit, viewer, rung, **more)
        if isinstance(frame, Hidden):
            return frame
        return replace(frame, seeds={name: rung.seeds[name].hex() for name in PARTS})

    patch.setattr(frames, "logged", logged)


def seed_of_the_next(patch):
    right = frames.logged

    def logged(commit, viewer, rung, **more):
        frame = right(commit, viewer, rung, **more)
        return frame if isinstance(frame, Hidden) else replace(frame, seed_hash=rung.seeds["gm"].hex())

    patch.setattr(frames, "logged", logged)


def keys_told(patch):
    patch.setattr(core_entries, "tells", lambda _state, _key, _viewer: True)


def one_frame_for_all(patch):
    patch.setattr(hub.entries, "seen_by", lambda _state, _keys: "role")
    patch.setattr(frames, "readable", lambda viewer, _by: ("all", "roller_gm") if viewer.role == "player" else PARTS)


def presence_with_devices(patch):
    right = in_use.encode

    def encode(frame):
        text = right(frame)
        if not isinstance(frame, Presence):
            return text
        told = json.loads(text)
        for user in told["users"]:
            user["device"] = "laptop"
        return json.dumps(told).encode()

    patch.setattr(in_use, "encode", encode)


def seen_by_told_to_all(patch):
    def saw(self, session, frame, sessions):
        for each in sessions:
            each.outbox.put(frames.encode(SeenBy(request=frame.request, user=session.user)))

    patch.setattr(seeing.Seeing, "saw", saw)


def ends_with_any_roll(patch):
    """What is being put together is over with the roll, whoever may know of it."""
    right = composing.Composing.committed

    def committed(self, committed):
        right(self, replace(committed, placed=tuple(("all", event) for _, event in committed.placed)))

    patch.setattr(composing.Composing, "committed", committed)


def card_offered_to_anybody(patch):
    patch.setattr(posting.Card, "seen_by", lambda _self, viewer: viewer.role == "player")


def everybody_asks_as_a_gm(patch):
    right = inviting.answer

    async def answer(hub, opened, asker, frame):
        return await right(hub, opened, inviting.Asker(asker.user, "gm"), frame)

    patch.setattr(inviting, "answer", answer)


def logs_the_code(patch):
    right = inviting.answer

    async def answer(hub, opened, asker, frame):
        made = await right(hub, opened, asker, frame)
        structlog.get_logger("x").info("answered", made=str(made))
        return made

    patch.setattr(inviting, "answer", answer)


def codes_in_the_roster(patch):
    right = inviting._open_code
    codes = []
    made = inviting.CodeMade

    def code_made(**fields):
        codes.append(fields["code"])
        return made(**fields)

    patch.setattr(inviting, "CodeMade", code_made)
    patch.setattr(inviting, "_open_code", lambda opened, code: replace(right(opened, code), name=codes[-1]))


def clients_are_logged(patch):
    right = hub.Hub.admit

    async def admit(self, hello, *args, **more):
        structlog.get_logger("x").info("hello", client=hello.client.name)
        return await right(self, hello, *args, **more)

    patch.setattr(hub.Hub, "admit", admit)


# --- state ---------------------------------------------------------------------------------------------------------
def sees_every_check(patch):
    patch.setattr(core_entries, "sees_check", lambda _check, _viewer: True)


def sees_all_numbers(module):
    return lambda patch: patch.setattr(module, "sees_numbers", lambda _state, _actor, _viewer: True)


def request_as_gm(patch):
    right = core_entries._request
    patch.setattr(core_entries, "_request", lambda asking, viewer: right(asking, Viewer(viewer.user, "gm")))


def at_once(patch):
    """Effects of a hidden roll do not wait."""
    right = rolling.CheckRolled
    patch.setattr(rolling, "CheckRolled", lambda **fields: right(**{**fields, "deferred": False}))


def earns_at_once(patch):
    right = choosing.Chosen
    patch.setattr(choosing, "Chosen", lambda **fields: right(**{**fields, "deferred": False}))


def uses_up_what_others_could_use(patch):
    right = rolling.let_lapse

    def let_lapse(commit):
        if commit.part != "all":
            for grant in commit.state.actors["hero"].grants:
                if grant.expiry.when == "next_roll":
                    commit.add(commit.part, GrantSpent(actor="hero", grant=grant.id, check=f"{commit.state.seq}.1"))
        right(commit)

    patch.setattr(rolling, "let_lapse", let_lapse)


def takes_the_default_of_others(patch):
    """A hidden roll ends what everybody sees open on the one before."""
    patch.setattr(choosing, "within", lambda _part, _other: True)


# --- a number that is hidden ---------------------------------------------------------------------------------------
def target_for_its_roller(patch):
    patch.setattr(rolling, "part_of_target", lambda _mode, _role: "all")


def target_not_hidden(patch):
    patch.setattr(rolling, "_hides", lambda _state, _check: False)


def odds_instead_of_curve(patch):
    sees_all_numbers(core_preview)(patch)


def chance_of_a_choice(patch):
    for module in (rolling, choosing, visibility):
        patch.setattr(module, "open_offers", lambda _check, offers: offers)


def margin_told(patch):
    patch.setattr(rolling, "split_margin", lambda result, _rules: (result, ()))


def parameters_told(patch):
    patch.setattr(rolling, "_told", lambda check: dict(check.params))


def difficulty_asked_aloud(patch):
    patch.setattr(requesting, "_without_difficulty", lambda _state, asked: asked)


def command_in_public(patch):
    right = requesting.request_check

    def request_check(*args):
        return replace(right(*args), command_part="all")

    patch.setitem(decide._DECIDE, requesting.RequestCheck, request_check)


def secret_request_told(patch):
    patch.setattr(requesting, "part_of", lambda _mode: "all")


def group_told(patch):
    patch.setattr(grouping, "everybody_saw", lambda _asking: True)


def end_waits_for_hidden_rolls(patch):
    """A request is open for as long as somebody has something to choose on a roll that others do not see."""
    patch.setattr(grouping, "_holds_up", grouping._waits)


def settled_by_name(patch):
    right = revealing.settle

    def settle(state, command, context):
        decision = right(state, command, context)
        told = ((part, replace(event, check=command.check)) for part, event in decision.placed)
        return replace(decision, placed=tuple(told), command_part="all" if decision.placed else None)

    patch.setitem(decide._DECIDE, revealing.Settle, settle)


# --- what only GMs know that an actor has ---------------------------------------------------------------------------
def given_aloud(patch):
    right = granting.grant

    def grant(state, command, context):
        decision = right(state, command, context)
        return replace(decision, placed=tuple(("all", event) for _, event in decision.placed))

    patch.setitem(decide._DECIDE, granting.Grant, grant)


def ends_aloud(patch):
    patch.setattr(turns, "part_of_grant", lambda _grant: "all")


def used_up_aloud(patch):
    patch.setattr(rolling, "part_of_grant", lambda _grant: "all")


def grants_in_the_state(patch):
    patch.setattr(core_entries, "grants_for", lambda actor, _viewer: actor.grants)


def counts_on_every_roll(patch):
    patch.setattr(rolling, "_unseen", lambda _commit, _command, _role, _answering: "")


def counts_in_every_preview(patch):
    patch.setattr(core_preview, "_unseen", lambda _command, _viewer: "")


def public_commits_as_to_a_gm(patch):
    right = hub.commit_frames

    def commit_frames(commit, viewer, *args, **more):
        return right(commit, ANYBODY if commit.events.keys() == {"all"} else viewer, *args, **more)

    patch.setattr(hub, "commit_frames", commit_frames)


# --- refusals ------------------------------------------------------------------------------------------------------
def refused_otherwise(patch):
    patch.setattr(permissions, "sees_check", lambda _check, _viewer: True)


def refusal_with_the_total(patch):
    def with_total(state, command, user, role):
        try:
            authorise(state, command, user, role)
        except Refusal as no:
            check = str(getattr(command, "check", getattr(command, "what", ""))).removeprefix("check/")
            known = state.deeds.get(f"check/{check}")
            if known is not None and known.opened is not None:
                raise Refusal(no.code, values={**no.values, "total": known.opened.result.total}) from None
            raise

    patch.setattr(decide, "authorise", with_total)


def id_with_details(patch):
    right = table._again

    def again(known, request):
        if known.user != request.user:
            raise Refusal(Code.COMMAND_ID_TAKEN, values={"seq": known.seq, "by": known.user})
        return right(known, request)

    patch.setattr(table, "_again", again)


def id_of_another_is_answered(patch):
    patch.setattr(table, "_again", lambda known, request: table.Ack(id=request.id, seq=known.seq, changed=known.changed))


# --- the operator's side -------------------------------------------------------------------------------------------
def _on_roll(patch, work):
    right = decide._DECIDE[rolling.RollCheck]

    def roll(state, command, context):
        decision = right(state, command, context)
        work(command, decision)
        return decision

    patch.setitem(decide._DECIDE, rolling.RollCheck, roll)


def logs_the_action(patch):
    _on_roll(patch, lambda command, _decision: structlog.get_logger("x").info("rolled", action=command.action))


def logs_the_total(patch):
    def work(_command, decision):
        total = next(event.result.total for _, event in decision.placed if hasattr(event, "result"))
        structlog.get_logger("x").debug("rolled", total=total)

    _on_roll(patch, work)


def counts_by_actor(patch):
    right = Metrics.answered
    seen = []
    _on_roll(patch, lambda command, _decision: seen.append(command.actors[0]))

    def answered(self, outcome, seconds):
        right(self, f"{outcome} {seen.pop()}" if seen else outcome, seconds)

    patch.setattr(Metrics, "answered", answered)


def page_says_who_rolled(patch):
    last = []
    _on_roll(patch, lambda command, _decision: last.append(command.action))
    right = net_http.Site._answer

    def answer(self, request, *args):
        if request.path == "/readyz" and last:
            return net_http.text(net_http.HTTPStatus.OK, f"ready {last[-1]}\n")
        return right(self, request, *args)

    patch.setattr(net_http.Site, "_answer", answer)


# --- who may come in -----------------------------------------------------------------------------------------------
def revoked_may_come(patch):
    patch.setattr(hub.Hub, "_member", lambda _self, opened, claims: opened.table.state.people[claims.user])


def expired_may_come(patch):
    for module in (hub, net_reader):
        right = module.read_token

        def lenient(key, token, *, now, right=right):
            try:
                return right(key, token, now=now)
            except identity.TokenRefused:
                return right(key, token, now=now - 2 * 86_400_000)

        patch.setattr(module, "read_token", lenient)


BUILDS = (
    Build(name="other players read what a GM and the roller read", wrong=reads("player", False, "all", "roller_gm"), short=True),
    Build(name="a player reads the blind roll he made", wrong=reads("player", True, *PARTS), mode="blind", short=True),
    Build(name="an observer reads as a GM does", wrong=reads("observer", False, "all", "roller_gm", "gm"), channel="catch-up"),
    Build(name="a GM reads what its roller keeps to himself", wrong=reads("gm", False, *PARTS), mode="self", short=True),
    Build(name="a blind roll stands where its roller reads", wrong=stands_in("blind", "roller_gm"), mode="blind"),
    Build(name="a lone roll stands where GMs read", wrong=stands_in("self", "roller_gm"), mode="self", channel="history"),
    Build(name="a secret roll stands where its roller reads", wrong=stands_in("secret", "roller_gm"), mode="secret", channel="proof"),
    Build(name="live frames are not filtered", wrong=unfiltered(frames)),
    Build(name="history is not filtered", wrong=unfiltered(looking), channel="history", short=True),
    Build(name="catching up is not filtered", wrong=unfiltered(session), channel="catch-up", short=True),
    Build(name="a proof gives every part", wrong=of_all_parts(shown), channel="proof", short=True),
    Build(name="an export gives every part", wrong=of_all_parts(shown), channel="export", short=True),
    Build(name="an export is written for a GM, whoever is to read it", wrong=exported_for_a_gm, channel="export"),
    Build(name="an export has the seed of a hidden part for its hash", wrong=seeds_in_an_export, channel="export", short=True),
    Build(name="an export tells how much is hidden", wrong=sizes_in_an_export, channel="export", kind="differs"),
    Build(name="what is hidden is found by looking for it", wrong=of_all_parts(looking), channel="looked", kind="differs", short=True),
    Build(name="a moment is told as to a GM", wrong=moment_as_gm, planting=planted.UNSEEN, channel="moment", short=True),
    Build(name="a replay is not filtered", wrong=unfiltered(replaying), channel="replay", short=True),
    Build(name="a replayed moment stands as for a GM", wrong=replayed_as_gm, planting=planted.UNSEEN, channel="replay"),
    Build(name="a hidden frame says who sent it", wrong=hidden_with_sender, kind="differs"),
    Build(name="the seeds of all parts are told", wrong=seeds_of_all_parts, mode="public", short=True),
    Build(name="a seed is told in the place of its hash", wrong=seed_of_the_next, mode="public"),
    Build(
        name="keys of checks are told to those who do not read them", wrong=keys_told, planting=planted.OPEN, channel="later",
        kind="differs",
    ),
    Build(name="one frame is made for all of a role", wrong=one_frame_for_all),
    Build(name="who is here is told with his devices", wrong=presence_with_devices, kind="shape", short=True),
    Build(
        name="people and their devices are told to whoever asks", wrong=everybody_asks_as_a_gm, channel="people", kind="shape",
        short=True,
    ),
    Build(name="open codes are listed with their letters", wrong=codes_in_the_roster, channel="people"),
    Build(name="a log line has a code", wrong=logs_the_code, channel="log lines"),
    Build(name="a log line has what a client calls itself", wrong=clients_are_logged, channel="log lines"),
    Build(
        name="who has seen a request is told to everybody", wrong=seen_by_told_to_all, planting=planted.DIFFICULTY,
        channel="refusals", kind="shape",
    ),
    Build(name="a hidden roll ends what its roller was seen to put together", wrong=ends_with_any_roll, kind="differs", short=True),
    Build(name="a card is offered to somebody who may not read it", wrong=card_offered_to_anybody, kind="shape"),
    Build(
        name="what is open on every check stands in the state", wrong=sees_every_check, planting=planted.OPEN, channel="state",
        kind="differs", short=True,
    ),
    Build(
        name="numbers of the foe stand in the state", wrong=sees_all_numbers(core_entries), planting=planted.FOE, channel="state",
        short=True,
    ),
    Build(name="a request is shown as to a GM", wrong=request_as_gm, planting=planted.DIFFICULTY, channel="state"),
    Build(name="a hidden roll locks at once", wrong=at_once, planting=planted.LOCK, channel="state", short=True),
    Build(
        name="a hidden lock is known to the preview", wrong=at_once, planting=planted.LOCK, mode="self", channel="preview",
        kind="differs",
    ),
    Build(name="a hidden fumble exposes at once", wrong=at_once, planting=planted.GRACE, channel="state", kind="differs"),
    Build(
        name="a hidden failure earns a Boon at once", wrong=earns_at_once, planting=planted.POOL, channel="state", kind="differs",
        short=True,
    ),
    Build(
        name="a hidden roll uses up a Boon that others could use", wrong=uses_up_what_others_could_use, planting=planted.SPENT,
        channel="state", kind="differs", short=True,
    ),
    Build(
        name="a hidden roll uses up a Boon, and a preview shows it", wrong=uses_up_what_others_could_use, planting=planted.SPENT,
        mode="self", channel="preview", kind="differs",
    ),
    Build(
        name="a hidden roll decides what everybody sees open", wrong=takes_the_default_of_others, planting=planted.WAITING,
        kind="differs",
    ),
    Build(name="the number to reach is told to everybody", wrong=target_for_its_roller, planting=planted.FOE, mode="public"),
    Build(
        name="a roll says what it had to reach", wrong=target_not_hidden, planting=planted.FOE, mode="public", kind="shape",
        short=True,
    ),
    Build(
        name="odds instead of a curve", wrong=odds_instead_of_curve, planting=planted.FOE, channel="preview", kind="shape", short=True,
    ),
    Build(
        name="the chance of a choice tells what resists", wrong=chance_of_a_choice, planting=planted.RESISTED, mode="public",
        kind="shape",
    ),
    Build(name="a margin tells what resists", wrong=margin_told, planting=planted.LEVEL, mode="public", kind="shape"),
    Build(
        name="parameters tell a difficulty that is not shown", wrong=parameters_told, planting=planted.DIFFICULTY, mode="public",
    ),
    Build(
        name="a request tells the difficulty", wrong=difficulty_asked_aloud, planting=planted.DIFFICULTY, channel="history", short=True,
    ),
    Build(
        name="the command with the difficulty is public", wrong=command_in_public, planting=planted.DIFFICULTY, channel="proof",
    ),
    Build(
        name="a secret request is told", wrong=secret_request_told, planting=planted.SECRET_REQUEST, mode="secret", roller="Gina",
    ),
    Build(
        name="a group's end tells what a hidden roll came to", wrong=group_told, planting=planted.GROUP, kind="differs",
    ),
    Build(
        name="a request waits for a choice on a hidden roll", wrong=end_waits_for_hidden_rolls, planting=planted.ALONE,
        kind="differs",
    ),
    Build(name="settling names the check", wrong=settled_by_name, planting=planted.LOCK, channel="afterwards"),
    Build(name="a hidden Boon is given aloud", wrong=given_aloud, planting=planted.UNSEEN),
    Build(name="a hidden Bane ends aloud", wrong=ends_aloud, planting=planted.UNSEEN, channel="later", kind="differs"),
    Build(name="a hidden Bane is used up aloud", wrong=used_up_aloud, planting=planted.UNSEEN, roller="Gina", kind="differs"),
    Build(
        name="hidden Boons stand in the state", wrong=grants_in_the_state, planting=planted.UNSEEN, channel="state", short=True,
    ),
    Build(name="hidden Boons count where others look on", wrong=counts_on_every_roll, planting=planted.UNSEEN),
    Build(
        name="hidden Boons stand in a player's preview", wrong=counts_in_every_preview, planting=planted.UNSEEN, channel="preview",
        short=True,
    ),
    Build(
        name="hidden Boons go with the frame of one that is not", wrong=public_commits_as_to_a_gm, planting=planted.UNSEEN,
        channel="later", short=True,
    ),
    Build(
        name="a choice on a check that he may not read is refused otherwise", wrong=refused_otherwise, planting=planted.OPEN,
        channel="refusals", kind="differs", short=True,
    ),
    Build(name="a refusal names the total", wrong=refusal_with_the_total, channel="refusals", short=True),
    Build(name="foreseeing tells every part", wrong=of_all_parts(foreseeing), planting=planted.DIFFICULTY, channel="foresee", kind="shape"),
    Build(name="an id that is taken says by whom", wrong=id_with_details, channel="ids", kind="differs", short=True),
    Build(name="an id of somebody else is answered", wrong=id_of_another_is_answered, channel="ids", kind="shape"),
    Build(name="a log line names what was tried", wrong=logs_the_action, channel="log lines", short=True),
    Build(name="a log line names the total", wrong=logs_the_total, channel="log lines"),
    Build(name="a metric is kept by actor", wrong=counts_by_actor, channel="metrics", short=True),
    Build(name="a page says what was rolled", wrong=page_says_who_rolled, channel="http", kind="differs"),
    Build(name="who lost his access may come in", wrong=revoked_may_come, channel="unauthenticated", kind="shape", short=True),
    Build(name="an old token opens", wrong=expired_may_come, channel="unauthenticated", kind="shape"),
)  # fmt: skip
