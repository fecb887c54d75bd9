#!/usr/bin/env bash
# usage: bash scripts/demo.sh [FOLDER]
# From a fresh clone to a first look: makes the environment, writes the sample, shows what the general model makes of it,
# trains on it, and writes a web page.
set -eu
# shellcheck source=scripts/environment.sh
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

make_environment
exec "$venv/bin/semihmm" demo "$@"
