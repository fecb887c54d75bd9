#!/usr/bin/env bash
# usage: bash scripts/test.sh [PYTEST OPTIONS]
# Makes the environment .venv, checks the source code and runs the tests. With options, for example the path of a test
# file, only pytest runs, with these options. The exit status is 0 if every check and every test passed.
set -eu
# shellcheck source=scripts/environment.sh
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

failed=""

# check NAME ARGUMENTS: run a checker of the environment; note its name if it finds something.
check() {
    say "$*"
    "$venv/bin/$1" "${@:2}" >&2 || failed="$failed '$*'"
}

make_environment "[dev]"
get_rouge_program_parts
get_browser
get_pythons
cd "$root"
if [ $# = 0 ]; then
    check ruff check
    check ruff format --check
    check mypy
    check codespell
    # Said before the tests, so that the summary of pytest is what the output ends with.
    [ -z "$failed" ] || say "Failed:$failed. The tests run all the same; the exit status will be 1."
fi
"$venv/bin/semihmm" compile
# Each file to one process: what a file compiles is compiled once.
.venv/bin/python -m pytest -n 2 --dist loadfile "$@"
[ -z "$failed" ]
