"""Finds the models of a command: the named one, or one for each language of the pairs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from corpus_tools.languages.language import commonest, language
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import Seen
from semihmm.aligner import Aligner
from semihmm.cli.messages import say, warn
from semihmm.model.settings import Settings, preset
from semihmm.model_choice import LanguageAligners, choose_model, in_own_language

FEW_OTHERS = 0.05
"""The share of pairs in other languages up to which there is no warning.

One in 600 English pairs of rte2 and edinburgh is taken for another language.
"""


class CommandModel:
    """The model of a command. Raises the errors of ``Aligner.load``.

    ``directory``  the model that the command line names; ``None``: chosen by the language of each
                   pair.
    ``workers``    the number of threads, ``None`` for all processors.
    ``changes``    the settings that the command line gives.
    """

    def __init__(self, directory: str | None, workers: int | None = None, **changes: Any) -> None:
        self._changes = changes
        self._workers = workers
        self._named = None
        if directory is not None:
            self._named = Aligner.load(directory, workers=workers, **changes)
        self._of_languages: dict[str, Aligner] = {}

    @property
    def settings(self) -> Settings:
        """Return the settings that are known before the pairs are read."""
        return self._named.settings if self._named else preset("default").changed(**self._changes)

    def aligners(self, pairs: Iterable[Pair], seen: Seen, skip: bool = False) -> LanguageAligners:
        """Return the aligners; report them if a language has no general model.

        ``pairs``  the pairs. They are read again if they are in several languages, and for training
                   if a language has no model.
        ``seen``   counts of pairs, words and languages, taken while the pairs were read.
        ``skip``   whether training leaves out pairs that make the model fail.
        """
        main = commonest(seen.languages)
        if self._named is not None:
            self._warn_of_others(seen)
            self._named.warn_of_other_language(main)
            return LanguageAligners(main, {main: self._named})
        if forced := self._changes.get("language"):
            return LanguageAligners(main, {main: self._chosen(forced, seen.words, pairs, skip)})
        words = {main: seen.words}
        if len(seen.languages) > 1:
            numbers: Counter[str] = Counter()
            words = Counter()
            for pair in pairs:
                code = in_own_language(pair, main).language
                numbers[code] += 1
                words[code] += len(pair.abstract)
            if len(words) > 1:
                say(f"each pair is aligned in its own language: {_named_languages(numbers)}")
        return LanguageAligners(
            main,
            {
                code: self._chosen(code, number, _in_language(pairs, code, main), skip)
                for code, number in words.items()
            },
        )

    def _warn_of_others(self, seen: Seen) -> None:
        """Warn of pairs in several languages, all of which the named model aligns."""
        others = seen.pairs - max(seen.languages.values(), default=0)
        if others > seen.pairs * FEW_OTHERS:
            warn(
                f"the pairs are in several languages ({_named_languages(seen.languages)}), and one "
                "model aligns all: without --model each pair is aligned in its own language"
            )

    def aligners_of(self, pairs: Sequence[Pair]) -> LanguageAligners:
        """Return the aligners of pairs in memory (see ``aligners``)."""
        seen = Seen()
        for pair in pairs:
            seen.add(pair)
        return self.aligners(pairs, seen)

    def aligner_of_pair(self, pair: Pair) -> Aligner:
        """Return the aligner of a single pair, in a stream that is answered pair by pair."""
        code = pair.language
        if code not in self._of_languages:
            self._of_languages[code] = self._of_single(code)
        return self._of_languages[code]

    def _of_single(self, code: str) -> Aligner:
        if self._named is None:
            return self._chosen(self._changes.get("language") or code, None)
        self._named.warn_of_other_language(code)
        return self._named

    def _chosen(
        self, code: str, words: int | None, pairs: Iterable[Pair] = (), skip: bool = False
    ) -> Aligner:
        """Return the aligner of pairs in a language, with ``words`` words in their abstracts."""
        choice = choose_model(code, words)
        if choice.reason:
            say(choice.reason)
        return choice.aligner(pairs, self._workers, skip, **self._changes)


def _in_language(pairs: Iterable[Pair], code: str, main: str) -> Iterator[Pair]:
    """Yield the pairs in a language; ``main`` is that of most pairs."""
    for pair in pairs:
        if (placed := in_own_language(pair, main)).language == code:
            yield placed


def _named_languages(numbers: Mapping[str, int]) -> str:
    """Return the names of languages with their numbers of pairs, the commonest first."""
    in_order = sorted(numbers, key=lambda code: -numbers[code])
    return ", ".join(f"{language(code).name} {numbers[code]}" for code in in_order)
