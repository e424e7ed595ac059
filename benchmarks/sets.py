#!/usr/bin/env python3
"""Whole sets of C programs, one at a time, by processor time.

    benchmarks/sets.py NILAS INDEX SECONDS ENGINE SET...

INDEX is a file such as index.csv, whose paths are relative to its folder; SET is the first folder of a path. ENGINE is `portfolio` or the name of an
engine. Programs of index-real.csv are checked with `--unknown-functions nothing`. Prints a line per program, then the counts.
"""
import csv, os, resource, subprocess, sys

nilas, index, seconds, engine, sets = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:]
root, MEMORY = os.path.dirname(index), 8 << 30
VERDICTS = {0: "true", 10: "false", 5: "unknown"}


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


programs = solved = wrong = 0
for row in csv.DictReader(open(index)):
    if row["path"].split("/")[0] not in sets:
        continue
    command = [nilas, "check", "--quiet", f"{root}/{row['path']}", "--cpu-timeout", seconds]
    command.append("--32" if "ILP32" in row.values() else "--64")
    if engine != "portfolio":
        command += ["--engine", engine]
    if os.path.basename(index) == "index-real.csv":
        command += ["--unknown-functions", "nothing"]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    found, expected = VERDICTS.get(done.returncode, f"exit code {done.returncode}"), row["expected"]
    programs += 1
    solved += found == expected
    wrong += found in ("true", "false") and found != expected
    print(f"{'solved' if found == expected else 'WRONG' if found in ('true', 'false') else '-':7} {spent:6.1f} s  {expected:5}  {row['path']}", flush=True)
print(f"{programs} programs, {solved} solved, {wrong} wrong")
