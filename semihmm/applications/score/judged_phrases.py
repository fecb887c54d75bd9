"""Judges the phrases of an abstract by the kinds of errors of the paper's Table 5."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from corpus_tools.alignments import alignment
from corpus_tools.alignments.alignment import Alignment, gold_alignment, runs
from corpus_tools.languages.language import language
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.texts.forms import normal_form, stem
from corpus_tools.texts.text import Text

RIGHT_KIND = "right"


ERROR_KINDS = {
    "null missed": "the gold leaves the phrase unaligned, the system links it",
    "partial phrase": "some links are right, others are missing or wrong",
    "wrong occurrence": "linked to the right words at another place of the document",
    "coreference": "linked to equal words; the gold links another mention, such as a pronoun",
    "missed rewrite": "linked to other words, or unaligned; the gold links different words",
    "missed identity": "linked to other words, or unaligned; the gold links equal words",
}
"""The kinds of errors, with their meanings for the report."""


LINK_KINDS = (RIGHT_KIND, *ERROR_KINDS)
"""The kinds of phrases of the abstract: right, or one of the error kinds."""


LinkSet = frozenset[WordLink]


@dataclass(frozen=True, slots=True)
class JudgedPhrase:
    """An abstract phrase with the system's links of it, and their kind.

    ``id``        of the pair.
    ``abstract``  the tokens of the phrase in the abstract, ``[start, end)``.
    ``kind``      one of ``LINK_KINDS``.
    ``links``     the system's word links of the phrase, sorted.
    ``summary``, ``true``, ``aligned``  the columns of Table 5: the texts of the abstract phrase,
                  the true phrase and the system's phrase. ``null`` stands for none, ``...`` for a
                  gap.
    """

    id: str
    abstract: tuple[int, int]
    kind: str
    links: list[WordLink]
    summary: str
    true: str
    aligned: str


def judge_phrases(pair: Pair, system: Alignment) -> list[JudgedPhrase]:
    """Judge every phrase of an abstract, in order.

    ``system``  the alignment, of the same texts.

    Raises ``BadData`` for a pair without a hand alignment.
    """
    document, abstract = pair.document.tokens, pair.abstract.tokens
    links = alignment.word_links(system, document, abstract)
    sure, possible = pair.sure_links(), pair.gold_links()
    gold = gold_alignment(pair)
    only_system = {a for _, a in links}.intersection(gold.null)
    spans = {phrase.abstract for phrase in gold.phrases}
    spans |= {(run[0], run[-1] + 1) for run in runs(only_system)}
    judged = []
    for span in sorted(spans):
        chosen, true, certain = (
            frozenset(link for link in some if link[1] in range(*span))
            for some in (links, possible, sure)
        )
        phrase = JudgedPhrase(
            pair.id,
            span,
            _kind(pair, span, chosen, certain, true),
            sorted(chosen),  # a set has any order, and so would the sums over the links
            summary=_text(abstract, range(*span)),
            true=_text(document, {d for d, _ in true}),
            aligned=_text(document, {d for d, _ in chosen}),
        )
        judged.append(phrase)
    return judged


def _kind(
    pair: Pair, span: tuple[int, int], links: LinkSet, sure: LinkSet, possible: LinkSet
) -> str:
    """Return whether a phrase is right, or the first of the error kinds that applies.

    ``links``, ``sure``, ``possible``  L, S and P of the phrase.
    """
    if sure <= links <= possible:
        return RIGHT_KIND
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
        _refers(pair.abstract, range(*span), pair.language)
        or _refers(pair.document, true_phrase, pair.language)
    ):
        return "coreference"
    return "missed rewrite"


def _text(tokens: Sequence[str], offsets: Collection[int]) -> str:
    pieces = (" ".join(tokens[run[0] : run[-1] + 1]) for run in runs(offsets))
    return " ... ".join(pieces) or "null"


def _stems(text: Text, offsets: Iterable[int]) -> set[str]:
    return {stem(normal_form(text.tokens[offset])) for offset in offsets}


def _refers(text: Text, offsets: Collection[int], code: str) -> bool:
    """Tell whether a phrase has a pronoun, or a definite determiner in it or before it.

    ``code``  the code of the language, which lists these words.
    """
    spoken = language(code)
    words = {normal_form(text.tokens[offset]) for offset in offsets}
    before = {normal_form(text.tokens[offset - 1]) for offset in offsets if offset > 0}
    referring = spoken.referring_pronouns | spoken.definite_determiners
    return bool(words & referring or before & spoken.definite_determiners)
