"""Finds the model that a command aligns with: the one that is named, or one of the language."""

from collections.abc import Iterable, Sequence
from typing import Any

from corpus_tools.languages.language import commonest, language
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import Seen
from semihmm.aligner import Aligner
from semihmm.cli.messages import say, warn
from semihmm.model.settings import Settings, preset
from semihmm.model_of_language import choose_model

FEW = 0.05
"""So many pairs in other languages are not worth a warning, as a share of all.

Of the English pairs in rte2 and edinburgh, one in 600 is taken for another language.
"""


class CommandModel:
    """The model of a command. Raises what ``Aligner.load`` does.

    ``directory``  the model that the command line names; ``None``: the language of the pairs
                   decides.
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
        """Return the settings, as far as they are known before the pairs."""
        return self._named.settings if self._named else preset("default").changed(**self._changes)

    def aligner(self, pairs: Iterable[Pair], seen: Seen, skip: bool = False) -> Aligner:
        """Return the aligner, and say which it is where no model of the language was named.

        ``pairs``  which training goes through, where there is no model of their language.
        ``seen``   what was seen of them.
        ``skip``   whether training goes on without pairs that make the model fail.
        """
        found = commonest(seen.languages)
        others = sum(seen.languages.values()) - seen.languages.get(found, 0)
        if others > seen.pairs * FEW and self._named is None:
            known = sorted(seen.languages.items(), key=lambda item: -item[1])
            numbers = ", ".join(f"{language(code).name} {number}" for code, number in known)
            warn(
                f"the pairs are in several languages ({numbers}), and all are aligned as "
                f"{language(found).name}: give each language a file of its own"
            )
        return self._chosen(found, seen.words, pairs, skip)

    def aligner_of_pairs(self, pairs: Sequence[Pair]) -> Aligner:
        """Return the aligner of pairs that are all in memory, as ``aligner`` does."""
        seen = Seen()
        for pair in pairs:
            seen.add(pair)
        return self.aligner(pairs, seen)

    def aligner_of_pair(self, pair: Pair) -> Aligner:
        """Return the aligner of a pair that is answered before the next one is read."""
        code = pair.language
        if code not in self._of_languages:
            self._of_languages[code] = self._chosen(code, None)
        return self._of_languages[code]

    def _chosen(
        self, found: str, words: int | None, pairs: Iterable[Pair] = (), skip: bool = False
    ) -> Aligner:
        """Return the aligner of pairs in a language, ``words`` of which are in abstracts."""
        if self._named is not None:
            self._named.warn_of_other_language(found)
            return self._named
        choice = choose_model(self._changes.get("language") or found, words)
        if choice.reason:
            say(choice.reason)
        return choice.aligner(pairs, self._workers, skip, **self._changes)
