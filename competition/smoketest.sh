#!/bin/sh
# Does the program beside this file answer a safe and an unsafe task, and does it confirm its own witnesses?
set -u
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
answer() {
  expected=$1; shift
  "$here/nilas" "$@" > "$scratch/out" 2>&1
  code=$?
  [ "$code" -eq "$expected" ] || { echo "smoke test failed: exit $code instead of $expected: nilas $*"; cat "$scratch/out"; exit 1; }
}
for task in safe unsafe; do
  code=0; [ "$task" = unsafe ] && code=10
  answer $code check --timeout 60 "$here/smoketest/$task.yml" --witness "$scratch/$task.yml"
  answer 0 validate --32 --timeout 60 "$here/smoketest/$task.c" "$scratch/$task.yml"
done
echo "smoke test: safe and unsafe tasks are answered, and their witnesses confirmed"
