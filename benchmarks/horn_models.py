#!/usr/bin/env python3
"""Interpretations of Horn clauses, checked by z3 alone.

    benchmarks/horn_models.py NILAS SECONDS COUNT FILE...

Of the files for which `nilas check --model` prints an interpretation, the first COUNT are looked at: each predicate is defined as the answer says, and
z3 is asked for each clause whether its negation has a model. All must be `unsat`.
"""
import subprocess, sys

nilas, seconds, count, files = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4:]


def commands(text):
    """The top-level commands of a script."""
    depth, start, index, found = 0, None, 0, []
    while index < len(text):
        letter = text[index]
        if letter == ";":
            end = text.find("\n", index)
            index = len(text) if end < 0 else end
        elif letter in '|"':
            index = text.index(letter, index + 1)
        elif letter == "(":
            if depth == 0:
                start = index
            depth += 1
        elif letter == ")":
            depth -= 1
            if depth == 0:
                found.append(text[start : index + 1])
        index += 1
    return found


def name(command):
    """The symbol that a command declares or defines."""
    rest = command.split(None, 1)[1]
    return rest[1 : rest.index("|", 1)] if rest[0] == "|" else rest.split()[0].rstrip(")")


def questions(text, model):
    """A script with one question per clause, and how many there are."""
    defined = {name(it) for it in commands(model)}
    out, asked, placed = ["(set-logic ALL)"], 0, False
    for command in commands(text):
        head = command[1:].split(None, 1)[0].rstrip(")")
        if head in ("declare-fun", "declare-rel") and name(command) in defined:
            continue
        if head in ("assert", "rule", "query"):
            if not placed:
                out.append(model)
                placed = True
            body = command[command.index(head) + len(head) : -1]
            negated = body if head == "query" else f"(not {body})"
            out.append(f"(push 1)\n(assert {negated})\n(check-sat)\n(pop 1)")
            asked += 1
        elif head == "declare-var":
            out.append(command.replace("declare-var", "declare-const", 1))
        elif head in ("declare-fun", "define-fun", "declare-const", "declare-sort", "define-sort"):
            out.append(command)
    return "\n".join(out), asked


valid = bad = clauses = unanswered = 0
for file in files:
    if valid + bad + unanswered >= count:
        break
    run = subprocess.run([nilas, "check", file, "--model", "--cpu-timeout", seconds], capture_output=True, text=True)
    if not run.stdout.startswith("sat"):
        continue
    if "(define-fun" not in run.stdout:
        # The proof bounds the length of derivations, and no other was found in time: the answer says so.
        print("no interpretation", file, flush=True)
        continue
    script, asked = questions(open(file).read(), run.stdout[3:])
    answers = subprocess.run(["z3", "-in", "-T:300"], input=script, capture_output=True, text=True).stdout.split()
    good = answers == ["unsat"] * asked
    is_open = not good and "sat" not in answers and all(it in ("unsat", "unknown", "timeout") for it in answers)
    valid, bad, unanswered, clauses = valid + good, bad + (not good and not is_open), unanswered + is_open, clauses + asked
    print("valid" if good else "not answered" if is_open else "NOT VALID", asked, file, *([] if good else answers[:3]), flush=True)
print(f"{valid} valid, {bad} not valid, {unanswered} not answered by z3, {clauses} clauses")
