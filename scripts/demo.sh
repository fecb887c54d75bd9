#!/usr/bin/env bash
# usage: bash scripts/demo.sh [--output DIR]
# From a fresh clone to a trained model: makes the environment, then trains, aligns, scores and exports the sample.
set -eu
# shellcheck source=scripts/environment.sh
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

make_environment ""
exec "$venv/bin/semihmm" demo "$@"
