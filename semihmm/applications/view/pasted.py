"""Answers pairs that somebody pastes into the page of ``semihmm view``."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import isnan
from pathlib import Path
from threading import Lock
from typing import Any

from corpus_tools.alignments.alignment import Alignment, alignment_row
from corpus_tools.base.errors import BadData, SemiHmmWarning, number_of
from corpus_tools.base.reading import json_objects
from corpus_tools.languages.language import language
from corpus_tools.pages.pair_view import alone
from corpus_tools.pages.web_page import pair_row
from corpus_tools.pairs.fields import SIDE_KEYS, side_key
from corpus_tools.pairs.pair import Pair, RawRecord, Source
from corpus_tools.pairs.read_pairs import checked_pairs
from corpus_tools.pairs.records import RecordReading
from corpus_tools.texts.lexicons import read_ignore_list
from semihmm.applications.view.explained_views import (
    names_of_components,
    with_components,
    with_posteriors,
)
from semihmm.applications.view.link_page import link_columns
from semihmm.model.saving import has_model
from semihmm.model.settings import SUPPORT_SETTINGS
from semihmm.model_choice import ModelChooser

PASTED_ID = "1"
"""The id of a pair that has none, as of a pair that ``semihmm align`` gets as two texts."""

OF_LANGUAGE = "for the language of the texts"
"""The name of the choice of a model by the language."""

JSON_START = re.compile(r'\s*(\[\s*)?\{\s*"')
"""The beginning of an object of JSON, or of a list of objects."""


def models_to_choose(named: str | None, folder: Path) -> dict[str, str | None]:
    """Return the models that the page offers: their directories by the names that it shows.

    ``named``   the directory of the command line, which is the first one; ``None``: the model is
                chosen by the language of the texts.
    ``folder``  the folder whose directories with models are offered too.
    """
    inside = sorted(str(path.relative_to(folder)) for path in folder.glob("*/") if has_model(path))
    chosen: dict[str, str | None] = {named: named} if named is not None else {}
    return chosen | {OF_LANGUAGE: None} | {name: name for name in inside}


@dataclass(frozen=True)
class PastedPairs:
    """Aligns pairs, one at a time.

    ``models``  as ``models_to_choose`` returns them.
    ``how``     how texts become pairs.
    """

    models: Mapping[str, str | None]
    how: RecordReading
    _lock: Lock = field(default_factory=Lock)

    def __call__(self, texts: Mapping[str, str], model: str) -> dict[str, Any]:
        """Return what the page shows of a pair, for JSON.

        ``texts``  the texts of both boxes, by the names of the sides.
        ``model``  the name of one of ``models``.

        Raises ``BadData`` for texts that are no pair, and the errors of a model.
        """
        # Warnings are caught for the whole process.
        with self._lock, warnings.catch_warnings(record=True) as warned:
            warnings.simplefilter("always", SemiHmmWarning)
            notes: list[str] = []
            fields = _fields(texts, self.how, notes)
            record = RawRecord(fields, Source("the pair", None), PASTED_ID)
            (pair,) = checked_pairs([record], self.how)
            for side in SIDE_KEYS:
                if not len(getattr(pair, side)):
                    raise BadData(f"the {side} has no words")
            answer = self._answer(pair, self.models[model], notes)
        messages = (one.message for one in warned)
        said = [*notes, *(str(one) for one in messages if isinstance(one, SemiHmmWarning))]
        # There is but one pair.
        shown = [note.removeprefix(str(pair.error(""))) for note in said]
        lines = {"pair": {"id": pair.id, **fields}, **answer["json"]}
        return {**answer, "notes": [*dict.fromkeys(shown)], "json": lines}

    def _answer(self, pair: Pair, model: str | None, notes: list[str]) -> dict[str, Any]:
        """Align a pair."""
        from semihmm.applications.support import MIN_SUPPORT, support_html

        aligners = ModelChooser(model, notes.append).aligners_of([pair])
        alignment = next(aligners.align_all([pair]))
        # What is said of the model was said of it before.
        supporting = ModelChooser(model, lambda _: None, **SUPPORT_SETTINGS).aligners_of([pair])
        support = next(supporting.support([pair]))
        view = next(with_components([alone(pair, alignment)], aligners))
        names = names_of_components(aligners)
        return {
            "pair": pair_row(with_posteriors(aligners, view), names),
            "components": names,
            "language": language(pair.language).name,
            "support": support.support,
            "conflicts": sum(len(sentence.conflicts) for sentence in support.sentences),
            "least": MIN_SUPPORT,
            "support_html": support_html(support),
            "portrait": _portrait(pair, alignment),
            "json": {"alignment": alignment_row(alignment), "support": support.as_dict()},
        }


def _fields(texts: Mapping[str, str], how: RecordReading, notes: list[str]) -> dict[str, Any]:
    """Return the record of a pair: texts, or objects of JSON with one side or both.

    Raises ``BadData`` for an empty box, for a side that is given twice, and for broken JSON.
    """
    named = dict(zip(SIDE_KEYS, how.keys, strict=True))
    fields: dict[str, Any] = {}
    for side, text in texts.items():
        if not text.strip():
            continue
        is_json = JSON_START.match(text)
        first, *others = json_objects(text) if is_json else [{side: text}]
        for one in SIDE_KEYS if is_json else (side,):
            is_given = not is_json or side_key(first, one, named[one]) is not None
            if is_given and side_key(fields, one, named[one]) is not None:
                raise BadData(
                    f"the {one} is given twice: a box has JSON with both texts, so empty the other "
                    "box"
                )
        fields |= first
        if others:
            notes.append(
                f"{number_of(len(others), 'more pair')} of the {side}'s box left out: "
                "semihmm view FILE shows all pairs of a file"
            )
    for side, text in texts.items():
        if not text.strip() and side_key(fields, side, named[side]) is None:
            raise BadData(f"the box of the {side} is empty")
    return fields


def _portrait(
    pair: Pair, alignment: Alignment
) -> Sequence[tuple[str, str, str, int, float | None]]:
    """Return the figures of a pair: title, group, meaning, decimals and value of each."""
    from semihmm.applications.stats import PortraitColumn

    column = PortraitColumn("")
    column.add(pair, alignment, read_ignore_list("default", pair.language))
    (values,) = column.values.tolist()
    # The first of ``link_columns()`` are the figures of a portrait, in their order.
    return [
        (one.title, one.group, one.meaning, one.digits, None if isnan(value) else round(value, 4))
        for one, value in zip(link_columns(), values, strict=False)
    ]
