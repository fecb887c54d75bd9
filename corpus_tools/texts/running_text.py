"""Joins the tokens of a text to running text, as people write it.

The rules are those of the Moses detokenizer. They decide for each gap between two tokens whether it
has a blank, so that the characters of each token stay known. Marks, closing brackets and clitics
are joined to the token before them; opening brackets, signs of currencies and elisions ("l'") to
the token after them. Words of scripts without spaces are joined. The quotes and brackets of the
Penn Treebank become quotes and brackets.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache, partial
from itertools import accumulate, pairwise
from typing import NamedTuple

from corpus_tools.languages.language import CODES, language
from corpus_tools.texts.forms import SPECIAL_FORMS, Cache
from corpus_tools.texts.sentences import TextSpan
from corpus_tools.texts.text import Characters, Text
from corpus_tools.texts.tokenizers import CLITICS, UNSPACED_LETTER

JOINED_MARK = re.compile(
    r"[.,;:!?%\u2026\u060c\u061b\u061f\u066a\u0964\u3001\u3002\uff0c\uff01\uff1f\uff1a\uff1b]+"
    rf"|{CLITICS}",
    re.IGNORECASE,
)
"""Tokens that are joined to the word before: marks of English, Arabic, Hindi, Chinese; clitics."""

MARKS_WITHOUT_BLANK = "\u3001\u3002\uff0c\uff01\uff1f\uff1a\uff1b\u300d"
"""Marks that have no blank after them, in scripts without spaces."""

CURRENCY_SIGN = re.compile(r"[A-Z]{0,3}[$\u00a3\u00a5\u20a0-\u20bf]|#")
PENN_MARKS = {form for form in SPECIAL_FORMS if form.isascii() and not form.isalpha()}
"""The quotes and brackets of the Penn Treebank, which are shown as in ``SPECIAL_FORMS``."""

APOSTROPHE_MARKS = ("'", "\u2019")
SINGLE_QUOTES = {"`", *APOSTROPHE_MARKS}
DOUBLE_QUOTE_TOKENS = {"``", "''", '"'}

# The side on which a token has no blank: it is joined to the token before it, or to the next one.
JOINED_TO_LAST, JOINED_TO_NEXT = "joined to last", "joined to next"
JOINED_TO_NUMBER = "joined to a next number"
QUOTE_JOIN = "quote"

JOINS_OF_CATEGORIES = {
    "Ps": JOINED_TO_NEXT,
    "Pi": JOINED_TO_NEXT,
    "Pe": JOINED_TO_LAST,
    "Pf": JOINED_TO_LAST,
}
"""The join of a single character, by its category in Unicode: opening and closing marks."""


class ShownToken(NamedTuple):
    """A token as it is shown, and the side on which it has no blank; empty: both have one."""

    text: str
    join: str = ""


@cache
def _elisions() -> frozenset[str]:
    """Return the elisions of all languages without their apostrophes, such as ``l``.

    All languages count, since a ``Text`` does not name its language.
    """
    return frozenset[str]().union(*(language(code).elisions for code in CODES))


def _shown_token(token: str) -> ShownToken:
    text = SPECIAL_FORMS[token.lower()] if token.lower() in PENN_MARKS else token
    if token.endswith(APOSTROPHE_MARKS) and token[:-1].lower() in _elisions():
        return ShownToken(text, JOINED_TO_NEXT)
    if token in SINGLE_QUOTES | DOUBLE_QUOTE_TOKENS:
        return ShownToken(text, QUOTE_JOIN)
    if JOINED_MARK.fullmatch(token):
        return ShownToken(text, JOINED_TO_LAST)
    if CURRENCY_SIGN.fullmatch(token):
        return ShownToken(text, JOINED_TO_NUMBER)
    category = unicodedata.category(text) if len(text) == 1 else ""
    return ShownToken(text, JOINS_OF_CATEGORIES.get(category, ""))


_shown_tokens = Cache(_shown_token)


class RunningText(NamedTuple):
    """A text as one string, and for each token its characters in it, ``[start, end)``."""

    string: str
    spans: list[TextSpan]

    def words(self, start: int, end: int) -> str:
        """Return the tokens ``start`` to ``end`` (exclusive), of which there is at least one."""
        return self.string[self.spans[start][0] : self.spans[end - 1][1]]


def running_text(text: Text) -> RunningText:
    """Return a text as people write it.

    Running text stays unchanged. Tokens are joined, and so are strings in which words and marks
    have white space between them: somebody tokenized them.
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
    joints = (start for (_, end), (start, _) in pairwise(spans) if start == end)
    if not all(map(partial(_is_within_word, string), joints)):
        return RunningText(string, spans)
    parts: list[str] = []
    spans_of_words = []
    end = 0
    for gap, (is_joined, word) in zip(gaps, _joined(text), strict=True):
        # Only single blanks are left out. Other white space, such as a line break, stays.
        parts += ["" if is_joined and gap == " " else gap, word]
        start = end + len(parts[-2])
        end = start + len(word)
        spans_of_words.append((start, end))
    return RunningText("".join([*parts, string[ends[-1] :]]), spans_of_words)


