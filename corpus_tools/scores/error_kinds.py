"""Finds the errors of an alignment and their kinds.

Daumé III and Marcu (2005), section 5.3 and Table 5.

Each phrase of the abstract is judged. The phrases are those of the hand alignment
(``gold_alignment``), and beside them the longest runs of words that it leaves alone but the system
links. Let L be the system's word links of the phrase, S its sure links, P its sure and possible
links. Words are compared by Porter stem. A phrase is right if L holds all of S and nothing outside
P. Otherwise its error kind is the first that applies:

null missed       the hand alignment links nothing here, the system does.
partial phrase    some of L is in P: there is too much or too little of it.
wrong occurrence  all document words of L are among the words of the true phrase: the right words,
                  elsewhere.
coreference       the system chose words of the abstract phrase itself, but the true phrase has none
                  of them, and one of the two refers to something known: it has a pronoun, or a
                  definite determiner in it or before it.
missed rewrite    the abstract phrase and the true phrase have no word in common, and the system
                  chose other words or none.
missed identity   they have words in common, and the system chose other words or none.

To choose none is an error only if there are sure links.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

from corpus_tools.alignments.alignment import Alignment, gold_alignment, runs, word_links
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.texts.text import Text
from corpus_tools.texts.tokenizers import normal_form, stem

RIGHT = "right"
# fmt: off
DETERMINERS = frozenset({
    "the", "this", "that", "these", "those", "its", "his", "her", "their", "our", "my", "your",
})
PRONOUNS = frozenset({
    "it", "he", "she", "they", "him", "her", "them", "his", "hers", "its", "their", "theirs",
    "who", "whom", "whose", "which", "itself", "himself", "herself", "themselves", "i", "we", "you",
    "me", "us", "my", "our", "your", "mine", "ours", "yours",
})
# fmt: on


@dataclass(frozen=True, slots=True)
class JudgedPhrase:
    """An abstract phrase with what the system made of it.

    ``id``      of the pair.
    ``span``    the tokens of the phrase in the abstract, ``[start, end)``.
    ``kind``    ``RIGHT`` or a name in ``ERROR_KINDS``.
    ``links``   the system's word links of the phrase.
    ``abstract``, ``true``, ``aligned``  the columns of Table 5: the texts of the abstract phrase,
                the true phrase and the system's phrase. ``null`` stands for none, ``...`` for a
                gap.
    """

    id: str
    span: tuple[int, int]
    kind: str
    links: frozenset[WordLink]
    abstract: str
    true: str
    aligned: str

    def as_dict(self) -> dict[str, Any]:
        """Return the phrase for JSON."""
        return {
            "id": self.id,
            "abstract": self.span,
            "kind": self.kind,
            "links": sorted(self.links),
            "summary": self.abstract,
            "true": self.true,
            "aligned": self.aligned,
        }


@dataclass(frozen=True)
class _Phrase:
    """An abstract phrase as the rules see it. The links are of its words only."""

    pair: Pair
    span: tuple[int, int]
    links: frozenset[WordLink]
    sure: frozenset[WordLink]
    possible: frozenset[WordLink]

    @property
    def own_stems(self) -> set[str]:
        """Return the stems of the abstract phrase."""
        return _stems(self.pair.abstract, range(*self.span))

    @property
    def chosen_stems(self) -> set[str]:
        """Return the stems of the document words that the system chose."""
        return _stems(self.pair.document, (d for d, _ in self.links))

    @property
    def true_stems(self) -> set[str]:
        """Return the stems of the true phrase."""
        return _stems(self.pair.document, (d for d, _ in self.possible))

    def is_right(self) -> bool:
        """Return whether all sure links are there and no wrong one."""
        return self.sure <= self.links <= self.possible

    def is_wrong_occurrence(self) -> bool:
        """Return whether the system chose the right words elsewhere."""
        return bool(self.links) and self.chosen_stems <= self.true_stems

    def is_coreference(self) -> bool:
        """Return whether the system took the same word where the true phrase refers to it."""
        if not self.chosen_stems & self.own_stems or self.true_stems & self.own_stems:
            return False
        true_phrase = {d for d, _ in self.possible}
        return _refers(self.pair.abstract, range(*self.span)) or _refers(
            self.pair.document, true_phrase
        )


ERROR_KINDS: dict[str, Callable[[_Phrase], bool]] = {
    "null missed": lambda phrase: not phrase.possible,
    "partial phrase": lambda phrase: bool(phrase.links & phrase.possible),
    "wrong occurrence": _Phrase.is_wrong_occurrence,
    "coreference": _Phrase.is_coreference,
    "missed rewrite": lambda phrase: not phrase.true_stems & phrase.own_stems,
    "missed identity": lambda phrase: True,
}
"""The rule of each error kind. The first that holds applies."""


def judge_phrases(pair: Pair, alignment: Alignment) -> list[JudgedPhrase]:
    """Judge every phrase of an abstract, in order.

    ``alignment``  of the same texts.

    Raises ``BadData`` for a pair without a hand alignment.
    """
    links = word_links(alignment, pair.document.tokens, pair.abstract.tokens)
    system_links = _by_abstract_word(links)
    sure_links = _by_abstract_word(pair.sure_links())
    possible_links = _by_abstract_word(pair.gold_links())
    judged = []
    for span in _spans(pair, system_links.keys()):
        phrase = _Phrase(
            pair,
            span,
            _links_of(span, system_links),
            _links_of(span, sure_links),
            _links_of(span, possible_links),
        )
        judged.append(_judge(phrase))
    return judged


def _by_abstract_word(links: Iterable[WordLink]) -> dict[int, set[WordLink]]:
    by_word = defaultdict(set)
    for link in links:
        by_word[link[1]].add(link)
    return by_word


def _links_of(span: tuple[int, int], links: dict[int, set[WordLink]]) -> frozenset[WordLink]:
    return frozenset(link for a in range(*span) for link in links.get(a, ()))


def _spans(pair: Pair, linked: AbstractSet[int]) -> list[tuple[int, int]]:
    """Return the abstract phrases of the hand alignment and the runs that only the system links.

    ``linked``  the abstract words that the system links.
    """
    gold = gold_alignment(pair)
    only_system = runs(a for a in gold.null if a in linked)
    spans = {phrase.abstract for phrase in gold.phrases}
    return sorted(spans | {(run[0], run[-1] + 1) for run in only_system})


def _judge(phrase: _Phrase) -> JudgedPhrase:
    if phrase.is_right():
        kind = RIGHT
    else:
        kind = next(kind for kind, applies in ERROR_KINDS.items() if applies(phrase))
    document, abstract = phrase.pair.document.tokens, phrase.pair.abstract.tokens
    return JudgedPhrase(
        phrase.pair.id,
        phrase.span,
        kind,
        phrase.links,
        abstract=_text(abstract, range(*phrase.span)),
        true=_text(document, {d for d, _ in phrase.possible}),
        aligned=_text(document, {d for d, _ in phrase.links}),
    )


def _text(tokens: Sequence[str], offsets: Collection[int]) -> str:
    pieces = (" ".join(tokens[offset] for offset in run) for run in runs(offsets))
    return " ... ".join(pieces) or "null"


def _stems(text: Text, offsets: Iterable[int]) -> set[str]:
    return {stem(normal_form(text.tokens[offset])) for offset in offsets}


def _refers(text: Text, offsets: Iterable[int]) -> bool:
    """Return whether some words refer to something known."""
    forms = [normal_form(token) for token in text.tokens]
    return any(
        forms[offset] in PRONOUNS
        or forms[offset] in DETERMINERS
        or (offset > 0 and forms[offset - 1] in DETERMINERS)
        for offset in offsets
    )
