#!/usr/bin/env python3
"""Microseconds per question of the engine `euf`: congruence closure, our bit-blasted solver on the same questions, z3 on the abstract ones.

    benchmarks/euf_streams.py NILAS EXAMPLE BENCHMARKS SECONDS

EXAMPLE is the built example `euf_streams` of nilas-smt (`cargo build --release -p nilas-smt --example euf_streams`). Records the questions of `euf`
without templates, SECONDS of processor time each, on two programs of each of the control sets of index.csv (one random.Random(1905) that samples
two of each set, in the order of the index), and gives the streams to the three solvers, one after the other in one process. Streams of fewer than 100 questions are left out.
"""
import csv, glob, os, random, subprocess, sys, tempfile

nilas, example, root, seconds = sys.argv[1:5]
CONTROL = ("locks", "ntdrivers", "ssh", "systemc", "eca-rers2012", "product-lines", "seq-mthreaded")
rows, draw = list(csv.DictReader(open(f"{root}/index.csv"))), random.Random(1905)
drawn = [row for family in CONTROL for row in draw.sample([row for row in rows if row["set"].startswith(family)], 2)]
with tempfile.TemporaryDirectory() as folder:
    for row in drawn:
        name = os.path.basename(row["path"])
        bits = "--64" if row["data_model"] == "LP64" else "--32"
        subprocess.run([nilas, "check", f"{root}/{row['path']}", bits, "--unknown-functions", "nothing", "--engine", "euf", "--set", "euf.templates=no",
                        "--cpu-timeout", seconds, "--record-queries", f"{folder}/{name}.smt2", "--record-limit", "50"],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    subprocess.run([example, *sorted(glob.glob(f"{folder}/*.smt2"))])