def _is_within_word(string: str, place: int) -> bool:
    """Tell whether two tokens that meet at a place are parts of a word, such as "its"."""
    before, after = string[place - 1], string[place]
    return before.isalpha() and after.isalpha() and UNSPACED_LETTER.match(after) is None


def _joined(text: Text) -> Iterator[tuple[bool, str]]:
    """Yield for each token whether it is joined to the one before it, and how it is shown."""
    for tokens in _shown_tokens_of(text):
        before = ShownToken("")
        for token in tokens:
            is_amount = before.join == JOINED_TO_NUMBER and token.text[0].isdigit()
            is_joined = token.join == JOINED_TO_LAST or before.join == JOINED_TO_NEXT or is_amount
            yield is_joined or _has_no_blank(before.text[-1:] + token.text), token.text
            before = token


def _has_no_blank(characters: str) -> bool:
    """Tell whether there is no blank after the first character, in scripts without spaces."""
    if UNSPACED_LETTER.match(characters, 1) is None:
        return False
    return characters[0] in MARKS_WITHOUT_BLANK or UNSPACED_LETTER.match(characters) is not None


def _shown_tokens_of(text: Text) -> Iterator[list[ShownToken]]:
    """Yield the tokens of each sentence; each quote is marked as an opening or a closing one."""
    has_opening_quotes = "``" in text.tokens
    is_open = False
    for tokens in text.sentences():
        shown_tokens = [*map(_shown_tokens.__getitem__, tokens)]
        is_open_single = False
        for n, (text_of_token, join) in enumerate(shown_tokens):
            if join != QUOTE_JOIN:
                continue
            token = tokens[n]
            if token in SINGLE_QUOTES:
                opens = is_open_single = not is_open_single and _opens_single(tokens, n)
            elif has_opening_quotes and token in {"``", "''"}:
                opens = token == "``"
            else:
                # A quotation may span sentences, and some lack one of their quotes.
                ends = n + 1 == len(tokens) or shown_tokens[n + 1].join == JOINED_TO_LAST
                opens = is_open = n == 0 or not (is_open or ends)
            shown_tokens[n] = ShownToken(text_of_token, JOINED_TO_NEXT if opens else JOINED_TO_LAST)
        yield shown_tokens


def _opens_single(tokens: Sequence[str], n: int) -> bool:
    """Tell an opening single quote from the apostrophe of a plural, as in "workers ' rights"."""
    if n == 0 or tokens[n] == "`":
        return True
    return not tokens[n - 1].lower().endswith("s") and not SINGLE_QUOTES.isdisjoint(tokens[n + 1 :])
