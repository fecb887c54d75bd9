"""Defines the settings of all measures."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from corpus_tools.languages.language import AUTO, ENGLISH
from corpus_tools.plugins import Options, language_option, option

MEASURE_TOKENIZERS = {
    AUTO: "program for English, unicode for other languages",
    "program": "as ROUGE-1.5.5: runs of a-z and 0-9 in lower case",
    "unicode": "runs of letters and digits of any script; Chinese characters one by one",
    "whitespace": "words between blanks, as a segmenter of the language writes them",
}
STEMMERS = {
    AUTO: "program for English, none for other languages",
    "program": "as ROUGE-1.5.5: Porter (1980) with its changes, and WordNet's exceptions",
    "nltk": "NLTK's Porter, as rouge-score",
    "none": "no stems",
}
REFERENCE_COMBINATIONS = {
    "best": "the reference with the best recall",
    "sum": "counts summed over the references",
    "mean": "the mean over the references",
    "jackknife": "the mean, over the references, of the best among the others",
}
ROUGE_FORMULAS = {"program": "as ROUGE-1.5.5 computes it", "paper": "as Lin (2004) prints it"}


WORD_SETTINGS = ("language", "tokenizer", "stem", "stop_words", "limit_words")
"""The names of the settings on which the words of a text depend."""


@dataclass(frozen=True)
class MeasureSettings(Options):
    """The settings of measures. The name of a measure holds its other parameters."""

    language: str = language_option()
    tokenizer: str = option(AUTO, "how texts are split into words", names=MEASURE_TOKENIZERS)
    stem: str = option(AUTO, "stemmer", names=STEMMERS)
    stop_words: bool = option(False, "leave out the stop words of the language")
    limit_words: int | None = option(
        None,
        "read only the first N words of each text, split at white space (default: all)",
        metavar="N",
        kind=int,
        least=1,
    )
    several: str = option(
        "best", "how several references are combined", names=REFERENCE_COMBINATIONS
    )
    formula: str = option("program", "definition of ROUGE", names=ROUGE_FORMULAS)
    beta: float = option(
        1.0, "weight of recall in F, relative to precision", metavar="B", least=0, most=math.inf
    )

    def in_language(self, code: str) -> MeasureSettings:
        """Return the settings for texts in a language: no setting is ``auto`` any more.

        ROUGE-1.5.5 drops all letters that are not ASCII: its words and stems are for English.
        """
        chosen = code if self.language == AUTO else self.language
        english = chosen == ENGLISH
        tokenizer = ("program" if english else "unicode") if self.tokenizer == AUTO else None
        stem = ("program" if english else "none") if self.stem == AUTO else None
        return replace(
            self, language=chosen, tokenizer=tokenizer or self.tokenizer, stem=stem or self.stem
        )
