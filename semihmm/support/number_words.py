"""Knows numbers in words of many languages, by the package num2words."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from semihmm.support.atoms import words_of

NAMED = (*range(2, 101), *range(200, 1000, 100))
"""Numbers that are phrases here: others are sums of these.

"One" is left out: in most languages it is an article or a pronoun too.
"""
SCALES = (10**3, 10**6, 10**9, 10**12)


class NumberWords(NamedTuple):
    """The number words of a language.

    ``phrases``  those of the numbers ``NAMED``, in atoms.
    ``scales``   words that multiply what stands before them.
    ``longest``  the most atoms of a phrase, by its first.
    """

    phrases: Mapping[tuple[str, ...], float]
    scales: Mapping[str, float]
    longest: Mapping[str, int]


@cache
def number_words(language: str) -> NumberWords:
    """Return the number words of a language by its code; none of one that num2words lacks."""
    from num2words import CONVERTER_CLASSES, num2words  # slow to import

    if language not in CONVERTER_CLASSES:
        return NumberWords({}, {}, {})

    def said(number: int) -> tuple[str, ...]:
        return words_of(num2words(number, lang=language))

    phrases = {said(number): float(number) for number in NAMED}
    scales: dict[str, float] = {}
    for scale in SCALES:
        # The plural may differ ("Millionen"), and both numbers may be one word ("zweitausend").
        for number in (1, 2):
            word = said(number * scale)[-1].removeprefix(said(number)[-1])
            scales.setdefault(word, float(scale))
    longest: dict[str, int] = {}
    for phrase in phrases:
        longest[phrase[0]] = max(longest.get(phrase[0], 0), len(phrase))
    return NumberWords(phrases, scales, longest)
