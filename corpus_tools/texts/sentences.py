"""Splits raw strings into sentences.

Punkt (Kiss and Strunk 2006) splits them, as NLTK implements it, with the lists of a language in
place of trained parameters: abbreviations, and words that begin sentences. So the sentences of a
string depend on the string and its language alone, and nothing has to be downloaded.
``scripts/research/sentence_ends.py`` measures it.
"""

import functools
import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from corpus_tools.languages.language import ENGLISH, Language, language
from corpus_tools.texts.forms import load_nltk

Span = tuple[int, int]
"""Characters ``[start, end)`` of a string."""

SPACED_ELLIPSIS = re.compile(r"\.(?: \.){2,}")
"""Three or more stops with blanks between them, which Punkt would take for as many sentences."""

OTHER_ENDS = re.compile(
    "(?:[\u3002\uff61\uff01\uff1f\u0964\u0965\u061f\u06d4\u104b\u17d4\u17d5\u1362]"
    "|\uff0e(?![0-9A-Za-z\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]))+"
    "[\u300d\u300f\uff09\u3011\u300b\u3009\u3015\uff3d\uff5d\u201d\u2019\"')]*"
)
"""What ends a sentence in scripts with marks of their own, with the closing marks behind it.

The marks are those of Chinese and Japanese, Hindi, Arabic and Urdu, Burmese, Khmer and Amharic.
They end sentences without a blank; the full-width stop not before a digit or a Latin letter. Thai
and Lao have no such marks.
"""

ENDS = re.compile(r"[.?!]")
"""What may end a sentence for Punkt."""

SURE_END = re.compile(r"[.?!] (?=[\"\u201c'\u2018(]?[0-9A-Za-z])")
"""What may end a sentence beyond doubt: a stop with a word behind it, and no closing mark."""

ITEM = re.compile(r"\(?\d{1,3}(?:\.\d{1,3})*\.")
"""The number of an item of a list, which is no sentence."""

ORDINAL = re.compile(r"(?:.*[\s(])?(?:\d{1,3}|[IVXLC]+)\.", re.DOTALL)
"""What ends in a number with a stop, which is an ordinal in many languages: a day, a century."""

FIRST_WORD = re.compile(r"\W*(\w+)")


def split_sentences(string: str, code: str = ENGLISH) -> list[Span]:
    """Return the character spans ``[start, end)`` of the sentences of a raw string.

    ``code``  that of the language (``corpus_tools.languages``).

    A line break always ends a sentence. Lines of white space hold none.
    """
    spans = []
    own = language(code)
    for line in re.finditer(r"[^\n]+", string):
        ends = () if line.group().isascii() else OTHER_ENDS.finditer(string, *line.span())
        for first, last in pairwise([line.start(), *(end.end() for end in ends), line.end()]):
            part = string[first:last]
            if part.strip():
                sentences = _without_numbers(part, _punkt_spans(part, own), own)
                spans += [(first + begin, first + stop) for begin, stop in sentences]
    return spans


def _without_numbers(line: str, spans: Sequence[Span], own: Language) -> list[Span]:
    """Return the sentences; one that ends with the number of an item or an ordinal goes on."""
    joined: list[Span] = []
    goes_on = False
    for start, end in spans:
        if goes_on and not _begins(line[start:end], own):
            start = joined.pop()[0]
        joined.append((start, end))
        sentence = line[start:end].strip()
        ordinal = own.ordinals and ORDINAL.fullmatch(sentence)
        goes_on = bool(ordinal or ITEM.fullmatch(sentence))
    return joined


def _begins(sentence: str, own: Language) -> bool:
    """Tell whether words that follow an ordinal begin a sentence: "Es waren 15. Er kam"."""
    found = FIRST_WORD.match(sentence)
    word = found[1] if found else ""
    return own.ordinals and not word[:1].islower() and word.lower() in own.sentence_starters


def _punkt_spans(line: str, own: Language) -> list[Span]:
    """Return Punkt's sentences, of which it is asked where a look at the words does not tell."""
    if not ENDS.search(line):
        return [(0, len(line))]
    # As many stops as there were characters: every offset stays.
    joined = SPACED_ELLIPSIS.sub(lambda ellipsis: "." * len(ellipsis.group()), line)
    spans: list[Span] = []
    begin = 0
    for end in (*_sure_ends(joined, own), len(joined)):
        part = joined[begin:end]
        found = [(0, len(part.rstrip()))]
        if ENDS.search(part[:-1]):
            found = _punkt(own.code).span_tokenize(part)
        spans += [(begin + first, begin + stop) for first, stop in found]
        begin = end + 1
    return spans


def _sure_ends(line: str, own: Language) -> Iterator[int]:
    """Yield the offsets behind stops at which Punkt ends a sentence, whatever is around.

    Before such a stop is a word of two or more ASCII letters that is no abbreviation, and behind it
    a blank and a word. Punkt knows exceptions for abbreviations, numbers, initials and ellipses
    alone. It looks at no words but those two.
    """
    for match in SURE_END.finditer(line):
        stop = match.start()
        begin = line.rfind(" ", 0, stop) + 1
        word = line[begin:stop]
        if begin > 0 and len(word) > 1 and word.isascii() and word.isalpha():
            known = own.abbreviations, own.numbered
            if not any(word.lower() in words for words in known):
                yield stop + 1


@functools.cache
def _punkt(code: str) -> Any:
    """Make NLTK's ``PunktSentenceTokenizer`` for a language."""
    load_nltk()
    # The flag of words that were seen in lower case has no public name.
    from nltk.tokenize.punkt import _ORTHO_LC, PunktParameters, PunktSentenceTokenizer

    own = language(code)
    parameters = PunktParameters()
    parameters.abbrev_types.update(own.abbreviations)
    # In Punkt's notation, no sentence ends between these words and a number: "No. 1".
    parameters.collocations.update((word, "##number##") for word in own.numbered)
    for word in own.sentence_starters:
        # Punkt knows words that begin sentences as words that are usually in lower case.
        parameters.add_ortho_context(word, _ORTHO_LC)
    return PunktSentenceTokenizer(parameters)
