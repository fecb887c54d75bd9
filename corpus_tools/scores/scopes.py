"""Defines which words a score looks at.

These are all words or those outside the ignore list, each also with the oracle null.
"""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from corpus_tools.alignments.alignment import Alignment, word_links
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.scores.score import ScopedLinks
from corpus_tools.texts.ignore_list import content_tokens


@dataclass(frozen=True)
class Scope:
    """Which links of a pair count.

    ``title``        the head of the column in tables.
    ``outside``      only links whose abstract word is not on the ignore list. The document word
                     does not matter: a content word linked to a function word is an error to be
                     seen.
    ``oracle_null``  without the system's links of abstract words that have no link in P (section
                     5.3).
    """

    title: str
    outside: bool
    oracle_null: bool

    def links(
        self, pair: Pair, system: frozenset[WordLink], ignored: AbstractSet[str]
    ) -> ScopedLinks:
        """Return the links that count.

        ``system``   the word links of the alignment that is scored.
        ``ignored``  normal forms on the ignore list.

        Raises ``BadData`` for a pair without a hand alignment.
        """
        sure, possible = pair.sure_links(), pair.gold_links()
        if self.oracle_null:
            system = _of_words({a for _, a in possible}, system)
        if not self.outside:
            return ScopedLinks(system, sure, possible, frozenset(range(len(pair.abstract))))
        words = frozenset(content_tokens(pair.abstract.tokens, ignored))
        return ScopedLinks(
            _of_words(words, system), _of_words(words, sure), _of_words(words, possible), words
        )


def _of_words(words: AbstractSet[int], links: Iterable[WordLink]) -> frozenset[WordLink]:
    """Return the links of some abstract words."""
    return frozenset(link for link in links if link[1] in words)


SCOPES = {
    "all_words": Scope("all words", outside=False, oracle_null=False),
    "outside_ignore_list": Scope("outside the ignore list", outside=True, oracle_null=False),
    "oracle_null_all_words": Scope("all words", outside=False, oracle_null=True),
    "oracle_null_outside_ignore_list": Scope(
        "outside the ignore list", outside=True, oracle_null=True
    ),
}
"""The scopes by name. ``oracle_null_`` before a name is the same scope with the oracle null."""


def scope_names(ignored: AbstractSet[str], *, oracle_null: bool) -> list[str]:
    """Return the names of the scopes with or without the oracle null.

    Without an ignore list the scopes outside it are left out.
    """
    return [
        name
        for name, scope in SCOPES.items()
        if scope.oracle_null == oracle_null and (ignored or not scope.outside)
    ]


def scoped_links(
    matched: Iterable[tuple[Pair, Alignment]], scopes: Iterable[str], ignored: AbstractSet[str]
) -> dict[str, list[ScopedLinks]]:
    """Return the links of all pairs by the name of the scope.

    ``matched``  pairs with the alignments that are scored.
    """
    names = list(scopes)
    by_scope: dict[str, list[ScopedLinks]] = {name: [] for name in names}
    for pair, alignment in matched:
        system = frozenset(word_links(alignment, pair.document.tokens, pair.abstract.tokens))
        for name in names:
            by_scope[name].append(SCOPES[name].links(pair, system, ignored))
    return by_scope
