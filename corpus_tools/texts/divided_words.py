"""Puts the parts of words together that a hyphen at the end of a line divides.

The hyphen is taken out, and blanks after the word fill up its length. So all other words keep their
positions.
"""

import re
from collections.abc import Sequence
from functools import cached_property

from corpus_tools.languages.detection import detect_language, sample
from corpus_tools.languages.language import language

SOFT_HYPHEN = "\u00ad"

TAKEN_OUT = "\ufdd0"
"""A character that no text has: it stands for characters that are taken out."""

DIVIDED_WORD = re.compile(
    r"(?<![^\W\d_])(?P<before>[^\W\d_]+)(?:-[^\S\n]*\r?(?P<break>\n)[^\S\n]*|- )"
    r"(?P<after>[^\W\d_]+)"
)
"""Two parts of a word with a hyphen and a blank or a line break between them."""

SOFTLY_DIVIDED = re.compile(rf"{SOFT_HYPHEN}(?:[^\S\n]*\n[^\S\n]*(?=[^\W\d_]))?")
"""A soft hyphen, with the line break after it."""

WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")

NONBLANK_RUN = re.compile(r"\S+")


class KnownWords:
    """The words of some texts, which tell whether a hyphen divides a word."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts

    @cached_property
    def words(self) -> frozenset[str]:
        """Return the words in lower case, without divided ones. A hyphen does not end a word."""
        whole = (DIVIDED_WORD.sub(" ", text.lower()) for text in self._texts)
        return frozenset(word for text in whole for word in WORD.findall(text))

    @cached_property
    def joining(self) -> frozenset[str]:
        """Return the function words of the language, which may follow a suspended hyphen."""
        return language(detect_language(sample(self._texts))).function_words


def with_whole_words(text: str, texts: KnownWords | None = None) -> str:
    """Return a text with divided words in one piece.

    ``texts``  the words of the text and of others; ``None``: those of the text.

    Soft hyphens are taken out. At the end of a line a hyphen before a small letter divides a word,
    unless both parts are words of the text ("well-known"), or a function word follows ("pre- and
    post-war"). Before a blank it does so only if the whole word is there, too.
    """
    if SOFT_HYPHEN in text:
        text = SOFTLY_DIVIDED.sub(lambda match: TAKEN_OUT * len(match.group()), text)
    if "-\n" in text or "- " in text or "-\r\n" in text:
        words = KnownWords([text]) if texts is None else texts
        text = DIVIDED_WORD.sub(lambda match: _whole(match, words), text)
    return filled_up(text)


def filled_up(text: str) -> str:
    """Return a text without ``TAKEN_OUT``; blanks at the end of the word fill up its length."""
    return NONBLANK_RUN.sub(_filled_up_run, text) if TAKEN_OUT in text else text


def _filled_up_run(match: re.Match[str]) -> str:
    run = match.group()
    return run.replace(TAKEN_OUT, "").ljust(len(run)) if TAKEN_OUT in run else run


def _whole(match: re.Match[str], texts: KnownWords) -> str:
    """Return the two parts of a word in place of a match of ``DIVIDED_WORD``."""
    before, after = match["before"], match["after"]
    low = before.lower(), after.lower()
    is_word = "".join(low) in texts.words
    if match["break"] is None:
        is_compound = False
        is_divided = is_word
    else:
        is_compound = not is_word and (
            "-".join(low) in texts.words or (low[0] in texts.words and low[1] in texts.words)
        )
        is_divided = after[0].islower() and (is_word or is_compound or low[1] not in texts.joining)
    if not is_divided:
        return match.group()
    hyphen = "-" if is_compound else ""
    gap = len(match.group()) - len(before + hyphen + after)
    return before + hyphen + TAKEN_OUT * gap + after
