#!/usr/bin/env python3
"""Streams of float questions: intervals against bit-blasting, ours and others, in one run.

    benchmarks/icp_streams.py NILAS INDEX SECONDS [STREAMS] [SEED] [MINUTES]

Records what BMC asks about C programs of `floats-cdfpl` and `float-benchs` (INDEX is a file such as index.csv), leaves out streams of more than 400 kB, draws
STREAMS of them (28 unless given) with SEED (21), and runs each as a script on `nilas smt` with bits and with intervals, and on z3 and cvc5 where they are on
PATH, at most SECONDS of processor time each. After MINUTES no further stream is begun. Prints the time of each,
and answers that differ as WRONG.
"""
import csv, os, random, resource, shutil, subprocess, sys, tempfile, time

nilas, index, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
count = int(sys.argv[4]) if len(sys.argv) > 4 else 28
seed = int(sys.argv[5]) if len(sys.argv) > 5 else 21
minutes = float(sys.argv[6]) if len(sys.argv) > 6 else float("inf")
root, MEMORY, LARGEST = os.path.dirname(index), 8 << 30, 400_000
SOLVERS = {name: [nilas, "smt", "--cpu-timeout", sys.argv[3], "--solver", name] for name in ("bits", "icp")}
SOLVERS.update({name: [name] for name in ("z3", "cvc5") if shutil.which(name)})
EXTRA = {"cvc5": ["--incremental", "--fp-exp", "--produce-models"]}


def run(command):
    """Answers, seconds of processor time, and whether it ended by itself."""
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 1))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, preexec_fn=limit)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    answers = [line for line in done.stdout.splitlines() if line in ("sat", "unsat", "unknown")]
    return answers, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


rows = [row for row in csv.DictReader(open(index)) if row["path"].split("/")[0] in ("floats-cdfpl", "float-benchs")]
random.Random(seed).shuffle(rows)
with tempfile.TemporaryDirectory() as folder:
    streams = []
    for row in rows:
        if len(streams) == count:
            break
        stream = os.path.join(folder, os.path.basename(row["path"]) + ".smt2")
        width = "--32" if "ILP32" in row.values() else "--64"
        subprocess.run([nilas, "check", "--quiet", width, "--engine", "bmc", "--cpu-timeout", "3", "--record-queries", stream, f"{root}/{row['path']}"],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if os.path.exists(stream) and 0 < os.path.getsize(stream) <= LARGEST:
            streams.append(stream)
    print(f"{len(streams)} streams (seed {seed}), at most {seconds:g} s of processor time each; answers / seconds")
    print(f"{'stream':44}" + "".join(f"{name:>16}" for name in SOLVERS))
    total, decided, wrong = dict.fromkeys(SOLVERS, 0.0), dict.fromkeys(SOLVERS, 0), 0
    begun = time.time()
    for done, stream in enumerate(streams):
        if time.time() - begun > 60 * minutes:
            print(f"{done} of them were begun")
            break
        told, line = {}, f"{os.path.basename(stream)[:-5][:43]:44}"
        for name, command in SOLVERS.items():
            answers, spent = run([*command, *EXTRA.get(name, []), stream])
            told[name] = answers
            known = sum(answer != "unknown" for answer in answers)
            total[name] += spent
            decided[name] += known
            line += f"{known:8} {spent:7.2f}"
        for place in range(max(map(len, told.values()))):
            here = {name: answers[place] for name, answers in told.items() if place < len(answers) and answers[place] != "unknown"}
            if len(set(here.values())) > 1:
                wrong += 1
                line += f" WRONG at {place}: {here}"
        print(line, flush=True)
    print(f"{'all':44}" + "".join(f"{decided[name]:8} {total[name]:7.2f}" for name in SOLVERS))
    print("ratio to bits: " + ", ".join(f"{name} {total[name] / max(total['bits'], 1e-9):.2f}" for name in SOLVERS))
    print(f"{wrong} disagreements")
