#!/usr/bin/env python3
"""Transition systems and Horn clauses: what each engine and z3's Spacer decide, in one run.

    benchmarks/systems.py NILAS BENCHMARKS SECONDS KIND CONFIGURATION...

BENCHMARKS holds index-vmt.csv and index-chc.csv; KIND, `vmt` or `horn`, says which is taken, with its files over bit-vectors; `horn/20` takes the 20 of
them that random.Random(18) draws. A CONFIGURATION is `portfolio`, the name of an engine, either with options behind it (`ic3:--one-relation`), or
`spacer` (z3 on PATH; VMT files are handed to it as `nilas encode --to horn` writes them). Every run has SECONDS of
processor time. Prints a line per file and configuration, then the counts.
"""
import csv, os, random, re, resource, subprocess, sys, tempfile

nilas, root, seconds, kind, configurations = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5:]
kind, _, drawn = kind.partition("/")
MEMORY = 8 << 30
WORDS = {"sat": "true", "safe": "true", "unsat": "false", "unsafe": "false"}


def tasks():
    """Path and label of every file over bit-vectors."""
    for row in csv.DictReader(open(f"{root}/index-{'vmt' if kind == 'vmt' else 'chc'}.csv")):
        if kind == "vmt":
            text = open(f"{root}/{row['path']}").read()
            if any(f"{before} {sort})" in text for sort in ("Int", "Real") for before in ("()", ")")):
                continue
        elif row["sorts"] != "BV":
            continue
        yield row["path"], row["expected"]


def run(command):
    """The first word of the output, and the processor time."""
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (seconds + 3, seconds + 3))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    found = re.match(r"(?:property 0: )?(\w+)", done.stdout.decode(errors="replace"))
    verdict = WORDS.get(found[1], "unknown") if found else "unknown"
    return (verdict if spent <= seconds + 0.5 else "unknown"), spent


def command(configuration, path):
    full = f"{root}/{path}"
    if configuration != "spacer":
        engine, *options = configuration.split(":")
        chosen = [] if engine == "portfolio" else ["--engine", engine]
        return [nilas, "check", full, "--cpu-timeout", str(seconds), *chosen, *options]
    if kind == "vmt":
        written = os.path.join(tempfile.gettempdir(), f"systems-{os.getpid()}.smt2")
        with open(written, "wb") as out:
            subprocess.run([nilas, "encode", full, "--to", "horn"], stdout=out, stderr=subprocess.DEVNULL)
        full = written
    return ["z3", "fp.engine=spacer", full]


counts, wrong = dict.fromkeys(configurations, 0), []
taken = list(tasks())
for path, expected in random.Random(18).sample(taken, int(drawn)) if drawn else taken:
    answers = []
    for configuration in configurations:
        verdict, spent = run(command(configuration, path))
        answers.append(f"{configuration} {verdict} {spent:.1f}")
        if verdict != "unknown":
            counts[configuration] += 1
            if verdict != expected:
                wrong.append((path, configuration, verdict))
    print(path, expected, *answers, sep="\t", flush=True)
print(kind, *(f"{it}: {count}" for it, count in counts.items()), sep="\t")
for path, configuration, verdict in wrong:
    print(f"against the label: {path}: {configuration} says {verdict}")
