"""Tells what the links of a pair say: which words and sentences are used, which words replaced.

Labels say which tokens and sentences of a document its abstract uses. In the table of sentences two
belong together if enough content words of the abstract sentence are linked to the document
sentence. Sentences that are connected by others are one group, n to m.

A link may join a word with what stands in its place: another number, or another word. A model links
"1.250 euros" with "1.184 euros" since all around them is linked. Such a link is no rewrite. A word
between linked ones may be a synonym of the other: a reader has to look.
"""

import math
import re
import unicodedata
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from difflib import SequenceMatcher
from itertools import pairwise, product, starmap
from typing import NamedTuple, TextIO

from corpus_tools.alignments.alignment import Alignment, PhraseLink, connected, word_links
from corpus_tools.alignments.statistics import share
from corpus_tools.base import files
from corpus_tools.languages.language import ENGLISH
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.forms import normal_form
from corpus_tools.texts.lexicons import content_tokens, read_ignore_list
from corpus_tools.texts.text import Text
from corpus_tools.texts.tokenizers import UNSPACED_LETTER

# Labels for extractive summarizers

LEAST_LINKED_WORDS = 3
"""An abstract uses a sentence if this number of its content words is linked, or all of fewer.

On propositions that people linked (SPARK), the rule finds sentences with an F1 of .702; one word
gives .664, four give .690 (docs/research/support.md has the figures of ``semihmm support``).

Two sentences belong together if this number of content words of the abstract sentence is linked to
the document sentence, or half of fewer than twice as many.
"""


class SelectionLabels(NamedTuple):
    """Labels of a document's tokens and sentences: 1 if the abstract uses it, else 0.

    ``tokens``     1 for each token that is linked.
    ``sentences``  1 for each sentence with ``LEAST_LINKED_WORDS`` linked tokens outside the ignore
                   list; for a sentence with fewer such tokens, if all of them are linked.
    """

    tokens: list[int]
    sentences: list[int]


def selection_labels(
    pair: Pair, alignment: Alignment, ignored: AbstractSet[str]
) -> SelectionLabels:
    """Return the labels of a pair.

    ``ignored``  the words of an ignore list (``read_ignore_list``).
    """
    document = pair.document
    # Each document word of a phrase has a word link, so phrases are enough.
    linked_words = {d for link in alignment.phrases for d in range(*link.document)}
    content = content_tokens(document.tokens, ignored)
    sentences = []
    for span in pairwise(document.boundaries):
        content_words = content.intersection(range(*span))
        needed = min(LEAST_LINKED_WORDS, len(content_words))
        sentences.append(int(0 < needed <= len(content_words & linked_words)))
    return SelectionLabels([int(d in linked_words) for d in range(len(document))], sentences)


def write_labels(matched: Iterable[tuple[Pair, Alignment]], stream: TextIO) -> None:
    """Write one JSON object for each pair, with the labels of ``selection_labels``.

    The fields are ``id``, ``document_tokens`` and ``document_sentences``. The ignore list is the
    default one.
    """
    for pair, alignment in matched:
        labels = selection_labels(pair, alignment, read_ignore_list(code=pair.language))
        row = {f"document_{unit}": values for unit, values in labels._asdict().items()}
        stream.write(files.json_line({"id": pair.id} | row))


# Groups of sentences


COLUMNS = (
    *("id", "kind", "document", "abstract", "document_share", "abstract_share"),
    *("document_text", "abstract_text"),
)
"""The columns of the table."""


class Group(NamedTuple):
    """Sentences that belong together.

    ``document``, ``abstract``              their numbers, counted from 0.
    ``document_share``, ``abstract_share``  the share of their content words that are linked to the
                                            other side of the group.
    """

    document: tuple[int, ...]
    abstract: tuple[int, ...]
    document_share: float
    abstract_share: float


