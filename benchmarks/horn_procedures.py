#!/usr/bin/env python3
"""C programs with procedures as Horn clauses beside Spacer: verdicts must agree.

    benchmarks/horn_procedures.py NILAS BENCHMARKS SECONDS [JOURNAL]

The programs: the recursive examples of examples/c, the recursive sets of BENCHMARKS/index.csv, and random ones (random.Random(20)) up to
100. Functions are kept (`--calls keep`). Each is checked as C and as the clauses that `encode --to horn` writes, and the clauses by
z3's Spacer (z3 on PATH), with SECONDS of processor time each (z3 two more). Random programs are over `unsigned char`: functions call
those before them, and every second program lets them call themselves with a smaller first argument. Where what is not modelled has the
head `false`, too, `unsat` is neither verdict and told as `unsat`. With JOURNAL, lines are added to it, and programs that it has are not run again.
"""
import csv, os, random, re, resource, subprocess, sys, tempfile

nilas, root, seconds = sys.argv[1], sys.argv[2], int(sys.argv[3])
journal = sys.argv[4] if len(sys.argv) > 4 else os.devnull
examples = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "examples", "c")
WORDS = {"sat": "safe", "safe": "safe", "unsat": "unsafe", "unsafe": "unsafe"}
EXAMPLES = ["addition_recursive.c", "even_odd_recursive.c", "fibonacci.c", "gcd_recursive.c", "hanoi.c", "mccarthy_91.c", "multiplication_recursive.c"]
SETS = ["recursive", "recursive-simple", "svcomp20-recursive"]


def random_program(seed):
    """A C program with two to four functions."""
    chance = random.Random(20_000 + seed)
    recursive = seed % 2 == 0

    def expression(names, depth=2):
        if depth == 0 or chance.random() < 0.3:
            return chance.choice(names + [str(chance.randrange(4))])
        left, right = expression(names, depth - 1), expression(names, depth - 1)
        return f"({left} {chance.choice(['+', '-', '^', '&', '|'])} {right})"

    def condition(names):
        return f"{expression(names, 1)} {chance.choice(['==', '!=', '<', '>'])} {expression(names, 1)}"

    count = chance.randrange(2, 5)
    text = ["typedef unsigned char u8;", "void reach_error(void);", "u8 __VERIFIER_nondet_uchar(void);", "u8 g;"]
    for number in range(count):
        names = ["a", "b", "g"]
        body = ["  u8 r = b;"]
        if recursive:
            body.append(f"  if (a == 0) return {expression(names)};")
            body.append(f"  r = f{number}(a - 1, {expression(names, 1)});")
        names.append("r")
        for _ in range(chance.randrange(1, 4)):
            if number > 0 and chance.random() < 0.6:
                body.append(f"  r = f{chance.randrange(number)}({'a & 3' if recursive else expression(names, 1)}, {expression(names, 1)});")
            else:
                body.append(f"  if ({condition(names)}) {chance.choice(['g', 'r'])} = {expression(names)};")
        text += [f"u8 f{number}(u8 a, u8 b) {{", *body, f"  return {expression(names)};", "}"]
    text += ["int main(void) {", "  u8 x = __VERIFIER_nondet_uchar(), y = __VERIFIER_nondet_uchar();"]
    text += [f"  if (x > {chance.choice([1, 3, 7])}) return 0;", f"  g = {chance.randrange(3)};"]
    text += [f"  y = f{count - 1}(x, y);", f"  x = f{chance.randrange(count)}(x, {chance.choice(['y', '1'])});"]
    claim = chance.choice([f"{condition(['x', 'y', 'g'])}", "(u8)(x + y) == (u8)(y + x + 1)", f"(u8)((x & y) | g) < (x & y)", f"x == {chance.randrange(256)}"])
    return "\n".join([*text, f"  if ({claim}) reach_error();", "  return 0;", "}", ""])


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (seconds + 2, seconds + 2))
    resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))


def verdict(command, leaves=False):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=limit)
    found = re.match(r"(?:property 0: )?(\w+)", done.stdout.decode(errors="replace"))
    word = WORDS.get(found[1], "unknown") if found else "unknown"
    return "unsat" if leaves and word == "unsafe" else word


with tempfile.TemporaryDirectory() as folder:
    programs = [(f"examples/{name}", os.path.join(examples, name), "--32") for name in EXAMPLES]
    for row in csv.DictReader(open(f"{root}/index.csv")):
        if row["set"] in SETS:
            programs.append((row["path"], f"{root}/{row['path']}", "--32" if row["data_model"] == "ILP32" else "--64"))
    for seed in range(100 - len(programs)):
        path = os.path.join(folder, f"random-{seed}.c")
        with open(path, "w") as file:
            file.write(random_program(seed))
        programs.append((f"random-{seed}", path, "--32"))
    known = dict(line.rstrip("\n").split("\t", 1) for line in open(journal)) if os.path.exists(journal) else {}
    counts = {}
    differ = both = 0
    for name, path, bits in programs:
        if name in known:
            found = dict(part.split(" ", 1) for part in known[name].split("\t"))
        else:
            options = [bits, "--calls", "keep", "--unknown-functions", "nothing"]
            found = {"C": verdict([nilas, "check", path, *options, "--cpu-timeout", str(seconds)])}
            written = os.path.join(folder, "program.smt2")
            with open(written, "wb") as out:
                code = subprocess.run([nilas, "encode", path, *options, "--to", "horn"], stdout=out, stderr=subprocess.DEVNULL, preexec_fn=limit)
            if code.returncode == 0:
                leaves = b"and for what is not modelled" in open(written, "rb").read(300)
                found["clauses"] = verdict([nilas, "check", written, "--cpu-timeout", str(seconds)], leaves)
                found["spacer"] = verdict(["z3", "fp.engine=spacer", written], leaves)
            line = "\t".join([name, *(f"{who} {it}" for who, it in found.items())])
            print(line, flush=True)
            with open(journal, "a") as file:
                file.write(line + "\n")
        kind = "random" if name.startswith("random") else "examples" if name.startswith("examples") else name.split("/")[0]
        group = counts.setdefault(kind, {"programs": 0})
        group["programs"] += 1
        for who in ("C", "clauses", "spacer"):
            if found.get(who) in ("safe", "unsafe", "unsat"):
                group[who] = group.get(who, 0) + 1
        plain = {it for it in found.values() if it in ("safe", "unsafe")}
        unlike = len(plain) > 1 or {found.get("clauses"), found.get("spacer")} in ({"safe", "unsat"}, {"safe", "unsafe"})
        differ += unlike
        both += found.get("spacer") in ("safe", "unsafe", "unsat") and found.get("clauses") in ("safe", "unsafe", "unsat")
        if unlike:
            print("DIFFERENT:", name, found)
print(f"{'':20}{'programs':>9}{'as C':>7}{'clauses':>9}{'Spacer':>8}   (decided)")
for kind, group in counts.items():
    print(f"{kind:20}{group['programs']:>9}{group.get('C', 0):>7}{group.get('clauses', 0):>9}{group.get('spacer', 0):>8}")
print(f"clauses decided by both: {both}; programs with different verdicts: {differ}")
