#!/usr/bin/env python3
"""The engine `euf` beside its relatives: what each decides, and what `euf` did for it.

    benchmarks/euf.py NILAS BENCHMARKS SECONDS KIND CONFIGURATION...

KIND is `vmt` or `horn` (files over bit-vectors, as in systems.py; `vmt/N` draws N of them by random.Random(19).sample), `control` (40 programs of the control sets of index.csv,
random.Random(19).sample in the order of the index), `drivers` (the 40 drivers that real.py draws) or `eca` (the larger eca programs of
index-real.csv) or `others` (40 programs of all other sets of index.csv, drawn in the same way); `KIND/N` takes the first N of these. A CONFIGURATION is the name of an engine, with options behind it if wanted
(`euf:--set:euf.arrays=no`), `portfolio`, or `spacer`. Every run has SECONDS of processor time. Prints a line per file with the answers and times, then a table
by configuration, then the counters over the files that each of our engines solves. `spacer` is z3's, on systems (VMT files as
`nilas encode --to horn` writes them).
"""
import csv, os, random, re, resource, statistics, subprocess, sys, tempfile

nilas, root, seconds, kind, configurations = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5:]
kind, _, first = kind.partition("/")
MEMORY = 8 << 30
CONTROL = ("locks", "ntdrivers", "ssh", "systemc", "eca-rers2012", "product-lines", "seq-mthreaded")
COUNTERS = ["solver checks", "lemmas learnt", "frames", "obligations", "refinements", "state lemmas", "transition lemmas", "interpolant lemmas",
            "simulation lemmas", "constraint lemmas", "expansion lemmas", "array lemmas", "array axioms told", "order axioms told",
            "questions about values"]


def rows(index):
    with open(f"{root}/{index}", newline="") as file:
        return list(csv.DictReader(file))


def tasks():
    """Path, expected answer, options."""
    if kind == "vmt":
        for row in rows("index-vmt.csv"):
            text = open(f"{root}/{row['path']}").read()
            if not any(f"{before} {sort})" in text for sort in ("Int", "Real") for before in ("()", ")")):
                yield row["path"], row["expected"], []
        return
    if kind == "horn":
        yield from ((row["path"], row["expected"], []) for row in rows("index-chc.csv") if row["sorts"] == "BV")
        return
    if kind in ("control", "others"):
        found = [row for row in rows("index.csv") if row["set"].startswith(CONTROL) == (kind == "control")]
        found = random.Random(19).sample(found, 40)
    else:
        every = rows("index-real.csv")
        drivers = [row for row in every if row["set"].startswith("drivers")]
        found = random.Random(11).sample(drivers, 40) if kind == "drivers" else [row for row in every if row["set"].startswith("eca")]
    for row in found:
        yield row["path"], row["expected"], ["--unknown-functions", "nothing", "--64" if row["data_model"] == "LP64" else "--32"]


def encoded(path):
    """A file as z3 reads it."""
    if kind == "horn":
        return f"{root}/{path}"
    written = os.path.join(tempfile.gettempdir(), f"euf-{os.getpid()}.smt2")
    with open(written, "wb") as out:
        subprocess.run([nilas, "encode", f"{root}/{path}", "--to", "horn"], stdout=out, stderr=subprocess.DEVNULL)
    return written


def run(configuration, path, options):
    """The answer, processor seconds, counters."""
    engine, *more = configuration.split(":")
    chosen = [] if engine == "portfolio" else ["--engine", engine]
    if engine == "spacer":
        command = ["z3", "fp.engine=spacer", encoded(path)]
    else:
        command = [nilas, "check", "--stats", f"{root}/{path}", "--cpu-timeout", str(seconds), "--timeout", str(20 * seconds), *options, *chosen, *more]

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds + 5, seconds + 5))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    output = done.stdout.decode(errors="replace")
    words = re.findall(r"^(?:property 0: )?(safe|unsafe|unknown|sat|unsat)\b", output, re.M)
    verdict = {"safe": "true", "sat": "true", "unsafe": "false", "unsat": "false"}.get(words[0] if words else "", "unknown")
    if done.returncode == 6:
        verdict = "INVALID"
    counters = {name.strip(): int(value) for name, value in re.findall(r"^  ([a-z -]+?)\s{2,}(\d+)$", output, re.M)}
    return verdict if spent <= seconds + 1 else "unknown", spent, counters


results, taken = {it: [] for it in configurations}, list(tasks())
if first and kind in ("vmt", "horn"):
    taken = random.Random(19).sample(taken, int(first))
for path, expected, options in taken[:int(first)] if first else taken:
    shown = []
    for configuration in configurations:
        verdict, spent, counters = run(configuration, path, options)
        results[configuration].append((path, expected, verdict, spent, counters))
        shown.append(f"{configuration} {verdict} {spent:.1f}")
    print(path[-70:], expected, *shown, sep="\t", flush=True)

print(f"\n{'configuration':34} {'solved':>6} {'safe':>5} {'unsafe':>6} {'against label':>13} {'invalid':>7} {'cpu s':>7} {'PAR-2':>6}")
for configuration, runs in results.items():
    solved = [run for run in runs if run[2] in ("true", "false")]
    wrong = sum(run[1] != run[2] for run in solved)
    par = sum(run[3] if run[2] in ("true", "false") else 2 * seconds for run in runs) / max(1, len(runs))
    print(f"{configuration:34} {len(solved):6} {sum(run[2] == 'true' for run in solved):5} {sum(run[2] == 'false' for run in solved):6} {wrong:13} "
          f"{sum(run[2] == 'INVALID' for run in runs):7} {sum(run[3] for run in runs):7.1f} {par:6.2f}")

for configuration, runs in results.items():
    if configuration.split(":")[0] in ("portfolio", "spacer"):
        continue
    solved = [run for run in runs if run[2] in ("true", "false") and run[4]]
    print(f"\n{configuration}, the {len(solved)} files that it solves: {sum(run[4].get('refinements', 0) == 0 for run in solved)} without refinement")
    print(f"{'':34} {'sum':>9} {'median':>9} {'most':>9}")
    for name in [*COUNTERS, "milliseconds refining predicates", "engine processor milliseconds"]:
        values = [run[4].get(name, 0) for run in solved] or [0]
        print(f"{name:34} {sum(values):9} {statistics.median(values):9.0f} {max(values):9}")
