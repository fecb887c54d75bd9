"""Computes what is said of alignments: section 2.3 of Daumé III and Marcu (2005), and Figure 2.

Figure 2 is of jumps: how far an abstract moves through its document from phrase to phrase.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import NamedTuple

from corpus_tools.alignments.alignment import Alignment, PhraseLink, unaligned_tokens
from corpus_tools.pairs.pair import Pair
from corpus_tools.progress import counted
from corpus_tools.statistics.corpus_statistics import share
from corpus_tools.texts.text_table import text_table
from corpus_tools.texts.tokenizers import normal_form, stem

SHOWN_JUMPS = 5
"""The table of alignments shows jumps up to this distance one by one. Chosen to fit a screen."""

ROWS_BEGIN = (-63, -31, -15, -7, -3, -2, -1, 0, 1, 2, 3, 4, 8, 16, 32, 64)
"""The smallest distances of the rows of Figure 2, except for the first row: it has all below.

Chosen by hand: one by one where most jumps are, then powers of two.
"""


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
        abstract, document = _normal_forms(pair, phrase)
        if _stems(abstract) == _stems(document):
            yield from [Jump(1, Way.INSIDE)] * (phrase.abstract[1] - phrase.abstract[0] - 1)
        end = phrase.abstract[1]
        index = bisect_left(abstract_starts, end)
        if index < len(abstract_starts):
            following = abstract_starts[index]
            way = Way.NULL if following > end else Way.NEXT
            for start in starts[following]:
                yield Jump(start - phrase.document[1] + 1, way)


@dataclass(frozen=True, slots=True)
class AlignmentStatistics:
    """The figures of section 2.3; all but the two totals are shares, from 0 to 1.

    ``abstract_words``         the total of abstract words.
    ``unaligned``              of these the unaligned ones; three shares of the same total are its
                               parts.
    ``phrases``                the total of phrase links.
    ``one_to_one``             of these the ones with one word on both sides.
    ``abstract_lengths``       the ones with 1, 2 and 3 words on the abstract side.
    ``identical``              the ones whose sides have the same normal forms, word by word.
    ``same_stems``             the ones whose sides have the same stems, word by word.
    ``same_stems_singletons``  the same, of the one-to-one links only.
    ``same_stems_phrases``     the same, of all other links.
    ``jumps``                  Figure 2: the share of each distance, among the jumps between
                               adjacent abstract phrases; 1 is to the next document word.
    """

    abstract_words: int
    unaligned: float
    unaligned_punctuation: float
    unaligned_function: float
    unaligned_content: float
    phrases: int
    one_to_one: float
    abstract_lengths: tuple[float, float, float]
    identical: float
    same_stems: float
    same_stems_singletons: float
    same_stems_phrases: float
    jumps: dict[int, float]


def alignment_statistics(
    matched: Iterable[tuple[Pair, Alignment]], ignored: AbstractSet[str]
) -> AlignmentStatistics:
    """Compute the figures of section 2.3 for pairs and their alignments.

    ``ignored``  the normal forms that count as function words.
    """
    words = 0
    unaligned: Counter[str] = Counter()
    links: Counter[str] = Counter()
    lengths: Counter[int] = Counter()
    near: Counter[int] = Counter()
    for pair, alignment in counted(matched, "statistics"):
        words += len(pair.abstract)
        for a in unaligned_tokens(alignment.phrases, len(pair.abstract)):
            unaligned[_word_class(normal_form(pair.abstract.tokens[a]), ignored)] += 1
        for phrase in alignment.phrases:
            links.update(_kinds(pair, phrase))
            lengths[len(range(*phrase.abstract))] += 1
        near.update(jump.distance for jump in jumps(pair, alignment) if jump.way is Way.NEXT)
    phrases = lengths.total()
    longer = phrases - links["singleton"]
    same_stems = links["singleton, same stems"] + links["longer, same stems"]
    return AlignmentStatistics(
        abstract_words=words,
        unaligned=share(unaligned.total(), words),
        unaligned_punctuation=share(unaligned["punctuation"], words),
        unaligned_function=share(unaligned["function"], words),
        unaligned_content=share(unaligned["content"], words),
        phrases=phrases,
        one_to_one=share(links["singleton"], phrases),
        abstract_lengths=(
            share(lengths[1], phrases),
            share(lengths[2], phrases),
            share(lengths[3], phrases),
        ),
        identical=share(links["identical"], phrases),
        same_stems=share(same_stems, phrases),
        same_stems_singletons=share(links["singleton, same stems"], links["singleton"]),
        same_stems_phrases=share(links["longer, same stems"], longer),
        jumps={jump: count / near.total() for jump, count in sorted(near.items())},
    )


def _word_class(word: str, ignored: AbstractSet[str]) -> str:
    if not any(map(str.isalnum, word)):
        return "punctuation"
    return "function" if word in ignored else "content"


def _kinds(pair: Pair, phrase: PhraseLink) -> Iterator[str]:
    """Yield all that a phrase link counts as."""
    abstract, document = _normal_forms(pair, phrase)
    size = "singleton" if len(abstract) == len(document) == 1 else "longer"
    yield size
    if abstract == document:
        yield "identical"
    if _stems(abstract) == _stems(document):
        yield f"{size}, same stems"


def _normal_forms(pair: Pair, phrase: PhraseLink) -> tuple[list[str], list[str]]:
    """Return the normal forms of the abstract's words and of the document's."""
    abstract = pair.abstract.tokens[slice(*phrase.abstract)]
    document = pair.document.tokens[slice(*phrase.document)]
    return list(map(normal_form, abstract)), list(map(normal_form, document))


def _stems(words: Iterable[str]) -> list[str]:
    return list(map(stem, words))


def alignment_table(statistics: AlignmentStatistics) -> str:
    """Return the figures of section 2.3 as text."""
    s = statistics
    lengths = {
        f"  {n} on the abstract side": part for n, part in enumerate(s.abstract_lengths, start=1)
    }
    rows = {
        f"Unaligned, of {s.abstract_words:,} abstract words": s.unaligned,
        "  punctuation": s.unaligned_punctuation,
        "  function words": s.unaligned_function,
        "  content words": s.unaligned_content,
        f"One word on both sides, of {s.phrases:,} links": s.one_to_one,
        **lengths,
        "Identical sides": s.identical,
        "Same stems": s.same_stems,
        "  of links of one word on both sides": s.same_stems_singletons,
        "  of the other links": s.same_stems_phrases,
        **_jump_rows(s.jumps),
    }
    cells = [[title, f"{part:.1%}"] for title, part in rows.items()]
    return text_table(cells, widths=(44, 7), gap=0)


def _jump_rows(jumps: dict[int, float]) -> dict[str, float]:
    near = range(-SHOWN_JUMPS, SHOWN_JUMPS + 1)
    rows = {
        f"Jump without null between by less than {near[0]}": sum(
            part for jump, part in jumps.items() if jump < near[0]
        )
    }
    for jump in near:
        rows[f"  {jump:+d}"] = jumps.get(jump, 0.0)
    rows[f"  by more than {near[-1]:+d}"] = sum(
        part for jump, part in jumps.items() if jump > near[-1]
    )
    return rows


def jump_table(columns: Iterable[tuple[str, Mapping[Jump, float]]]) -> str:
    """Return Figure 2 as text: how far jumps go, in shares of all jumps.

    ``columns``  the head of each column, and its counts or expected counts.
    """
    distances = [f"  {title}" for title in jump_row_titles()]
    ways = ["Mean", "Jumps", "  over null words", "  inside phrases alike"]
    titles = ["Jump by", *distances, *ways]
    cells = [titles, *(_jump_column(name, counts) for name, counts in columns)]
    note = "In words of the whole documents, whatever extract a model reads; +1 is the next word."
    return f"{text_table(list(zip(*cells, strict=True)))}\n{note}"


def jump_row_titles() -> list[str]:
    """Return the ranges of distances in Figure 2, as "-3" or "+4 to +7"."""
    first = f"{ROWS_BEGIN[0] - 1:+d} or less"
    middle = [_row_title(low, following - 1) for low, following in pairwise(ROWS_BEGIN)]
    last = f"{ROWS_BEGIN[-1]:+d} or more"
    return [first, *middle, last]


def _row_title(low: int, high: int) -> str:
    if low == high == 0:
        return "0"
    return f"{low:+d}" if low == high else f"{low:+d} to {high:+d}"


def jump_shares(counts: Mapping[Jump, float]) -> list[float]:
    """Return the share of all jumps in each of the ranges of ``jump_row_titles``."""
    rows = [0.0] * (len(ROWS_BEGIN) + 1)
    for jump, count in counts.items():
        rows[bisect_right(ROWS_BEGIN, jump.distance)] += count
    total = sum(counts.values())
    return [share(row, total) for row in rows]


def _jump_column(name: str, counts: Mapping[Jump, float]) -> list[str]:
    ways = dict.fromkeys(Way, 0.0)
    for jump, count in counts.items():
        ways[jump.way] += count
    total = sum(ways.values())
    mean = share(sum(jump.distance * count for jump, count in counts.items()), total)
    distances = [f"{part:.1%}" for part in jump_shares(counts)]
    null = f"{share(ways[Way.NULL], total):.1%}"
    inside = f"{share(ways[Way.INSIDE], total):.1%}"
    return [name, *distances, f"{mean:.2f}", f"{total:,.0f}", null, inside]
