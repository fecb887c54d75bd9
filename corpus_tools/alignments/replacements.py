"""Tells links of a word with what stands in its place: another number, or another word.

A model links "1.250 euros" with "1.184 euros" since all around them is linked. Such a link is no
rewrite. A word may be a synonym of another one with other letters: a reader has to look.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import product, starmap

from corpus_tools.alignments.alignment import PhraseLink
from corpus_tools.languages.language import ENGLISH
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.forms import normal_form
from corpus_tools.texts.tokenizers import UNSPACED_LETTER

COMMON_LETTERS = 3
"""Words that have this many letters in a row in common may be forms of one word.

Two letters are enough for shorter words, and for words that begin with the same letter, as "ging"
and "gegangen". With two letters for all, chance would hide many replaced words: 101 of those that
this tells have two in common in German, French and Indonesian texts, and none of them is the same
word in another form (docs/portrait.md).
"""


def takes_place(pair: Pair, phrase: PhraseLink, ignored: AbstractSet[str]) -> bool:
    """Tell whether the words of a phrase link stand in the place of others.

    They do if both sides have numbers, and none in common. They also do if no content words of both
    sides may be forms of one word, but not in English: there WordNet relates other words, too, and
    a model links those alone. Initials and single letters are in doubt.

    ``ignored``  the normal forms that count as function words.
    """
    sides = (
        pair.abstract.tokens[slice(*phrase.abstract)],
        pair.document.tokens[slice(*phrase.document)],
    )
    abstract, document = (list(map(normal_form, tokens)) for tokens in sides)
    numbers, replaced = _numbers(abstract), _numbers(document)
    if numbers or replaced:
        return bool(numbers and replaced) and numbers.isdisjoint(replaced)
    if pair.language == ENGLISH or _spell(abstract, document) or _spell(document, abstract):
        return False
    abstract_words, document_words = (_content(forms, ignored) for forms in (abstract, document))
    if min(len("".join(abstract_words)), len("".join(document_words))) < COMMON_LETTERS - 1:
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
    is_short = min(len(first), len(second)) <= COMMON_LETTERS
    size = COMMON_LETTERS - (is_short or first[0] == second[0])
    return not _runs(first, size).isdisjoint(_runs(second, size))


def _runs(word: str, size: int) -> set[str]:
    return {word[start : start + size] for start in range(max(len(word) - size + 1, 1))}
