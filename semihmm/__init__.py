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

from typing import Any

from corpus_tools.base.packages import lazily, modules_of

_import = lazily(__name__, __file__)

__all__ = sorted(modules_of(__file__))  # noqa: PLE0605  # type checkers read the stub


def __getattr__(name: str) -> Any:
    """Import a name when it is first used, so that the command line starts without NumPy."""
    if name == "__version__":
        from corpus_tools.base.packages import installed_version

        return installed_version()
    return _import(name)


def __dir__() -> list[str]:
    """List the public names, those too that were not used yet."""
    return sorted([*__all__, "__version__"])
