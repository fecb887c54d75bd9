"""How good alignments are beside hand alignments: SoftP, Recall, SoftF and AER, with confidence intervals.

Daumé III and Marcu (2005), sections 5 and 5.3; the alignment error rate is that of Och and Ney (2003).
First statistics of each pair, then their sum, then the figures: so that a bootstrap need only add up again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from corpus_tools.alignments.alignment import Alignment, word_links
from corpus_tools.alignments.matching import match
from corpus_tools.errors import BadData, BadUsage
from corpus_tools.pairs.pair import Pair, WordLink
from corpus_tools.texts.ignore_list import content_tokens, read_ignore_list
from corpus_tools.texts.text_table import text_table

VIEWS = {
    "all_words": "all words",
    "outside_ignore_list": "outside the ignore list",
    "oracle_null_all_words": "all words",
    "oracle_null_outside_ignore_list": "outside the ignore list",
}
"""Which links are counted, with the head of the column; ``oracle_null``: see ``pair_statistics``."""

FIGURES = {
    "soft_precision": "SoftP",
    "recall": "Recall",
    "soft_f": "SoftF",
    "aer": "AER",
    "macro_soft_precision": "macro SoftP",
    "macro_recall": "macro Recall",
    "macro_soft_f": "macro SoftF",
}


class Figure(NamedTuple):
    """A figure over the corpus, and its 95 % confidence interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} [{self.low:.3f}, {self.high:.3f}]"


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """The figures by view (``VIEWS``) and name (``FIGURES``), and a line that says how they were computed.

    Without an ignore list the views outside it are left out.
    """

    signature: str
    scores: dict[str, dict[str, Figure]]

    def as_dict(self) -> dict[str, Any]:
        """For JSON: ``{"signature": ..., "scores": {view: {figure: {"value", "low", "high"}}}}``."""
        scores = {
            view: {name: figure._asdict() for name, figure in figures.items()}
            for view, figures in self.scores.items()
        }
        return {"signature": self.signature, "scores": scores}

    def table(self) -> str:
        """For the terminal: the figures, then those of the oracle, then the signature."""
        plain = [view for view in self.scores if not view.startswith("oracle")]
        oracle = [view for view in self.scores if view.startswith("oracle")]
        title = "Oracle: summary words without a gold link nulled (section 5.3)"
        return "\n".join([self._block(plain), "", title, self._block(oracle), "", self.signature])

    def _block(self, views: Sequence[str]) -> str:
        rows = [["", *(VIEWS[view] for view in views)]]
        for name, head in FIGURES.items():
            rows.append([head, *(str(self.scores[view][name]) for view in views)])
        return text_table(rows, "<", widths=(14, 25), gap=0)


def score(
    pairs: Iterable[Pair],
    alignments: Mapping[str, Alignment],
    ignore: str = "default",
    *,
    resamples: int = 1000,
    seed: int = 0,
) -> ScoreReport:
    """Score alignments against the hand alignments of ``pairs``, matched by id.

    ``ignore``     an ignore list: ``default``, ``none`` or a file (``read_ignore_list``).
    ``resamples``  of the bootstrap over pairs, drawn with ``seed``; the intervals are percentiles.

    Over the corpus, SoftP = |A & P| / |A|, Recall = |A & S| / |S|, SoftF is their harmonic mean, and
    AER = 1 - (|A & S| + |A & P|) / (|A| + |S|), where P holds the sure and the possible links and A is
    ``word_links``. SoftP of no link and Recall of no sure link are 0.0; AER is 0.0 where both are missing.
    The macro figures are means over pairs. There, a pair in which nothing was linked has SoftP 1.0, and one
    without sure links has Recall 1.0: to link nothing where nothing is to be found is right (all three 1.0).

    Raises ``BadData`` where ids or offsets do not match, a pair has no hand alignment or there is no pair.
    """
    if resamples < 1:
        raise BadUsage(f"the bootstrap needs at least 1 resample, not {resamples}")
    matched, ignored = match(pairs, alignments), read_ignore_list(ignore)
    if not matched:
        raise BadData("there are no pairs to score")
    counts = np.array([list(pair_statistics(*both, ignored).values()) for both in matched])
    views = [view for view in VIEWS if ignored or "ignore_list" not in view]
    columns = [list(VIEWS).index(view) for view in views]
    values, low, high = _with_intervals(counts[:, columns], resamples, seed)
    scores = {
        view: {
            name: Figure(*map(float, bounds)) for name, *bounds in zip(FIGURES, *row, strict=True)
        }
        for view, *row in zip(views, values, low, high, strict=True)
    }
    return ScoreReport(_signature(matched, ignore, len(ignored), resamples, seed), scores)


