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
measure, correlate                 score summaries, and ask how well scores predict judgements

All errors are of type ``SemiHmmError``, all warnings of type ``SemiHmmWarning``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corpus_tools.alignments.alignment import Alignment, PhraseLink
    from corpus_tools.errors import (
        BadData,
        BadModel,
        BadPair,
        BadUsage,
        InUse,
        LittleText,
        MissingResource,
        SemiHmmError,
        SemiHmmWarning,
        UnspacedText,
    )
    from corpus_tools.measures.read_texts import read_references, read_summaries
    from corpus_tools.meta_evaluation.meta_evaluation import correlate
    from corpus_tools.meta_evaluation.ratings import read_judgements, read_scores
    from corpus_tools.pairs.as_pairs import as_pairs
    from corpus_tools.pairs.pair import Pair
    from corpus_tools.pairs.read_pairs import read_pairs
    from corpus_tools.pairs.records import make_pair
    from corpus_tools.scores.score_report import score
    from corpus_tools.views.aligned_pair import AlignedPair
    from semihmm import formats
    from semihmm.aligner import Aligner, align
    from semihmm.measuring import measure

    __version__: str

__all__ = [
    "AlignedPair",
    "Aligner",
    "Alignment",
    "BadData",
    "BadModel",
    "BadPair",
    "BadUsage",
    "InUse",
    "LittleText",
    "MissingResource",
    "Pair",
    "PhraseLink",
    "SemiHmmError",
    "SemiHmmWarning",
    "UnspacedText",
    "align",
    "as_pairs",
    "correlate",
    "formats",
    "make_pair",
    "measure",
    "read_judgements",
    "read_pairs",
    "read_references",
    "read_scores",
    "read_summaries",
    "score",
]

_MODULES = {
    "AlignedPair": "corpus_tools.views.aligned_pair",
    "Aligner": "semihmm.aligner",
    "Alignment": "corpus_tools.alignments.alignment",
    "Pair": "corpus_tools.pairs.pair",
    "PhraseLink": "corpus_tools.alignments.alignment",
    "align": "semihmm.aligner",
    "as_pairs": "corpus_tools.pairs.as_pairs",
    "correlate": "corpus_tools.meta_evaluation.meta_evaluation",
    "formats": "semihmm.formats",
    "make_pair": "corpus_tools.pairs.records",
    "measure": "semihmm.measuring",
    "read_judgements": "corpus_tools.meta_evaluation.ratings",
    "read_pairs": "corpus_tools.pairs.read_pairs",
    "read_references": "corpus_tools.measures.read_texts",
    "read_scores": "corpus_tools.meta_evaluation.ratings",
    "read_summaries": "corpus_tools.measures.read_texts",
    "score": "corpus_tools.scores.score_report",
}
"""Where the public names are defined; the others are those of errors and warnings."""


def __getattr__(name: str) -> Any:
    """Import a name when it is first used, so that the command line starts without NumPy."""
    if name == "__version__":
        from corpus_tools.packages import installed_version

        return installed_version()
    if name not in __all__:
        raise AttributeError(f"module 'semihmm' has no attribute {name!r}")
    from importlib import import_module

    module = import_module(_MODULES.get(name, "corpus_tools.errors"))
    value = module if name == "formats" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, those too that were not used yet."""
    return sorted([*__all__, "__version__"])
