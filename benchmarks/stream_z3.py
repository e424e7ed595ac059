#!/usr/bin/env python3
"""Microseconds per assumption query: the embedded solver of Nilas against z3, on the same queries in one run.

Runs the example `stream` of nilas-smt, which records its queries in a file, then asks z3 the same queries in
the same order: cubes over next-state terms as assumptions, lemma clauses under activation Booleans, the
negation of the cube under an activation that is switched off for ever after the query. Only the processor time in
the check itself counts, on both sides: z3 is called through its C interface with arrays made beforehand, so that
Python is not measured.

`--z3-solver qfbv` takes z3's solver for QF_BV instead of its default one; it is far slower on such a stream.

Usage: python3 benchmarks/stream_z3.py [--queries N] [--target-dir DIR] [--z3-solver simple|qfbv|both]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

try:
    import z3
except ImportError:
    sys.exit("the Python package z3 is missing; install it with: pip install z3-solver")


def run_nilas(queries, target_dir, record):
    """Builds and runs the Rust example; returns its results by SAT solver."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    command = ["cargo", "run", "--release", "-q", "-p", "nilas-smt", "--example", "stream"]
    if target_dir:
        command += ["--target-dir", target_dir]
    command += ["--", "--queries", str(queries), "--record", record]
    output = subprocess.run(command, cwd=root, check=True, stdout=subprocess.PIPE, text=True).stdout
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


class System:
    """The transition system with z3's bit-vectors."""

    def __init__(self):
        x, y, z = z3.BitVecs("x y z", 32)
        c = z3.Bool("c")
        self.now = [x, y, z]
        self.next = [
            z3.If(c, x + y, x ^ (y << 1)),
            y + 1,
            z3.If(z3.ULT(x, y), z + x, z - 1),
        ]
        self.input = c
        self.cache = {}

    def literal(self, token, primed):
        """The literal of a token such as `-ultc,0,16`, over the current or the next state."""
        key = (token, primed)
        if key not in self.cache:
            kind, left, right = token[1:].split(",")
            state = self.next if primed else self.now
            left, right = state[int(left)], int(right)
            atom = {
                "eqc": lambda: left == right,
                "ultc": lambda: z3.ULT(left, right),
                "sltc": lambda: left < z3.BitVecVal(right, 32),
                "bit": lambda: z3.Extract(right, right, left) == 1,
                "eq": lambda: left == state[right],
                "ult": lambda: z3.ULT(left, state[right]),
                "slt": lambda: left < state[right],
            }[kind]()
            self.cache[key] = atom if token[0] == "+" else z3.Not(atom)
        return self.cache[key]

    def blocked(self, cube, activation):
        """The negation of a cube, under an activation."""
        return z3.Or([z3.Not(activation)] + [z3.Not(self.literal(token, False)) for token in cube])


def run_z3(record, make_solver):
    """Asks z3 all queries of the record; returns counts and microseconds per query."""
    system, solver = System(), make_solver()
    context = z3.main_ctx()
    lines = open(record, encoding="ascii").read().splitlines()
    top = int(lines[0].split()[1])
    levels = [z3.Bool(f"level{level}") for level in range(top + 1)]
    for variable in system.now:
        solver.add(z3.Or(z3.Not(levels[0]), variable == 0))
    in_check, in_read, queries, sat = 0.0, 0.0, 0, 0
    for line in lines[1:]:
        kind, level, *rest = line.split()
        level = int(level)
        if kind == "L":
            solver.add(system.blocked(rest, levels[level]))
            continue
        expected, cube = rest[0], rest[1:]
        temporary = z3.Bool(f"query{queries}")
        solver.add(system.blocked(cube, temporary))
        frame = levels[:1] if level == 0 else levels[level:]
        assumptions = frame + [temporary] + [system.literal(token, True) for token in cube]
        array = (z3.Ast * len(assumptions))(*[term.as_ast() for term in assumptions])
        start = time.thread_time()
        answer = z3.Z3_solver_check_assumptions(context.ref(), solver.solver, len(assumptions), array)
        in_check += time.thread_time() - start
        answer = {1: "sat", -1: "unsat"}.get(answer, "unknown")
        if answer != expected:
            sys.exit(f"z3 says {answer} where Nilas says {expected}, on query {queries}: {line}")
        start = time.thread_time()
        if answer == "sat":
            model = solver.model()
            for variable in system.now + [system.input]:
                model.eval(variable, model_completion=True)
        else:
            solver.unsat_core()
        in_read += time.thread_time() - start
        solver.add(z3.Not(temporary))
        queries += 1
        sat += answer == "sat"
    return {
        "queries": queries,
        "sat": sat,
        "unsat": queries - sat,
        "check_us": in_check * 1e6 / queries,
        "read_us": in_read * 1e6 / queries,
    }


def show(row):
    """One line of the table, as soon as it is known."""
    print(
        f"{row['solver']:24}{row['queries']:>9}{row['sat']:>8}{row['unsat']:>8}"
        f"{row['check_us']:>10.1f}{row.get('variables', '-'):>11}",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--queries", type=int, default=20000)
    parser.add_argument("--target-dir", help="where cargo builds")
    parser.add_argument("--z3-solver", choices=["simple", "qfbv", "both"], default="simple")
    options = parser.parse_args()
    solvers = {"simple": z3.Solver, "qfbv": lambda: z3.SolverFor("QF_BV")}
    if options.z3_solver != "both":
        solvers = {options.z3_solver: solvers[options.z3_solver]}
    with tempfile.TemporaryDirectory() as folder:
        record = os.path.join(folder, "stream.txt")
        rows = run_nilas(options.queries, options.target_dir, record)
        rows = [dict(row, solver="nilas " + row["solver"]) for row in rows]
        print(f"{'solver':24}{'queries':>9}{'sat':>8}{'unsat':>8}{'us/check':>10}{'variables':>11}")
        for row in rows:
            show(row)
        peers = []
        for name, make in solvers.items():
            z3_row = run_z3(record, make)
            peers.append(dict(z3_row, solver=f"z3 {z3.get_version_string()} {name}"))
            show(peers[-1])
    best = min(peers, key=lambda row: row["check_us"])
    for row in rows:
        ratio = best["check_us"] / row["check_us"]
        print(f"z3 / {row['solver']}: {ratio:.2f} ({best['solver']} in check alone; above 1 Nilas is faster)")


if __name__ == "__main__":
    main()