def sentence_groups(pair: Pair, alignment: Alignment, ignored: Collection[str]) -> list[Group]:
    """Return the groups of a pair, by their first abstract sentence.

    ``ignored``  the words of an ignore list; all others are content words.

    Abstract sentences without a source are groups without document sentences. Document sentences
    that nothing is linked to are left out.
    """
    texts = (pair.document, pair.abstract)
    content = [content_tokens(text.tokens, frozenset(ignored)) for text in texts]
    # For each content word its sentence.
    places = [
        {token: bisect_right(text.boundaries, token) - 1 for token in range(len(text))}
        for text in texts
    ]
    links = word_links(alignment, pair.document.tokens, pair.abstract.tokens)
    links = {(d, a) for d, a in links if a in content[1]}
    words = Counter(places[1][a] for a in content[1])
    linked = Counter((places[0][d], places[1][a]) for d, a in links)
    together = [
        (d, a) for (d, a), n in linked.items() if n >= min(LEAST_LINKED_WORDS, (words[a] + 1) // 2)
    ]
    parts = [({d for d, _ in part}, {a for _, a in part}) for part in connected(together)]
    sentences = range(len(pair.abstract.boundaries) - 1)
    parts += [(set(), {a}) for a in {*sentences}.difference(*(abstracts for _, abstracts in parts))]
    groups = []
    for part in sorted(parts, key=lambda part: min(part[1])):
        shares = []
        for side, numbers in enumerate(part):
            inside = [
                (d, a) for d, a in links if places[0][d] in part[0] and places[1][a] in part[1]
            ]
            in_sentences = {token for token in content[side] if places[side][token] in numbers}
            shares.append(
                share(len(in_sentences & {link[side] for link in inside}), len(in_sentences))
            )
        groups.append(Group(tuple(sorted(part[0])), tuple(sorted(part[1])), *shares))
    return groups


def write_sentences(matched: Iterable[tuple[Pair, Alignment]], stream: TextIO) -> None:
    """Write a table with tabs: a head, and a row for each group of ``sentence_groups``.

    ``kind`` is the number of document and of abstract sentences, as "2:1". Numbers of sentences
    count from 0 and are joined by commas. White space in texts is one blank.
    """
    stream.write("\t".join(COLUMNS) + "\n")
    for pair, alignment in matched:
        ignored = read_ignore_list(code=pair.language)
        for group in sentence_groups(pair, alignment, ignored):
            cells = [
                " ".join(pair.id.split()),
                f"{len(group.document)}:{len(group.abstract)}",
                *(",".join(map(str, numbers)) for numbers in group[:2]),
                *(f"{share:.3f}" for share in group[2:]),
                _text(pair.document, group.document),
                _text(pair.abstract, group.abstract),
            ]
            stream.write("\t".join(cells) + "\n")


def _text(text: Text, sentences: Iterable[int]) -> str:
    spans = [*pairwise(text.boundaries)]
    return " ".join(" ".join(text.passage(*spans[n]).text.split()) for n in sentences)


# Replaced words

SHARED_RUN = 0.6
SHARED_LETTERS = 0.7
"""Words that share as much may be forms of one word: a run of letters, as a part of the shorter
word; or letters in the same order, as a part of both.

Chosen on German texts (DEPlain, dev), in which drawn words were exchanged for others with the same
two last letters: 80 % of those that are linked are told (docs/research/portrait.md).
"""

FEWEST_LETTERS = 2
"""Shorter words are in doubt."""

LONGEST_SHORT_FORM = 4
"""The most letters of "mld", "Mrd." and "млрд", the short forms of numbers in the CLDR."""


def takes_place(pair: Pair, phrases: Sequence[PhraseLink], ignored: AbstractSet[str]) -> list[bool]:
    """Tell which phrase links are between words of which one stands in the place of the other.

    They are if both sides have numbers, and none in common. They also are if the words before them
    are linked with each other, and those after them, and no content words of both sides may be
    forms of one word. This holds but for English: there WordNet relates other words, too, and a
    model links those alone. Initials and single letters are in doubt.

    ``ignored``  the normal forms that count as function words.
    """
    spans: defaultdict[int, list[range]] = defaultdict(list)
    for phrase in phrases:
        for word in range(*phrase.abstract):
            spans[word].append(range(*phrase.document))
    starts = {*pair.abstract.boundaries}

    def are_linked(word: int, other: int) -> bool:
        return any(other in span for span in spans[word])

    def is_framed(phrase: PhraseLink) -> bool:
        (start, end), (first, after) = phrase.abstract, phrase.document
        is_begun = start in starts or are_linked(start - 1, first - 1)
        return is_begun and (end in starts or are_linked(end, after))

    return [_takes_place(pair, phrase, ignored, is_framed(phrase)) for phrase in phrases]


def _takes_place(
    pair: Pair, phrase: PhraseLink, ignored: AbstractSet[str], is_framed: bool
) -> bool:
    sides = (
        pair.abstract.tokens[slice(*phrase.abstract)],
        pair.document.tokens[slice(*phrase.document)],
    )
    abstract, document = (list(map(normal_form, tokens)) for tokens in sides)
    numbers, replaced = _numbers(abstract), _numbers(document)
    if numbers or replaced:
        return bool(numbers and replaced) and numbers.isdisjoint(replaced)
    if pair.language == ENGLISH or not is_framed:
        return False
    if _spell(abstract, document) or _spell(document, abstract):
        return False
    abstract_words, document_words = (_content(forms, ignored) for forms in (abstract, document))
    if min(len("".join(abstract_words)), len("".join(document_words))) < FEWEST_LETTERS:
        return False
    return not any(starmap(_may_be_forms, product(abstract_words, document_words)))


def _numbers(forms: Iterable[str]) -> set[str]:
    """Return the digits of each word that has some: "110-day" and "110" are one number."""
    digits = ("".join(filter(str.isdigit, form)) for form in forms)
    return {*filter(None, digits)}


def _letters(form: str) -> str:
    """Return letters and digits, without accents; syllables of Hangul become letters."""
    return "".join(filter(str.isalnum, unicodedata.normalize("NFKD", form)))


def _content(forms: Iterable[str], ignored: AbstractSet[str]) -> list[str]:
    return [letters for form in forms if form not in ignored and (letters := _letters(form))]


def _spell(short: Sequence[str], long: Sequence[str]) -> bool:
    """Tell whether one word is the first letters of several ones, which a hyphen may join."""
    parts = [part for form in long for part in re.split(r"\W+", form) if part]
    initials = "".join(part[0] for part in parts)
    return len(short) == 1 and len(parts) > 1 and _letters(short[0]) == initials


def _may_be_forms(first: str, second: str) -> bool:
    """Tell whether two words may be forms of one word."""
    if any(letter in second for letter in UNSPACED_LETTER.findall(first)):
        # Such a letter is a word, or half of one.
        return True
    if _is_short_form(first, second) or _is_short_form(second, first):
        return True
    size = math.ceil(SHARED_RUN * min(len(first), len(second)))
    if not _runs(first, size).isdisjoint(_runs(second, size)):
        return True
    return SequenceMatcher(None, first, second, autojunk=False).ratio() >= SHARED_LETTERS


def _is_short_form(short: str, word: str) -> bool:
    """Tell whether a word may be written with some of its letters, as "mld" for "miliard"."""
    letters = iter(word)
    return (
        len(short) <= LONGEST_SHORT_FORM
        and short[0] == word[0]
        and all(letter in letters for letter in short)
    )


def _runs(word: str, size: int) -> set[str]:
    return {word[start : start + size] for start in range(len(word) - size + 1)}
