"""Tells links of a word with what stands in its place: another number, or another word.

A model links "1.250 euros" with "1.184 euros" since all around them is linked. Such a link is no
rewrite. A word between linked ones may be a synonym of the other: a reader has to look.
"""

import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from difflib import SequenceMatcher
from itertools import product, starmap

from corpus_tools.alignments.alignment import PhraseLink
from corpus_tools.languages.language import ENGLISH
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.forms import normal_form
from corpus_tools.texts.tokenizers import UNSPACED_LETTER

SHARED_RUN = 0.6
SHARED_LETTERS = 0.7
"""Words that share as much may be forms of one word: a run of letters, as a part of the shorter
word; or letters in the same order, as a part of both.

Chosen on German texts (DEPlain, dev), in which drawn words were exchanged for others with the same
two last letters: 80 % of those that are linked are told (docs/research/portrait.md).
"""

FEWEST_LETTERS = 2
"""Shorter words are in doubt."""


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
    size = math.ceil(SHARED_RUN * min(len(first), len(second)))
    if not _runs(first, size).isdisjoint(_runs(second, size)):
        return True
    return SequenceMatcher(None, first, second, autojunk=False).ratio() >= SHARED_LETTERS


def _runs(word: str, size: int) -> set[str]:
    return {word[start : start + size] for start in range(len(word) - size + 1)}
