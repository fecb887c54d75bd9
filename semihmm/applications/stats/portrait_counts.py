"""Counts what the figures of a portrait are quotients of: by strings, and by alignments.

Grusky, Naaman and Artzi (2018), "Newsroom", section 4, define extractive fragments. See, Liu and
Manning (2017) and Narayan, Cohen and Lapata (2018) define novel n-grams.
"""

import unicodedata
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise

import numpy as np

from corpus_tools.alignments.alignment import Alignment, PhraseLink, runs, word_links
from corpus_tools.alignments.link_findings import selection_labels, takes_place
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.texts.forms import BY_ITSELF, capitals_of, normal_form, stem

DECILES = 10
"""The number of equal parts into which a document is divided."""

LEAST_SOURCE_WORDS = 2
"""A document sentence with this number of links to content words is a source of their sentence.

On 1,344 sentences whose two sources people marked (CNN points of correspondence), the F1 of this
rule is .833; it is .810 for one word and .747 for three.
"""

MOST_SOURCES = 3
"""Sentences with this number of sources or more share one figure."""

LONGEST_NGRAM = 4
"""The length of the longest n-grams that are counted."""

COUNTED_WORD_CLASSES = ("content", "function", "punctuation")

WORD_KINDS = ("copied", "inflected", "rewritten", "unaligned")
"""The kinds of abstract words. A word with links of several kinds is of the first of them."""

REWRITE_KINDS = ("initials", "one word for another", "several words", "in the place of")
"""The kinds of rewritten words; the last one is that of ``takes_place``."""


def pair_counts(
    pair: Pair, alignment: Alignment, ignored: AbstractSet[str]
) -> defaultdict[str, float]:
    """Return the counts of a pair for ``PORTRAIT_FIGURES``; a missing count is 0.

    ``ignored``  the normal forms that count as function words.
    """
    counts: Counter[str] = Counter(pairs=1)
    for side, text in (("abstract", pair.abstract), ("document", pair.document)):
        counts[f"{side} words"] = len(text)
        counts[f"{side} sentences"] = len(text.boundaries) - 1
    forms = lowered(pair.abstract.tokens), lowered(pair.document.tokens)
    copied = [*copied_runs(*forms)]
    counts.update(extractive_counts(*forms, copied))
    classes = _count_words(counts, pair, alignment, ignored, copied)
    _count_moves(counts, pair, alignment)
    links = word_links(alignment, pair.document.tokens, pair.abstract.tokens)
    content = {(d, a) for d, a in links if classes[a] == "content"}
    _count_sources(counts, pair, content)
    counts["used sentences"] = sum(selection_labels(pair, alignment, ignored).sentences)
    numbers: defaultdict[str, float] = defaultdict(float, counts)
    numbers |= _order_counts([phrase.document[0] for phrase in sorted(alignment.phrases)])
    numbers |= _place_counts(sorted({d for d, _ in content}), len(pair.document))
    return numbers


def link_counts(
    matched: Iterable[tuple[Pair, Alignment]], ignored: AbstractSet[str]
) -> Counter[str]:
    """Return the counts of abstract words and phrase links (section 2.3 of the paper).

    ``ignored``  the normal forms that count as function words.
    """
    counts: Counter[str] = Counter()
    for pair, alignment in matched:
        counts["abstract words"] += len(pair.abstract)
        _count_words(counts, pair, alignment, ignored)
    return counts


def word_class(form: str, ignored: AbstractSet[str]) -> str:
    """Return the class of a normal form, one of ``COUNTED_WORD_CLASSES``."""
    if not any(map(str.isalnum, form)):
        return "punctuation"
    return "function" if form in ignored else "content"


