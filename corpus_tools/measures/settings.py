"""Defines the settings of all measures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from corpus_tools.errors import BadUsage, choose
from corpus_tools.plugins.options import Options, at_least, option, truth_value

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


def one_of(default: str, what: str, known: dict[str, str]) -> Any:
    """Make the field of a setting that is one of the known names, which its help text lists."""

    def check(name: str, value: Any) -> None:
        choose(name.replace("_", " "), str(value), known)

    help = f"{what}: " + "; ".join(f"{name}: {meaning}" for name, meaning in known.items())
    return option(default, help, metavar="NAME", parse=str, check=check)


@dataclass(frozen=True)
class WordSettings(Options):
    """Which words a text has for a measure."""

    tokenizer: str = one_of("program", "words of a text", TOKENIZERS)
    stem: str = one_of("program", "stemmer of the words", STEMMERS)
    stop_words: bool = option(False, "leave out the words of the stop list", check=truth_value)
    limit_words: int | None = option(
        None,
        "read so many words, as white space divides them, of each text (default: all)",
        metavar="N",
        check=at_least(1, optional=True),
    )


WORDS = tuple(WordSettings.described())
"""The names of the settings of words."""


def beta(name: str, value: Any) -> None:
    """Raise ``BadUsage`` unless the value is a number of 0 or more; infinity is one."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        raise BadUsage(f"{name} must be a number of 0 or more, not {value!r}")


@dataclass(frozen=True)
class MeasureSettings(WordSettings):
    """Everything that a measure can be told, beside what its name says."""

    several: str = one_of("best", "what counts of several references", SEVERAL)
    formula: str = one_of("program", "which ROUGE", FORMULAS)
    beta: float = option(
        1.0,
        "how many times as much recall weighs in F as precision",
        metavar="B",
        parse=float,
        check=beta,
    )

    @property
    def words(self) -> WordSettings:
        """The settings of the words alone."""
        return WordSettings(self.tokenizer, self.stem, self.stop_words, self.limit_words)
