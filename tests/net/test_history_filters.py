"""What is looked for in a long log: by marks, by actor, by person, and how far was looked."""

from tests.support.bridge import ROLL, playing

ROLL = ROLL["sage_d20"]


async def test_a_critical_is_found_with_its_marks_and_how_far_was_looked(tmp_path):
    async with playing("sage_d20", tmp_path) as bridge, bridge.join("Pia") as pia:
        for face in (5, 20, 7):
            bridge.tape.put(face)
            await bridge.do(ROLL)
        head = (await bridge.table()).state.seq
        found = await pia.ask({"t": "history", "where": {"marks": ["critical"]}})
        assert [commit["seq"] for commit in found["commits"]] == [head - 1]
        assert found["marks"] == [{"seq": head - 1, "marks": ["roll", "critical"]}]
        assert (found["looked"], found["more"]) == (1, False)
