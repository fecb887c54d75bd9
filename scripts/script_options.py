"""Options that scripts have in common."""

import argparse
from pathlib import Path


def parser(doc: str | None) -> argparse.ArgumentParser:
    """Return a parser whose help is the docstring of a script, as it stands there."""
    return argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )


def folder(name: str) -> Path:
    """Read the name of a folder that has to be there: the type of an option."""
    if not Path(name).is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {name}")
    return Path(name)
