"""Learns word and phrase alignments between documents and abstracts with a semi-Markov HMM.

>>> from semihmm import Aligner, read_pairs                 # doctest: +SKIP
>>> pairs = read_pairs("pairs.jsonl")                       # doctest: +SKIP
>>> aligner = Aligner().fit(pairs)                          # doctest: +SKIP
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corpus_tools.measures.read_references import read_references
    from corpus_tools.measures.read_summaries import read_summaries
    from corpus_tools.meta_evaluation.correlate import correlate
    from corpus_tools.meta_evaluation.read_ratings import read_judgements, read_scores
    from corpus_tools.pairs.pair import Pair
    from corpus_tools.pairs.read_pairs import read_pairs
    from semihmm.aligner import Aligner
    from semihmm.measuring import measure
    from semihmm.one_pair import align

__all__ = [
    "Aligner",
    "Pair",
    "align",
    "correlate",
    "measure",
    "read_judgements",
    "read_pairs",
    "read_references",
    "read_scores",
    "read_summaries",
]


def __getattr__(name: str) -> Any:
    """Import a name when it is first used, so that the command line starts without NumPy."""
    if name == "align":
        from semihmm.one_pair import align

        return align
    if name == "Aligner":
        from semihmm.aligner import Aligner

        return Aligner
    if name == "Pair":
        from corpus_tools.pairs.pair import Pair

        return Pair
    if name == "read_pairs":
        from corpus_tools.pairs.read_pairs import read_pairs

        return read_pairs
    if name == "measure":
        from semihmm.measuring import measure

        return measure
    if name == "read_references":
        from corpus_tools.measures.read_references import read_references

        return read_references
    if name == "read_summaries":
        from corpus_tools.measures.read_summaries import read_summaries

        return read_summaries
    if name == "correlate":
        from corpus_tools.meta_evaluation.correlate import correlate

        return correlate
    if name in ("read_scores", "read_judgements"):
        from corpus_tools.meta_evaluation import read_ratings

        return getattr(read_ratings, name)
    raise AttributeError(f"module 'semihmm' has no attribute {name!r}")
