"""Finds what an abstract says otherwise than its document: conflicts, each with both spans.

Precision comes before recall. A number of which the document says nothing is no conflict, and
neither is one that another of its sentences confirms. Numbers and names that the document has
nowhere have no support (``Findings.unknown``), whether it has others in their place or not. Names
contradict nothing.
"""

from collections.abc import Sequence
from typing import NamedTuple

from corpus_tools.languages.language import language
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.running_text import running_text
from rewrite_models.wordnet_reader import WordNetReader
from semihmm.applications.support.names import names_of
from semihmm.applications.support.pair_features import PairFeatures
from semihmm.applications.support.quantities.held_against import Quantities

KINDS = ("number",)

Sources = Sequence[Sequence[int]]
"""Document sentences for each abstract sentence, the best first."""


class Conflict(NamedTuple):
    """A part of the abstract that contradicts the document.

    ``kind``                  one of ``KINDS``.
    ``abstract``, ``document``  token spans ``[start, end)``; the document's is what it has instead.
    ``text``                  both in words: "3-1: the document has 4-1".
    """

    kind: str
    abstract: tuple[int, int]
    document: tuple[int, int]
    text: str


class Findings(NamedTuple):
    """What is found in an abstract.

    ``conflicts``  in its order; each token is in one of them at most.
    ``unknown``    the subtokens of numbers and names that the document has nowhere.
    ``named``      for each sentence of the abstract, whether its names were compared.
    """

    conflicts: list[Conflict]
    unknown: list[int]
    named: list[bool]


def find_unsupported(
    pair: Pair, features: PairFeatures, sources: Sources, wordnet: WordNetReader | None
) -> Findings:
    """Return the conflicts of an abstract, and its numbers and names without a source.

    ``sources``  for each abstract sentence the document sentences that it may be from, best first.
    ``wordnet``  tells names from other words with a capital letter, if there is one.
    """
    numbers = Quantities(features, sources, pair.language)
    knows = wordnet is not None and language(pair.language).wordnet
    sides = features.document, features.abstract
    names = names_of(*sides, pair.language, wordnet if knows else None, numbers.subtokens())
    found = [*numbers.conflicts()]
    shown = [running_text(side) for side in (pair.abstract, pair.document) if found]
    conflicts: list[Conflict] = []
    taken: set[int] = set()
    for start, end, first, last in found:
        ours = features.abstract.token_span(start, end)
        theirs = features.document.token_span(first, last)
        if taken.isdisjoint(range(*ours)):
            taken.update(range(*ours))
            texts = shown[0].words(*ours), shown[1].words(*theirs)
            conflicts.append(
                Conflict("number", ours, theirs, "{}: the document has {}".format(*texts))
            )
    unknown = [*names.unknown, *numbers.unknown()]
    return Findings(sorted(conflicts, key=lambda one: one.abstract), unknown, names.compared)
