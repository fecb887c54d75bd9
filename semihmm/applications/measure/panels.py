"""Matches scores and judgements of the same summaries: arrays of documents by systems."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

import numpy as np

from corpus_tools.base.errors import BadData, SemiHmmWarning, first_of, warn_caller
from semihmm.applications.measure.measure import FIGURE_SIDES
from semihmm.applications.measure.ratings import RatingColumn, RatingColumns, RatingKey, Ratings

COMPARED_DIGITS = 12
"""The number of digits to which means are rounded: later ones depend on the order of additions.

The sum of a thousand numbers loses three of sixteen digits.
"""


@dataclass(frozen=True, slots=True)
class Panel:
    """One judgement and all scores of the same summaries or systems.

    ``documents``     ids; only ``None`` if all scores and judgements are of whole systems.
    ``systems``       names.
    ``whole``         whether the judgement is of whole systems; it is repeated for all documents.
    ``judgements``    float64 [documents, systems], NaN where there is none.
    ``scores``        for each column an array of the same shape.
    ``whole_scores``  the columns whose scores are of whole systems, repeated for all documents.
    """

    documents: tuple[str | None, ...]
    systems: tuple[str, ...]
    whole: bool
    judgements: np.ndarray
    scores: dict[RatingColumn, np.ndarray]
    whole_scores: frozenset[RatingColumn]

    def complete(self, *columns: RatingColumn) -> list[np.ndarray]:
        """Return the scores of the columns and the judgements; all are NaN where one is missing."""
        values = [*(self.scores[column] for column in columns), self.judgements]
        missing = np.isnan(values).any(axis=0)
        return [np.where(missing, np.nan, value) for value in values]


def means(values: np.ndarray, drawn: np.ndarray | None = None) -> np.ndarray:
    """Return the mean of each system over documents, without rounding errors.

    ``values``  float64 [documents, systems]; NaN does not count.
    ``drawn``   float64 [resamples, documents]: how often each document counts. Without it, there is
                one resample, in which each counts once.

    Returns float64 [resamples, systems]; NaN for a system without values.
    """
    # mean[r, s] = sum over d of drawn[r, d] values[d, s] / sum over d of drawn[r, d], where the
    # value of d and s is known.
    times = np.ones((1, len(values))) if drawn is None else drawn
    present = ~np.isnan(values)
    summed = times @ np.where(present, values, 0.0)
    with np.errstate(invalid="ignore"):
        return rounded(summed / (times @ present.astype(float)))


def rounded(values: np.ndarray) -> np.ndarray:
    """Round the values to ``COMPARED_DIGITS`` digits of the largest one."""
    largest = np.abs(values[~np.isnan(values)]).max(initial=0.0)
    if largest == 0.0:
        return values
    # The power of ten above the largest value.
    factor = 10.0 ** math.ceil(math.log10(largest))
    return np.round(values / factor, COMPARED_DIGITS) * factor


def panels(scores: Ratings, judgements: Ratings) -> dict[RatingColumn, Panel]:
    """Return a panel for each judgement.

    Warns of summaries and systems with a score or a judgement alone (``SemiHmmWarning``). Raises
    ``BadData`` if there are no scores, no judgements, or no summary or system with both.
    """
    for what, ratings in (("scores", scores), ("judgements", judgements)):
        if not ratings.columns:
            raise BadData(f"there are no {what}")
        for column, values in ratings.columns.items():
            if len({key.document is None for key in values}) > 1:
                raise BadData(f"{str(column)!r} is given both for summaries and for whole systems")
    scored, judged = (
        set[RatingKey]().union(*side.columns.values()) for side in (scores, judgements)
    )
    matched = {}
    # A judgement without any score in common has no panel, and a warning.
    for column, values in judgements.columns.items():
        if common := _common_keys(scored, values.keys()):
            matched[column] = _panel(values, scores.columns, common)
    if not matched:
        score_key, judgement_key = min(scored, key=str), min(judged, key=str)
        raise BadData(
            "no summary and no system has both: "
            f"there are, for instance, scores of {score_key} and judgements of {judgement_key}"
        )
    _warn_of_unmatched("a score but no judgement", scored, judged)
    _warn_of_unmatched("a judgement but no score", judged, scored)
    for column in judgements.columns:
        if column not in matched:
            warn_caller(SemiHmmWarning(f"nothing that {str(column)!r} judges has a score"))
    return matched


def _is_whole(values: Iterable[RatingKey]) -> bool:
    return all(key.document is None for key in values)


def _common_keys(
    scored: AbstractSet[RatingKey], judged: AbstractSet[RatingKey]
) -> AbstractSet[RatingKey]:
    """Return the summaries with a score and a judgement, their own or their system's.

    If both are for whole systems only, return the systems.
    """
    summaries = {key for key in scored if key.document is not None}
    # A judgement of whole systems holds for each of their summaries.
    if _is_whole(judged):
        systems = {key.system for key in judged}
        common = {key for key in scored if key.system in systems}
        return common & summaries or common
    # Judgements of summaries: by their own scores, or else by the scores of their systems.
    if summaries:
        return judged & summaries
    return {key for key in judged if RatingKey(None, key.system) in scored}


def _panel(
    judged: Mapping[RatingKey, float], scores: RatingColumns, common: AbstractSet[RatingKey]
) -> Panel:
    # Sorted, so that resamples do not depend on the order of the lines.
    documents = sorted({key.document for key in common}, key=str)
    systems = sorted({key.system for key in common})

    def array(values: Mapping[RatingKey, float]) -> np.ndarray:
        # Values of whole systems are repeated for each document.
        chosen = [None] * len(documents) if _is_whole(values) else documents
        keys = ([RatingKey(document, system) for system in systems] for document in chosen)
        return np.array([[values.get(key, math.nan) for key in row] for row in keys])

    return Panel(
        documents=tuple(documents),
        systems=tuple(systems),
        whole=_is_whole(judged),
        judgements=array(judged),
        scores={column: array(scores[column]) for column in _in_order(scores)},
        whole_scores=frozenset(column for column in scores if _is_whole(scores[column])),
    )


def _in_order(columns: Iterable[RatingColumn]) -> list[RatingColumn]:
    """Sort by the first occurrence of the names, then recall, precision, F and other figures."""
    names = list(dict.fromkeys(column.name for column in columns))

    def place(column: RatingColumn) -> tuple[int, int, str]:
        first = column.side.partition(" ")[0]
        side = FIGURE_SIDES.index(first) if first in FIGURE_SIDES else len(FIGURE_SIDES)
        return names.index(column.name), side, column.side

    return sorted(columns, key=place)


def _warn_of_unmatched(
    what: str, keys: AbstractSet[RatingKey], others: AbstractSet[RatingKey]
) -> None:
    """Warn of systems that only one side has, and of summaries that only one side has.

    ``what``    what one side has and the other lacks, for the message.
    ``keys``    the keys of that side; ``others``  the keys of the other side.
    """
    systems = {key.system for key in others}
    # A system that the other side lacks is named once, not with each of its summaries.
    alone = {RatingKey(None, key.system) for key in keys if key.system not in systems}
    if not (_is_whole(keys) or _is_whole(others)):
        unmatched = {key for key in keys - others if key.document is not None}
        alone |= {key for key in unmatched if key.system in systems}
    if alone:
        examples = first_of(sorted(map(str, alone)))
        warn_caller(SemiHmmWarning(f"{len(alone)} with {what}: {examples}"))
