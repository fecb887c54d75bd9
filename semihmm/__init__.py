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

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from corpus_tools.alignments.alignment import Alignment as Alignment
    from corpus_tools.alignments.alignment import PhraseLink as PhraseLink
    from corpus_tools.alignments.alignment import alignment_of_row as alignment_of_row
    from corpus_tools.alignments.alignment import alignment_row as alignment_row
    from corpus_tools.alignments.portrait import portrait as portrait
    from corpus_tools.alignments.portrait import portraits as portraits
    from corpus_tools.alignments.scores import score as score
    from corpus_tools.base.errors import BadData as BadData
    from corpus_tools.base.errors import BadModel as BadModel
    from corpus_tools.base.errors import BadPair as BadPair
    from corpus_tools.base.errors import BadUsage as BadUsage
    from corpus_tools.base.errors import ImpossiblePair as ImpossiblePair
    from corpus_tools.base.errors import InUse as InUse
    from corpus_tools.base.errors import LittleText as LittleText
    from corpus_tools.base.errors import MarkupText as MarkupText
    from corpus_tools.base.errors import MissingResource as MissingResource
    from corpus_tools.base.errors import OtherLanguage as OtherLanguage
    from corpus_tools.base.errors import SemiHmmError as SemiHmmError
    from corpus_tools.base.errors import SemiHmmWarning as SemiHmmWarning
    from corpus_tools.base.errors import UnspacedText as UnspacedText
    from corpus_tools.measures.meta_evaluation import correlate as correlate
    from corpus_tools.measures.ratings import read_judgements as read_judgements
    from corpus_tools.measures.ratings import read_scores as read_scores
    from corpus_tools.measures.summaries import read_references as read_references
    from corpus_tools.measures.summaries import read_summaries as read_summaries
    from corpus_tools.pairs.given_pairs import as_pairs as as_pairs
    from corpus_tools.pairs.given_pairs import iterate_as_pairs as iterate_as_pairs
    from corpus_tools.pairs.pair import Pair as Pair
    from corpus_tools.pairs.read_pairs import FilesOfPairs as FilesOfPairs
    from corpus_tools.pairs.read_pairs import iterate_pairs as iterate_pairs
    from corpus_tools.pairs.read_pairs import read_pairs as read_pairs
    from corpus_tools.pairs.records import make_pair as make_pair
    from corpus_tools.parsing import with_trees as with_trees
    from corpus_tools.texts.lexicons import content_tokens as content_tokens
    from corpus_tools.texts.lexicons import read_ignore_list as read_ignore_list
    from corpus_tools.texts.text import Text as Text
    from semihmm import formats as formats
    from semihmm.aligned_pair import AlignedPair as AlignedPair
    from semihmm.aligned_pair import write_page as write_page
    from semihmm.aligner import Aligner as Aligner
    from semihmm.coverage import measure as measure
    from semihmm.model_choice import align as align

    __version__: str

_NAMES = {
    "corpus_tools.alignments.alignment": "Alignment PhraseLink alignment_of_row alignment_row",
    "corpus_tools.base.errors": "BadData BadModel BadPair BadUsage InUse "
    "ImpossiblePair LittleText MarkupText MissingResource OtherLanguage SemiHmmError "
    "SemiHmmWarning UnspacedText",
    "corpus_tools.measures.summaries": "read_references read_summaries",
    "corpus_tools.measures.meta_evaluation": "correlate",
    "corpus_tools.measures.ratings": "read_judgements read_scores",
    "corpus_tools.pairs.pair": "Pair",
    "corpus_tools.pairs.read_pairs": "FilesOfPairs iterate_pairs read_pairs",
    "corpus_tools.pairs.given_pairs": "as_pairs iterate_as_pairs",
    "corpus_tools.pairs.records": "make_pair",
    "corpus_tools.parsing": "with_trees",
    "corpus_tools.alignments.portrait": "portrait portraits",
    "corpus_tools.alignments.scores": "score",
    "corpus_tools.texts.lexicons": "content_tokens read_ignore_list",
    "corpus_tools.texts.text": "Text",
    "semihmm.aligned_pair": "AlignedPair write_page",
    "semihmm.aligner": "Aligner",
    "semihmm.formats": "formats",
    "semihmm.coverage": "measure",
    "semihmm.model_choice": "align",
}
"""The public names by the module that defines them."""

_MODULES = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = sorted(_MODULES)  # noqa: PLE0605  # type checkers see the imports above


def __getattr__(name: str) -> Any:
    """Import a name when it is first used, so that the command line starts without NumPy."""
    if name == "__version__":
        from corpus_tools.base.errors import installed_version

        return installed_version()
    if name not in _MODULES:
        raise AttributeError(f"module 'semihmm' has no attribute {name!r}")
    from importlib import import_module

    module = import_module(_MODULES[name])
    value = module if name == "formats" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """List the public names, those too that were not used yet."""
    return sorted([*__all__, "__version__"])
