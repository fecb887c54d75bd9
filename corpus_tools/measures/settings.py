"""Defines the settings of all measures."""

from __future__ import annotations

import math
from dataclasses import dataclass

from corpus_tools.plugins.options import Options, option

TOKENIZERS = {
    "program": "as ROUGE-1.5.5: runs of a-z and 0-9 in lower case",
    "unicode": "runs of letters and digits of any script; Chinese characters one by one",
}
STEMMERS = {
    "program": "as ROUGE-1.5.5: Porter (1980) with its changes, and WordNet's exceptions",
    "nltk": "NLTK's Porter, as rouge-score",
    "none": "no stems",
}
SEVERAL = {
    "best": "the reference with the best recall",
    "sum": "counts summed over the references",
    "mean": "the mean over the references",
    "jackknife": "the mean, over the references, of the best among the others",
}
FORMULAS = {
    "program": "as ROUGE-1.5.5 computes it",
    "paper": "as Lin (2004) prints it",
}


WORDS = ("tokenizer", "stem", "stop_words", "limit_words")
"""The names of the settings that say which words a text has."""


@dataclass(frozen=True)
class MeasureSettings(Options):
    """Everything that a measure can be told, beside what its name says."""

    tokenizer: str = option("program", "how texts are split into words", names=TOKENIZERS)
    stem: str = option("program", "stemmer", names=STEMMERS)
    stop_words: bool = option(False, "leave out stop words")
    limit_words: int | None = option(
        None,
        "read only the first N words of each text, split at white space (default: all)",
        metavar="N",
        kind=int,
        least=1,
    )
    several: str = option("best", "how several references are combined", names=SEVERAL)
    formula: str = option("program", "definition of ROUGE", names=FORMULAS)
    beta: float = option(
        1.0,
        "weight of recall in F, relative to precision",
        metavar="B",
        least=0,
        most=math.inf,
    )
