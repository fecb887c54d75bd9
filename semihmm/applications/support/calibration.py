"""Turns support into verdicts with a promised share of errors, by split conformal prediction.

Somebody judges sentences of some abstracts. Of the unsupported sentences at most a given share gets
the verdict ``SUPPORTED``, and of the supported ones at most that share ``NOT_SUPPORTED``: what is
between both thresholds is to be looked at. This holds in the mean over draws of judged and new
sentences, if both come from the same source as if drawn at random, whatever the support is worth
(Vovk, Gammerman and Shafer 2005; Angelopoulos and Bates 2023, for each class by itself). A support
that is worth little leaves more to be looked at.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from corpus_tools.base.errors import BadData, number_of
from corpus_tools.base.files import StrPath
from corpus_tools.base.reading import in_line, numbered_json_lines
from corpus_tools.pairs.pair import Pair
from semihmm.applications.support.report import Support

SUPPORTED = "supported"
LOOK = "look"
NOT_SUPPORTED = "not supported"
VERDICTS = (SUPPORTED, LOOK, NOT_SUPPORTED)

FIELD = "supported"
"""The field of a judged pair: for each abstract sentence true, false, or null where not judged."""
KNOWN = (bool, type(None))
"""The types of its values."""


@dataclass(frozen=True)
class Thresholds:
    """What a sentence needs for a verdict.

    ``supported``    a sentence of more support is supported; infinite where too few were judged.
    ``unsupported``  one of less support, and not more than ``supported``, is not supported.
    """

    supported: float
    unsupported: float

    def verdict(self, support: float | None) -> str | None:
        """Return one of ``VERDICTS``; ``None`` of what claims nothing."""
        if support is None:
            return None
        if support > self.supported:
            return SUPPORTED
        return NOT_SUPPORTED if support < self.unsupported else LOOK

    def judged(self, support: Support) -> Support:
        """Return the support of an abstract with the verdicts of its sentences."""
        sentences = (
            sentence._replace(verdict=self.verdict(sentence.support))
            for sentence in support.sentences
        )
        return replace(support, sentences=tuple(sentences))

    def __str__(self) -> str:
        if self.supported < self.unsupported:
            # A sentence between both may have either verdict within the errors: it is supported.
            return f"supported: above {self.supported:.4f}; not supported: all others"
        top = "none" if math.isinf(self.supported) else f"above {self.supported:.4f}"
        low = "none" if math.isinf(self.unsupported) else f"below {self.unsupported:.4f}"
        return f"supported: {top}; not supported: {low}; between: look"


def calibrated(supports: Sequence[float], right: Sequence[bool], error: float) -> Thresholds:
    """Return the thresholds for a share of errors.

    ``supports``, ``right``  of the judged sentences, whether they are supported.
    ``error``                the most of the unsupported that pass as supported, and of the
                             supported that pass as not, from 0 to 1.
    """
    of_wrong = sorted(support for support, good in zip(supports, right, strict=True) if not good)
    of_right = sorted(support for support, good in zip(supports, right, strict=True) if good)
    # As many errors are admitted as a share of all judged sentences and one new one is.
    wrong, good = (math.floor((len(own) + 1) * error) for own in (of_wrong, of_right))
    supported = of_wrong[-wrong] if wrong else math.inf
    unsupported = of_right[good - 1] if good else -math.inf
    return Thresholds(supported, unsupported)


def read_judgements(path: StrPath, pairs: Iterable[Pair]) -> list[list[bool | None]]:
    """Return for each pair of a file what was judged of its abstract sentences (``FIELD``).

    Raises ``BadData`` where the field is missing, or has not one value for each sentence.
    """
    judgements = []
    for pair, (line, row) in zip(pairs, numbered_json_lines(path), strict=True):
        with in_line(line, path):
            values, sentences = row.get(FIELD), len(pair.abstract.boundaries) - 1
            if not isinstance(values, list) or not all(one in KNOWN for one in map(type, values)):
                raise BadData(f"{FIELD!r} must be a list of true, false, or null for not judged")
            if len(values) != sentences:
                has = f"the abstract has {number_of(sentences, 'sentence')}"
                raise BadData(f"{FIELD!r} has {number_of(len(values), 'value')}, {has}")
            judgements.append(values)
    return judgements
