"""Witnesses of tasks of an index, validated by a fresh process, and what is changed in them.

python3 benchmarks/witnesses.py NILAS INDEX.csv DIR safe|unsafe [NUMBER [SECONDS]]

Tasks are taken in a random order (random.Random(22)) until NUMBER (50) of them have a witness within SECONDS (5) of
processor time; every other one is GraphML. `nilas validate` has three times as long, and nothing but the program and
the witness. Then the witness is changed, and must not be confirmed: an invariant is negated (safe), the target is
another line, or the last branch goes the other way (unsafe). The last one may be true of another execution, which is
found and repeated then; such cases are listed.
"""

import collections
import csv
import os
import random
import re
import subprocess
import sys
import tempfile

nilas, index, folder, kind = sys.argv[1:5]
number = int(sys.argv[5]) if len(sys.argv) > 5 else 50
seconds = float(sys.argv[6]) if len(sys.argv) > 6 else 5.0

rows = [row for row in csv.DictReader(open(index)) if row["expected"] == {"safe": "true", "unsafe": "false"}[kind]]
random.Random(22).shuffle(rows)
scratch = tempfile.mkdtemp()


def run(limit, command, *arguments):
    limits = ["--cpu-timeout", str(limit), "--timeout", str(8 * limit), "--memory-limit", "4000", "--unknown-functions", "nothing"]
    return subprocess.run([nilas, command, *limits, *arguments], capture_output=True, text=True)


def changes(text, graphml):
    """Texts that are not true of the program any more, by what was changed."""
    if kind == "safe":
        if graphml:
            found = re.search(r'<data key="invariant">(.*?)</data>', text)
            wrong = found and text.replace(found.group(0), f'<data key="invariant">!({found.group(1)})</data>')
        else:
            found = re.search(r'value: "(.*)"', text)
            wrong = found and text.replace(found.group(0), f'value: "!({found.group(1)})"', 1)
        return {"false invariant": wrong} if found else {}
    if graphml:
        *_, last = re.finditer(r'<data key="startline">(\d+)</data>', text)
        target = text[: last.start(1)] + "999999" + text[last.end(1):]
        branches = list(re.finditer(r"condition-(true|false)", text))
    else:
        *_, last = re.finditer(r"line: (\d+)", text)
        target = text[: last.start(1)] + "999999" + text[last.end(1):]
        branches = list(re.finditer(r'value: "(true|false)"', text))
    if not branches:
        return {"other target": target}
    last = branches[-1]
    other = {"true": "false", "false": "true"}[last.group(1)]
    return {"other target": target, "other branch": text[: last.start(1)] + other + text[last.end(1):]}


counts, listed = collections.Counter(), []
tried = 0
for row in rows:
    if counts["witnesses"] == number:
        break
    tried += 1
    graphml = counts["witnesses"] % 2 == 1
    ending = "graphml" if graphml else "yml"
    model = "--64" if row.get("data_model") == "LP64" else "--32"
    program, witness = f"{folder}/{row['path']}", f"{scratch}/witness.{ending}"
    if os.path.exists(witness):
        os.remove(witness)
    run(seconds, "check", "--quiet", model, "--witness", witness, program)
    if not os.path.exists(witness):
        continue
    counts["witnesses"] += 1
    text = open(witness).read()
    invariants = text.count('key="invariant"') if graphml else text.count("- invariant:")
    said = run(3 * seconds, "validate", model, program, witness).stdout.strip()
    word = said.split(":")[0]
    counts[f"{word} ({ending})"] += 1
    counts["confirmed"] += word == "confirmed"
    if word != "confirmed":
        listed.append(f"{row['path']} ({ending}): {said}")
    told = []
    for change, wrong in changes(text, graphml).items():
        changed = f"{scratch}/changed.{ending}"
        open(changed, "w").write(wrong)
        answer = run(3 * seconds, "validate", model, program, changed).stdout.split(":")[0].strip() or "refused"
        counts[f"{change}: {answer}"] += 1
        if answer == "confirmed":
            listed.append(f"{row['path']} ({ending}): {change}: confirmed")
        told.append(f"{change}: {answer}")
    print(f"{row['path']}: {ending}, {invariants} invariants, {word}; {', '.join(told)}", flush=True)
print(f"\n{tried} tasks tried")
for word, count in sorted(counts.items()):
    print(f"{count:>5}  {word}")
for line in listed:
    print("  " + line)
