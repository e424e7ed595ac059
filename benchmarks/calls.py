#!/usr/bin/env python3
"""What becomes of calls: inlined, kept, or by the rule of `auto` (Figs. 5.4-5.7 and 5.9 of the EUForia thesis anew).

    benchmarks/calls.py run NILAS INDEX SAMPLE SECONDS JOURNAL
    benchmarks/calls.py table JOURNAL...
    benchmarks/calls.py all NILAS INDEX SECONDS JOURNAL
    benchmarks/calls.py sets JOURNAL...

SAMPLE is `several` (40 tasks of index.csv in which functions are called from several places: the first ones of
random.Random(20).shuffle whose automaton is smaller with `--calls keep`) or `drivers` (the 40 drivers of index-real.csv that real.py
draws: random.Random(11).sample). Each program is shown (size of the automaton, processor seconds of the front end) and checked with
SECONDS of processor time, once per way. Where another way shows the same program as `inline`, its run is that of `inline`. A journal has a
line of JSON per program; those that it has are not run again.

`all` compares `auto` with `inline` on every program of an index (of index-real.csv: every driver), and checks those only whose programs differ, both
ways: where a text is the same, there is nothing to compare. `sets` makes a table of it, a row per set.
"""
import csv, hashlib, json, os, random, re, resource, subprocess, sys

MEMORY, FRONT_END, MODES = 8 << 30, 20, ["inline", "keep", "auto"]


