"""Defines the figures of a portrait and the counts of a pair that they are computed from.

Each figure is a quotient of two counts of a pair. So it has a value for a pair, a mean over pairs,
and a value over all words of a corpus. A new figure is a row of ``PORTRAIT_FIGURES``.
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from corpus_tools.alignments.alignment import Alignment, PhraseLink, runs, word_links
from corpus_tools.alignments.extractive import NOVEL_ORDERS, REPEATED_ORDERS, extractive_counts
from corpus_tools.alignments.formats import selection_labels
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.texts.capitals import BY_ITSELF, capitals_of
from corpus_tools.texts.forms import normal_form, stem

DECILES = 10
"""The number of equal parts into which a document is divided."""

LEAST_SOURCE_WORDS = 2
"""A source of an abstract sentence has at least this number of content words linked to it.

On 1,344 sentences whose two sources people marked (CNN points of correspondence), this rule has an
F1 of .833; with one word it has .810, with three .747.
"""

MOST_SOURCES = 3
"""Sentences with this number of sources or more are counted together."""

COUNTED_WORD_CLASSES = ("content", "function", "punctuation")

WORD_KINDS = {
    "copied": "in a phrase of the same words",
    "inflected": "in a phrase of the same stems",
    "rewritten": "in a phrase of other words",
    "unaligned": "linked to nothing",
}
"""The kinds of abstract words. If a word has several links, the first kind that fits counts."""

REWRITE_KINDS = {
    "initials": "linked as initials and the words that they stand for",
    "one word for another": "linked as one word to another one",
    "several words": "in a link of several words to others",
}
"""The kinds of rewritten words."""


class PortraitFigure(NamedTuple):
    """A figure of a portrait.

    ``part``, ``whole``  the names of the counts that it is the quotient of.
    ``is_share``         whether it lies between 0 and 1.
    """

    group: str
    title: str
    part: str
    whole: str
    meaning: str
    is_share: bool


SHARE_FIGURES: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "copied, by strings": {
        "coverage": ("fragment words / abstract words", "words in runs that the document has too"),
        **{
            f"novel {n}-grams": (
                f"novel {n}-grams / {n}-grams",
                f"distinct {n}-grams of the abstract that the document lacks",
            )
            for n in NOVEL_ORDERS
        },
        **{
            f"repeated {n}-grams": (
                f"repeated {n}-grams / {n}-grams",
                f"distinct {n}-grams of the abstract that it has twice or more",
            )
            for n in REPEATED_ORDERS
        },
    },
    "rewritten, by alignments": {
        **{
            kind: (f"{kind} / abstract words", f"abstract words {meaning}")
            for kind, meaning in (WORD_KINDS | REWRITE_KINDS).items()
        },
        **{
            f"{word_class}, {kind}": (
                f"{word_class} {kind} / {word_class} words",
                f"{word_class} words of the abstract {meaning}",
            )
            for word_class in COUNTED_WORD_CLASSES
            for kind, meaning in WORD_KINDS.items()
        },
        "aligned coverage": ("aligned words / abstract words", "abstract words that are aligned"),
        "one word to one": ("one to one / phrases", "links of one word on both sides"),
        "identical sides": ("identical / phrases", "links of equal words"),
        "same stems": ("same stems / phrases", "links of equal stems"),
        "same stems, one to one": (
            "same stems one to one / one to one",
            "equal stems among links of one word on both sides",
        ),
        "same stems, longer": ("same stems longer / longer", "equal stems among the other links"),
        "1 abstract word": ("1 abstract word / phrases", "links of one abstract word"),
        "2 abstract words": ("2 abstract words / phrases", "links of two abstract words"),
        "3 abstract words": ("3 abstract words / phrases", "links of three abstract words"),
    },
    "moved": {
        "in order": (
            "in order / neighbours",
            "phrases that follow their left neighbour in the document too",
        )
    },
    "merged": {
        **{
            f"{number} sources": (
                f"{number} sources / abstract sentences",
                f"abstract sentences with {number} source sentences",
            )
            for number in (*map(str, range(MOST_SOURCES)), f"{MOST_SOURCES}+")
        },
        "shared sources": (
            "shared sources / abstract sentences",
            "abstract sentences that share a source sentence with another one",
        ),
    },
    "taken from where": {
        **{
            f"{n * 10} to {n * 10 + 10} %": (
                f"decile {n} / used words",
                "linked content words in this part of the document",
            )
            for n in range(DECILES)
        },
        "used sentences": (
            "used sentences / document sentences",
            "document sentences that the abstract uses",
        ),
    },
    "without a source": {
        "content words without a source": (
            "content unaligned / content words",
            "content words of the abstract that are linked to nothing",
        ),
        "numbers without a source": (
            "unaligned numbers / numbers",
            "words with digits that are linked to nothing",
        ),
        "names without a source": (
            "unaligned names / names",
            "words with a capital letter that their place does not explain, linked to nothing",
        ),
    },
}
"""Figures from 0 to 1 by group and title: the quotient and its meaning."""

MEAN_FIGURES: Mapping[str, Mapping[str, tuple[str, str]]] = {
    "size": {
        "document words": ("document words / pairs", "words of a document"),
        "document sentences": ("document sentences / pairs", "sentences of a document"),
        "words of a document sentence": (
            "document words / document sentences",
            "words of a document sentence",
        ),
        "abstract words": ("abstract words / pairs", "words of an abstract"),
        "abstract sentences": ("abstract sentences / pairs", "sentences of an abstract"),
        "words of an abstract sentence": (
            "abstract words / abstract sentences",
            "words of an abstract sentence",
        ),
        "compression": (
            "document words / abstract words",
            "document words for each word of the abstract",
        ),
    },
    "copied, by strings": {
        "density": (
            "fragment squares / abstract words",
            "mean length of the copied run around an abstract word",
        ),
        "longest fragment": ("longest fragment / pairs", "words of the longest copied run"),
    },
    "rewritten, by alignments": {
        "aligned density": (
            "aligned squares / abstract words",
            "density with runs of aligned phrases that are consecutive on both sides",
        ),
        "abstract words of a phrase": (
            "abstract phrase words / phrases",
            "abstract words of a link",
        ),
        "document words of a phrase": (
            "document phrase words / phrases",
            "document words of a link",
        ),
    },
    "moved": {
        "Kendall's tau": ("tau / pairs with an order", "agreement of the order of both texts"),
        "words jumped over": (
            "words jumped over / neighbours",
            "document words between a phrase and its left neighbour, in either direction",
        ),
        "sentences jumped over": (
            "sentences jumped over / neighbours",
            "boundaries of document sentences between them",
        ),
    },
    "merged": {
        "distance of sources": (
            "distance of sources / merged sentences",
            "document sentences from the first source of a sentence to its last",
        )
    },
    "taken from where": {
        "spread": (
            "spread / pairs with used words",
            "standard deviation of the places of used words, 0 to 1; 0.29 if all are used alike",
        )
    },
    "without a source": {
        "phrases without a source": (
            "unaligned content phrases / pairs",
            "runs of content words that are linked to nothing, for each abstract",
        )
    },
}
"""The other figures, which are lengths, distances and correlations."""


def _figures() -> Iterator[tuple[str, PortraitFigure]]:
    """Yield the figures by name, in the order of the table."""
    for group in dict.fromkeys((*MEAN_FIGURES, *SHARE_FIGURES)):
        for figures in (SHARE_FIGURES, MEAN_FIGURES):
            for title, (quotient, meaning) in figures.get(group, {}).items():
                part, _, whole = quotient.partition(" / ")
                row = PortraitFigure(group, title, part, whole, meaning, figures is SHARE_FIGURES)
                yield re.sub(r"\W+", "_", title.replace("'", "")).strip("_").lower(), row


PORTRAIT_FIGURES: Mapping[str, PortraitFigure] = dict(_figures())
"""All figures by the name that files and data frames have."""


# What a pair has


def pair_counts(
    pair: Pair, alignment: Alignment, ignored: AbstractSet[str]
) -> defaultdict[str, float]:
    """Return the counts of a pair that ``PORTRAIT_FIGURES`` are made of, and 0 for others.

    ``ignored``  the normal forms that count as function words.
    """
    counts: Counter[str] = Counter(pairs=1)
    for side, text in (("abstract", pair.abstract), ("document", pair.document)):
        counts[f"{side} words"] = len(text)
        counts[f"{side} sentences"] = len(text.boundaries) - 1
    counts.update(extractive_counts(pair.abstract.tokens, pair.document.tokens))
    classes = _count_words(counts, pair, alignment, ignored)
    _count_moves(counts, pair, alignment)
    links = word_links(alignment, pair.document.tokens, pair.abstract.tokens)
    content = {(d, a) for d, a in links if classes[a] == "content"}
    _count_sources(counts, pair, content)
    counts["used sentences"] = sum(selection_labels(pair, alignment, ignored).sentences)
    numbers: defaultdict[str, float] = defaultdict(float, counts)
    numbers |= _order([phrase.document[0] for phrase in sorted(alignment.phrases)])
    numbers |= _places(sorted({d for d, _ in content}), len(pair.document))
    return numbers


def link_counts(
    matched: Iterable[tuple[Pair, Alignment]], ignored: AbstractSet[str]
) -> Counter[str]:
    """Return the counts of all abstract words and phrase links (section 2.3 of the paper).

    ``ignored``  the normal forms that count as function words.
    """
    counts: Counter[str] = Counter()
    for pair, alignment in matched:
        counts["abstract words"] += len(pair.abstract)
        _count_words(counts, pair, alignment, ignored)
    return counts


def word_class(form: str, ignored: AbstractSet[str]) -> str:
    """Return which of ``COUNTED_WORD_CLASSES`` a normal form is of."""
    if not any(map(str.isalnum, form)):
        return "punctuation"
    return "function" if form in ignored else "content"


def _count_words(
    counts: Counter[str], pair: Pair, alignment: Alignment, ignored: AbstractSet[str]
) -> list[str]:
    """Count the kinds of phrases and of abstract words. Returns the classes of the words."""
    classes = [word_class(normal_form(token), ignored) for token in pair.abstract.tokens]
    likest = [*WORD_KINDS, *REWRITE_KINDS].index
    ways = ["unaligned"] * len(pair.abstract)
    for phrase in alignment.phrases:
        way = _count_phrase(counts, pair, phrase)
        for a in range(*phrase.abstract):
            ways[a] = way if ways[a] == "unaligned" else min(way, ways[a], key=likest)
    kinds = ["rewritten" if way in REWRITE_KINDS else way for way in ways]
    counts.update(kinds)
    counts.update(way for way in ways if way in REWRITE_KINDS)
    counts.update(f"{word_class} words" for word_class in classes)
    counts.update(map("{} {}".format, classes, kinds))
    unaligned = {a for a, kind in enumerate(kinds) if kind == "unaligned"}
    content = {a for a, own in enumerate(classes) if own == "content"}
    numbers = {a for a, token in enumerate(pair.abstract.tokens) if any(map(str.isdigit, token))}
    names = set(np.flatnonzero(capitals_of(pair.abstract) == BY_ITSELF).tolist()) & content
    for name, words in (("numbers", numbers), ("names", names)):
        counts[name] += len(words)
        counts[f"unaligned {name}"] += len(words & unaligned)
    counts["unaligned content phrases"] += sum(1 for _ in runs(content & unaligned))
    return classes


def _count_phrase(counts: Counter[str], pair: Pair, phrase: PhraseLink) -> str:
    """Count what a phrase link is.

    Returns which of ``WORD_KINDS`` its words are, or of ``REWRITE_KINDS``.
    """
    tokens = pair.abstract.tokens[slice(*phrase.abstract)]
    others = pair.document.tokens[slice(*phrase.document)]
    abstract, document = list(map(normal_form, tokens)), list(map(normal_form, others))
    length = "one to one" if len(abstract) == len(document) == 1 else "longer"
    counts.update(("phrases", length))
    counts[f"{len(abstract)} abstract word{'s' * (len(abstract) > 1)}"] += 1
    counts["abstract phrase words"] += len(abstract)
    counts["document phrase words"] += len(document)
    if list(map(stem, abstract)) == list(map(stem, document)):
        counts.update(("same stems", f"same stems {length}"))
    if abstract == document:
        counts["identical"] += 1
        return "copied"
    if list(map(stem, abstract)) == list(map(stem, document)):
        return "inflected"
    if are_initials(tokens, others) or are_initials(others, tokens):
        return "initials"
    return "one word for another" if length == "one to one" else "several words"


def are_initials(short: Sequence[str], long: Sequence[str]) -> bool:
    """Return whether one word, without full stops, is the initials of several words."""
    letters = "".join(short).replace(".", "")
    first = [word[0] for word in long if word[0].isupper()]
    return len(short) == 1 and len(long) > 1 and len(letters) > 1 and letters == "".join(first)


def _count_moves(counts: Counter[str], pair: Pair, alignment: Alignment) -> None:
    """Count the steps from phrase to phrase, and the runs that both texts have in one order."""
    run = 0
    before: PhraseLink | None = None
    for phrase in sorted(alignment.phrases):
        if before is not None and phrase.abstract[0] < before.abstract[1]:
            # Another source of the same words is no step.
            continue
        length = phrase.abstract[1] - phrase.abstract[0]
        counts["aligned words"] += length
        if before is not None:
            over = phrase.document[0] - before.document[1]
            counts["neighbours"] += 1
            counts["in order"] += over >= 0
            counts["words jumped over"] += abs(over)
            sentences = [
                _sentence_of(pair, d) for d in (before.document[1] - 1, phrase.document[0])
            ]
            counts["sentences jumped over"] += abs(sentences[1] - sentences[0])
            if over == 0 and phrase.abstract[0] == before.abstract[1]:
                length += run
            else:
                counts["aligned squares"] += run * run
        run, before = length, phrase
    counts["aligned squares"] += run * run


def _sentence_of(pair: Pair, token: int) -> int:
    """Return the number of the document sentence of a token."""
    return bisect_right(pair.document.boundaries, token) - 1


def _order(places: Sequence[int]) -> dict[str, float]:
    """Return Kendall's tau-b of places with their order, where it is defined."""
    later = np.array(places)
    signs = np.triu(np.sign(later - later[:, None]))
    differing = np.count_nonzero(signs)
    if not differing:
        return {}
    all_pairs = len(places) * (len(places) - 1) / 2
    return {"pairs with an order": 1, "tau": signs.sum() / np.sqrt(all_pairs * differing)}


