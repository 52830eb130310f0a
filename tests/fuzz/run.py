"""Throw chance at one target: ``python -m tests.fuzz.run TARGET [--seconds N] [--runs N] [--random] [--seed N]``.

With atheris where it is installed (coverage leads it; what it finds goes into ``.fuzz/TARGET``), otherwise with plain chance, which
says so. A finding ends the run with exit code 1 and the bytes that show it; those given as ``--show HEX`` run that one alone.
"""

import argparse
import importlib.util
import random
import sys
import time
from collections import Counter
from pathlib import Path

FOLDER = Path(__file__).parents[2] / ".fuzz"
SIZES = (8, 16, 40, 120, 400, 1_200)


def by_chance(target, name, *, seconds, runs, seed):
    """Plain chance, until time or runs are used up; what the target came to, counted."""
    rng, counted, began, done = random.Random(seed), Counter(), time.monotonic(), 0
    while (runs == 0 or done < runs) and (seconds == 0 or time.monotonic() - began < seconds):
        data = rng.randbytes(rng.choice(SIZES))
        try:
            counted[target(data)] += 1
        except BaseException:
            print(f"{name}: given way. Again: python -m tests.fuzz.run {name} --show {data.hex()}", file=sys.stderr)
            raise
        done += 1
    return done, counted, time.monotonic() - began


def led(name, *, seconds, runs):
    """By atheris; does not return."""
    import atheris

    with atheris.instrument_imports(include=["boonbridge", "boonbridge_schemas"]):
        from tests.fuzz.targets import TARGETS

    corpus = FOLDER / name
    corpus.mkdir(parents=True, exist_ok=True)
    for number in range(40):  # something to begin with that is long enough to come to anything
        (corpus / f"first-{number}").write_bytes(random.Random(number).randbytes(SIZES[number % 5]))
    limits = [f"-max_total_time={seconds}"] * bool(seconds) + [f"-runs={runs}"] * bool(runs)
    words = [
        sys.argv[0],
        str(corpus),
        *limits,
        f"-artifact_prefix={corpus}/found-",
        "-max_len=1200",
        "-len_control=0",
        "-print_final_stats=1",
    ]
    target = TARGETS[name]

    def one_input(data):
        target(data)

    atheris.Setup(words, one_input)
    atheris.Fuzz()


def main():
    parser = argparse.ArgumentParser(prog="tests.fuzz.run")
    parser.add_argument("target", choices=("wire", "commits", "tabledata"))
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--runs", type=int, default=0)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--random", action="store_true", help="plain chance, also where atheris is installed")
    parser.add_argument("--show", metavar="HEX", help="run these bytes alone")
    asked = parser.parse_args()
    if asked.show is None and not asked.random and importlib.util.find_spec("atheris") is not None:
        print(f"{asked.target}: led by atheris", flush=True)
        led(asked.target, seconds=asked.seconds, runs=asked.runs)
    from tests.fuzz.targets import TARGETS

    if asked.show is not None:
        print(TARGETS[asked.target](bytes.fromhex(asked.show)))
        return
    why = "as asked" if asked.random else "atheris is not installed"
    print(f"{asked.target}: plain chance ({why}), seed {asked.seed}", flush=True)
    how = {"seconds": asked.seconds, "runs": asked.runs, "seed": asked.seed}
    done, counted, took = by_chance(TARGETS[asked.target], asked.target, **how)
    messages = sum(number * times for number, times in counted.items() if isinstance(number, int))
    came_to = f"{messages:,} messages" if messages else ", ".join(f"{times:,} {what}" for what, times in counted.most_common())
    print(f"{asked.target}: {done:,} inputs in {took:.0f} s ({came_to}); nothing gave way", flush=True)


if __name__ == "__main__":
    main()
