#!/usr/bin/env python3
"""C programs written as Horn clauses and as VMT, and read back: verdicts must agree.

    benchmarks/encoded.py NILAS BENCHMARKS SECONDS FIRST LAST

Takes the programs FIRST to LAST - 1 of the 100 that random.Random(18) draws of BENCHMARKS/index.csv. Each is checked as C, as what
`encode --to horn` and `--to vmt` write, and the Horn clauses by z3's Spacer (z3 on PATH). Every run has SECONDS of processor time.

A program may leave what is modelled (recursion beyond a bound, say), and `check` then raises the bound, which a file cannot. In VMT
that is a property of its own: `safe` needs both. In Horn clauses it has the head `false`, as the error has: where a file says so, its
`unsat` is told as `unsat`, and is neither verdict.
"""
import csv, os, random, re, resource, subprocess, sys, tempfile

nilas, root, seconds, first, last = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), int(sys.argv[5])
rows = list(csv.DictReader(open(f"{root}/index.csv")))
drawn = random.Random(18).sample(rows, 100)[first:last]
WORDS = {"sat": "safe", "safe": "safe", "unsat": "unsafe", "unsafe": "unsafe"}
folder = tempfile.mkdtemp()


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (seconds + 3, seconds + 3))
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))


def verdict(command, leaves=False):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=limit)
    text = done.stdout.decode(errors="replace")
    properties = re.findall(r"^property \d+: (\w+)", text, re.M)
    if len(properties) > 1:
        return "unsafe" if properties[0] == "unsafe" else "safe" if set(properties) == {"safe"} else "unknown"
    found = re.match(r"(?:property 0: )?(\w+)", text)
    word = WORDS.get(found[1], "unknown") if found else "unknown"
    return "unsat" if leaves and word == "unsafe" else word


differ = decided = 0
for row in drawn:
    file = f"{root}/{row['path']}"
    flags = ["--32" if row["data_model"] == "ILP32" else "--64"]
    found = {"c": verdict([nilas, "check", file, *flags, "--cpu-timeout", str(seconds)])}
    for form, end in (("horn", "smt2"), ("vmt", "vmt")):
        written = os.path.join(folder, f"program.{end}")
        with open(written, "wb") as out:
            code = subprocess.run([nilas, "encode", file, *flags, "--to", form], stdout=out, stderr=subprocess.DEVNULL, preexec_fn=limit)
        if code.returncode != 0:
            found[form] = "not written"
            continue
        leaves = form == "horn" and b"and for what is not modelled" in open(written, "rb").read(300)
        found[form] = verdict([nilas, "check", written, "--cpu-timeout", str(seconds)], leaves)
        if form == "horn":
            found["spacer"] = verdict(["z3", "fp.engine=spacer", written], leaves)
    answers = {it for it in found.values() if it in ("safe", "unsafe")}
    decided += found["c"] in answers and len([it for it in found.values() if it in answers]) > 1
    differ += len(answers) > 1
    print(row["path"], *(f"{form} {it}" for form, it in found.items()), sep="\t", flush=True)
print(f"{len(drawn)} programs, {decided} decided as C and as something else, {differ} with different verdicts")
