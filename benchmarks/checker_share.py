#!/usr/bin/env python3
"""Two builds of Nilas on a random sample of the C tasks, alternating: solved, and engine time against checker time.

usage: checker_share.py OLD NEW INDEX DIR [--tasks 120] [--seed 15] [--timeout 15] [--until HH:MM]
"""
import argparse, csv, datetime, json, random, statistics, subprocess, sys

def run(binary, path, task, timeout):
    bits = ["--32"] if task["data_model"] == "ILP32" else ["--64"]
    call = [binary, "check", "--json", "--stats", f"--timeout={timeout}", "--memory-limit=4000",
            "--unknown-functions=nothing", *bits, "--", path]
    try:
        done = subprocess.run(call, capture_output=True, text=True, timeout=4 * timeout)
        said = json.loads(done.stdout)
    except (subprocess.TimeoutExpired, json.JSONDecodeError):
        return {"verdict": "unknown", "reason": "no answer"}
    first = {}
    for name, counters in said.get("statistics", {}).items():
        if name == said.get("engine"):
            first = counters
    return {
        "verdict": said.get("verdict", "unknown"), "reason": said.get("reason") or "",
        "engine": said.get("engine") or "-", "kind": (said.get("evidence") or {}).get("kind", "-"),
        "engine_s": first.get("engine seconds"), "checker_s": first.get("checker seconds"),
    }

def main():
    parser = argparse.ArgumentParser()
    for name in ["old", "new", "index", "dir"]:
        parser.add_argument(name)
    parser.add_argument("--tasks", type=int, default=120)
    parser.add_argument("--seed", type=int, default=15)
    parser.add_argument("--timeout", type=float, default=15)
    parser.add_argument("--until", help="begin no task after this time of the day (UTC)")
    args = parser.parse_args()
    with open(args.index) as file:
        tasks = list(csv.DictReader(file))
    chosen = random.Random(args.seed).sample(tasks, args.tasks)
    print("# " + " ".join(sys.argv))
    rows = []
    print(f"{'task':58} {'old':8} {'engine':>7} {'checker':>7}  {'new':8} {'engine':>7} {'checker':>7}  form")
    for task in chosen:
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%H:%M")
        if args.until and now >= args.until:
            print(f"(ended at {now}: {len(rows)} of {len(chosen)} tasks)")
            break
        path = f"{args.dir}/{task['path']}"
        both = [run(binary, path, task, args.timeout) for binary in (args.old, args.new)]
        rows.append((task, both))
        cell = lambda seconds: "-" if seconds is None else f"{seconds:.2f}"
        line = f"{task['path'][-58:]:58} "
        for one in both:
            line += f"{one['verdict']:8} {cell(one.get('engine_s')):>7} {cell(one.get('checker_s')):>7}  "
        print(line + both[1].get("kind", "-"), flush=True)
    for name, index in (("old", 0), ("new", 1)):
        said = [(task, both[index]) for task, both in rows]
        solved = [(t, o) for t, o in said if o["verdict"] in ("safe", "unsafe")]
        wrong = [t["path"] for t, o in solved if (o["verdict"] == "safe") != (t["expected"] == "true")]
        timed = [o for _, o in solved if o.get("checker_s") is not None and o.get("engine_s") is not None]
        for what, some in (("all but unwindings", [o for o in timed if o["kind"] != "unwinding"]),
                           ("unwindings", [o for o in timed if o["kind"] == "unwinding"])):
            within = sum(o["checker_s"] <= o["engine_s"] + 0.2 for o in some)
            ratio = statistics.median(o["checker_s"] / max(o["engine_s"], 1e-3) for o in some) if some else 0
            print(f"{name}, {what}: {len(some)} solved by engines, checker within engine + 0.2 s on {within}, "
                  f"median of checker / engine {ratio:.2f}")
        late = sum("checking it ran out" in o["reason"] for _, o in said)
        print(f"{name}: {len(solved)} of {len(said)} solved, {len(wrong)} wrong {wrong}, "
              f"{late} unknown because of the checker")
    lost = [t["path"] for t, (o, n) in rows if o["verdict"] != "unknown" and n["verdict"] == "unknown"]
    won = [t["path"] for t, (o, n) in rows if o["verdict"] == "unknown" and n["verdict"] != "unknown"]
    print(f"lost: {lost}\nwon: {won}")

main()
