"""Chooses the model that aligns a pair: the named one, or else one for the language of the pair.

The program has a general model for some languages. For other languages, a model is trained on the
pairs themselves. If there are too few pairs to learn from, the general model of English aligns them
without its knowledge of English: by equal words, similar words and jumps.

``choose_model`` is this rule for one language, ``ModelChooser`` applies it to all pairs of a
corpus, and ``align`` to a single pair.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.base.errors import OtherLanguage, SemiHmmWarning, number_of, warn_caller
from corpus_tools.languages.detection import outweighs, sample
from corpus_tools.languages.language import ENGLISH, commonest
from corpus_tools.languages.language import language as language_of
from corpus_tools.pairs.corpus_files import ReadingStats
from corpus_tools.pairs.fields import Side
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.records import make_pair
from corpus_tools.texts.sentences import split_sentences
from semihmm.aligned_pair import AlignedPair
from semihmm.aligner import Aligner
from semihmm.model.saving import GENERAL_MODEL
from semihmm.model.settings import Settings, preset

if TYPE_CHECKING:
    from semihmm.applications.support import Support

Result = TypeVar("Result")

GENERAL_MODELS = {ENGLISH: GENERAL_MODEL}
"""The general models by the code of their language. A new one is a folder and a line."""

ENOUGH_WORDS = 300
"""The number of abstract words from which a model is trained on the texts.

On samples of English texts without WordNet and function words, a model of the texts had a higher
SoftF from 392 words on. With 207 words or fewer, the general model had a higher one, except in one
sample of 200 (docs/research/texts.md).
"""

FEW_OTHERS = 0.05
"""The share of pairs in other languages up to which a named model aligns them without a warning.

One in 600 English pairs of rte2 and edinburgh is taken for another language.
"""


@dataclass(frozen=True)
class ModelChoice:
    """The choice of a model for the pairs of a language.

    ``code``       the code of the language.
    ``directory``  the model to load; ``None``: train one on the pairs.
    ``reason``     the message for users; empty if the model is one of the language.
    """

    code: str
    directory: Path | None
    reason: str = ""

    def aligner(
        self, pairs: Iterable[Pair], workers: int | None, skip: bool = False, **changes: Any
    ) -> Aligner:
        """Return the aligner; train it on the pairs if there is no model to load.

        ``skip``     whether training leaves out pairs that make the model fail.
        ``changes``  settings that may change after training.
        """
        changes = {**changes, "language": self.code}
        if self.directory is not None:
            return Aligner.load(self.directory, workers=workers, **changes)
        made = Aligner(workers=workers, language=self.code).fit(pairs, skip_bad_pairs=skip)
        return made.set_params(**changes)


def choose_model(code: str, abstract_words: int | None) -> ModelChoice:
    """Choose the model for pairs in a language.

    ``abstract_words``  their number; ``None`` for pairs that arrive one by one: no training.
    """
    if directory := GENERAL_MODELS.get(code):
        return ModelChoice(code, directory)
    texts = f"the texts are {language_of(code).name}, which has no general model"
    if abstract_words is not None and abstract_words >= ENOUGH_WORDS:
        return ModelChoice(code, None, f"{texts}: a model is trained on them")
    instead = "only equal and similar words are linked"
    if abstract_words is None:
        return ModelChoice(code, GENERAL_MODEL, f"{texts}: {instead}; train a model, and name it")
    few = number_of(abstract_words, "abstract word")
    verb = "is" if abstract_words == 1 else "are"
    too_few = f"{few} {verb} too few to learn from ({ENOUGH_WORDS} are enough)"
    return ModelChoice(
        code, GENERAL_MODEL, f"{texts}, and {too_few}: {instead}; give more pairs or name a model"
    )


def joined_reason(choices: Sequence[ModelChoice]) -> str:
    """Return one message for the choices of several languages; empty if each has a model."""
    without = [choice for choice in choices if choice.reason]
    if len(without) < 2:
        return "".join(choice.reason for choice in without)
    trained = [language_of(one.code).name for one in without if one.directory is None]
    few = [language_of(one.code).name for one in without if one.directory is not None]
    parts = [f"no general model of {number_of(len(without), 'language')}"]
    parts += [f"training on the texts in {', '.join(trained)}"] if trained else []
    if few:
        shown = f"{', '.join(few)} (fewer than {ENOUGH_WORDS} abstract words)"
        parts.append(f"only equal and similar words are linked in {shown}")
    return "; ".join(parts)


def in_own_language(pair: Pair, main: str) -> Pair:
    """Return the pair, in the language of most pairs if its own language is uncertain.

    ``main``  the code of the language of most pairs. The language of a few words is uncertain.
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
    """Apply a function to the pairs of each language; yield the results in the order of the pairs.

    ``main``   the code of the language of most pairs.
    ``works``  the functions by the code of the language; each yields one result for each pair. A
               single function gets all pairs, which may be a stream. With several functions, all
               pairs are in memory.
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
    """The aligners of a corpus: the aligner of its language aligns each pair.

    ``main``         the code of the language of most pairs.
    ``of_language``  the aligners by the code of their language. A single one aligns all pairs.
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


