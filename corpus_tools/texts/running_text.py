"""Gives texts as people read them: those that were given as tokens as running text again.

The rules are those of the Moses detokenizer, gap by gap, so that the characters of each token stay
known: marks, closing brackets and clitics stand behind the word before them; opening brackets,
signs of currencies and elisions ("l'") stand before what follows. Words of scripts that write no
spaces stand together. The quotes and brackets of the Penn Treebank are shown as quotes and
brackets.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import accumulate
from typing import NamedTuple

from corpus_tools.languages.language import CODES, language
from corpus_tools.texts.forms import FORMS, Cache
from corpus_tools.texts.sentences import TextSpan
from corpus_tools.texts.text import Characters, Text
from corpus_tools.texts.tokenizers import CLITICS, UNSPACED

MARKS = re.compile(
    r"[.,;:!?%\u2026\u060c\u061b\u061f\u066a\u0964\u3001\u3002\uff0c\uff01\uff1f\uff1a\uff1b]+"
    rf"|{CLITICS}",
    re.IGNORECASE,
)
"""What stands behind a word: marks of English, Arabic, Hindi, Chinese; clitics."""

NO_BLANK_BETWEEN = re.compile(
    f"[{UNSPACED}\u3001\u3002\uff0c\uff01\uff1f\uff1a\uff1b\u300d][{UNSPACED}]"
)
"""The last character of a token and the first of the next, in scripts that write no spaces."""

CURRENCY = re.compile(r"[A-Z]{0,3}[$\u00a3\u00a5\u20a0-\u20bf]|#")
PENN = {form for form in FORMS if form.isascii() and not form.isalpha()}
APOSTROPHE_MARKS = ("'", "\u2019")
SINGLE_QUOTES = {"`", *APOSTROPHE_MARKS}
DOUBLE_QUOTE_TOKENS = {"``", "''", '"'}

# Where a token stands without a blank: behind the token before it, or before the next one.
BEHIND, BEFORE = "behind", "before"
BEFORE_NUMBER = "before a number"
QUOTE_PLACE = "quote"

PLACES = {"Ps": BEFORE, "Pi": BEFORE, "Pe": BEHIND, "Pf": BEHIND}
"""By Unicode's category of a character, which is that of opening or closing marks."""


class ShownToken(NamedTuple):
    """A token as it is shown, and where it stands without a blank, if anywhere."""

    shown: str
    place: str = ""


@cache
def _elisions() -> frozenset[str]:
    """Return what stands with an apostrophe before a word, in any language: a text names none."""
    return frozenset[str]().union(*(language(code).elisions for code in CODES))


def _shown_token(token: str) -> ShownToken:
    shown = FORMS[token.lower()] if token.lower() in PENN else token
    if token.endswith(APOSTROPHE_MARKS) and token[:-1].lower() in _elisions():
        return ShownToken(shown, BEFORE)
    if token in SINGLE_QUOTES | DOUBLE_QUOTE_TOKENS:
        return ShownToken(shown, QUOTE_PLACE)
    if MARKS.fullmatch(token):
        return ShownToken(shown, BEHIND)
    if CURRENCY.fullmatch(token):
        return ShownToken(shown, BEFORE_NUMBER)
    return ShownToken(shown, PLACES.get(unicodedata.category(shown), "") if len(shown) == 1 else "")


_shown_tokens = Cache(_shown_token)


class RunningText(NamedTuple):
    """A text as one string, and for each token its characters in it, ``[start, end)``."""

    string: str
    spans: list[TextSpan]

    def words(self, start: int, end: int) -> str:
        """Return the tokens ``start`` to ``end`` (exclusive), of which there is at least one."""
        return self.string[self.spans[start][0] : self.spans[end - 1][1]]


def running_text(text: Text) -> RunningText:
    """Return a text as it is read.

    Running text is as it was given. Tokens, and strings in which no two tokens touch, are put
    together as people write them.
    """
    strings, characters = text.strings, text.characters
    if characters is None:
        strings = text.tokens
        characters = tuple(Characters(n, 0, len(token)) for n, token in enumerate(strings))
    starts = list(accumulate((len(string) + 1 for string in strings), initial=0))
    spans = [(starts[n] + start, starts[n] + end) for n, start, end in characters]
    string = " ".join(strings)
    ends = [0, *(end for _, end in spans)]
    gaps = [string[end:start] for end, (start, _) in zip(ends, spans, strict=False)]
    if "" in gaps[1:]:
        return RunningText(string, spans)
    parts: list[str] = []
    shown = []
    end = 0
    for gap, (is_joined, word) in zip(gaps, _joined(text), strict=True):
        # Other white space, such as the end of a line, was meant.
        parts += ["" if is_joined and gap == " " else gap, word]
        start = end + len(parts[-2])
        end = start + len(word)
        shown.append((start, end))
    return RunningText("".join([*parts, string[ends[-1] :]]), shown)


def _joined(text: Text) -> Iterator[tuple[bool, str]]:
    """Yield each token as it is shown, and whether it stands behind the one before it."""
    for tokens in _shown_tokens_of(text):
        before = ShownToken("")
        for token in tokens:
            is_number = before.place == BEFORE_NUMBER and token.shown[0].isdigit()
            is_behind = token.place == BEHIND or before.place == BEFORE or is_number
            has_no_blank = NO_BLANK_BETWEEN.match(before.shown[-1:] + token.shown)
            yield is_behind or has_no_blank is not None, token.shown
            before = token


def _shown_tokens_of(text: Text) -> Iterator[list[ShownToken]]:
    """Yield the tokens of each sentence, with quotes told apart."""
    opens_by_itself = "``" in text.tokens
    is_open = False
    for tokens in text.sentences():
        shown_tokens = [*map(_shown_tokens.__getitem__, tokens)]
        is_open_single = False
        for n, (shown, place) in enumerate(shown_tokens):
            if place != QUOTE_PLACE:
                continue
            token = tokens[n]
            if token in SINGLE_QUOTES:
                opens = is_open_single = not is_open_single and _opens_single(tokens, n)
            elif opens_by_itself and token in {"``", "''"}:
                opens = token == "``"
            else:
                # A quotation may go on over sentences, and some lack one of their quotes.
                ends = n + 1 == len(tokens) or shown_tokens[n + 1].place == BEHIND
                opens = is_open = n == 0 or not (is_open or ends)
            shown_tokens[n] = ShownToken(shown, BEFORE if opens else BEHIND)
        yield shown_tokens


def _opens_single(tokens: Sequence[str], n: int) -> bool:
    """Tell a quote that opens from the apostrophe of a plural, as in "workers ' rights"."""
    if n == 0 or tokens[n] == "`":
        return True
    return not tokens[n - 1].lower().endswith("s") and not SINGLE_QUOTES.isdisjoint(tokens[n + 1 :])
