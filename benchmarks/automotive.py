#!/usr/bin/env python3
"""Table 1 of "ICP and IC3 with Stronger Generalization" on programs of our own.

    benchmarks/automotive.py NILAS SECONDS [GOALS] [MINUTES] [KEPT]

The goals are the places GOAL(n) of automotive/*.c. 250 of them are drawn with a fixed seed, in an order that is drawn, too; the first GOALS of them
(all unless given) are looked for by every configuration, with SECONDS of processor time each, and after MINUTES no further goal is begun. What was
found is kept in the file KEPT, and not looked for again: a long run can be made of pieces. The table is about the goals that all have looked for. Prints a line per goal and configuration to standard error, and the table to standard output. Configurations that disagree are told of as WRONG.
Columns: time is the share of stronger generalisation, drop the literals of blocked cubes that went, bound the literals that refutations were asked about and relaxed; averages over goals
at which a cube was generalised, as in the paper.
"""
import json, os, random, re, resource, subprocess, sys, time

nilas, seconds = sys.argv[1], sys.argv[2]
count = int(sys.argv[3]) if len(sys.argv) > 3 else 250
minutes = float(sys.argv[4]) if len(sys.argv) > 4 else float("inf")
keep = sys.argv[5] if len(sys.argv) > 5 else os.devnull
seed = 21
folder, MEMORY, DRAWN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "automotive"), 4 << 30, 250

places = []
for name in sorted(os.listdir(folder)):
    if name.endswith(".c"):
        numbers = re.findall(r"\bGOAL\((\d+)\)", open(os.path.join(folder, name)).read())
        places += [(name, number) for number in sorted(map(int, set(numbers)))]
drawn = random.Random(seed).sample(places, DRAWN)
goals = drawn[:count]

IC3 = [
    "ind0", "ind0+ld", "ind0+ld-once", "ind0+ig", "ind0+ig+j", "ind0+ig+ctg", "ind0+ig+ctg+lf", "ind0+ig+ctg+j", "ind0+ig+ctg+j+lf",
    "ind0+abort", "ind0+abort+ig", "ind0+abort+ig+ctg+lf", "ind2", "ind2+ig", "ind2+ig+ctg+lf", "ind2+abort", "ind2+abort+ig", "ind2+abort+ig+ctg+lf",
]
OTHERS = {
    "ICP BMC": ["--engine", "icp-bmc"],
    "ICP k-induction": ["--engine", "icp", "--set", "icp.candidates=no"],
    "bits k-induction": ["--engine", "k-ind"],
    "bits Craig interpolation": ["--engine", "itp"],
}
CONFIGURATIONS = dict(OTHERS)
CONFIGURATIONS.update({f"IC3 {name}": ["--engine", "icp-ic3", "--set", f"icp-ic3.configuration={name}"] for name in IC3})
PORTFOLIOS = {"PF1": list(OTHERS)}
PORTFOLIOS["PF2"] = PORTFOLIOS["PF1"] + ["IC3 ind2+abort"]
PORTFOLIOS["PF3"] = PORTFOLIOS["PF1"] + ["IC3 ind0+abort+ig"]
PORTFOLIOS["PF4"] = PORTFOLIOS["PF2"] + ["IC3 ind0+abort+ig"]


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def look(options, goal):
    """The verdict about a goal, and what the engine counted."""
    name, number = goal
    command = [nilas, "check", "--json", f"-DGOAL_NUMBER={number}", "--cpu-timeout", seconds, *options, os.path.join(folder, name)]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=limit)
    verdict = {0: "dead", 10: "reached", 5: "unknown"}.get(done.returncode, f"exit code {done.returncode}")
    try:
        told = json.loads(done.stdout)
    except ValueError:
        told = {}
    counters = {}
    for counted in told.get("statistics", {}).values():
        counters.update(counted)
    return verdict, counters


found, begun, done = {}, time.time(), 0
if os.path.exists(keep):
    for line in open(keep):
        configuration, goal, verdict, counters = json.loads(line)
        found[configuration, tuple(goal)] = verdict, counters
kept = open(keep, "a")
for goal in goals:
    if time.time() - begun > 60 * minutes and (next(iter(CONFIGURATIONS)), goal) not in found:
        break
    done += 1
    for configuration, options in CONFIGURATIONS.items():
        if (configuration, goal) in found:
            continue
        verdict, counters = look(options, goal)
        found[configuration, goal] = verdict, counters
        print(json.dumps([configuration, goal, verdict, counters]), file=kept, flush=True)
        print(f"{verdict:8} {configuration:28} {goal[0]} {goal[1]}", file=sys.stderr, flush=True)

goals = goals[:done]
solved = lambda configuration, verdict: {goal for goal in goals if found[configuration, goal][0] == verdict}
mean = lambda values: f"{sum(values) / len(values):.2f}" if values else "-"


def rates(configuration):
    """Averages over solved goals at which a cube was generalised."""
    time, dropped, relaxed = [], [], []
    for goal in goals:
        verdict, counters = found[configuration, goal]
        before = counters.get("literals before generalisation", 0)
        if verdict not in ("dead", "reached") or not before:
            continue
        time.append(counters.get("microseconds of stronger generalisation", 0) / max(1, counters.get("microseconds", 0)))
        dropped.append(1 - counters.get("literals after generalisation", 0) / before)
        relaxed.append(counters.get("bounds relaxed", 0) / max(1, counters.get("bounds asked", 0)))
    stronger = "+ig" in configuration or "+ld-once" in configuration
    return mean(time) if stronger else "-", mean(dropped), mean(relaxed)


united = lambda names, verdict: set().union(*(solved(name, verdict) for name in names))
portfolio_dead = {name: united(members, "dead") for name, members in PORTFOLIOS.items()}
print(f"{len(goals)} of {DRAWN} goals drawn (seed {seed}) of {len(places)} in {len({name for name, _ in places})} programs, {seconds} s of processor time each\n")
print(f"{'':34} {'CEX':>5} {'DC':>5} {'T/M':>5}  {'uniq. DC PF1 / PF2':>18}  {'time':>5} {'drop':>5} {'bound':>5}")


def row(name, reached, dead, unique="-", rest=("-", "-", "-")):
    print(f"{name:34} {len(reached):5} {len(dead):5} {len(goals) - len(reached) - len(dead):5}  {unique:>18}  {rest[0]:>5} {rest[1]:>5} {rest[2]:>5}")


for configuration in CONFIGURATIONS:
    reached, dead = solved(configuration, "reached"), solved(configuration, "dead")
    if configuration in OTHERS:
        row(configuration, reached, dead)
        continue
    if configuration == f"IC3 {IC3[0]}":
        for name, members in PORTFOLIOS.items():
            row(name, united(members, "reached"), portfolio_dead[name])
    unique = f"{len(dead - portfolio_dead['PF1'])} / {len(dead - portfolio_dead['PF2'])}"
    row(configuration, reached, dead, unique, rates(configuration))

everything = list(CONFIGURATIONS)
both = united(everything, "reached") & united(everything, "dead")
for goal in sorted(both):
    print(f"WRONG: {goal[0]} {goal[1]} is reached and dead")
broken = sorted({verdict for verdict, _ in found.values()} - {"dead", "reached", "unknown"})
print(f"\n{len(both)} contradictions, {len(broken)} other ends {' '.join(broken)}")
