"""Finds the jumps of an alignment: how far an abstract moves through its document.

Daumé III and Marcu (2005), Figure 2 and Table 2.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import NamedTuple

from corpus_tools.alignments.alignment import Alignment, PhraseLink
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.stems import stem
from corpus_tools.texts.tokenizers import normal_form


class Way(Enum):
    """What a jump is between.

    ``NEXT``    two phrases that are neighbours in the abstract: these alone are in Figure 2.
    ``NULL``    two phrases with words between them that are aligned to nothing; null keeps the
                position where the last phrase ended (footnote 6).
    ``INSIDE``  two words of a phrase whose sides have the same stems, word by word. Annotators link
                such words one by one, so a model that aligns them as one phrase is counted in the
                same way.
    """

    NEXT, NULL, INSIDE = range(3)


class Jump(NamedTuple):
    """One jump.

    ``distance``  from the last document word to the next one that is used: 1 is to its neighbour, 0
                  to the same word again.
    """

    distance: int
    way: Way


def count_jumps(pairs: Iterable[Pair], alignments: Mapping[str, Alignment]) -> Counter[Jump]:
    """Count the jumps of the pairs' alignments, which are given by id."""
    return Counter(jump for pair in pairs for jump in jumps(pair, alignments[pair.id]))


def jumps(pair: Pair, alignment: Alignment) -> Iterator[Jump]:
    """Yield the jumps of an alignment.

    Where an abstract phrase has several document phrases, there are jumps from and to each of them.
    """
    starts: dict[int, list[int]] = defaultdict(list)
    for phrase in alignment.phrases:
        starts[phrase.abstract[0]].append(phrase.document[0])
    abstract_starts = sorted(starts)
    for phrase in alignment.phrases:
        if _same_stems(pair, phrase):
            yield from [Jump(1, Way.INSIDE)] * (phrase.abstract[1] - phrase.abstract[0] - 1)
        end = phrase.abstract[1]
        index = bisect_left(abstract_starts, end)
        if index < len(abstract_starts):
            following = abstract_starts[index]
            way = Way.NULL if following > end else Way.NEXT
            for start in starts[following]:
                yield Jump(start - phrase.document[1] + 1, way)


def _same_stems(pair: Pair, phrase: PhraseLink) -> bool:
    abstract = pair.abstract.tokens[slice(*phrase.abstract)]
    document = pair.document.tokens[slice(*phrase.document)]
    return _stems(abstract) == _stems(document)


def _stems(tokens: tuple[str, ...]) -> list[str]:
    return [stem(normal_form(token)) for token in tokens]
