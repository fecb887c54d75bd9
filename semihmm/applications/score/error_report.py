"""Analyses the errors of alignments as section 5.3 of the paper does.

The report has the shares of links of identical words, the scores with the oracle null, and the
kinds of errors (Table 5) with examples.

Each phrase of the abstract is judged. The phrases are those of the hand alignment
(``gold_alignment``), and the longest runs of words that only the system links. Let L be the
system's word links of the phrase, S its sure links, P its sure and possible links. Words are equal
if their Porter stems are. A phrase is right if S <= L <= P. Otherwise its kind is the first of
these errors that applies:

null missed       the hand alignment links nothing here, but the system does.
partial phrase    L and P have links in common, but some are missing or wrong.
wrong occurrence  all document words of L are among the words of the true phrase, but at another
                  place.
coreference       the system chose words of the abstract phrase itself, but the true phrase has none
                  of them, and one of the two phrases refers to something known: it has a pronoun,
                  or a definite determiner in it or before it.
missed rewrite    the abstract phrase and the true phrase have no word in common, and the system
                  chose other words or none.
missed identity   they have words in common, and the system chose other words or none.
"""

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from corpus_tools.alignments import alignment, formats
from corpus_tools.alignments.alignment import Alignment, gold_alignment, runs
from corpus_tools.alignments.statistics import share
from corpus_tools.base.progress import counted
from corpus_tools.languages.language import language
from corpus_tools.pairs.pair import Pair, WordLink, main_language
from corpus_tools.texts.forms import normal_form, stem
from corpus_tools.texts.lexicons import read_ignore_list
from corpus_tools.texts.text import Text
from corpus_tools.texts.text_table import Table, written
from semihmm.applications.score.score_report import ScoreReport, score, without_oracle
from semihmm.applications.score.scores import SCOPES, links_of_words
from semihmm.model.expectations import LinkComponents

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

LinkSet = AbstractSet[WordLink]

