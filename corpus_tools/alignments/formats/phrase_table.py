"""Writes a phrase table as Moses does (phrase-based translation).

document phrase ||| abstract phrase ||| p(a|d) p(d|a) ||| points d-a ||| count(a) count(d)
count(both)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TextIO

from corpus_tools.alignments.alignment import Alignment, PhraseLink, phrase_word_links
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.tokenizers import one_word

Words = tuple[str, ...]


def write(matched: Iterable[tuple[Pair, Alignment]], stream: TextIO) -> None:
    """Write one line for each two phrases that were aligned somewhere in the corpus.

    Each phrase link counts 1. Abstract words that are aligned to nothing are in no count. Tokens
    keep their case.
    """
    both = Counter(
        (pair.document.tokens[slice(*link.document)], pair.abstract.tokens[slice(*link.abstract)])
        for pair, alignment in matched
        for link in alignment.phrases
    )
    of_document = Counter(document for document, _ in both.elements())
    of_abstract = Counter(abstract for _, abstract in both.elements())
    for (document, abstract), count in sorted(both.items()):
        d, a = of_document[document], of_abstract[abstract]
        stream.write(
            f"{_phrase(document)} ||| {_phrase(abstract)} ||| {count / d:.6g} {count / a:.6g} ||| "
            f"{_points(document, abstract)} ||| {a} {d} {count}\n"
        )


def _phrase(words: Words) -> str:
    # The escape that Moses uses: a token of bars would end the field.
    return " ".join(one_word(word).replace("|", "&#124;") for word in words)


def _points(document: Words, abstract: Words) -> str:
    whole = PhraseLink((0, len(abstract)), (0, len(document)), 1.0)
    return " ".join(f"{d}-{a}" for d, a in phrase_word_links(whole, document, abstract))
