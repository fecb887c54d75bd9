"""Reads tables of texts with answers."""

import re
from collections.abc import Callable
from pathlib import Path


def answered(test: str, table: str, answer: Callable[..., str]) -> str:
    """Return a table beside a test as it is if a function answers each row.

    A line ``= what it is about: options`` begins a kind. A row is ``what it is about: text => text
    => answer``. The function takes the options of the kind and the texts.
    """
    lines, options = [], ""
    for line in Path(test).with_name(table).read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            options = line.partition(": ")[2]
        elif "=>" in line and not line.startswith("#"):
            line, *_ = line.rpartition(" =>")
            texts = re.sub(r"^[^=]*?\S: ", "", line).split(" => ")
            line = f"{line} => {answer(options, *texts)}".rstrip()
        lines.append(line)
    return "\n".join(lines) + "\n"