def _count_words(
    counts: Counter[str],
    pair: Pair,
    alignment: Alignment,
    ignored: AbstractSet[str],
    copied: Iterable[range] = (),
) -> list[str]:
    """Count the kinds of phrases and of abstract words. Return the classes of the words.

    ``copied``  runs of words that the document has too. Marks without a link, most of them full
                stops, are copied with the content words of their run, if links copy some.
    """
    classes = [word_class(normal_form(token), ignored) for token in pair.abstract.tokens]
    # The narrow kind of a word says how it was rewritten.
    rank = [*WORD_KINDS, *REWRITE_KINDS].index
    narrow = ["unaligned"] * len(pair.abstract)
    replaced = takes_place(pair, alignment.phrases, ignored)
    for phrase, is_replaced in zip(alignment.phrases, replaced, strict=True):
        kind = _count_phrase(counts, pair, phrase, is_replaced)
        for a in range(*phrase.abstract):
            narrow[a] = kind if narrow[a] == "unaligned" else min(kind, narrow[a], key=rank)
    for run in copied:
        if any(narrow[a] == "copied" and classes[a] == "content" for a in run):
            for a in run:
                if narrow[a] == "unaligned" and classes[a] == "punctuation":
                    narrow[a] = "copied"
    kinds = ["rewritten" if kind in REWRITE_KINDS else kind for kind in narrow]
    counts.update(kinds)
    counts.update(kind for kind in narrow if kind in REWRITE_KINDS)
    counts.update(f"{word_class} words" for word_class in classes)
    counts.update(map("{} {}".format, classes, kinds))
    unaligned = {a for a, kind in enumerate(kinds) if kind == "unaligned"}
    content = {a for a, class_of_word in enumerate(classes) if class_of_word == "content"}
    numbers = {a for a, token in enumerate(pair.abstract.tokens) if any(map(str.isdigit, token))}
    names = set(np.flatnonzero(capitals_of(pair.abstract) == BY_ITSELF).tolist()) & content
    for name, words in (("numbers", numbers), ("names", names)):
        counts[name] += len(words)
        counts[f"unaligned {name}"] += len(words & unaligned)
    counts["unaligned content phrases"] += sum(1 for _ in runs(content & unaligned))
    return classes


def _count_phrase(counts: Counter[str], pair: Pair, phrase: PhraseLink, is_replaced: bool) -> str:
    """Count a phrase link. Return the kind of its words, of ``WORD_KINDS`` or ``REWRITE_KINDS``."""
    tokens = pair.abstract.tokens[slice(*phrase.abstract)]
    others = pair.document.tokens[slice(*phrase.document)]
    abstract, document = list(map(normal_form, tokens)), list(map(normal_form, others))
    has_same_stems = list(map(stem, abstract)) == list(map(stem, document))
    length = "one to one" if len(abstract) == len(document) == 1 else "longer"
    counts.update(("phrases", length))
    counts[f"{len(abstract)} abstract word{'s' * (len(abstract) > 1)}"] += 1
    counts["abstract phrase words"] += len(abstract)
    counts["document phrase words"] += len(document)
    if has_same_stems:
        counts.update(("same stems", f"same stems {length}"))
    if abstract == document:
        counts["identical"] += 1
        return "copied"
    if has_same_stems:
        return "inflected"
    if are_initials(tokens, others) or are_initials(others, tokens):
        return "initials"
    if is_replaced:
        return "in the place of"
    return "one word for another" if length == "one to one" else "several words"


def are_initials(short: Sequence[str], long: Sequence[str]) -> bool:
    """Tell whether one word, without full stops, is the initials of several words."""
    letters = "".join(short).replace(".", "")
    initials = "".join(word[0] for word in long if word[0].isupper())
    return len(short) == 1 and len(long) > 1 and len(letters) > 1 and letters == initials


def _count_moves(counts: Counter[str], pair: Pair, alignment: Alignment) -> None:
    """Count the jumps from phrase to phrase, and sum up the squared lengths of runs.

    A run is a sequence of phrases that are adjacent on both sides. The sum over its words of its
    length is its squared length.
    """
    run = 0
    before: PhraseLink | None = None
    for phrase in sorted(alignment.phrases):
        if before is not None and phrase.abstract[0] < before.abstract[1]:
            # Another source of the same words is no jump.
            continue
        length = phrase.abstract[1] - phrase.abstract[0]
        counts["aligned words"] += length
        if before is not None:
            over = phrase.document[0] - before.document[1]
            counts["neighbours"] += 1
            counts["in order"] += over >= 0
            counts["words jumped over"] += abs(over)
            start, end = (
                _sentence_at(pair.document.boundaries, d)
                for d in (before.document[1] - 1, phrase.document[0])
            )
            counts["sentences jumped over"] += abs(end - start)
            if over == 0 and phrase.abstract[0] == before.abstract[1]:
                length += run
            else:
                counts["aligned squares"] += run * run
        run, before = length, phrase
    counts["aligned squares"] += run * run


def _sentence_at(boundaries: Sequence[int], token: int) -> int:
    """Return the number of the sentence of a token."""
    return bisect_right(boundaries, token) - 1


def _order_counts(places: Sequence[int]) -> dict[str, float]:
    """Return Kendall's tau-b of document places and abstract order; ``{}`` if it is undefined."""
    # tau-b = (sum over i < j of sign(x_j - x_i)) / sqrt(pairs * pairs with x_i != x_j).
    x = np.array(places)
    signs = np.triu(np.sign(x - x[:, None]))
    differing = np.count_nonzero(signs)
    if not differing:
        return {}
    all_pairs = len(places) * (len(places) - 1) / 2
    return {"pairs with an order": 1, "tau": signs.sum() / np.sqrt(all_pairs * differing)}


