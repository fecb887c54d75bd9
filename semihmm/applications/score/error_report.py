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
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from corpus_tools.alignments import alignment, formats
from corpus_tools.alignments.alignment import Alignment, gold_alignment
from corpus_tools.alignments.statistics import share
from corpus_tools.base.progress import counted
from corpus_tools.pairs.pair import Pair, WordLink, main_language
from corpus_tools.texts.lexicons import read_ignore_list
from corpus_tools.texts.text_table import Table, written
from semihmm.applications.score.judged_phrases import (
    ERROR_KINDS,
    LINK_KINDS,
    RIGHT_KIND,
    JudgedPhrase,
    judge_phrases,
)
from semihmm.applications.score.score_report import ScoreReport, score, without_oracle
from semihmm.applications.score.scores import SCOPES
from semihmm.model.expectations import LinkComponents

ORACLE_LEGEND = "oracle: abstract words without a gold link stay unaligned (section 5.3)"
ASIDES_LEGEND = "asides: links of words that null emits to related document words"
EXAMPLE_COLUMNS = ("Summary phrase", "True phrase", "Aligned phrase", "Class", "Pair")
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
            tables.append(Table(produced, notes=[ASIDES_LEGEND] * ("asides" in names)))
        if self.examples:
            rows = [[p.summary, p.true, p.aligned, p.kind, p.id] for p in self.examples]
            tables.append(Table([EXAMPLE_COLUMNS, *rows], align="<"))
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
    return Table(rows, notes=[ORACLE_LEGEND])


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