def _places(used: Sequence[int], length: int) -> dict[str, float]:
    """Return in which parts of a document of some length the words stand that are used."""
    if not used:
        return {}
    places = (np.array(used) + 0.5) / length
    deciles = Counter((places * DECILES).astype(int).tolist())
    in_parts = {f"decile {n}": float(number) for n, number in deciles.items()}
    spread = {"pairs with used words": 1, "spread": float(places.std())}
    return {"used words": len(used)} | in_parts | spread


def _count_sources(counts: Counter[str], pair: Pair, links: AbstractSet[WordLink]) -> None:
    """Count the document sentences behind abstract sentences, by links of content words."""
    sources = _sources(pair, links)
    behind = Counter(source for own in sources for source in own)
    for own in sources:
        number = len(own) if len(own) < MOST_SOURCES else f"{MOST_SOURCES}+"
        counts[f"{number} sources"] += 1
        counts["shared sources"] += any(behind[source] > 1 for source in own)
        if len(own) > 1:
            counts["merged sentences"] += 1
            counts["distance of sources"] += max(own) - min(own)


def _sources(pair: Pair, links: AbstractSet[WordLink]) -> list[list[int]]:
    """Return the document sentences behind each abstract sentence, by links of content words."""
    used: dict[tuple[int, int], set[int]] = defaultdict(set)
    boundaries = pair.abstract.boundaries
    for d, a in links:
        used[bisect_right(boundaries, a) - 1, _sentence_of(pair, d)].add(a)
    sources: list[list[int]] = [[] for _ in pairwise(boundaries)]
    for (sentence, source), words in used.items():
        if len(words) >= LEAST_SOURCE_WORDS:
            sources[sentence].append(source)
    return sources
