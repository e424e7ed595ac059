#!/usr/bin/env python3
"""Runs `nilas check` on programs of index-real.csv, one at a time, and prints a line for each and a table.

    python3 benchmarks/real.py NILAS INDEX SET SECONDS [MORE OPTIONS...]

SET is the start of a set's name (eca, ddv, drivers, ...), or `sample`: 40 drivers, random.Random(11).sample of the
driver rows in the order of the index. SECONDS are processor seconds. Unknown functions do nothing, as the index has it.
"""
import collections
import csv
import os
import random
import resource
import subprocess
import sys

MEMORY = 8 << 30


def rows(index, name):
    """The rows of a set, in the order of the index or of the sample."""
    with open(index, newline="") as file:
        every = list(csv.DictReader(file))
    if name == "sample":
        return random.Random(11).sample([row for row in every if row["set"].startswith("drivers")], 40)
    return [row for row in every if row["set"].startswith(name)]


def run(nilas, index, row, seconds, more):
    """The first word of the answer, the answer, and the processor seconds."""
    command = [nilas, "check", "--cpu-timeout", str(seconds), "--timeout", str(8 * seconds)]
    command += ["--unknown-functions", "nothing", "--64" if row["data_model"] == "LP64" else "--32", *more]
    command.append(os.path.join(os.path.dirname(index), row["path"]))
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run(command, capture_output=True, text=True, errors="replace", preexec_fn=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    lines = [line for line in ended.stdout.splitlines() if line.startswith(("safe", "unsafe", "unknown"))]
    answer = lines[0] if lines else f"exit code {ended.returncode}: {ended.stderr.strip()[:80]}"
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return answer.split()[0].strip(":,"), answer, used


def main():
    nilas, index, name, seconds, *more = sys.argv[1:]
    counts = collections.Counter()
    for row in rows(index, name):
        expected = {"true": "safe", "false": "unsafe"}[row["expected"]]
        word, answer, used = run(nilas, index, row, int(seconds), more)
        verdict = word in ("safe", "unsafe")
        kind = ("solved" if word == expected else "WRONG") if verdict else word if word == "unknown" else "refused"
        counts[(expected, kind)] += 1
        print(f"{kind:8} {expected:6} {used:6.1f} s  {os.path.basename(row['path'])[:60]:60} {answer[:90]}", flush=True)
    print()
    for expected in ("safe", "unsafe"):
        told = ", ".join(f"{count} {kind}" for (of, kind), count in sorted(counts.items()) if of == expected)
        print(f"{expected}: {told}")


if __name__ == "__main__":
    main()
