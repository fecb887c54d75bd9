"""Writes the settings of measures in one line, to be quoted beside figures."""

from __future__ import annotations

from corpus_tools.measures.settings import MeasureSettings
from corpus_tools.measures.stems import irregular_forms
from corpus_tools.version import installed_version


def signature(settings: MeasureSettings, resamples: int) -> str:
    """Return the version and all settings; without WordNet, that stems lack irregular forms."""
    stem = settings.stem
    if stem == "program" and not irregular_forms():
        stem += " without irregular forms"
    limit = "none" if settings.limit_words is None else f"{settings.limit_words} words"
    parts = [
        f"semihmm {installed_version()}",
        f"tokenizer {settings.tokenizer}",
        f"stem {stem}",
        f"stop words {'removed' if settings.stop_words else 'kept'}",
        f"limit {limit}",
        f"several {settings.several}",
        f"formula {settings.formula}",
        f"beta {settings.beta:g}",
        f"bootstrap {resamples}",
    ]
    return " | ".join(parts)
