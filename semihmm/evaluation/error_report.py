"""Analyses the errors of alignments as section 5.3 of the paper does.

How much the system links identical words, what null costs, and the kinds of errors with examples.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from corpus_tools.alignments.alignment import (
    Alignment,
    from_word_links,
    gold_alignment,
    match,
    word_links,
)
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.progress import counted
from corpus_tools.scores.error_kinds import ERROR_KINDS, RIGHT, JudgedPhrase, judge_phrases
from corpus_tools.scores.scopes import SCOPES
from corpus_tools.scores.score_report import ScoreReport, score, without_oracle
from corpus_tools.statistics.alignment_statistics import alignment_statistics
from corpus_tools.statistics.corpus_statistics import share
from corpus_tools.texts.ignore_list import read_ignore_list
from corpus_tools.texts.text_table import text_table
from semihmm.decoding import LinkComponents

EXAMPLE_COLUMNS = ("Summary phrase", "True phrase", "Aligned phrase", "Class", "Pair")
KINDS = (RIGHT, *ERROR_KINDS)
"""What a phrase of the abstract can be: right, or one of the error kinds."""
Components = tuple[tuple[str, ...], Mapping[str, LinkComponents]]
"""The names of a model's rewrite models, and what each gave to the links of a pair, by its id."""


@dataclass(frozen=True)
class Identity:
    """The shares of phrase links and of word links whose two sides are alike.

    ``identical``, ``same_stems``              of phrase links.
    ``identical_words``, ``same_stems_words``  of word links.
    """

    identical: float
    same_stems: float
    identical_words: float
    same_stems_words: float


@dataclass(frozen=True)
class ErrorReport:
    """The errors of alignments by kind, with examples.

    ``gold``, ``system``  how much they link what is alike.
    ``scores``      with and without the oracle null (section 5.3).
    ``kinds``       abstract phrases by error kind, the right ones first.
    ``words``       the words in these phrases.
    ``examples``    of each error kind, drawn at random.
    ``components``  by error kind: of the system's word links in such phrases, the share that each
                    rewrite model produced. Empty without a model.
    """

    gold: Identity
    system: Identity
    scores: ScoreReport
    kinds: dict[str, int]
    words: dict[str, int]
    examples: list[JudgedPhrase]
    components: dict[str, dict[str, float]]

    def as_dict(self) -> dict[str, Any]:
        """Return the report for JSON."""
        scores = self.scores.as_dict()
        examples = [example.as_dict() for example in self.examples]
        return asdict(self) | {"scores": scores, "examples": examples}

    def table(self) -> str:
        """Return the report for a terminal."""
        blocks = [
            _identity_block(self.gold, self.system),
            _oracle_block(self.scores),
            _kinds_block(self.kinds, self.words),
        ]
        if self.components:
            blocks.append(_component_block(self.components))
        if self.examples:
            blocks.append(_example_block(self.examples))
        return "\n\n".join([*blocks, self.scores.signature])


def error_report(
    pairs: Sequence[Pair],
    alignments: Mapping[str, Alignment],
    ignore: str = "default",
    *,
    examples: int = 3,
    seed: int = 0,
    components: Components | None = None,
) -> ErrorReport:
    """Compare alignments with the hand alignments of the pairs.

    ``examples``    of each error kind; ``seed`` draws them.
    ``components``  of the model that made the alignments (``component_links``).

    Raises ``BadData`` as ``score_report.score`` does.
    """
    scores = score(pairs, alignments, ignore, seed=seed)
    matched, ignored = match(pairs, alignments), read_ignore_list(ignore)
    gold = [(pair, gold_alignment(pair)) for pair in pairs]
    gold_links = [pair.gold_links() for pair in pairs]
    system_links = [
        word_links(alignment, pair.document.tokens, pair.abstract.tokens)
        for pair, alignment in matched
    ]
    phrases = [
        phrase
        for pair, alignment in counted(matched, "errors")
        for phrase in judge_phrases(pair, alignment)
    ]
    kinds = dict.fromkeys(KINDS, 0)
    words = dict.fromkeys(KINDS, 0)
    for phrase in phrases:
        kinds[phrase.kind] += 1
        words[phrase.kind] += len(range(*phrase.span))
    return ErrorReport(
        _identity(gold, gold_links, ignored),
        _identity(matched, system_links, ignored),
        scores,
        kinds,
        words,
        _draw_examples(phrases, examples, seed),
        _component_shares(phrases, components) if components else {},
    )


