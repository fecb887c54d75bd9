"""The error analysis of section 5.3: how much the system trusts identity, what null costs, kinds of errors with examples."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from corpus_tools.alignments.alignment import Alignment, from_word_links, word_links
from corpus_tools.alignments.gold import gold_alignment
from corpus_tools.alignments.matching import match
from corpus_tools.pairs.pair import Pair
from corpus_tools.scores.error_kinds import ERROR_KINDS, RIGHT, Judged, judged
from corpus_tools.scores.scopes import SCOPES
from corpus_tools.scores.score_report import ScoreReport, score
from corpus_tools.statistics.alignment_statistics import alignment_statistics
from corpus_tools.statistics.corpus_statistics import share
from corpus_tools.texts.ignore_list import read_ignore_list
from corpus_tools.texts.text_table import text_table
from semihmm.decoding.component_links import LinkComponents

EXAMPLE_COLUMNS = ("Summary phrase", "True phrase", "Aligned phrase", "Class", "Pair")


@dataclass(frozen=True)
class Identity:
    """Of the phrase links and of the word links: the shares whose two sides are identical, or the same up to stems."""

    identical: float
    same_stems: float
    identical_words: float
    same_stems_words: float


@dataclass(frozen=True)
class ErrorReport:
    """What ``semihmm errors`` prints.

    ``gold``, ``system``  how much they link what is alike.
    ``scores``      with and without the oracle null: where the hand alignment has null, so has the system (section 5.3).
    ``kinds``       abstract phrases by kind (``corpus_tools.error_analysis``), the right ones first; ``words``: words in them.
    ``examples``    of each kind of error, drawn at random.
    ``components``  by kind: of the system's word links in such phrases, the share that each rewrite model produced; without a
                    model, none.
    """

    gold: Identity
    system: Identity
    scores: ScoreReport
    kinds: dict[str, int]
    words: dict[str, int]
    examples: list[Judged]
    components: dict[str, dict[str, float]]

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        examples = [asdict(example) | {"links": sorted(example.links)} for example in self.examples]
        return asdict(self) | {"scores": self.scores.as_dict(), "examples": examples}

    def table(self) -> str:
        """For the terminal."""
        blocks = [
            _identity_block(self.gold, self.system),
            _oracle_block(self.scores),
            self._kinds_block(),
        ]
        if self.components:
            blocks.append(_component_block(self.components))
        if self.examples:
            blocks.append(_example_block(self.examples))
        return "\n\n".join([*blocks, self.scores.signature])

    def _kinds_block(self) -> str:
        total, wrong = sum(self.kinds.values()), sum(self.kinds.values()) - self.kinds[RIGHT]
        rows = [["Phrases of the abstract", "phrases", "of all", "of errors", "words"]]
        for kind, count in self.kinds.items():
            of_errors = "" if kind == RIGHT else f"{share(count, wrong):.1%}"
            rows.append(
                [kind, str(count), f"{share(count, total):.1%}", of_errors, str(self.words[kind])]
            )
        return text_table(rows)


def error_report(
    pairs: Sequence[Pair],
    alignments: Mapping[str, Alignment],
    ignore: str = "default",
    *,
    examples: int = 3,
    seed: int = 0,
    components: tuple[tuple[str, ...], Mapping[str, LinkComponents]] | None = None,
) -> ErrorReport:
    """Compare alignments with the hand alignments of the pairs.

    ``examples``    of each kind of error; ``seed`` draws them.
    ``components``  of the model that made the alignments (``component_links``).

    Raises ``BadData`` as ``scoring.score`` does.
    """
    scores = score(pairs, alignments, ignore, seed=seed)
    matched, ignored = match(pairs, alignments), read_ignore_list(ignore)
    found = [phrase for both in matched for phrase in judged(*both)]
    kinds = Counter(phrase.kind for phrase in found)
    words = Counter(phrase.kind for phrase in found for _ in range(*phrase.abstract))
    names = (RIGHT, *ERROR_KINDS)
    return ErrorReport(
        _identity(
            [(pair, gold_alignment(pair)) for pair in pairs],
            ignored,
            [pair.sure | pair.possible for pair in pairs],
        ),
        _identity(
            matched,
            ignored,
            [word_links(a, pair.document.tokens, pair.abstract.tokens) for pair, a in matched],
        ),
        scores,
        {kind: kinds[kind] for kind in names},
        {kind: words[kind] for kind in names},
        _drawn(found, examples, seed),
        _component_shares(found, *components) if components else {},
    )


def _identity(
    matched: Sequence[tuple[Pair, Alignment]],
    ignored: AbstractSet[str],
    links: Sequence[AbstractSet],
) -> Identity:
    in_words = [
        (pair, from_word_links(pair.id, dict.fromkeys(some, 1.0), len(pair.abstract)))
        for (pair, _), some in zip(matched, links, strict=True)
    ]
    by_phrase, by_word = (
        alignment_statistics(matched, ignored),
        alignment_statistics(in_words, ignored),
    )
    return Identity(
        by_phrase.identical, by_phrase.same_stems, by_word.identical, by_word.same_stems
    )


def _drawn(found: Sequence[Judged], count: int, seed: int) -> list[Judged]:
    generator, drawn = random.Random(seed), []
    for kind in ERROR_KINDS:
        candidates = [phrase for phrase in found if phrase.kind == kind]
        drawn += generator.sample(candidates, min(count, len(candidates)))
    return drawn


def _component_shares(
    found: Sequence[Judged], names: tuple[str, ...], links: Mapping[str, LinkComponents]
) -> dict[str, dict[str, float]]:
    sums = {kind: np.zeros(len(names)) for kind in (RIGHT, *ERROR_KINDS)}
    for phrase in found:
        for link in phrase.links:
            parts = links[phrase.id].get(link, np.zeros(len(names)))
            sums[phrase.kind] += parts / parts.sum() if parts.any() else 0.0
    return {
        kind: dict(zip(names, (parts / parts.sum()).tolist(), strict=True))
        for kind, parts in sums.items()
        if parts.any()
    }


def _identity_block(gold: Identity, system: Identity) -> str:
    names = {"identical": "identical sides", "same_stems": "same stems"}
    rows = [["Links with", "gold", "system"]]
    for unit, suffix in (("of phrases", ""), ("of words", "_words")):
        for name, title in names.items():
            rows.append(
                [
                    f"{title}, {unit}",
                    *(f"{getattr(one, name + suffix):.1%}" for one in (gold, system)),
                ]
            )
    return text_table(rows)


def _oracle_block(scores: ScoreReport) -> str:
    rows = [["Null where the gold has it", "SoftP", "with oracle", "SoftF", "with oracle"]]
    for view in (view for view in scores.scores if not view.startswith("oracle")):
        before, after = scores.scores[view], scores.scores[f"oracle_null_{view}"]
        figures = (
            found[name].value for name in ("soft_precision", "soft_f") for found in (before, after)
        )
        rows.append([SCOPES[view].title, *(f"{figure:.3f}" for figure in figures)])
    return text_table(rows)


def _component_block(components: Mapping[str, Mapping[str, float]]) -> str:
    names = list(components[next(iter(components))])
    shares = (
        [kind, *(f"{found[name]:.1%}" for name in names)] for kind, found in components.items()
    )
    return text_table([["Word links, produced by", *names], *shares])


def _example_block(examples: Sequence[Judged]) -> str:
    rows = ([e.summary, e.true, e.aligned, e.kind, e.id] for e in examples)
    return text_table([list(EXAMPLE_COLUMNS), *rows], "<")
