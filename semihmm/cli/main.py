"""Runs the command line: ``semihmm COMMAND ...``.

Results are written to stdout, messages to stderr, both in UTF-8 whatever the locale.

Exit status: 0 success, 1 bad data or model, 2 bad usage, 128 and the number of the signal for what
a signal ends: 130 interrupted, 143 terminated, 129 hung up, 141 nobody reads the output any more.
"""

from __future__ import annotations

from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status.

    ``arguments``  what stands behind the program's name. ``None``: the arguments of this process,
                   whose streams, signals and warnings are then set up for the command line.
    """
    if arguments is None:
        from semihmm.cli.program import run_program

        return run_program()
    from semihmm.cli.run_command import run_command

    return run_command(arguments)
