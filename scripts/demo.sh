#!/usr/bin/env bash
# usage: bash scripts/demo.sh [--output DIR]
# From a fresh clone to a trained model: makes the environment, shows what the general model makes of the sample, then trains
# on it, aligns, scores, exports, and writes a web page.
set -eu
# shellcheck source=scripts/environment.sh
. "$(dirname "${BASH_SOURCE[0]}")/environment.sh"

make_environment ""
exec "$venv/bin/semihmm" demo "$@"
