#!/usr/bin/env python3
"""One build of Nilas on a random sample of the C tasks: engine time against checker time, and who is beyond.

usage: checker_time.py NILAS INDEX DIR [--tasks 150] [--seed 2027] [--timeout 10] [--until HH:MM] [--threads N]

Times are by the clock and, where the build tells them, of the processor. Processor time is that of the checker's
first core alone, so it is complete with `--threads 1` only.
"""
import argparse, collections, csv, datetime, json, random, statistics, subprocess, sys, time

def run(binary, path, task, timeout, threads):
    bits = ["--32"] if task["data_model"] == "ILP32" else ["--64"]
    call = [binary, "check", "--json", "--stats", f"--timeout={timeout}", "--memory-limit=4000",
            "--unknown-functions=nothing", *bits, *threads, "--", path]
    began = time.monotonic()
    try:
        done = subprocess.run(call, capture_output=True, text=True, timeout=6 * timeout)
        said = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return {"verdict": "none", "reason": "no answer", "wall": time.monotonic() - began}
    first = said.get("statistics", {}).get(said.get("engine"), {})
    return {
        "verdict": said.get("verdict", "unknown"), "reason": said.get("reason") or "",
        "engine": said.get("engine") or "-", "kind": (said.get("evidence") or {}).get("kind", "-"),
        "engine_s": first.get("engine seconds"), "checker_s": first.get("checker seconds"),
        "questions": first.get("checker questions"), "steps": first.get("checker proof steps"),
        "engine_ms": first.get("engine processor milliseconds"),
        "checker_ms": first.get("checker processor milliseconds"),
        "handed": first.get("checker questions handed over", first.get("checker questions handed to CaDiCaL")), "wall": time.monotonic() - began,
    }

def main():
    parser = argparse.ArgumentParser()
    for name in ["nilas", "index", "dir"]:
        parser.add_argument(name)
    parser.add_argument("--tasks", type=int, default=150)
    parser.add_argument("--seed", type=int, default=2027)
    parser.add_argument("--timeout", type=float, default=10)
    parser.add_argument("--until", help="begin no task after this time of the day (UTC)")
    parser.add_argument("--threads", type=int, help="cores of the checker; without it, all there are")
    args = parser.parse_args()
    with open(args.index) as file:
        tasks = list(csv.DictReader(file))
    chosen = random.Random(args.seed).sample(tasks, args.tasks)
    print("# " + " ".join(sys.argv))
    threads = [f"--checker-threads={args.threads}"] if args.threads else []
    rows = []
    print(f"{'task':58} {'verdict':8} {'form':10} {'by':14} {'engine':>7} {'checker':>7} {'wall':>7} {'e. ms':>6} {'c. ms':>6} "
          f"{'asked':>6} {'steps':>9} {'handed':>6}")
    cell = lambda number: "-" if number is None else f"{number:.2f}"
    count = lambda number: "-" if number is None else str(int(number))
    for task in chosen:
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%H:%M")
        if args.until and now >= args.until:
            print(f"(ended at {now}: {len(rows)} of {len(chosen)} tasks)")
            break
        one = run(args.nilas, f"{args.dir}/{task['path']}", task, args.timeout, threads)
        rows.append((task, one))
        print(f"{task['path'][-58:]:58} {one['verdict']:8} {one.get('kind', '-'):10} {one.get('engine', '-'):14} "
              f"{cell(one.get('engine_s')):>7} {cell(one.get('checker_s')):>7} {one['wall']:7.2f} "
              f"{count(one.get('engine_ms')):>6} {count(one.get('checker_ms')):>6} "
              f"{count(one.get('questions')):>6} {count(one.get('steps')):>9} {count(one.get('handed')):>6}", flush=True)
    solved = [(t, o) for t, o in rows if o["verdict"] in ("safe", "unsafe")]
    wrong = [t["path"] for t, o in solved if (o["verdict"] == "safe") != (t["expected"] == "true")]
    timed = [(t, o) for t, o in solved if o.get("checker_s") is not None and o.get("engine_s") is not None]
    def processor(some):
        told = [(o.get("engine_ms") or 0, o["checker_ms"]) for o in some if o.get("checker_ms") is not None]
        if not told:
            return ""
        within = sum(checker <= engine + 200 for engine, checker in told)
        ratio = statistics.median(checker / max(engine, 1) for engine, checker in told)
        return f"by processor time on {within} of {len(told)} ({100 * within / len(told):.1f} %), median {ratio:.2f}; "
    is_within = lambda one: one["checker_s"] <= one["engine_s"] + 0.2
    for what, kinds in (("all but unwindings", {"invariant", "execution", "run"}), ("unwindings", {"unwinding"}),
                        ("invariants", {"invariant"}), ("executions", {"execution"}), ("runs", {"run"})):
        some = [o for _, o in timed if o["kind"] in kinds]
        if some:
            within = sum(is_within(one) for one in some)
            ratio = statistics.median(o["checker_s"] / max(o["engine_s"], 1e-3) for o in some)
            print(f"{what}: {len(some)} solved by engines, checker within engine + 0.2 s on {within} "
                  f"({100 * within / len(some):.1f} %), median of checker / engine {ratio:.2f}, "
                  f"{processor(some)}checker {sum(o['checker_s'] for o in some):.1f} s, engine {sum(o['engine_s'] for o in some):.1f} s")
    late = [t["path"] for t, o in rows if "checking it ran out" in o["reason"]]
    print(f"{len(solved)} of {len(rows)} solved, {len(wrong)} wrong {wrong}, "
          f"{len(late)} unknown because of the checker {late}")
    over = [(t["path"], round(o["wall"], 1)) for t, o in rows if o["wall"] > args.timeout + 1]
    print(f"more than a second beyond the limit: {over}")
    print("checker beyond engine + 0.2 s:")
    for t, o in timed:
        if not is_within(o):
            used = f" ({count(o.get('engine_ms'))} and {count(o['checker_ms'])} ms of the processor)" if o.get("checker_ms") is not None else ""
            print(f"  {t['path']} {o['kind']} {o['engine_s']:.2f} {o['checker_s']:.2f}{used}")
    print("forms:", dict(collections.Counter(o.get("kind", "-") for _, o in solved)))

main()
