#!/usr/bin/env python3
"""Runs `nilas check` on programs of index-real.csv, one at a time, and keeps what was found in a journal.

    python3 benchmarks/real.py run NILAS INDEX SET SECONDS JOURNAL [MINUTES] [-- MORE OPTIONS...]
    python3 benchmarks/real.py table INDEX JOURNAL...

SET is the start of a set's name (eca, ddv, drivers, ...; `all` for every set), or `sample`: 40 drivers,
random.Random(11).sample of the driver rows in the order of the index. SECONDS are processor seconds. Unknown functions
do nothing, as the index has it. A journal has one line of JSON per run. Programs that it has as solved, or as run with as
much time, are not run again; after MINUTES by the clock no further one is begun. So a long measurement is made in pieces:
what was solved in less time counts for more. The table takes the last run of each program.
"""
import collections
import csv
import json
import os
import random
import re
import resource
import subprocess
import sys
import time

MEMORY = 8 << 30


def index_rows(index):
    """All rows, in the order of the index."""
    with open(index, newline="") as file:
        return list(csv.DictReader(file))


def rows(index, name):
    """The rows of a set, in the order of the index or of the sample."""
    every = index_rows(index)
    if name == "all":
        return every
    if name == "sample":
        return random.Random(11).sample([row for row in every if row["set"].startswith("drivers")], 40)
    return [row for row in every if row["set"].startswith(name)]


def read(journals):
    """The last run of each program."""
    last = {}
    for journal in journals:
        if os.path.exists(journal):
            with open(journal) as file:
                for line in file:
                    run = json.loads(line)
                    last[run["path"]] = run
    return last


def check(nilas, index, row, seconds, more):
    """One run: the verdict, the answer, processor seconds, megabytes at most, edges of the automaton."""
    command = [nilas, "check", "--stats", "--cpu-timeout", str(seconds), "--timeout", str(40 * seconds)]
    command += ["--unknown-functions", "nothing", "--64" if row["data_model"] == "LP64" else "--32", *more]
    command.append(os.path.join(os.path.dirname(index), row["path"]))
    limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    began = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limit)
    output = child.stdout.read().decode(errors="replace")
    _, status, usage = os.wait4(child.pid, 0)
    code = os.waitstatus_to_exitcode(status)
    lines = [line for line in output.splitlines() if re.match(r"(safe|unsafe|unknown)\b", line)]
    answer = lines[0] if lines else f"exit code {code}: {output.strip()[-160:]}"
    word = answer.split()[0].strip(":,") if lines else "refused"
    if "panicked" in output or code < 0:
        word = "panic"
    engine = re.search(r"\((\S+)\)$", answer)
    edges = re.search(r"(\d[\d,]*) edges", output)
    return {
        "path": row["path"],
        "expected": {"true": "safe", "false": "unsafe"}[row["expected"]],
        "word": word,
        "answer": answer[:200],
        "engine": engine.group(1) if engine else None,
        "limit": seconds,
        "seconds": round(usage.ru_utime + usage.ru_stime, 2),
        "clock": round(time.monotonic() - began, 1),
        "megabytes": usage.ru_maxrss // 1024,
        "edges": int(edges.group(1).replace(",", "")) if edges else None,
    }


def kind(run):
    """Solved, WRONG, unknown, refused or panic."""
    if run["word"] in ("safe", "unsafe"):
        return "solved" if run["word"] == run["expected"] else "WRONG"
    return run["word"]


def run_all(nilas, index, name, seconds, journal, minutes, more):
    known, end = read([journal]), time.monotonic() + 60 * minutes
    for row in rows(index, name):
        before = known.get(row["path"])
        if before and (kind(before) == "solved" or before["limit"] >= seconds):
            continue
        if time.monotonic() > end:
            print("more is left")
            return
        run = check(nilas, index, row, seconds, more)
        with open(journal, "a") as file:
            file.write(json.dumps(run) + "\n")
        name = os.path.basename(row["path"])[:70]
        print(f"{kind(run):8} {run['expected']:6} {run['seconds']:6.1f} s {name:70} {run['answer'][:90]}", flush=True)


def middle(numbers):
    """Median and maximum, as text."""
    numbers = sorted(number for number in numbers if number is not None)
    return f"{numbers[len(numbers) // 2]:.1f} / {numbers[-1]:.1f}" if numbers else "-"


def table(index, journals):
    known, sets = read(journals), collections.defaultdict(list)
    for row in index_rows(index):
        name = row["set"].split("/")[0]
        sets[name].append((row, known.get(row["path"])))
    print(f"{'set':22} {'files':>5} {'run':>4} {'safe':>9} {'unsafe':>9} {'wrong':>5} {'refused':>7} {'panics':>6}  "
          f"{'cpu s of solved':>16}  {'MB of all':>17}  {'edges':>18}  {'kB of text':>14}   (median / most)")
    for name, pairs in sets.items():
        runs = [run for _, run in pairs if run]
        solved = [run for run in runs if kind(run) == "solved"]

        def share(word):
            all_such = sum(row["expected"] == {"safe": "true", "unsafe": "false"}[word] for row, _ in pairs)
            return f"{sum(run['expected'] == word for run in solved)} of {all_such}"

        counts = collections.Counter(kind(run) for run in runs)
        print(f"{name:22} {len(pairs):5} {len(runs):4} {share('safe'):>9} {share('unsafe'):>9} {counts['WRONG']:5} "
              f"{counts['refused']:7} {counts['panic']:6}  {middle(run['seconds'] for run in solved):>16}  "
              f"{middle(run['megabytes'] for run in runs):>17}  {middle(run['edges'] for run in runs):>18}  "
              f"{middle(int(row['bytes']) / 1000 for row, _ in pairs):>14}")


def main():
    arguments, more = sys.argv[1:], []
    if "--" in arguments:
        at = arguments.index("--")
        arguments, more = arguments[:at], arguments[at + 1:]
    if arguments[0] == "table":
        return table(arguments[1], arguments[2:])
    _, nilas, index, name, seconds, journal, *minutes = arguments
    run_all(nilas, index, name, int(seconds), journal, float(minutes[0]) if minutes else 1e9, more)


if __name__ == "__main__":
    main()
