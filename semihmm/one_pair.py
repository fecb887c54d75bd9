"""Aligns one document with its abstract, without training."""

from __future__ import annotations

import os
from functools import lru_cache

from corpus_tools.pairs.records import Side, make_pair
from corpus_tools.views.aligned_pair import AlignedPair
from semihmm.aligner import Aligner
from semihmm.saving import GENERAL_MODEL


def align(
    document: Side,
    abstract: Side,
    *,
    model: str | os.PathLike[str] = GENERAL_MODEL,
    tokenizer: str | None = None,
) -> AlignedPair:
    """Align a document with its abstract.

    ``document``, ``abstract``  a raw string, a list of sentences, or a list of lists of tokens.
    ``model``      the directory of a trained model; the general model comes with the program.
    ``tokenizer``  one of ``corpus_tools.texts.tokenizers.TOKENIZERS``; each text decides by itself
                   if none is given.

    Raises ``BadUsage`` for a side that is no text or an unknown tokenizer, ``BadModel`` for a
    directory without a sound model.

    >>> from semihmm import align                                    # doctest: +SKIP
    >>> print(align("The cat sat on the mat.", "A cat sat."))        # doctest: +SKIP
    """
    pair = make_pair(document, abstract, tokenizer=tokenizer)
    return AlignedPair(pair, _aligner(os.fspath(model)).align(pair))


@lru_cache(maxsize=4)
def _aligner(model: str) -> Aligner:
    """Load a model once. One pair does not need several threads."""
    return Aligner.load(model, workers=1)
