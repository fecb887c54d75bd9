"""Ordinals: ranks, floors, "the 33rd race"."""

from corpus_tools.languages.language import language
from semihmm.applications.support.pair_features import stem_of
from semihmm.applications.support.quantities.context import SMALL_COUNT
from semihmm.applications.support.quantities.kind import Found, Kind
from semihmm.applications.support.quantities.lexicon import Lexicon
from semihmm.applications.support.quantities.mentions import Number

ORDINALS_PATTERN = r"""
(?P<name><ordinal>)|(?P<quarter><quarter>)|(?P<digits><plain>)<dash|quote>?<suffix>
|<prefix>(?P<digits><number>)"""
WITH_POINT = r"|(?P<digits><plain>)<dot>(?=w)"
"""The point of "der 33. Lauf"."""


def _pattern(lexicon: Lexicon) -> str:
    """Return the pattern of ordinals."""
    return ORDINALS_PATTERN + WITH_POINT * language(lexicon.code).ordinals


def _read(found: Found) -> Number | None:
    """Return a number that is never rounded."""
    heads = found.context.heads(found.end)
    value = found.get("name", "ordinal")
    if found.has("quarter"):
        value, noun = found.get("quarter", "quarter")
        heads = frozenset({stem_of[noun]})
    if value is None:
        value, _ = found.get("digits", "number")
    return Number(
        found.start,
        found.end,
        heads,
        low=value,
        high=value,
        is_exact=True,
        is_sure=value > SMALL_COUNT,
    )


ORDINALS = Kind(
    _pattern,
    _read,
    (
        ("en", "the thirty-third race", "33 exactly"),
        ("de", "der 21. Lauf", "21 exactly"),
        ("zh", "他获得第三名", "3 exactly"),
    ),
)
