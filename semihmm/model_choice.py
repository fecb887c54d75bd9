"""Chooses the models that align pairs where nobody has named one: by the language of each pair.

A general model comes with the program for some languages. For others, texts are enough: a model is
trained on the pairs themselves. From very few texts nothing can be learned. Then the general model
of English aligns them without what it knows of English: by equal and similar words and by jumps.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.base.errors import OtherLanguage, number_of, warn_caller
from corpus_tools.languages.detection import outweighs, sample
from corpus_tools.languages.language import ENGLISH
from corpus_tools.languages.language import language as language_of
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.records import Side, make_pair
from semihmm.aligned_pair import AlignedPair
from semihmm.aligner import Aligner
from semihmm.model.saving import GENERAL_MODEL

if TYPE_CHECKING:
    from semihmm.support.report import Support

Result = TypeVar("Result")

GENERAL_MODELS = {ENGLISH: GENERAL_MODEL}
"""The general models by the code of their language. A new one is a folder and a line."""


ENOUGH_WORDS = 300
"""From so many abstract words on, a model is trained on the texts.

Measured on samples of rte2 and edinburgh without WordNet and function words, SoftF of a model of
the texts and of the general model: with 5 pairs (53 and 94 words) .749 and .815, .873 and .887;
with 10 (106 and 207) .813 and .827, .843 and .854; with 20 (200) .859 and .847 on rte2; with 40
(437) .887 and .883 (docs/languages.md).
"""


@dataclass(frozen=True)
class ModelChoice:
    """Which model aligns pairs of a language.

    ``code``       that of the language.
    ``directory``  the model to load; ``None``: one is trained on the pairs.
    ``reason``     what users are told, empty where the model is one of the language.
    """

    code: str
    directory: Path | None
    reason: str = ""

    def aligner(
        self, pairs: Iterable[Pair], workers: int | None, skip: bool = False, **changes: Any
    ) -> Aligner:
        """Return the aligner, which is trained on the pairs if it must be.

        ``skip``     whether training goes on without pairs that make the model fail.
        ``changes``  settings that a trained model admits.
        """
        changes = {**changes, "language": self.code}
        if self.directory is not None:
            return Aligner.load(self.directory, workers=workers, **changes)
        made = Aligner(workers=workers, language=self.code).fit(pairs, skip_bad_pairs=skip)
        return made.set_params(**changes)


def choose_model(code: str, abstract_words: int | None) -> ModelChoice:
    """Choose the model for so many abstract words in a language.

    ``abstract_words``  ``None`` for pairs that come one by one, from which nothing is learned.
    """
    if directory := GENERAL_MODELS.get(code):
        return ModelChoice(code, directory)
    texts = f"the texts are {language_of(code).name}, of which there is no general model"
    if abstract_words is not None and abstract_words >= ENOUGH_WORDS:
        return ModelChoice(code, None, f"{texts}: a model is trained on them")
    instead = "links are found by equal and similar words alone"
    if abstract_words is None:
        return ModelChoice(code, GENERAL_MODEL, f"{texts}: {instead}; train a model, and name it")
    few = number_of(abstract_words, "abstract word")
    too_few = f"{few} are too few to learn from ({ENOUGH_WORDS} are enough)"
    return ModelChoice(code, GENERAL_MODEL, f"{texts}, and {too_few}: {instead}; give more pairs")


def in_own_language(pair: Pair, main: str) -> Pair:
    """Return a pair in its language, or in that of most pairs if its own is in doubt.

    ``main``  the code of the language of most pairs: that of a few words is told by the others.
    """
    if pair.language == main:
        return pair
    text = " ".join(sample(side.strings or side.tokens) for side in (pair.document, pair.abstract))
    return pair if outweighs(pair.language, main, text) else replace(pair, language=main)


def in_languages(
    pairs: Iterable[Pair],
    main: str,
    works: Mapping[str, Callable[[Iterable[Pair]], Iterator[Result]]],
) -> Iterator[Result]:
    """Do work on the pairs of each language, and give its results in the order of the pairs.

    ``main``   the code of the language of most pairs.
    ``works``  give one result for each of their pairs, by the code of the language. One work alone
               is done on all pairs, which may be a stream; several have all pairs in memory.
    """
    placed = (in_own_language(pair, main) for pair in pairs)
    if len(works) == 1:
        (work,) = works.values()
        yield from work(placed)
        return
    known = [*placed]
    results = {
        code: work([pair for pair in known if pair.language == code])
        for code, work in works.items()
    }
    for pair in known:
        yield next(results[pair.language])


@dataclass(frozen=True)
class LanguageAligners:
    """The aligners of a corpus: each pair is aligned by that of its language.

    ``main``        the code of the language of most pairs.
    ``of_language`` the aligners by the code of their language. One alone aligns all pairs.
    """

    main: str
    of_language: Mapping[str, Aligner]

    def of(self, pair: Pair) -> Aligner:
        """Return the aligner of a pair."""
        if len(self.of_language) == 1:
            return self.of_language[self.main]
        return self.of_language[in_own_language(pair, self.main).language]

    def align_all(self, pairs: Iterable[Pair]) -> Iterator[Alignment]:
        """Give the alignments in the order of the pairs (``Aligner.align_all``)."""
        works = {code: aligner.align_all for code, aligner in self.of_language.items()}
        return in_languages(pairs, self.main, works)

    def support(self, pairs: Iterable[Pair]) -> Iterator[Support]:
        """Give the support of the abstracts in the order of the pairs (``Aligner.support``)."""
        works = {code: aligner.support for code, aligner in self.of_language.items()}
        return in_languages(pairs, self.main, works)


def align(
    document: Side,
    abstract: Side,
    *,
    model: str | os.PathLike[str] | None = None,
    tokenizer: str | None = None,
    language: str | None = None,
) -> AlignedPair:
    """Align a document with its abstract.

    ``document``, ``abstract``  a raw string, a list of sentences, or a list of lists of tokens.
    ``model``      the directory of a trained model; without it, one for the language of the texts.
    ``tokenizer``  one of ``corpus_tools.texts.tokenizers.TOKENIZERS``; ``None``: by both texts.
    ``language``   the code of the language; ``None``: by both texts.

    Raises ``BadUsage`` for a side that is no text and for an unknown tokenizer or language,
    ``BadModel`` for a directory without a sound model. Warns with ``OtherLanguage`` where there is
    no general model of the language, and the texts are too few to train on.

    >>> from semihmm import align                                    # doctest: +SKIP
    >>> print(align("The cat sat on the mat.", "A cat sat."))        # doctest: +SKIP
    """
    pair = make_pair(document, abstract, tokenizer=tokenizer, language=language)
    if model is not None:
        return AlignedPair(pair, _loaded(os.fspath(model)).align(pair))
    choice = choose_model(pair.language, len(pair.abstract))
    if choice.reason:
        warn_caller(OtherLanguage(choice.reason))
    if choice.directory is None:
        return AlignedPair(pair, choice.aligner([pair], 1).align(pair))
    return AlignedPair(pair, _loaded(os.fspath(choice.directory), choice.code).align(pair))


@lru_cache(maxsize=4)
def _loaded(model: str, code: str | None = None) -> Aligner:
    """Load a model once. One pair does not need several threads."""
    changes: dict[str, Any] = {} if code is None else {"language": code}
    return Aligner.load(model, workers=1, **changes)