LINK_KINDS = (RIGHT_KIND, *ERROR_KINDS)
"""The kinds of phrases of the abstract: right, or one of the error kinds."""


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
        chosen, certain, true = (
            links_of_words(some, range(*span)) for some in (links, sure, possible)
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


NamedComponents = tuple[tuple[str, ...], Mapping[str, LinkComponents]]
"""The names of a model's rewrite models, and for each pair their shares in its links, by id."""

IDENTITY_SHARES = {
    "identical": "identical sides, of phrases",
    "same_stems": "same stems, of phrases",
    "identical_words": "identical sides, of words",
    "same_stems_words": "same stems, of words",
}
"""The shares of links whose two sides are alike, and their titles."""


@dataclass(frozen=True)
class ErrorReport:
    """The errors of alignments by kind, with examples.

    ``gold``, ``system``  the shares of their links with alike sides (``IDENTITY_SHARES``).
    ``scores``      the scores with and without the oracle null (section 5.3).
    ``kinds``       the number of abstract phrases of each kind, the right ones first.
    ``words``       the number of words in these phrases.
    ``examples``    phrases of each error kind, drawn at random.
    ``components``  for each kind, the share of each rewrite model in the system's word links of
                    such phrases. Empty without a model.
    """

    gold: dict[str, float]
    system: dict[str, float]
    scores: ScoreReport
    kinds: dict[str, int]
    words: dict[str, int]
    examples: list[JudgedPhrase]
    components: dict[str, dict[str, float]]

    def as_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        return asdict(self) | {"scores": self.scores.as_dict()}

    def table(self) -> str:
        """Return the report for a terminal."""
        alike = [["Links with", "gold", "system"]]
        for name, title in IDENTITY_SHARES.items():
            alike.append([title, f"{self.gold[name]:.1%}", f"{self.system[name]:.1%}"])
        tables = [Table(alike), _oracle_table(self.scores), self._kinds_table()]
        if self.components:
            names = list(next(iter(self.components.values())))
            produced = [["Word links, produced by", *names]]
            for kind, shares in self.components.items():
                produced.append([kind, *(f"{share:.1%}" for share in shares.values())])
            legend = "asides: links of words that null emits to related document words"
            tables.append(Table(produced, notes=[legend] * ("asides" in names)))
        if self.examples:
            head = ["Summary phrase", "True phrase", "Aligned phrase", "Class", "Pair"]
            rows = [[p.summary, p.true, p.aligned, p.kind, p.id] for p in self.examples]
            tables.append(Table([head, *rows], align="<"))
        return written([*tables, Table(notes=[self.scores.signature])], "text")

    def _kinds_table(self) -> Table:
        total = sum(self.kinds.values())
        wrong = total - self.kinds[RIGHT_KIND]
        rows = [["Phrases of the abstract", "phrases", "of all", "of errors", "words"]]
        for kind, count in self.kinds.items():
            of_errors = "" if kind == RIGHT_KIND else f"{share(count, wrong):.1%}"
            words = str(self.words[kind])
            rows.append([kind, str(count), f"{share(count, total):.1%}", of_errors, words])
        meanings = [f"{kind}: {meaning}" for kind, meaning in ERROR_KINDS.items()]
        return Table(rows, notes=meanings)


def _oracle_table(report: ScoreReport) -> Table:
    rows = [["Scores", "SoftP", "with oracle", "SoftF", "with oracle"]]
    for scope, before in without_oracle(report.scores).items():
        both = before, report.scores[f"oracle_null_{scope}"]
        figures = [some[name] for name in ("soft_precision", "soft_f") for some in both]
        rows.append([SCOPES[scope].title, *(f"{figure.value:.3f}" for figure in figures)])
    legend = "oracle: abstract words without a gold link stay unaligned (section 5.3)"
    return Table(rows, notes=[legend])


def error_report(
    pairs: Sequence[Pair],
    alignments: Mapping[str, Alignment],
    ignore: str = "default",
    *,
    examples: int = 3,
    seed: int = 0,
    components: NamedComponents | None = None,
) -> ErrorReport:
    """Compare alignments with the hand alignments of the pairs.

    ``examples``    the number of examples of each error kind; ``seed`` draws them.
    ``components``  those of the model that made the alignments (``component_links``).

    Raises ``BadData`` as ``semihmm.applications.score.score_report.score`` does.
    """
    scores = score(pairs, alignments, ignore, seed=seed)
    ignored = read_ignore_list(ignore, main_language(pairs))
    gold = [(pair, gold_alignment(pair), pair.gold_links()) for pair in pairs]
    system = [
        (pair, aligned, alignment.word_links(aligned, pair.document.tokens, pair.abstract.tokens))
        for pair, aligned in formats.match(pairs, alignments)
    ]
    by_kind: dict[str, list[JudgedPhrase]] = {kind: [] for kind in LINK_KINDS}
    for pair, aligned, _ in counted(system, "errors"):
        for phrase in judge_phrases(pair, aligned):
            by_kind[phrase.kind].append(phrase)
    generator = random.Random(seed)
    drawn = [
        example
        for kind in ERROR_KINDS
        for example in generator.sample(by_kind[kind], min(examples, len(by_kind[kind])))
    ]
    return ErrorReport(
        _identity(gold, ignored),
        _identity(system, ignored),
        scores,
        {kind: len(phrases) for kind, phrases in by_kind.items()},
        {kind: sum(len(range(*p.abstract)) for p in phrases) for kind, phrases in by_kind.items()},
        drawn,
        _component_shares(by_kind, components) if components else {},
    )


def _identity(
    aligned: Sequence[tuple[Pair, Alignment, AbstractSet[WordLink]]], ignored: AbstractSet[str]
) -> dict[str, float]:
    """Return the shares of links with alike sides, of phrases and of single words."""
    from semihmm.applications.stats import link_counts

    in_words = [
        (pair, alignment.from_word_links(pair.id, links, len(pair.abstract)))
        for pair, _, links in aligned
    ]
    measured = (link_counts(some, ignored) for some in ([row[:2] for row in aligned], in_words))
    figures = [
        share(counts[name], counts["phrases"])
        for counts in measured
        for name in ("identical", "same stems")
    ]
    return dict(zip(IDENTITY_SHARES, figures, strict=True))


def _component_shares(
    by_kind: Mapping[str, Sequence[JudgedPhrase]], components: NamedComponents
) -> dict[str, dict[str, float]]:
    """Return the mean share of each rewrite model in the links, by error kind.

    Only links with features count.
    """
    names, links = components
    nothing = np.zeros(len(names))
    shares = {}
    for kind, phrases in by_kind.items():
        parts = [links[phrase.id].get(link, nothing) for phrase in phrases for link in phrase.links]
        total = sum((part / part.sum() for part in parts if part.any()), nothing)
        if total.any():
            shares[kind] = dict(zip(names, (total / total.sum()).tolist(), strict=True))
    return shares
