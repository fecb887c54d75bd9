"""Runs the command line: ``python -m semihmm``."""

from __future__ import annotations

import sys

from semihmm.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
