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

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from corpus_tools.alignments.alignment import Alignment, gold_alignment, runs, word_links
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.texts.text import Text
from corpus_tools.texts.tokenizers import normal_form, stem

RIGHT = "right"
ERROR_KINDS = (
    "null missed",
    "partial phrase",
    "wrong occurrence",
    "coreference",
    "missed rewrite",
    "missed identity",
)
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


Links = frozenset[WordLink]


def judge_phrases(pair: Pair, alignment: Alignment) -> list[JudgedPhrase]:
    """Judge every phrase of an abstract, in order.

    ``alignment``  of the same texts.

    Raises ``BadData`` for a pair without a hand alignment.
    """
    document, abstract = pair.document.tokens, pair.abstract.tokens
    system = word_links(alignment, document, abstract)
    sure, possible = pair.sure_links(), pair.gold_links()
    gold = gold_alignment(pair)
    only_system = {a for _, a in system}.intersection(gold.null)
    spans = {phrase.abstract for phrase in gold.phrases}
    spans |= {(run[0], run[-1] + 1) for run in runs(only_system)}
    judged = []
    for span in sorted(spans):
        chosen, true = _links_of(span, system), _links_of(span, possible)
        phrase = JudgedPhrase(
            pair.id,
            span,
            _kind(pair, span, chosen, _links_of(span, sure), true),
            chosen,
            abstract=_text(abstract, range(*span)),
            true=_text(document, {d for d, _ in true}),
            aligned=_text(document, {d for d, _ in chosen}),
        )
        judged.append(phrase)
    return judged


def _links_of(span: tuple[int, int], links: Iterable[WordLink]) -> Links:
    return frozenset(link for link in links if link[1] in range(*span))


def _kind(pair: Pair, span: tuple[int, int], links: Links, sure: Links, possible: Links) -> str:
    """Return whether a phrase is right, or the first of the error kinds that applies.

    ``links``, ``sure``, ``possible``  L, S and P of the phrase.
    """
    if sure <= links <= possible:
        return RIGHT
    if not possible:
        return "null missed"
    if links & possible:
        return "partial phrase"
    true_phrase = {d for d, _ in possible}
    chosen_stems = _stems(pair.document, (d for d, _ in links))
    true_stems = _stems(pair.document, true_phrase)
    own_stems = _stems(pair.abstract, range(*span))
    if links and chosen_stems <= true_stems:
        return "wrong occurrence"
    if true_stems & own_stems:
        return "missed identity"
    if chosen_stems & own_stems and (
        _refers(pair.abstract, range(*span)) or _refers(pair.document, true_phrase)
    ):
        return "coreference"
    return "missed rewrite"


def _text(tokens: Sequence[str], offsets: Collection[int]) -> str:
    pieces = (" ".join(tokens[run[0] : run[-1] + 1]) for run in runs(offsets))
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
