#!/usr/bin/env python3
"""What it costs IC3CFA to tell which premises sufficed, and what that saves the evidence checker.

usage: premises.py NILAS INDEX DIR TASK … [--timeout 15]

Each task is checked with each value of `ic3cfa.premises`, one run at a time, the checker on one core; limits and times are
of the processor. Propagations are those of all SAT solvers of the engine and of the checker. *told*: questions that were asked with
hints; *again*: those of them that were asked again with all premises.
"""
import argparse, csv, json, subprocess

VALUES = ["no", "yes"]

def run(args, task, premises):
    bits = ["--32"] if task["data_model"] == "ILP32" else ["--64"]
    call = [args.nilas, "check", "--json", "--stats", f"--cpu-timeout={args.timeout}", f"--timeout={10 * args.timeout}",
            "--memory-limit=4000", "--unknown-functions=nothing", "--engine=ic3cfa", "--checker-threads=1",
            "--set", f"ic3cfa.premises={premises}", *bits, "--", f"{args.dir}/{task['path']}"]
    said = json.loads(subprocess.run(call, capture_output=True, text=True).stdout)
    counts = said.get("statistics", {}).get("ic3cfa", {})
    get = lambda name: int(counts.get(name, 0))
    told = get("checker questions with premises that were told")
    return said.get("verdict"), [
        get("sat propagations"), get("checker propagations"), get("engine processor milliseconds"),
        get("checker processor milliseconds"), told, told - get("checker questions that these sufficed for")]

def show(name, row):
    cells = " | ".join(f"{n[0]:9} {n[1]:9} {n[2]:5} {n[3]:5} {n[4]:4} {n[5]:5}" for n in row)
    print(f"{name[-46:]:46} | {cells}", flush=True)

def main():
    parser = argparse.ArgumentParser()
    for name in ["nilas", "index", "dir"]:
        parser.add_argument(name)
    parser.add_argument("tasks", nargs="+")
    parser.add_argument("--timeout", type=float, default=15)
    args = parser.parse_args()
    with open(args.index) as file:
        tasks = {task["path"]: task for task in csv.DictReader(file)}
    head = f"{'engine':>9} {'checker':>9} {'ms':>5} {'ms':>5} {'told':>4} {'again':>5}"
    print(f"{'':46} | " + " | ".join(f"{value:42}" for value in VALUES))
    print(f"{'task':46} | " + " | ".join([head] * len(VALUES)))
    totals = [[0] * 6 for _ in VALUES]
    better, worse = [0] * len(VALUES), [0] * len(VALUES)
    for path in args.tasks:
        row = []
        for value in VALUES:
            verdict, one = run(args, tasks[path], value)
            if verdict != "safe":
                print(f"{path[-46:]:46} | {verdict} with `{value}`", flush=True)
                break
            row.append(one)
        if len(row) < len(VALUES):
            continue
        totals = [[a + b for a, b in zip(total, one)] for total, one in zip(totals, row)]
        work = [one[0] + one[1] for one in row]
        for index, one in enumerate(work):
            better[index] += one < 0.95 * work[0]
            worse[index] += one > 1.05 * work[0]
        show(path, row)
    show("together", totals)
    for value, total, less, more in zip(VALUES, totals, better, worse):
        print(f"{value}: {total[0] + total[1]} propagations of engine and checker, {total[2] + total[3]} ms; "
              f"more than 5 % less on {less} tasks, more than 5 % more on {more}")

main()
