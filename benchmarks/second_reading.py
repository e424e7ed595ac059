"""What the second reading of C (challenge and replay) costs `nilas check`, and what came out.

python3 benchmarks/second_reading.py NILAS INDEX.csv DIR [NUMBER [SECONDS]]: a random sample of the tasks of an index
(random.Random(14)), one at a time. Seconds of the second reading are the counter `seconds` of `second reading` in the
statistics; net is without what the challenge waited for a processor.
"""

import csv
import json
import random
import subprocess
import sys
import time

nilas, index, folder = sys.argv[1:4]
number = int(sys.argv[4]) if len(sys.argv) > 4 else 150
seconds = sys.argv[5] if len(sys.argv) > 5 else "15"
rows = list(csv.DictReader(open(index)))
sample = [rows[i] for i in random.Random(14).sample(range(len(rows)), number)]
runs, verdicts, internal, repeated, not_repeated, by_running = [], {}, 0, 0, 0, 0
wrong = []
totals = {}
for row in sample:
    model = "--64" if row.get("data_model") == "LP64" else "--32"
    began = time.monotonic()
    command = [nilas, "check", "--json", "--stats", "--timeout", seconds, "--memory-limit", "4000",
               "--unknown-functions", "nothing", model, f"{folder}/{row['path']}"]
    ended = subprocess.run(command, capture_output=True, text=True)
    took = time.monotonic() - began
    internal += ended.returncode == 6
    try:
        answer = json.loads(ended.stdout)
    except ValueError:
        continue
    verdict = answer["verdict"]
    verdicts[verdict] = verdicts.get(verdict, 0) + 1
    if verdict != "unknown" and verdict != {"true": "safe", "false": "unsafe"}.get(row["expected"], row["expected"]):
        wrong.append(row["path"])
    reading = answer.get("statistics", {}).get("second reading", {})
    spent, waited = reading.get("seconds", 0.0), reading.get("of these waiting for a processor", 0.0)
    for name, value in reading.items():
        totals[name] = totals.get(name, 0) + value
    if verdict == "unsafe":
        if answer.get("engine") == "execution":
            by_running += 1
        elif "not repeated" in ended.stdout:
            not_repeated += 1
        else:
            repeated += 1
    runs.append((row["path"], took, spent, waited, verdict))

print(f"{number} tasks, {seconds} s each; seconds by the clock")
print("tasks            number   seconds  second reading   share  mean ms  most ms   net s  net share")
for name, of in [("over a second", [r for r in runs if r[1] > 1]), ("shorter", [r for r in runs if r[1] <= 1])]:
    if of:
        all_s, spent = sum(r[1] for r in of), sum(r[2] for r in of)
        net = sum(r[2] - r[3] for r in of)
        print(f"{name:15} {len(of):7} {all_s:9.1f} {spent:15.2f} {100 * spent / all_s:6.1f}% {1000 * spent / len(of):8.0f}"
              f" {1000 * max(r[2] for r in of):8.0f} {net:7.2f} {100 * net / all_s:9.1f}%")
long = [r for r in runs if r[1] > 1 and r[2] > 0.05 * r[1]]
short = [r for r in runs if r[1] <= 1 and r[2] > 0.05]
long_net = [r for r in long if r[2] - r[3] > 0.05 * r[1]]
short_net = [r for r in short if r[2] - r[3] > 0.05]
print(f"over a second with more than 5 %: {len(long)}, {len(long_net)} net; shorter with more than 50 ms: {len(short)}, {len(short_net)} net")
for path, took, spent, waited, verdict in sorted(long_net + short_net, key=lambda r: -r[2]):
    print(f"  {path}: {spent:.3f} s ({waited:.3f} waiting) of {took:.2f} s, {verdict}")
print("verdicts:", ", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items())) + f"; {len(wrong)} wrong {wrong}; internal errors (contradictions) {internal}")
print(f"unsafe: {by_running} found by running the program, {repeated + not_repeated} by engines: {repeated} repeated in C, {not_repeated} not")
print("totals:", ", ".join(f"{name} {value:.0f}" for name, value in totals.items() if "seconds" not in name and "waiting" not in name))
