"""How the table stood then: the frame ``at``, for every role, and what is refused."""

from tests.support.bridge import ROLL, playing

ROLL = ROLL["sage_d20"]


async def test_a_moment_is_the_table_as_it_stood_then(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Pia") as pia:
        await pia.settled()
        then, stood = bridge_seq(pia), dict(pia.entries)
        await bridge.do({"t": "Grant", "actors": ["hero"], "sign": "boon", "source": {"id": "luck", "label": "Luck"}})
        await bridge.do({"t": "SetOptions", "options": {"default_tn": 12}})
        await bridge.do({"t": "RemoveActor", "actor": "friend"})
        await pia.settled()
        answer = await pia.ask({"t": "at", "seq": then})
        assert answer["t"] == "asOf", answer
        told = {entry["key"]: entry["value"] for entry in answer["entries"]}
        assert told == {key: value for key, value in stood.items() if not key.startswith(("check/", "request/", "assist/"))}
        assert (answer["seq"], answer["more"]) == (then, False)


def bridge_seq(person):
    return person.seq
