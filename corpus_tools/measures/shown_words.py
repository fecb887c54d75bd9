"""Finds the words that were measured again in the text as it was given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from corpus_tools.measures.words import PROGRAM_WORD, UNICODE_WORD, split_words
from corpus_tools.texts.text import Text


class ShownText(NamedTuple):
    """A text as it was given.

    ``positions``  the tokens of the words that were measured, in their order. Other tokens are
                   marks, stop words, and what is beyond a limit.
    """

    text: Text
    positions: tuple[int, ...]


def shown_text(sentences: Sequence[str], words: Sequence[str], tokenizer: str) -> ShownText:
    """Return a text with its measured words.

    ``words``      of all sentences, in lower case and without stems.
    ``tokenizer``  one of those of ``MeasureSettings``.
    """
    tokens: list[str] = []
    boundaries = [0]
    positions: list[int] = []
    for sentence in sentences:
        for token, is_word in _tokens(sentence, tokenizer):
            known = len(positions)
            # Words that were left out are equal to none that was measured before the limit.
            if is_word and known < len(words) and split_words(token, tokenizer) == [words[known]]:
                positions.append(len(tokens))
            tokens.append(token)
        boundaries.append(len(tokens))
    if len(positions) < len(words):
        # Few letters make other words in lower case than as they stand.
        return ShownText(Text.from_sentences([words]), tuple(range(len(words))))
    return ShownText(Text(tuple(tokens), tuple(boundaries), tuple(sentences)), tuple(positions))


def _tokens(sentence: str, tokenizer: str) -> Iterator[tuple[str, bool]]:
    """Yield the words of a sentence and what stands between them, but for white space."""
    end = 0
    for start, stop in _words(sentence, tokenizer):
        yield from ((mark, False) for mark in sentence[end:start].split())
        yield sentence[start:stop], True
        end = stop
    yield from ((mark, False) for mark in sentence[end:].split())


def _words(sentence: str, tokenizer: str) -> Iterator[tuple[int, int]]:
    """Yield the characters ``[start, end)`` of the words of a sentence."""
    if tokenizer == "program":
        yield from (match.span() for match in PROGRAM_WORD.finditer(sentence))
        return
    import regex

    yield from (match.span() for match in regex.finditer(UNICODE_WORD, sentence, regex.V1))
