"""Five kills by hand: ``python -m tests.crash.five_kills [--kills 5] [--seed N]``. Prints what it saw; exit code 1 if anything is wrong."""

import argparse
import asyncio
import random
import sys
import tempfile
from pathlib import Path

from tests.crash.kills import evening
from tests.crash.plain import roll_through_a_kill


def main():
    asked = argparse.ArgumentParser(description="Kill a server while people roll, and look at what is left.")
    asked.add_argument("--kills", type=int, default=5)
    asked.add_argument("--seed", type=int, default=random.randrange(10**6))
    given = asked.parse_args()
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        print(f"== 32 clients of 8 people, {given.kills} kills")
        (Path(folder) / "evening").mkdir()
        told = asyncio.run(evening(Path(folder) / "evening", seed=given.seed, kills=given.kills))
        print(
            f"{told.acked} rolls acknowledged, {told.refused} refused, {told.unknown} unanswered, {told.commits} commits in the log"
        )
        wrong += told.problems
        for nth in range(given.kills):
            print(f"== boonbridge roll --count 200 --clients 32, kill {nth + 1} of {given.kills}")
            wrong += roll_through_a_kill(Path(folder) / f"plain-{nth}", seed=given.seed + nth)
    for problem in wrong:
        print(f"WRONG: {problem}")
    print(
        "every acknowledged roll is in the log once, numbers are gapless, old ids have their old answers"
        if not wrong
        else "FAILED"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
