"""Splits raw text into sentences with Punkt (Kiss and Strunk 2006).

Punkt is trained on the corpus itself, so nothing has to be downloaded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nltk.tokenize.punkt import PunktParameters

Splitter = Callable[[str], list[tuple[int, int]]]
"""From a string to the character spans ``[start, end)`` of its sentences."""

ABBREVIATIONS = frozenset(
    """
    a.k.a a.m adm al approx apr asst aug ave bros c.f capt cf cmdr co col corp cpl dec dept dr e.g
    ed eds eq eqs est etc feb fig figs gen gov hon i.e i.i.d inc jan jr lt ltd maj messrs mr mrs ms
    mt nov nr oct p.m p.s ph.d pp pres prof rep resp rev sec sect sen sens sept sgt sr st u.k u.n
    u.s viz vol vs w.r.t
    """.split()  # noqa: SIM905
)
"""Abbreviations without their last stop, chosen by hand: titles, months, companies, Latin ones.

Punkt learns abbreviations from their frequencies, and a small corpus has each of them too rarely.
"""

TRAINING_CHARACTERS = 1_000_000
"""How much of a corpus Punkt is trained on.

Chosen by hand, no score was measured. It trades time for rare abbreviations: Punkt takes about 3 s
for a million characters, and an abbreviation that is missing there is rare in the rest too.
"""


def train_splitter(strings: Iterable[str]) -> Splitter:
    """Return a splitter for the raw strings of one corpus.

    It is trained on the first ``TRAINING_CHARACTERS`` of the strings. A line break always ends a
    sentence.
    """
    from nltk.tokenize.punkt import PunktSentenceTokenizer

    punkt = PunktSentenceTokenizer(_parameters(strings))

    def split(string: str) -> list[tuple[int, int]]:
        spans: list[tuple[int, int]] = []
        for line in re.finditer(r"[^\n]+", string):
            if not line.group().isspace():
                first = line.start()
                spans += [
                    (first + start, first + end) for start, end in punkt.span_tokenize(line.group())
                ]
        return spans

    return split


def _parameters(strings: Iterable[str]) -> PunktParameters:
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
