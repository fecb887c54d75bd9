#!/usr/bin/env bash
# usage: bash scripts/test.sh [PYTEST OPTIONS]
# Makes the environment, then runs the tests.
set -eu
# shellcheck source=scripts/environment.sh
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

make_environment "[test]"
cd "$root"
# Whole files to one process each: what a file compiles is compiled once.
exec .venv/bin/python -m pytest -n 2 --dist loadfile "$@"
