"""Sentences of raw text, by Punkt (Kiss and Strunk 2006) trained on the corpus itself: no download."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

Splitter = Callable[[str], list[tuple[int, int]]]
"""From a string to the character spans ``[start, end)`` of its sentences."""

# Punkt learns abbreviations from their frequencies, which a small corpus cannot show. Without the last stop.
ABBREVIATIONS = frozenset(
    """
    a.k.a a.m adm al approx apr asst aug ave bros c.f capt cf cmdr co col corp cpl dec dept dr e.g ed eds eq
    eqs est etc feb fig figs gen gov hon i.e i.i.d inc jan jr lt ltd maj messrs mr mrs ms mt nov nr oct p.m
    p.s ph.d pp pres prof rep resp rev sec sect sen sens sept sgt sr st u.k u.n u.s viz vol vs w.r.t
    """.split()  # noqa: SIM905
)

# A text this long has shown its abbreviations; more only takes longer (3 s for a million characters).
TRAINING_CHARACTERS = 1_000_000


def train_splitter(strings: Iterable[str]) -> Splitter:
    """A splitter for the raw strings of one corpus, trained on its first million characters.

    A line break always ends a sentence.
    """
    from nltk.tokenize.punkt import PunktSentenceTokenizer

    punkt = PunktSentenceTokenizer(_parameters(strings))

    def split(string: str) -> list[tuple[int, int]]:
        return [
            (line.start() + start, line.start() + end)
            for line in re.finditer(r"[^\n]+", string)
            if not line.group().isspace()
            for start, end in punkt.span_tokenize(line.group())
        ]

    return split


def _parameters(strings: Iterable[str]):
    from nltk.tokenize.punkt import PunktParameters, PunktTrainer

    trainer = PunktTrainer()
    for string in _beginning(strings):
        trainer.train(string, finalize=False)
    try:
        trainer.finalize_training()
        parameters = trainer.get_params()
    except ValueError:  # NLTK 3.8 takes the logarithm of 0 where a corpus is a few words
        parameters = PunktParameters()
    parameters.abbrev_types.update(ABBREVIATIONS)
    return parameters


def _beginning(strings: Iterable[str]) -> Iterator[str]:
    characters = 0
    for string in strings:
        if characters >= TRAINING_CHARACTERS:
            return
        characters += len(string)
        yield string
