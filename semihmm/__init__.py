"""Learns word and phrase alignments between documents and abstracts with a semi-Markov HMM.

>>> from semihmm import Aligner, align, read_pairs          # doctest: +SKIP
>>> print(align("A long text ...", "A short one ..."))      # doctest: +SKIP
>>> pairs = read_pairs("pairs.jsonl")                       # doctest: +SKIP
>>> aligner = Aligner().fit(pairs)                          # doctest: +SKIP
>>> aligner.aligned(pairs[0]).phrases                       # doctest: +SKIP

align             aligns one document with its abstract, by the model that comes with the program
Aligner           trains models, aligns many pairs, saves and loads models
read_pairs, as_pairs, make_pair    make pairs of files, of tuples, records and data frames, of texts
formats           reads and writes alignments in the formats of the field
score             scores alignments against hand alignments
portrait, portraits                sum up how the abstracts of a corpus, or of several, were made
measure, correlate                 score summaries, and ask how well scores predict judgements

All errors are of type ``SemiHmmError``, all warnings of type ``SemiHmmWarning``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

_STUB = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
_MODULES = {name: module for module, name in re.findall(r"(?m)^from (\S+) import (\w+) as", _STUB)}
"""The module that defines each public name, as the stub says."""

__all__ = sorted(_MODULES)  # noqa: PLE0605  # type checkers read the stub


def __getattr__(name: str) -> Any:
    """Import a name when it is first used, so that the command line starts without NumPy."""
    if name == "__version__":
        from corpus_tools.base.errors import installed_version

        return installed_version()
    if name not in _MODULES:
        raise AttributeError(f"module 'semihmm' has no attribute {name!r}")
    from importlib import import_module

    module = _MODULES[name]
    # What the package has itself is a module.
    own = module == __name__
    value = import_module(f"{module}.{name}") if own else getattr(import_module(module), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, those too that were not used yet."""
    return sorted([*__all__, "__version__"])