def _identity(
    matched: Sequence[tuple[Pair, Alignment]],
    links: Iterable[AbstractSet[WordLink]],
    ignored: AbstractSet[str],
) -> Identity:
    """Measure alignments as they are, and as one-word phrases of their word links."""
    in_words = [
        (pair, from_word_links(pair.id, some, len(pair.abstract)))
        for (pair, _), some in zip(matched, links, strict=True)
    ]
    by_phrase = alignment_statistics(matched, ignored)
    by_word = alignment_statistics(in_words, ignored)
    return Identity(
        by_phrase.identical, by_phrase.same_stems, by_word.identical, by_word.same_stems
    )


def _draw_examples(phrases: Sequence[JudgedPhrase], count: int, seed: int) -> list[JudgedPhrase]:
    """Draw as many phrases of each error kind, or all if there are fewer."""
    generator = random.Random(seed)
    examples: list[JudgedPhrase] = []
    for kind in ERROR_KINDS:
        candidates = [phrase for phrase in phrases if phrase.kind == kind]
        examples += generator.sample(candidates, min(count, len(candidates)))
    return examples


def _component_shares(
    phrases: Iterable[JudgedPhrase], components: Components
) -> dict[str, dict[str, float]]:
    """Return the mean share of each rewrite model in the links, by error kind.

    Only links with evidence count.
    """
    names, links = components
    sums = {kind: np.zeros(len(names)) for kind in KINDS}
    for phrase in phrases:
        for link in phrase.links:
            parts = links[phrase.id].get(link, np.zeros(len(names)))
            if parts.any():
                sums[phrase.kind] += parts / parts.sum()
    return {
        kind: dict(zip(names, (parts / parts.sum()).tolist(), strict=True))
        for kind, parts in sums.items()
        if parts.any()
    }


def _identity_block(gold: Identity, system: Identity) -> str:
    titles = {
        "identical": "identical sides, of phrases",
        "same_stems": "same stems, of phrases",
        "identical_words": "identical sides, of words",
        "same_stems_words": "same stems, of words",
    }
    rows = [["Links with", "gold", "system"]]
    for name, title in titles.items():
        rows.append([title, f"{getattr(gold, name):.1%}", f"{getattr(system, name):.1%}"])
    return text_table(rows)


def _oracle_block(report: ScoreReport) -> str:
    rows = [["Null where the gold has it", "SoftP", "with oracle", "SoftF", "with oracle"]]
    for scope, before in without_oracle(report.scores).items():
        after = report.scores[f"oracle_null_{scope}"]
        row = [SCOPES[scope].title]
        for name in ("soft_precision", "soft_f"):
            row += [f"{some[name].value:.3f}" for some in (before, after)]
        rows.append(row)
    return text_table(rows)


def _kinds_block(kinds: Mapping[str, int], words: Mapping[str, int]) -> str:
    total = sum(kinds.values())
    wrong = total - kinds[RIGHT]
    rows = [["Phrases of the abstract", "phrases", "of all", "of errors", "words"]]
    for kind, count in kinds.items():
        of_all = f"{share(count, total):.1%}"
        of_errors = "" if kind == RIGHT else f"{share(count, wrong):.1%}"
        rows.append([kind, str(count), of_all, of_errors, str(words[kind])])
    return text_table(rows)


def _component_block(components: Mapping[str, Mapping[str, float]]) -> str:
    names = list(next(iter(components.values())))
    rows = [["Word links, produced by", *names]]
    for kind, shares in components.items():
        rows.append([kind, *(f"{shares[name]:.1%}" for name in names)])
    return text_table(rows)


def _example_block(examples: Sequence[JudgedPhrase]) -> str:
    rows = (
        [phrase.abstract, phrase.true, phrase.aligned, phrase.kind, phrase.id]
        for phrase in examples
    )
    return text_table([EXAMPLE_COLUMNS, *rows], "<")
