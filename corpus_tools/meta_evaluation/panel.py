"""Matches scores with judgements: arrays of documents by systems."""

from __future__ import annotations

import math
import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from corpus_tools.errors import BadData, SemiHmmWarning
from corpus_tools.measures.measure import SIDES
from corpus_tools.meta_evaluation.ratings import Column, Key, Ratings

SHOWN = 3
"""How many summaries a message names: they fit in a line."""

DIGITS = 12
"""How many digits of means are compared: the last ones depend on the order of the additions.

Chosen by hand: a thousand summands lose three of the sixteen digits.
"""


@dataclass(frozen=True, slots=True)
class Panel:
    """One judgement and all scores of what it judges.

    ``documents``     ids; one ``None`` where scores and judgement are of whole systems only.
    ``systems``       names.
    ``whole``         whether the judgement is of whole systems; it is repeated for all documents.
    ``judgements``    float64 [documents, systems], NaN where there is none.
    ``scores``        the same by column.
    ``whole_scores``  the columns whose scores are of whole systems, repeated for all documents.
    """

    judgement: Column
    documents: tuple[str | None, ...]
    systems: tuple[str, ...]
    whole: bool
    judgements: np.ndarray
    scores: dict[Column, np.ndarray]
    whole_scores: frozenset[Column]


def means(values: np.ndarray, drawn: np.ndarray) -> np.ndarray:
    """Return the mean of each system over documents, without rounding errors.

    ``values``  float64 [documents, systems]; NaN does not count.
    ``drawn``   float64 [resamples, documents]: how often each document counts.

    Returns float64 [resamples, systems], NaN for a system without any.
    """
    present = ~np.isnan(values)
    summed = drawn @ np.where(present, values, 0.0)
    with np.errstate(invalid="ignore"):
        return rounded(summed / (drawn @ present.astype(float)))


def rounded(values: np.ndarray) -> np.ndarray:
    """Return values without what is below the ``DIGITS`` highest digits of the largest one."""
    largest = np.abs(values[~np.isnan(values)]).max(initial=0.0)
    if largest == 0.0:
        return values
    factor = 10.0 ** min(math.ceil(math.log10(largest)), sys.float_info.max_10_exp)
    return np.round(values / factor, DIGITS) * factor


def panels(scores: Ratings, judgements: Ratings) -> dict[Column, Panel]:
    """Return a panel for each judgement.

    Warns of summaries and systems that have only one of both (``SemiHmmWarning``). Raises
    ``BadData`` if there are no scores, no judgements, or none of the same summary or system.
    """
    for what, ratings in (("scores", scores), ("judgements", judgements)):
        if not ratings.columns:
            raise BadData(f"there are no {what}")
        _refuse_both_kinds(ratings)
    matched = {
        column: _panel(column, scores, judged)
        for column, judged in judgements.columns.items()
        if _common_keys(scores, judged)
    }
    if not matched:
        raise BadData(_nothing_in_common(scores, judgements))
    _warn_of_unmatched(scores, judgements)
    for column in judgements.columns.keys() - matched.keys():
        warnings.warn(
            f"nothing that {str(column)!r} judges has a score", SemiHmmWarning, stacklevel=2
        )
    return matched


def _refuse_both_kinds(ratings: Ratings) -> None:
    for column, values in ratings.columns.items():
        if len({key.document is None for key in values}) > 1:
            raise BadData(f"{str(column)!r} is given both for summaries and for whole systems")


def _is_whole(values: Iterable[Key]) -> bool:
    return all(key.document is None for key in values)


def _keys(ratings: Ratings) -> set[Key]:
    return {key for values in ratings.columns.values() for key in values}


def _common_keys(scores: Ratings, judged: Mapping[Key, float]) -> set[Key]:
    """Return the summaries that have a score and a judgement, also through their systems.

    If both are of whole systems only, these are the systems.
    """
    scored = _keys(scores)
    summaries = {key for key in scored if key.document is not None}
    if _is_whole(judged):
        systems = {key.system for key in judged}
        common = {key for key in scored if key.system in systems}
        return common & summaries or common
    if summaries:
        return judged.keys() & summaries
    return {key for key in judged if Key(None, key.system) in scored}


def _panel(judgement: Column, scores: Ratings, judged: Mapping[Key, float]) -> Panel:
    common = _common_keys(scores, judged)
    # Sorted, so that the resamples do not depend on the order of the lines.
    documents = sorted({key.document for key in common}, key=str)
    systems = sorted({key.system for key in common})
    columns = sorted(scores.columns, key=_side_order(scores.columns))
    return Panel(
        judgement=judgement,
        documents=tuple(documents),
        systems=tuple(systems),
        whole=_is_whole(judged),
        judgements=_array(judged, documents, systems),
        scores={column: _array(scores.columns[column], documents, systems) for column in columns},
        whole_scores=frozenset(column for column in columns if _is_whole(scores.columns[column])),
    )


def _side_order(columns: Iterable[Column]) -> Callable[[Column], tuple[int, int, str]]:
    """Return a key that sorts by the names' first occurrence, then recall before precision."""
    names = list(dict.fromkeys(column.name for column in columns))
    last = len(SIDES)

    def key(column: Column) -> tuple[int, int, str]:
        first = column.side.partition(" ")[0]
        side = SIDES.index(first) if first in SIDES else last
        return names.index(column.name), side, column.side

    return key


def _array(
    values: Mapping[Key, float], documents: Sequence[str | None], systems: Sequence[str]
) -> np.ndarray:
    whole = _is_whole(values)
    return np.array(
        [
            [values.get(Key(None if whole else document, system), math.nan) for system in systems]
            for document in documents
        ]
    )


def _warn_of_unmatched(scores: Ratings, judgements: Ratings) -> None:
    """Warn of systems and of summaries of other systems with a score or a judgement only."""
    scored, judged = _keys(scores), _keys(judgements)
    for what, keys, others in (
        ("a score but no judgement", scored, judged),
        ("a judgement but no score", judged, scored),
    ):
        known = {key.system for key in others}
        systems = {repr(key.system) for key in keys if key.system not in known}
        if systems:
            _warn(f"systems with {what}", systems)
        if _is_whole(keys) or _is_whole(others):
            continue
        alone = {key for key in keys - others if key.document is not None and key.system in known}
        if alone:
            _warn(
                f"summaries with {what}",
                {f"{key.document!r} of {key.system!r}" for key in alone},
            )


def _warn(problem: str, names: Collection[str]) -> None:
    more = ", ..." if len(names) > SHOWN else ""
    shown = ", ".join(sorted(names)[:SHOWN])
    warnings.warn(f"{problem}: {len(names)} ({shown}{more})", SemiHmmWarning, stacklevel=2)


def _nothing_in_common(scores: Ratings, judgements: Ratings) -> str:
    one, other = min(_keys(scores), key=str), min(_keys(judgements), key=str)
    return (
        "no summary and no system has both: "
        f"there are, for instance, scores of {one} and judgements of {other}"
    )
