#!/usr/bin/env python3
"""Many calls of one function: Fig. 5.8 of the EUForia thesis anew.

    benchmarks/many_calls.py NILAS SECONDS [OUT]

The program calls a function with a loop and an assertion n times, for n from 2 to 100. Three ways to solve it stand side by side: `euf` on
the wait encoding (`--calls keep`), `summaries` on the procedures (`--calls keep`), and `ic3cfa` and `euf` on bodies in the place of calls
(`--calls inline`). Each has SECONDS of processor time. Writes a table to OUT.txt and a picture to OUT.svg (benchmarks/results/many-calls
unless given): verdict, lemmas, frames, seconds of processor time.
"""
import json, os, subprocess, sys, tempfile

nilas, seconds = sys.argv[1], float(sys.argv[2])
root = os.path.dirname(os.path.abspath(__file__))
out = sys.argv[3] if len(sys.argv) > 3 else os.path.join(root, "results", "many-calls")
NUMBERS = [2, 5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100]
WAYS = [("euf kept", "euf", "keep"), ("summaries kept", "summaries", "keep"), ("euf inlined", "euf", "inline"), ("ic3cfa inlined", "ic3cfa", "inline")]
PROGRAM = """void reach_error(void);
int i;
void loop(void) {
  do {
    i += 3;
  } while (i < 5);
  if (!(i < 7)) reach_error();
}
int main(void) {
  CALLS
  return 0;
}
"""


def run(path, engine, calls):
    """Verdict, lemmas, frames and processor seconds of one run."""
    command = [nilas, "check", path, "--engine", engine, "--calls", calls, "--cpu-timeout", str(seconds), "--timeout", str(20 * seconds), "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        told = json.loads(done.stdout)
    except ValueError:
        return "none", None, None, None
    counters = {name: count for group in (told.get("statistics") or {}).values() for name, count in group.items()}
    used = sum(counters.get(f"{who} processor milliseconds", 0) for who in ("engine", "checker")) / 1000
    return told["verdict"], counters.get("lemmas learnt"), counters.get("frames"), used


def picture(rows):
    """A plot for each of lemmas, frames and seconds, over the number of calls."""
    colours, width, height, left = ["#1b6ca8", "#2e8b57", "#b5651d", "#8b2252"], 300, 220, 46
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{3 * width}" height="{height + 40}" font-family="sans-serif" font-size="11">']
    for plot, (name, at) in enumerate([("lemmas", 1), ("frames", 2), ("processor seconds", 3)]):
        x0 = plot * width + left
        values = [row[way][at] for _, row in rows for way, *_ in WAYS if row[way][0] == "safe" and row[way][at] is not None]
        most = max(values, default=1) or 1
        parts.append(f'<text x="{x0}" y="14">{name} (up to {most:g})</text>')
        parts.append(f'<path d="M{x0} 24 V{height} H{x0 + width - left - 10}" fill="none" stroke="#888"/>')
        for colour, (way, *_) in zip(colours, WAYS):
            points = [(n, row[way][at]) for n, row in rows if row[way][0] == "safe" and row[way][at] is not None]
            line = " ".join(f"{x0 + n * (width - left - 10) / 100:.1f},{height - value * (height - 30) / most:.1f}" for n, value in points)
            parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.5"/>')
        parts.append(f'<text x="{x0}" y="{height + 14}">2</text><text x="{x0 + width - left - 30}" y="{height + 14}">100 calls</text>')
    for number, (colour, (way, *_)) in enumerate(zip(colours, WAYS)):
        parts.append(f'<text x="{left + 180 * number}" y="{height + 34}" fill="{colour}">{way}</text>')
    return "\n".join(parts + ["</svg>", ""])


rows = []
lines = [f"Fig. 5.8 of the EUForia thesis anew: n calls of one function; lemmas learnt, frames, processor seconds of engine and checker.",
         f"  benchmarks/many_calls.py NILAS {seconds:g}", "", f"{'n':>4}" + "".join(f"  {way:>26}" for way, *_ in WAYS)]
with tempfile.TemporaryDirectory() as folder:
    for number in NUMBERS:
        path = os.path.join(folder, f"calls-{number}.c")
        with open(path, "w") as file:
            file.write(PROGRAM.replace("CALLS", "\n  ".join(["i = 0; loop();"] * number)))
        row = {way: run(path, engine, calls) for way, engine, calls in WAYS}
        rows.append((number, row))
        cells = [f"{lemmas} / {frames} / {used:.2f} s" if verdict == "safe" else verdict for verdict, lemmas, frames, used in (row[way] for way, *_ in WAYS)]
        lines.append(f"{number:>4}" + "".join(f"  {cell:>26}" for cell in cells))
        print(lines[-1], flush=True)
with open(out + ".txt", "w") as file:
    file.write("\n".join(lines) + "\n")
with open(out + ".svg", "w") as file:
    file.write(picture(rows))