class ModelChooser:
    """The models of a run: the named one, or one for each language of the pairs.

    ``directory``  the named model; ``None``: a model is chosen by the language of each pair.
    ``report``     receives a message if pairs are in several languages, or in a language without a
                   general model.
    ``workers``    the number of threads; ``None``: one for each processor.
    ``changes``    settings that may change after training.

    Raises the errors of ``Aligner.load``.
    """

    def __init__(
        self,
        directory: str | None,
        report: Callable[[str], None],
        workers: int | None = None,
        **changes: Any,
    ) -> None:
        self._changes = changes
        self._workers = workers
        self._report = report
        self._named = None
        if directory is not None:
            self._named = Aligner.load(directory, workers=workers, **changes)
        self._of_languages: dict[str, Aligner] = {}

    @property
    def settings(self) -> Settings:
        """Return the settings that are known before the pairs are read."""
        return self._named.settings if self._named else preset("default").changed(**self._changes)

    def aligners(
        self, pairs: Iterable[Pair], stats: ReadingStats, skip: bool = False
    ) -> LanguageAligners:
        """Return the aligners of all pairs.

        ``pairs``  the pairs. They are read again if they are in several languages, and for training
                   if a language has no model.
        ``stats``  the counts of pairs, words and languages from reading the pairs.
        ``skip``   whether training leaves out pairs that make the model fail.
        """
        main = commonest(stats.languages)
        if self._named is not None:
            self._warn_of_others(stats)
            self._named.warn_of_other_language(main)
            return LanguageAligners(main, {main: self._named})
        forced = self._changes.get("language")
        words = {main: stats.words}
        if not forced and len(stats.languages) > 1:
            if 2 * stats.languages[main] <= stats.pairs:
                # No language is that of most pairs.
                main = ENGLISH
            numbers: Counter[str] = Counter()
            words = Counter()
            for pair in pairs:
                code = in_own_language(pair, main).language
                numbers[code] += 1
                words[code] += len(pair.abstract)
            if len(words) > 1:
                shown = _named_languages(numbers)
                self._report(f"each pair is aligned in its own language: {shown}")
        choices = {code: choose_model(forced or code, number) for code, number in words.items()}
        if reason := joined_reason([*choices.values()]):
            self._report(reason)
        aligners = {}
        for code, choice in choices.items():
            of_code = pairs if forced else _in_language(pairs, code, main)
            aligners[code] = choice.aligner(of_code, self._workers, skip, **self._changes)
        return LanguageAligners(main, aligners)

    def _warn_of_others(self, stats: ReadingStats) -> None:
        """Warn of pairs in several languages, all of which the named model aligns."""
        others = stats.pairs - max(stats.languages.values(), default=0)
        if others > stats.pairs * FEW_OTHERS:
            problem = (
                f"the pairs are in several languages ({_named_languages(stats.languages)}), and "
                "one model aligns all: name no model, and each pair is aligned in its own language"
            )
            warn_caller(OtherLanguage(problem))

    def aligners_of(self, pairs: Sequence[Pair]) -> LanguageAligners:
        """Return the aligners of pairs in memory."""
        stats = ReadingStats()
        for pair in pairs:
            stats.add(pair)
        return self.aligners(pairs, stats)

    def aligner_of_pair(self, pair: Pair) -> Aligner:
        """Return the aligner of a single pair, in a stream that is answered pair by pair."""
        code = pair.language
        if code not in self._of_languages:
            if self._named is not None:
                self._named.warn_of_other_language(code)
                self._of_languages[code] = self._named
            else:
                choice = choose_model(self._changes.get("language") or code, None)
                if choice.reason:
                    self._report(choice.reason)
                self._of_languages[code] = choice.aligner((), self._workers, **self._changes)
        return self._of_languages[code]


def _in_language(pairs: Iterable[Pair], code: str, main: str) -> Iterator[Pair]:
    """Yield the pairs in a language.

    ``main``  the code of the language of most pairs.
    """
    for pair in pairs:
        if (placed := in_own_language(pair, main)).language == code:
            yield placed


def _named_languages(numbers: Mapping[str, int]) -> str:
    """Return the names of languages with their numbers of pairs, the commonest first."""
    in_order = sorted(numbers, key=lambda code: -numbers[code])
    return ", ".join(f"{language_of(code).name} {numbers[code]}" for code in in_order)


def several_texts(document: Side, abstract: Side) -> int:
    """Return the number of texts of two lists that seem to be columns of pairs; 0 otherwise.

    They are of one length, and half of the documents or more have several sentences.
    """
    sides = (document, abstract)
    if not all(isinstance(side, list) and len(side) == len(document) for side in sides):
        return 0
    strings = [text for text in document if isinstance(text, str)]
    long = sum(len(split_sentences(text)) > 1 for text in strings)
    return len(document) if len(strings) > 1 and 2 * long >= len(document) else 0


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
    ``tokenizer``  one of ``corpus_tools.texts.tokenizers.TOKENIZERS``; ``None``: detected.
    ``language``   the code of the language; ``None``: detected.

    Raises ``BadUsage`` for a side that is no text and for an unknown tokenizer or language,
    ``BadModel`` for a directory without a valid model. Warns with ``OtherLanguage`` if the language
    has no general model and the texts are too short to train on.

    >>> from semihmm import align                                    # doctest: +SKIP
    >>> print(align("The cat sat on the mat.", "A cat sat."))        # doctest: +SKIP
    """
    if texts := several_texts(document, abstract):
        warn_caller(
            SemiHmmWarning(
                f"two lists of {texts} texts are read as the sentences of one pair: for "
                "several pairs, align zip(documents, abstracts) by Aligner.load().align"
            )
        )
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