def _place_counts(used: Sequence[int], length: int) -> dict[str, float]:
    """Return how many used words each decile of a document has, and how far they are spread.

    ``used``    the positions of the words.
    ``length``  the number of the document's words.
    """
    if not used:
        return {}
    places = (np.array(used) + 0.5) / length
    deciles = Counter((places * DECILES).astype(int).tolist())
    in_parts = {f"decile {n}": float(number) for n, number in deciles.items()}
    spread = {"pairs with used words": 1, "spread": float(places.std())}
    return {"used words": len(used)} | in_parts | spread


def _count_sources(counts: Counter[str], pair: Pair, links: AbstractSet[WordLink]) -> None:
    """Count the sources of abstract sentences, which are numbers of document sentences.

    ``links``  the links of content words.
    """
    # The linked abstract words by abstract sentence and document sentence.
    linked: dict[tuple[int, int], set[int]] = defaultdict(set)
    boundaries = pair.abstract.boundaries
    for d, a in links:
        linked[_sentence_at(boundaries, a), _sentence_at(pair.document.boundaries, d)].add(a)
    sources: list[list[int]] = [[] for _ in pairwise(boundaries)]
    for (sentence, source), words in linked.items():
        if len(words) >= LEAST_SOURCE_WORDS:
            sources[sentence].append(source)
    times_used = Counter(source for of_sentence in sources for source in of_sentence)
    for of_sentence in sources:
        number = len(of_sentence) if len(of_sentence) < MOST_SOURCES else f"{MOST_SOURCES}+"
        counts[f"{number} sources"] += 1
        counts["shared sources"] += any(times_used[source] > 1 for source in of_sentence)
        if len(of_sentence) > 1:
            counts["merged sentences"] += 1
            counts["distance of sources"] += max(of_sentence) - min(of_sentence)


def lowered(tokens: Sequence[str]) -> list[str]:
    """Return the tokens in lower case, with one character for a letter and its accent."""
    if not "".join(tokens).isascii():
        tokens = [unicodedata.normalize("NFC", token) for token in tokens]
    return list(map(str.lower, tokens))


def copied_runs(abstract: Sequence[str], document: Sequence[str]) -> Iterator[range]:
    """Yield the extractive fragments of an abstract, from left to right: the places of their words.

    A fragment is the longest run of words that begins at the next word of the abstract and occurs
    in the document (Figure 1 of Grusky et al.). The next fragment begins after it.

    As in the authors' program, the search in the document continues after a run that was found, not
    within it. So for the abstract ``a a b`` and the document ``a a a b`` the fragments are
    ``a a`` and ``b``.
    """
    places: dict[str, list[int]] = defaultdict(list)
    for place, word in enumerate(document):
        places[word].append(place)
    a = 0
    while a < len(abstract):
        longest = searched = 0
        for place in places.get(abstract[a], ()):
            if place < searched:
                continue
            most = min(len(abstract) - a, len(document) - place)
            length = 1
            while length < most and abstract[a + length] == document[place + length]:
                length += 1
            longest = max(longest, length)
            searched = place + length
        if longest:
            yield range(a, a + longest)
        a += max(longest, 1)


def _ngrams(words: Sequence[str], order: int) -> Iterator[tuple[str, ...]]:
    """Yield the n-grams of a text. They may extend over the end of a sentence."""
    return zip(*(words[n:] for n in range(order)), strict=False)


def extractive_counts(
    abstract: Sequence[str], document: Sequence[str], copied: Iterable[range]
) -> dict[str, float]:
    """Return the counts for the figures of copied, novel and repeated words.

    ``abstract``, ``document``  the tokens in lower case (``lowered``).
    ``copied``                  the fragments (``copied_runs``).

    Returns, with a number for n:

    ``fragment words``, ``fragment squares``  the sums of the lengths and of the squared lengths.
    ``longest fragment``                      the greatest length of a fragment.
    ``n-grams``                               the number of distinct n-grams of the abstract.
    ``novel n-grams``                         how many of them the document lacks.
    ``repeated n-grams``                      how many of them the abstract has twice or more.
    """
    lengths = [*map(len, copied)]
    counts: dict[str, float] = {
        "fragment words": sum(lengths),
        "fragment squares": sum(length * length for length in lengths),
        "longest fragment": max(lengths, default=0),
    }
    for order in range(1, LONGEST_NGRAM + 1):
        ngrams = Counter(_ngrams(abstract, order))
        counts[f"{order}-grams"] = len(ngrams)
        counts[f"novel {order}-grams"] = len(ngrams.keys() - set(_ngrams(document, order)))
        counts[f"repeated {order}-grams"] = sum(count > 1 for count in ngrams.values())
    return counts
