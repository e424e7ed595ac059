#!/usr/bin/env python3
"""Two builds of Nilas on the same runs: do their engines do the same, question by question?

Runs `check --stats` with both binaries, one engine at a time, on all of examples/*.cfa and on tasks drawn from an
index (a fixed seed), and compares every counter that is not a time. Runs that one of the two does not finish
within the limit are left out: what they counted depends on the clock.

Usage: python3 benchmarks/solver_calls.py BEFORE AFTER [--index FILE] [--tasks N] [--timeout S] [--techniques LIST]...
"""

import argparse
import csv
import json
import pathlib
import random
import subprocess

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
# On which examples techniques are compared.
FEW = ["p_true", "fig2", "jain1", "mutual_counters", "nested_bounded", "lock", "state_machine", "havoc_loop", "prime",
       "lock_bug", "two_incoming", "saturate"]


def runs(arguments):
    """Engine, techniques, name, and the rest of the command line."""
    examples = sorted(EXAMPLES.glob("*.cfa"))
    for engine in ("ic3cfa", "ic3"):
        for path in examples:
            yield engine, "", f"examples/{path.name}", [str(path)]
    if arguments.index:
        index = pathlib.Path(arguments.index)
        rows = [row for row in csv.DictReader(index.open())
                if int(row["lines"]) < 400 and not row["set"].startswith("float")]
        random.Random(7).shuffle(rows)
        for place, row in enumerate(rows[: arguments.tasks]):
            model = "--32" if row["data_model"] == "ILP32" else "--64"
            # Seven tenths for ic3cfa, the rest for ic3.
            engine = "ic3cfa" if place < arguments.tasks * 7 // 10 else "ic3"
            yield engine, "", row["path"], [model, str(index.parent / row["path"])]
    for techniques in arguments.techniques:
        for path in (EXAMPLES / f"{name}.cfa" for name in FEW):
            yield "ic3cfa", techniques, f"examples/{path.name}", [f"--techniques={techniques}", str(path)]


def counters(binary, engine, rest, timeout):
    """The counters of the engine, without times; None if it was stopped."""
    command = [binary, "check", "--json", "--stats", "--engine", engine, "--checker-timeout", "0"]
    command += ["--timeout", str(timeout), *rest]
    said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    try:
        answer = json.loads(said)
    except ValueError:
        return None
    found = (answer.get("statistics") or {}).get(engine)
    if found is None or "limit" in str(answer.get("reason")):
        return None
    return {name: int(count) for name, count in found.items() if "seconds" not in name}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--index")
    parser.add_argument("--tasks", type=int, default=100)
    parser.add_argument("--timeout", type=float, default=8)
    parser.add_argument("--techniques", action="append", default=[])
    arguments = parser.parse_args()
    print(f"{'engine':7} {'program':52} {'calls before':>12} {'after':>7} {'lemmas':>7} {'frames':>7}  counters that differ")
    same = {}
    for engine, techniques, name, rest in runs(arguments):
        before = counters(arguments.before, engine, rest, arguments.timeout)
        after = counters(arguments.after, engine, rest, 8 * arguments.timeout) if before else None
        if not after:
            continue
        differ = sorted(count for count in before.keys() | after.keys() if before.get(count) != after.get(count))
        total = same.setdefault(techniques or f"{engine}, default", [0, 0, 0, 0])
        calls = [one.get("solver checks", 0) for one in (before, after)]
        total[0] += 1
        total[1] += not differ
        total[2] += calls[0]
        total[3] += calls[1]
        if not techniques or differ:
            shown = name if not techniques else f"{name} {techniques}"
            print(f"{engine:7} {shown:52} {calls[0]:12} {calls[1]:7} {after.get('lemmas learnt', 0):7} "
                  f"{after.get('frames', 0):7}  {', '.join(differ) or '-'}", flush=True)
    print(f"\n{'techniques':30} {'runs':>5} {'same':>5} {'calls before':>12} {'after':>8}")
    for techniques, (count, equal, before, after) in same.items():
        print(f"{techniques:30} {count:5} {equal:5} {before:12} {after:8}")


if __name__ == "__main__":
    main()
