"""How far a summary jumps through its document from word to word (Daumé III and Marcu 2005, Figure 2 and Table 2)."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from enum import Enum
from typing import NamedTuple

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.stems import stem
from corpus_tools.texts.tokenizers import normal_form


class Way(Enum):
    """What a jump is between.

    ``NEXT``    two phrases that are neighbours in the abstract: these alone are in Figure 2.
    ``NULL``    two phrases with words between them that are aligned to nothing; null remembers where the last phrase ended
                (footnote 6).
    ``INSIDE``  two words of a phrase whose sides have the same stems, word by word. People link such words one by one; a
                model that takes them as one phrase has to be counted alike.
    """

    NEXT, NULL, INSIDE = range(3)


class Jump(NamedTuple):
    """``distance`` is from the last document word to the next one that is used: 1 is its neighbour, 0 the same again."""

    distance: int
    way: Way


def jumps(pair: Pair, alignment: Alignment) -> Iterator[Jump]:
    """The jumps of an alignment; where an abstract phrase has several document phrases, from and to each of them."""
    starts = defaultdict(list)
    for phrase in alignment.phrases:
        starts[phrase.abstract[0]].append(phrase.document[0])
    places = sorted(starts)
    for (a, a_end), (d, d_end), _ in alignment.phrases:
        if a_end - a > 1 and _stems(pair.abstract.tokens[a:a_end]) == _stems(
            pair.document.tokens[d:d_end]
        ):
            yield from [Jump(1, Way.INSIDE)] * (a_end - a - 1)
        for place in places[bisect_left(places, a_end) :][:1]:
            way = Way.NULL if place > a_end else Way.NEXT
            yield from (Jump(start - d_end + 1, way) for start in starts[place])


def _stems(tokens: tuple[str, ...]) -> list[str]:
    return [stem(normal_form(token)) for token in tokens]
