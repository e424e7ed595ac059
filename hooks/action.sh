#!/bin/sh
# What the action does (action.yml): checks, writes SARIF, says the verdict. Inputs come as variables.
set -u
here=$(cd "$(dirname "$0")" && pwd)
nilas=${NILAS:-$here/../target/release/nilas}
set -f -- check --timeout "${NILAS_SECONDS:-60}"
[ "${NILAS_BATCH:-false}" = true ] && set -- "$@" --batch
[ -n "${NILAS_SARIF:-}" ] && set -- "$@" --sarif "$NILAS_SARIF"
# Options and files are lists of words; patterns of files are expanded.
for option in ${NILAS_OPTIONS:-}; do set -- "$@" "$option"; done
set +f
# shellcheck disable=SC2086
"$nilas" "$@" -- $NILAS_FILES
code=$?
case $code in
  0) verdict=safe ;;
  10) verdict=unsafe ;;
  5) verdict=unknown ;;
  *) verdict=unknown; echo "::error::nilas ended with exit code $code" ;;
esac
[ -n "${GITHUB_OUTPUT:-}" ] && echo "verdict=$verdict" >> "$GITHUB_OUTPUT"
[ "$code" -eq 5 ] && [ "${NILAS_UNKNOWN:-pass}" = pass ] && exit 0
exit "$code"