def pair_statistics(
    pair: Pair, alignment: Alignment, ignored: AbstractSet[str]
) -> dict[str, tuple[int, int, int, int]]:
    """What each view of a pair adds to the corpus: |A|, |A & P|, |A & S|, |S|.

    A word is a summary word here: outside the ignore list, a link counts if its abstract token is not on it,
    whatever its document token (a content word linked to a function word is an error to be seen). The oracle
    drops the links of summary words that have no link in P (section 5.3).
    """
    if pair.sure is None:
        raise BadData(
            f"pair {pair.id!r} has no hand alignment: scoring needs 'sure' (and 'possible') links"
        )
    links = word_links(alignment, pair.document.tokens, pair.abstract.tokens)
    possible = pair.sure | (pair.possible or frozenset())
    content = content_tokens(pair.abstract.tokens, ignored)
    aligned = {a for _, a in possible}
    return {
        "all_words": _statistics(links, pair.sure, possible),
        "outside_ignore_list": _statistics(
            *(_within(content, x) for x in (links, pair.sure, possible))
        ),
        "oracle_null_all_words": _statistics(_within(aligned, links), pair.sure, possible),
        "oracle_null_outside_ignore_list": _statistics(
            *(_within(content, x) for x in (_within(aligned, links), pair.sure, possible))
        ),
    }


def _within(words: AbstractSet[int], links: Iterable[WordLink]) -> set[WordLink]:
    return {(d, a) for d, a in links if a in words}


def _statistics(
    links: AbstractSet[WordLink], sure: AbstractSet[WordLink], possible: AbstractSet[WordLink]
) -> tuple[int, int, int, int]:
    return len(links), len(links & possible), len(links & sure), len(sure)


def figures(counts: np.ndarray, empty: float) -> np.ndarray:
    """SoftP, Recall, SoftF, AER ``[..., 4]`` of counts ``[..., 4]``; ``empty`` is 0 / 0 of the first two."""
    links, in_possible, in_sure, sure = np.moveaxis(counts, -1, 0)
    precision, recall = _ratio(in_possible, links, empty), _ratio(in_sure, sure, empty)
    harmonic = _ratio(2 * precision * recall, precision + recall, 0.0)
    aer = 1 - _ratio(in_possible + in_sure, links + sure, 1.0)
    return np.stack([precision, recall, harmonic, aer], axis=-1)


def _ratio(part: np.ndarray, whole: np.ndarray, empty: float) -> np.ndarray:
    return np.divide(part, whole, out=np.full(np.shape(whole), empty), where=whole > 0)


def _with_intervals(
    counts: np.ndarray, resamples: int, seed: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The figures ``[view, figure]`` and the bounds of their intervals, from counts ``[pair, view, 4]``.

    All views share the same resamples, so that their differences are comparable too.
    """
    n = len(counts)
    macro = figures(counts, empty=1.0)[..., :3]

    def weighted(weights: np.ndarray) -> np.ndarray:
        corpus = figures(np.tensordot(weights, counts, 1), empty=0.0)
        return np.concatenate([corpus, np.tensordot(weights, macro, 1) / n], axis=-1)

    low, high = np.percentile(weighted(resampled(n, resamples, seed)), [2.5, 97.5], axis=0)
    return weighted(np.ones(n)), low, high


def resampled(n: int, resamples: int, seed: int) -> np.ndarray:
    """How often each of n pairs was drawn, for every resample of the bootstrap: float64 [resamples, n]."""
    # Drawing n indices and counting them, in one step.
    return (
        np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=resamples).astype(float)
    )


def _signature(
    matched: Sequence[tuple[Pair, Alignment]], ignore: str, size: int, resamples: int, seed: int
) -> str:
    tokenizers = "+".join(sorted({pair.tokenizer for pair, _ in matched}))
    return (
        f"semihmm {_version()} | pairs {len(matched)} | links soft | "
        f"ignore {Path(ignore).name}:{size} by abstract word | bootstrap {resamples} seed {seed} | "
        f"tokenizer {tokenizers}"
    )


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # slow to import

    try:
        return version("semihmm")
    except PackageNotFoundError:
        return "(not installed)"
