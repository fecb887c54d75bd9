"""Defines the figures of a portrait, and the columns: the figures of a corpus or a system.

A figure is the quotient of two counts of a pair. So it has a value for each pair, a mean over the
pairs, and a value over all words of a corpus. ``semihmm/applications/stats/portrait.tsv`` lists
the figures.
"""

from __future__ import annotations

import math
import re
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from importlib.resources import files
from typing import NamedTuple

import numpy as np

from corpus_tools.alignments.alignment import Alignment, TextDigest, text_digest
from corpus_tools.alignments.statistics import Jump, jumps
from corpus_tools.base.resampling import bootstrap_sums, interval, ratio
from corpus_tools.pairs.pair import Pair
from corpus_tools.texts.lexicons import read_ignore_list
from semihmm.applications.stats.portrait_counts import pair_counts


class PortraitFigure(NamedTuple):
    """A figure of a portrait.

    ``is_main``          whether a printed portrait shows it without being asked for all figures.
    ``part``, ``whole``  the names of two counts: the figure is ``part`` / ``whole``.
    ``is_share``         whether it lies between 0 and 1.
    """

    group: str
    title: str
    is_main: bool
    part: str
    whole: str
    is_share: bool
    meaning: str


def _figures() -> Iterator[tuple[str, PortraitFigure]]:
    """Yield the figures by name, in the order of the table."""
    table = (files("semihmm.applications.stats") / "portrait.tsv").read_text(encoding="utf-8")
    for line in table.splitlines()[1:]:
        group, title, shown_as, part, whole, kind, meaning = line.split("\t")
        name = re.sub(r"\W+", "_", title.replace("'", "")).strip("_").lower()
        figure = PortraitFigure(
            group, title, shown_as == "first", part, whole, kind == "share", meaning
        )
        yield name, figure


PORTRAIT_FIGURES: Mapping[str, PortraitFigure] = dict(_figures())
"""All figures by their names in files and data frames."""

PORTRAIT_RESAMPLES = 1000
"""The number of resamples of the bootstrap over pairs."""


class Mean(NamedTuple):
    """A figure of a column.

    ``mean``       the mean over the pairs that have the figure; NaN if none has.
    ``low, high``  the bounds of its 95 % confidence interval (bootstrap over pairs).
    ``pooled``     the quotient of the sums over all pairs, in which all words weigh the same.
    ``pairs``      the number of pairs that have the figure.
    """

    mean: float
    low: float
    high: float
    pooled: float
    pairs: float


class Difference(NamedTuple):
    """The difference of a column from the first one.

    ``difference``  the difference of the means; if the columns have the same documents, over the
                    pairs for which both have the figure.
    ``p``           the p-value of the t-test: paired if the documents are the same, else Welch's.
    """

    difference: float
    p: float


class PortraitColumn:
    """The counts and jumps (Figure 2 of the paper) of the pairs of a corpus or system.

    ``documents``  for each pair the digest of its document, and the number of earlier pairs with
                   the same document.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.ids: list[str] = []
        self.documents: list[tuple[TextDigest, int]] = []
        self.jumps: Counter[Jump] = Counter()
        self._values: list[np.ndarray] = []
        self._totals = np.zeros((2, len(PORTRAIT_FIGURES)))
        self._seen: Counter[TextDigest] = Counter()

    def add(self, pair: Pair, alignment: Alignment, ignored: AbstractSet[str]) -> None:
        """Count a pair. The normal forms in ``ignored`` count as function words."""
        counts = pair_counts(pair, alignment, ignored)
        self.ids.append(pair.id)
        document = text_digest(pair.document.tokens)
        self.documents.append((document, self._seen[document]))
        self._seen[document] += 1
        self.jumps.update(jumps(pair, alignment))
        both = [(counts[figure.part], counts[figure.whole]) for figure in PORTRAIT_FIGURES.values()]
        parts, wholes = np.array(both, dtype=float).T
        self._values.append(ratio(parts, wholes, math.nan))
        self._totals += parts, wholes

    @property
    def values(self) -> np.ndarray:
        """Return the figures of the pairs, float64 [pairs, PORTRAIT_FIGURES]; NaN: undefined."""
        return np.array(self._values).reshape(len(self._values), len(PORTRAIT_FIGURES))

    def figure(self, name: str) -> np.ndarray:
        """Return a figure of the pairs, one of ``PORTRAIT_FIGURES``: float64 [pairs]."""
        return np.asarray(self.values[:, list(PORTRAIT_FIGURES).index(name)])

    def means(self) -> dict[str, Mean]:
        """Return each of ``PORTRAIT_FIGURES`` over the pairs, by name."""
        values = self.values
        numbers = np.isfinite(values).sum(axis=0)
        parts, wholes = self._totals
        pooled = ratio(parts, wholes, math.nan)
        # Numpy warns of a figure that no pair has: its mean is NaN.
        with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
            rows = np.stack([np.nanmean(values, axis=0), *_bounds(values), pooled, numbers])
        return {
            name: Mean(*row) for name, row in zip(PORTRAIT_FIGURES, rows.T.tolist(), strict=True)
        }


def _bounds(values: np.ndarray) -> np.ndarray:
    """Return the bounds of the columns' means, float64 [2, columns]; NaN for a column of NaN."""
    statistics = np.hstack([np.nan_to_num(values), np.isfinite(values)])
    sums, numbers = np.hsplit(bootstrap_sums(statistics, PORTRAIT_RESAMPLES, 0), 2)
    return interval(sums / numbers)


def differences_from(first: PortraitColumn, other: PortraitColumn) -> dict[str, Difference]:
    """Test the figures of a column against those of the first one, by name."""
    from scipy import stats  # slow to import

    left, right = first.values, other.values
    places = {document: row for row, document in enumerate(other.documents)}
    # Numpy and scipy warn of figures that few pairs have, or that are the same in all pairs.
    with np.errstate(all="ignore"), warnings.catch_warnings(action="ignore"):
        if places.keys() == set(first.documents):
            right = right[[places[document] for document in first.documents]]
            # A pair counts if both columns have the figure.
            left, right = left + 0 * right, right + 0 * left
            tested = stats.ttest_rel(left, right, nan_policy="omit")
        else:
            tested = stats.ttest_ind(left, right, nan_policy="omit", equal_var=False)
        differences = np.nanmean(right, axis=0) - np.nanmean(left, axis=0)
    # Without any difference there is nothing to test.
    p = np.where(differences == 0, 1.0, np.ma.filled(tested.pvalue, math.nan))
    rows = np.stack([differences, p]).T.tolist()
    return {name: Difference(*row) for name, row in zip(PORTRAIT_FIGURES, rows, strict=True)}


def counted_columns(
    named: Iterable[tuple[str, Pair, Alignment]], ignore: str = "default"
) -> dict[str, PortraitColumn]:
    """Count pairs, each in the column of the name that comes with it."""
    columns: dict[str, PortraitColumn] = {}
    for name, pair, alignment in named:
        column = columns.setdefault(name, PortraitColumn(name))
        column.add(pair, alignment, read_ignore_list(ignore, pair.language))
    return columns
