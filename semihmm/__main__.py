"""Runs the command line: ``python -m semihmm``."""

import sys

from semihmm.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
