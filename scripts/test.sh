#!/usr/bin/env bash
# usage: bash scripts/test.sh [--all] [PYTEST OPTIONS]
# Makes the environment .venv, checks the source code and runs the tests. With options, for example the path of a test
# file, only pytest runs, with these options. --all runs the slow tests too (other Pythons, which it gets, and cold caches), and
# makes ten times as many random inputs. The exit status is 0 if every check and every test passed.
set -eu
# shellcheck source=scripts/environment.sh
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

failed=""

# check NAME ARGUMENTS: run a checker of the environment; note its name if it finds something.
check() {
    say "$*"
    "$venv/bin/$1" "${@:2}" >&2 || failed="$failed '$*'"
}

all=""
if [ "${1-}" = --all ]; then
    all=1
    shift
fi
make_environment dev
cd "$root"
if [ $# = 0 ]; then
    check ruff check
    check ruff format --check
    check mypy
    check codespell
    # Said before the tests, so that the summary of pytest is what the output ends with.
    [ -z "$failed" ] || say "Failed:$failed. The tests run all the same; the exit status will be 1."
fi
get_rouge_program_parts
get_browser
[ -z "$all" ] || get_pythons
[ -z "$all" ] || set -- -m "slow or not slow" --hypothesis-profile all "$@"
"$venv/bin/semihmm" compile
# Each file to one process: what a file compiles is compiled once.
.venv/bin/python -m pytest -n 2 --dist loadfile "$@"
[ -z "$failed" ]
