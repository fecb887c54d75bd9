"""A pair and alignments of a few words, from which tests make views."""

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.pairs.pair import Pair
from tests.tiny_corpora import text


def alignment(*links: tuple[tuple[int, int], tuple[int, int], float]) -> Alignment:
    """Return an alignment of (abstract span, document span, probability)."""
    return Alignment("x", tuple(PhraseLink(*link) for link in links))


PAIR = Pair(
    "x",
    text("a dog saw the old cat .", "It ran .", "The cat slept ."),
    text("old cat seen .", "It slept"),
    sure=frozenset({(4, 0), (5, 1), (2, 2), (12, 5)}),
    possible=frozenset({(6, 3)}),
)
"""Its document has 14 words, its abstract 6."""

OWN = alignment(((0, 2), (4, 6), 0.9), ((2, 4), (2, 4), 0.6), ((4, 5), (7, 8), 0.4))
"""An alignment of ``PAIR`` that agrees with the gold in part."""