def limited(command, seconds):
    """Exit code, standard output and processor seconds of a command."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.returncode, done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def shown(nilas, path, options, mode):
    """Edges as lowered and as large blocks, variables, front end seconds, what the program is."""
    command = [nilas, "show", path, "--calls", mode, *options]
    code, text, used = limited(command, FRONT_END)
    if code != 0:
        return None
    _, stats, _ = limited([*command, "--stats"], 2 * FRONT_END)
    sizes = {match[1]: (int(match[3]), int(match[4])) for match in re.finditer(r"^(.*?\S)\s+(\d+)\s+(\d+)\s+(\d+)$", stats.decode(), re.M)}
    first, last = sizes.get("as given", (0, 0)), sizes.get("large blocks", (0, 0))
    return {"edges": first[0], "variables": first[1], "blocks": last[0], "front": round(used, 2), "text": hashlib.sha256(text).hexdigest()}


def checked(nilas, path, options, mode, seconds):
    command = [nilas, "check", path, "--calls", mode, "--json", "--cpu-timeout", str(seconds), "--timeout", str(30 * seconds), *options]
    code, text, used = limited(command, 2 * int(seconds) + 4)
    memory = None
    try:
        told = json.loads(text)
        memory = ((told.get("statistics") or {}).get("process") or {}).get("peak memory in MB")
    except ValueError:
        pass
    return {"verdict": {0: "true", 10: "false"}.get(code, "unknown"), "used": round(used, 2), "memory": memory}


def run(nilas, index, sample, seconds, journal):
    root = os.path.dirname(index)
    rows = list(csv.DictReader(open(index, newline="")))
    if sample == "drivers":
        rows = random.Random(11).sample([row for row in rows if row["set"].startswith("drivers")], 40)
    else:
        random.Random(20).shuffle(rows)
    known = {json.loads(line)["path"]: json.loads(line) for line in open(journal)} if os.path.exists(journal) else {}
    taken = 0
    for row in rows:
        if taken == 40:
            break
        if row["path"] in known:
            taken += known[row["path"]]["taken"]
            continue
        path = os.path.join(root, row["path"])
        options = ["--64" if row["data_model"] == "LP64" else "--32", "--unknown-functions", "nothing"]
        views = {mode: shown(nilas, path, options, mode) for mode in ("inline", "keep")}
        fewer = views["inline"] and views["keep"] and views["keep"]["edges"] < views["inline"]["edges"]
        told = {"path": row["path"], "set": row["set"], "expected": row["expected"], "taken": bool(sample == "drivers" or fewer)}
        if told["taken"]:
            views["auto"] = shown(nilas, path, options, "auto")
            for mode in MODES:
                same = mode != "inline" and views[mode] and views["inline"] and views[mode]["text"] == views["inline"]["text"]
                told[mode] = {"view": views[mode], "same": bool(same), **(checked(nilas, path, options, mode, seconds) if not same else
                              {name: told["inline"][name] for name in ("verdict", "used", "memory")})}
            taken += 1
            print(taken, row["path"], *(told[mode]["verdict"] for mode in MODES), flush=True)
        with open(journal, "a") as file:
            file.write(json.dumps(told) + "\n")


def run_all(nilas, index, seconds, journal):
    root = os.path.dirname(index)
    rows = [row for row in csv.DictReader(open(index, newline="")) if "index-real" not in index or row["set"].startswith("drivers")]
    known = {json.loads(line)["path"] for line in open(journal)} if os.path.exists(journal) else set()
    for row in rows:
        if row["path"] in known:
            continue
        path = os.path.join(root, row["path"])
        options = ["--64" if row["data_model"] == "LP64" else "--32", "--unknown-functions", "nothing"]
        told = {"path": row["path"], "set": row["set"].split("/")[0], "expected": row["expected"]}
        views = {mode: shown(nilas, path, options, mode) for mode in ("inline", "auto")}
        told["same"] = views["inline"] == views["auto"] or bool(views["inline"] and views["auto"] and views["inline"]["text"] == views["auto"]["text"])
        for mode, view in views.items():
            told[mode] = {"view": view, **({} if told["same"] else checked(nilas, path, options, mode, seconds))}
        if not told["same"]:
            print(row["path"], row["expected"], *(f"{mode} {told[mode]['verdict']} {told[mode]['used']}" for mode in views), flush=True)
        with open(journal, "a") as file:
            file.write(json.dumps(told) + "\n")


def sets(journals):
    rows = [json.loads(line) for journal in journals for line in open(journal)]
    print(f"{'set':26}{'files':>6}{'shown':>6}{'same':>6} |{'differ':>7}{'solved inline':>14}{'auto':>6}{'wrong':>6} |"
          f"{'edges inline':>13}{'auto':>9}{'front end s inline':>20}{'auto':>7}{'MB inline':>11}{'auto':>6}")
    for name in [*dict.fromkeys(row["set"] for row in rows), "total"]:
        part = [row for row in rows if name in (row["set"], "total")]
        both = [row for row in part if row["inline"]["view"] and row["auto"]["view"]]
        differ = [row for row in part if not row["same"]]
        solved = [sum(row[mode]["verdict"] == row["expected"] for row in differ) for mode in ("inline", "auto")]
        wrong = sum(row[mode]["verdict"] not in (row["expected"], "unknown") for row in differ for mode in ("inline", "auto"))
        edges, front = ([sum(row[mode]["view"][what] for row in both) for mode in ("inline", "auto")] for what in ("edges", "front"))
        memory = [max([row[mode]["memory"] or 0 for row in differ], default=0) for mode in ("inline", "auto")]
        print(f"{name:26}{len(part):6}{len(both):6}{sum(row['same'] for row in part):6} |{len(differ):7}{solved[0]:14}{solved[1]:6}{wrong:6} |"
              f"{edges[0]:13}{edges[1]:9}{front[0]:20.2f}{front[1]:7.2f}{memory[0]:11.0f}{memory[1]:6.0f}")


def median(values):
    values = sorted(values)
    return values[len(values) // 2] if values else float("nan")


def same(rows, mode):
    return sum(row[mode]["view"] and row["inline"]["view"] and row[mode]["view"]["text"] == row["inline"]["view"]["text"] or False for row in rows)


def table(journals):
    for journal in journals:
        rows = [row for row in map(json.loads, open(journal)) if row["taken"]]
        print(f"{os.path.basename(journal)}: {len(rows)} programs, the same program as inline: keep {same(rows, 'keep')}, auto {same(rows, 'auto')}")
        print(f"{'':8}{'solved':>8}{'wrong':>7}{'CPU s':>8}{'shown':>7}{'edges':>9}{'blocks':>8}{'front end s':>13}{'MB, median':>12}{'most':>7}")
        both = [row for row in rows if all(row[mode]["view"] for mode in MODES)]
        for mode in MODES:
            runs = [row[mode] for row in rows]
            solved = sum(run["verdict"] == row["expected"] for run, row in zip(runs, rows))
            wrong = sum(run["verdict"] not in (row["expected"], "unknown") for run, row in zip(runs, rows))
            views = [row[mode]["view"] for row in both]
            memory = [run["memory"] for run in runs if run["memory"]]
            print(f"{mode:8}{solved:>8}{wrong:>7}{sum(run['used'] for run in runs):>8.1f}{sum(bool(run['view']) for run in runs):>7}"
                  f"{sum(view['edges'] for view in views):>9}{sum(view['blocks'] for view in views):>8}{sum(view['front'] for view in views):>13.2f}"
                  f"{median(memory):>12.0f}{max(memory, default=0):>7.0f}")
        print(f"  (sizes and front end: sums over the {len(both)} programs that all three ways show within {FRONT_END} s)")
        for one, other in (("inline", "keep"), ("keep", "inline"), ("inline", "auto"), ("auto", "inline")):
            only = [row for row in rows if row[one]["verdict"] == row["expected"] != row[other]["verdict"]]
            for row in only:
                print(f"  {one}, not {other}: {row['path']} ({row['expected']}, {row[one]['used']} s)")
        ratios = [(row["keep"]["view"]["edges"] / max(1, row["inline"]["view"]["edges"]), row) for row in both]
        for low, high in ((0, .1), (.1, .25), (.25, .5), (.5, 1), (1, 99)):
            part = [row for ratio, row in ratios if low <= ratio < high]
            counts = [sum(row[mode]["verdict"] == row["expected"] for row in part) for mode in ("inline", "keep")]
            print(f"  edges kept/inlined in [{low:g}, {high:g}): {len(part)} programs, solved inlined {counts[0]}, kept {counts[1]}")
        for low, high in ((0, 300), (300, 1000), (1000, 3000), (3000, 10000), (10000, 1 << 60)):
            part = [row for row in both if low <= row["inline"]["view"]["edges"] < high]
            counts = [sum(row[mode]["verdict"] == row["expected"] for row in part) for mode in ("inline", "keep")]
            spent = [sum(row[mode]["used"] for row in part) for mode in ("inline", "keep")]
            print(f"  edges inlined in [{low}, {high}): {len(part)} programs, solved inlined {counts[0]} ({spent[0]:.1f} s), kept {counts[1]} ({spent[1]:.1f} s)")
        print()


if sys.argv[1] == "run":
    run(sys.argv[2], sys.argv[3], sys.argv[4], float(sys.argv[5]), sys.argv[6])
elif sys.argv[1] == "all":
    run_all(sys.argv[2], sys.argv[3], float(sys.argv[4]), sys.argv[5])
elif sys.argv[1] == "sets":
    sets(sys.argv[2:])
else:
    table(sys.argv[2:])
