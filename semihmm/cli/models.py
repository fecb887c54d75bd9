"""Finds the model that a command aligns with: the one that is named, or one of the language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from corpus_tools.languages.language import commonest
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import Seen
from semihmm.aligner import Aligner
from semihmm.cli.messages import say
from semihmm.model.settings import Settings, preset
from semihmm.model_of_language import choose_model


@dataclass(frozen=True)
class CommandModel:
    """The model of a command.

    ``named``    the one that the command line names; ``None``: the language of the pairs decides.
    ``changes``  the settings that the command line gives.
    ``workers``  the number of threads, ``None`` for all processors.
    """

    named: Aligner | None
    changes: dict[str, Any]
    workers: int | None = None
    _of_languages: dict[str, Aligner] = field(default_factory=dict)

    @classmethod
    def load(
        cls, directory: str | None, workers: int | None = None, **changes: Any
    ) -> CommandModel:
        """Load the model that the command line names, if any. Raises what ``Aligner.load`` does."""
        named = None
        if directory is not None:
            named = Aligner.load(directory, workers=workers, **changes)
        return cls(named, changes, workers)

    @property
    def settings(self) -> Settings:
        """Return the settings, as far as they are known before the pairs."""
        if self.named is not None:
            return self.named.settings
        return preset("default").changed(**self.changes)

    def aligner(self, pairs: Iterable[Pair], seen: Seen, skip: bool = False) -> Aligner:
        """Return the aligner, and say which it is where no model of the language was named.

        ``pairs``  which training goes through, where there is no model of their language.
        ``seen``   what was seen of them.
        ``skip``   whether training goes on without pairs that make the model fail.
        """
        return self._chosen(commonest(seen.languages), seen.words, pairs, skip)

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
        if self.named is not None:
            self.named.warn_of_other_language(found)
            return self.named
        choice = choose_model(self.changes.get("language") or found, words)
        if choice.reason:
            say(choice.reason)
        return choice.aligner(pairs, self.workers, skip, **self.changes)
