#!/bin/sh
# Makes an archive as competitions want it: one folder with the program, its licences, the module for BenchExec and
# a smoke test. Then unpacks it elsewhere and runs the smoke test.
#
#   sh competition/archive.sh target/release/nilas nilas.zip
set -eu
[ $# -eq 2 ] || { echo "usage: $0 NILAS ARCHIVE.zip" >&2; exit 2; }
command -v zip >/dev/null && command -v unzip >/dev/null || { echo "$0 needs zip and unzip" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
case $2 in /*) archive=$2 ;; *) archive=$(pwd)/$2 ;; esac
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/nilas"
cp "$1" "$scratch/nilas/nilas"
cp "$here/nilas.py" "$here/smoketest.sh" "$here/../LICENSE-APACHE" "$here/../LICENSE-MIT" "$scratch/nilas/"
cp -r "$here/smoketest" "$scratch/nilas/"
{
  echo "Nilas checks C programs: nilas check [--32|--64] FILE... PROPERTY.prp [--witness OUT.yml]"
  echo "or nilas check TASK.yml. It needs Linux on the machine that it was built for, and cc only for files with directives."
  "$scratch/nilas/nilas" --version
} > "$scratch/nilas/README.txt"
rm -f "$archive"
(cd "$scratch" && zip -q -r "$archive" nilas)
mkdir "$scratch/elsewhere"
(cd "$scratch/elsewhere" && unzip -q "$archive")
sh "$scratch/elsewhere/nilas/smoketest.sh"
echo "written: $archive"
