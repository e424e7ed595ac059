#!/usr/bin/env python3
"""Filters and loops with floats: what bounds, linear forms and the checker's intervals decide.

    benchmarks/filters.py SECONDS NILAS...

Checks filters/*.c with the engine `icp` of every NILAS, in turn. The expected verdict is the end of a program's name. Prints, for each, the verdict,
processor milliseconds of engine and checker, and how many bounds were found by constants of the program and by steps between them.
"""
import json, os, resource, subprocess, sys

seconds, binaries = sys.argv[1], sys.argv[2:]
folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), "filters")
COLUMNS = ["engine processor milliseconds", "checker processor milliseconds", "bounds by constants of the program", "bounds by steps between them"]


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))


wrong = 0
print(f"{'program':26}" + "".join(f"{'verdict':>10} {'engine':>7} {'checker':>7} {'const.':>6} {'steps':>5}" for _ in binaries))
for name in sorted(os.listdir(folder)):
    line = f"{name:26}"
    for nilas in binaries:
        command = [nilas, "check", "--json", "--32", "--engine", "icp", "--cpu-timeout", seconds, os.path.join(folder, name)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=limit)
        verdict = {0: "safe", 10: "unsafe", 5: "unknown"}.get(done.returncode, f"exit {done.returncode}")
        wrong += verdict in ("safe", "unsafe") and not name.endswith(f"_{verdict}.c")
        counters = {}
        try:
            for counted in json.loads(done.stdout).get("statistics", {}).values():
                counters.update(counted)
        except ValueError:
            pass
        engine, checker, constants, steps = (int(counters[column]) if column in counters else "-" for column in COLUMNS)
        line += f"{verdict:>10} {engine:>7} {checker:>7} {constants:>6} {steps:>5}"
    print(line, flush=True)
print(f"{wrong} wrong")
