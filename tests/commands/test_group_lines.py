"""What a group with hidden rolls came to changes nothing before everybody is shown them, and a terminal says no other way."""

from boonbridge.commands.lines import told
from tests.core.test_requests import answer, ask, named, table


def test_what_a_group_with_a_hidden_roll_earns_it_earns_when_that_is_shown_and_not_when_it_is_settled():
    evening = table()
    request = ask(evening, group="one_success", actors=["hero", "friend"])
    evening.do(answer(request, "hero", mode="gm"), "pia", (2,))
    placed = evening.do(answer(request, "friend"), "quin", (3,))
    (event,) = named(placed, "GroupTold", "gm")
    line = told(event, evening.state.ruleset.info(evening.state.options))
    assert "once everybody is shown its rolls" in line
    hidden = {"check": evening.state.requests[request].members["hero"].rolled.check}
    evening.do({"t": "Settle", **hidden})
    assert evening.state.game.held == 0
    evening.do({"t": "Reveal", **hidden})
    assert evening.state.game.held == 1
