"""Unsafe verdicts run on the machine: `nilas check --confirm` on unsafe tasks of an index, a random sample
(random.Random(22)).

python3 benchmarks/confirm.py NILAS INDEX.csv DIR [NUMBER [SECONDS [TWICE]]]

Each task has SECONDS of processor time (10). A line per task, then the counts and what was not confirmed. With TWICE,
so many tasks are checked two times with --deterministic instead, and the traces are compared; what takes the time
limit says nothing.
"""

import collections
import csv
import json
import random
import subprocess
import sys

nilas, index, folder = sys.argv[1:4]
number = int(sys.argv[4]) if len(sys.argv) > 4 else 100
seconds = sys.argv[5] if len(sys.argv) > 5 else "10"
twice = int(sys.argv[6]) if len(sys.argv) > 6 else 0

unsafe = [row for row in csv.DictReader(open(index)) if row["expected"] == "false"]
chosen = sorted(random.Random(22).sample(range(len(unsafe)), min(number, len(unsafe))))
tasks = [unsafe[i] for i in chosen]


def check(row, *options):
    model = "--64" if row.get("data_model") == "LP64" else "--32"
    command = [nilas, "check", "--json", "--cpu-timeout", seconds, "--timeout", str(8 * float(seconds)),
               "--memory-limit", "4000", "--unknown-functions", "nothing", model, *options, f"{folder}/{row['path']}"]
    ended = subprocess.run(command, capture_output=True, text=True)
    try:
        return json.loads(ended.stdout)
    except ValueError:
        return {"verdict": f"exit {ended.returncode}", "places": []}


def violated(answer):
    return next((place for place in answer.get("places", []) if place["verdict"] == "unsafe"), None)


if twice:
    counts = collections.Counter()
    for row in tasks[:twice]:
        first, second = (check(row, "--deterministic") for _ in range(2))
        told = [answer["verdict"] if answer["verdict"] != "unsafe" else json.dumps(answer.get("trace")) for answer in (first, second)]
        if first["verdict"] != "unsafe" or second["verdict"] != "unsafe":
            word = f"no two traces ({first['verdict']}, {second['verdict']})"
        else:
            word = "the same trace" if told[0] == told[1] else "ANOTHER TRACE"
        counts[word] += 1
        print(f"{row['path']}: {word}", flush=True)
    print()
    for word, count in sorted(counts.items()):
        print(f"{count:>5}  {word}")
    sys.exit()

counts, missed = collections.Counter(), []
for row in tasks:
    answer = check(row, "--confirm")
    place = violated(answer)
    if answer["verdict"] != "unsafe":
        word = "not found unsafe: " + answer["verdict"]
    elif place is None or "confirmation" not in place:
        word = "not confirmed: no execution in C"
    else:
        confirmation = place["confirmation"]
        execution = place.get("execution") or answer.get("replayed") or answer.get("evidence") or {}
        kinds = {choice["kind"] for choice in execution.get("choices") or []}
        needs = []
        if "uninitialised" in kinds:
            needs.append("reads uninitialised memory")
        if kinds & {"unknown-result", "unknown-write"}:
            needs.append("calls an unknown function")
        group = f" ({' and '.join(needs)})" if needs else ""
        word = ("confirmed" if confirmation["confirmed"] else "not confirmed") + group
        if not confirmation["confirmed"]:
            missed.append(f"{row['path']}: {confirmation['text']}")
    counts[word] += 1
    print(f"{row['path']}: {word}", flush=True)
print()
for word, count in sorted(counts.items()):
    print(f"{count:>5}  {word}")
plain, failed = counts["confirmed"], counts["not confirmed"]
print(f"\nof {plain + failed} that read no uninitialised memory and call no unknown function: {plain} confirmed")
print("\nnot confirmed:" if missed else "")
for line in missed:
    print("  " + line)
