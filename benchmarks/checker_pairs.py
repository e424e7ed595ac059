#!/usr/bin/env python3
"""Two builds of Nilas on proofs of one engine: processor time of the checker, and how it answered.

    benchmarks/checker_pairs.py BEFORE AFTER BENCHMARKS SECONDS ENGINE KIND...

KIND is `control/N`, the first N safe programs of the 40 that euf.py draws of the control sets, or `drivers/N`, the first N safe ones of the 40 drivers
that real.py draws, or `all/N`, the first N safe ones of 200 of all tasks of index.csv (random.Random(23).sample). Builds take turns task by task, with one core for the checker. Prints a line per task, and sums over those that both builds prove.
"""
import csv, random, re, subprocess, sys

before, after, root, seconds, engine, kinds = *sys.argv[1:5], sys.argv[5], sys.argv[6:]
CONTROL = ("locks", "ntdrivers", "ssh", "systemc", "eca-rers2012", "product-lines", "seq-mthreaded")


def tasks(kind):
    kind, _, first = kind.partition("/")
    index = "index-real.csv" if kind == "drivers" else "index.csv"
    of = {"control": CONTROL, "drivers": "drivers", "all": ""}[kind]
    with open(f"{root}/{index}", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["set"].startswith(of)]
    drawn = random.Random({"control": 19, "drivers": 11, "all": 23}[kind]).sample(rows, 200 if kind == "all" else 40)
    return [row for row in drawn if row["expected"] == "true"][:int(first)]


def run(build, row):
    bits = "--64" if row["data_model"] == "LP64" else "--32"
    command = [build, "check", "--stats", f"{root}/{row['path']}", bits, "--unknown-functions", "nothing", "--engine", engine, "--checker-threads", "1",
               "--cpu-timeout", seconds, "--timeout", str(20 * int(seconds))]
    output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT).stdout.decode(errors="replace")
    counters = {name.strip(): int(value) for name, value in re.findall(r"^  ([a-z -]+?)\s{2,}(\d+)$", output, re.M)}
    verdict = re.search(r"^(safe|unsafe|unknown)", output, re.M)
    return verdict.group(1) if verdict else "none", counters


print(f"{'task':50} {'verdicts':14} {'questions':>9} {'congruence':>10} {'before ms':>9} {'after ms':>9} {'ratio':>6} {'engine ms':>9}")
sums = [0, 0, 0, 0]
for row in (row for kind in kinds for row in tasks(kind)):
    (first, old), (second, new) = run(before, row), run(after, row)
    asked, found = new.get("checker questions", 0), new.get("checker questions answered by congruence", 0)
    times = [old.get("checker processor milliseconds", 0), new.get("checker processor milliseconds", 0)]
    if first == second == "safe":
        sums = [a + b for a, b in zip(sums, [asked, found, *times])]
    print(f"{row['path'][-50:]:50} {first + ' ' + second:14} {asked:9} {found:10} {times[0]:9} {times[1]:9} {times[0] / max(1, times[1]):6.2f} "
          f"{new.get('engine processor milliseconds', 0):9}", flush=True)
print(f"{'together, proved by both':65} {sums[0]:9} {sums[1]:10} {sums[2]:9} {sums[3]:9} {sums[2] / max(1, sums[3]):6.2f}")
