"""The sides of a pair as they are given: strings, sentences, or tokens; and the pair of two."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeGuard

from corpus_tools.errors import BadUsage, choose
from corpus_tools.pairs.pair import Pair, tokenizer_names
from corpus_tools.texts.detection import detect_tokenizer
from corpus_tools.texts.text import Text
from corpus_tools.texts.tokenizers import TOKENIZERS, to_text

if TYPE_CHECKING:
    from typing_extensions import TypeIs

Side = str | list[str] | list[list[str]]
"""A raw string, sentence strings, or sentences of tokens."""

EXPECTED = "a string, a list of sentence strings or a list of lists of tokens (strings, none empty)"

FEWEST_TOKENS = 3
"""So many one-word strings are the tokens of a sentence. Set by hand: two may be headings."""

SINGLE_WORD = re.compile(r"[^\s\u0e00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u9fff]+")
"""A string without blanks, and without letters of scripts whose sentences have none."""

SENTENCE_END = re.compile(r"\w.*[.!?:]$")
"""A word with a mark behind it, which may be a sentence."""

BARE_TOKENS = (
    "is a list of one-word strings, each of which would be a sentence: give tokens as a list of "
    "sentences, each a list of its tokens"
)
"""What errors say of tokens without sentences."""


def make_pair(document: Side, abstract: Side, id: str = "1", tokenizer: str | None = None) -> Pair:
    """Make a pair of two texts.

    ``tokenizer``  one of ``TOKENIZERS``; ``None`` decides for each text by itself.

    Raises ``BadUsage`` for a side that is no text, and for an unknown tokenizer.
    """
    if tokenizer is not None:
        choose("tokenizer", tokenizer, TOKENIZERS)
    for name, side in (("document", document), ("abstract", abstract)):
        if not is_side(side):
            raise BadUsage(f"the {name} must be {EXPECTED}, not of type {type(side).__name__}")
        if are_bare_tokens(side):
            raise BadUsage(f"the {name} {BARE_TOKENS}")
    document_text, document_tokenizer = side_text(document, tokenizer)
    abstract_text, abstract_tokenizer = side_text(abstract, tokenizer)
    names = tokenizer_names((document_tokenizer, abstract_tokenizer))
    return Pair(id, document_text, abstract_text, tokenizer=names)


def is_side(value: object) -> TypeGuard[Side]:
    """Tell whether a value is one side of a pair."""
    return (
        isinstance(value, str)
        or is_list_of(value, lambda sentence: isinstance(sentence, str))
        or is_list_of(value, _is_token_list)
    )


def are_bare_tokens(side: Side) -> bool:
    """Tell whether a list of sentence strings holds single words, most without a mark behind it."""
    if isinstance(side, str) or len(side) < FEWEST_TOKENS or is_tokenized(side):
        return False
    if not all(map(SINGLE_WORD.fullmatch, side)):
        return False
    return 2 * sum(1 for _ in filter(SENTENCE_END.search, side)) < len(side)


def is_list_of(value: object, accepts: Callable[[object], bool]) -> bool:
    """Tell whether a value is a list whose elements are all accepted."""
    return isinstance(value, list) and all(map(accepts, value))


def _is_token_list(value: object) -> bool:
    return is_list_of(value, lambda token: isinstance(token, str) and token != "")


def is_tokenized(side: Side) -> TypeIs[list[list[str]]]:
    """Tell whether a side is given as tokens."""
    return bool(side) and isinstance(side[0], list)


def side_strings(side: str | list[str]) -> list[str]:
    """Return the strings of a side that is not tokenized."""
    return [side] if isinstance(side, str) else side


def side_text(side: Side, tokenizer: str | None) -> tuple[Text, str]:
    """Return a side as a text, with the name of the tokenizer, empty where it was not needed."""
    if is_tokenized(side):
        return Text.from_sentences(side), ""
    name = tokenizer or detect_tokenizer(side_strings(side))
    return to_text(side, name), name
