"""Turns pairs into the lines of an output of ``align`` or ``support``."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from io import StringIO
from pathlib import Path
from platform import machine
from typing import TYPE_CHECKING, NamedTuple, TextIO

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.alignments.alignment_rows import alignment_row
from corpus_tools.alignments.formats import WITHOUT_IDS, WRITERS, MatchedAlignments, Writer
from corpus_tools.base import files
from corpus_tools.base.library_loading import installed_version
from corpus_tools.pairs.pair import Pair
from semihmm.cli import outputs
from semihmm.model.decoding import aligned_pairs
from semihmm.model.units import empty_alignment, encoder_of
from semihmm.model_choice import LanguageAligners, in_languages
from semihmm.registry import application
from semihmm.training.cluster import SharedModel, read_shared
from semihmm.training.training_cache import program_source

if TYPE_CHECKING:
    from semihmm.applications.support import Thresholds


SUPPORT, LABELS = "support", "support labels"
"""The formats of ``semihmm support``: the support of abstracts, or labels of document sentences.

``semihmm.applications.support.support`` writes both.
"""


class SharedAligner(NamedTuple):
    """An aligner in the form that workers get.

    ``model``  the model and its settings, or their file (``semihmm.training.cluster``).
    ``by``     the field ``by`` of the alignments.
    """

    model: SharedModel | Path
    by: str


def aligned(
    main: str,
    aligners: Mapping[str, SharedAligner],
    skip: bool,
    threads: int,
    pairs: Iterable[Pair],
) -> Iterator[tuple[Pair, Alignment | None]]:
    """Yield each pair with its alignment; ``None`` for a pair that is left out.

    ``main``      the code of the language of most pairs.
    ``aligners``  the aligner of each language, by code.
    ``skip``      whether pairs that make the model fail are left out.
    ``threads``   the number of threads.
    """

    def work(
        aligner: SharedAligner, pairs: Iterable[Pair]
    ) -> Iterator[tuple[Pair, Alignment | None]]:
        return aligned_pairs(*read_shared(aligner.model), pairs, threads, aligner.by, skip)

    works = {code: partial(work, aligner) for code, aligner in aligners.items()}
    return in_languages(pairs, main, works)


def lines_of_pairs(
    align: Callable[[Iterable[Pair]], Iterator[tuple[Pair, Alignment | None]]],
    form: str | None,
    thresholds: Thresholds | None,
    pairs: Iterable[Pair],
) -> Iterator[bytes]:
    """Align the pairs and yield their lines in ``OUTPUT.partial``.

    ``align``       ``aligned`` with its first arguments.
    ``form``        the format: one of ``OWN_WRITERS``, ``SUPPORT``, ``LABELS``, or ``None`` for
                    that of ``semihmm align``. Formats without ids get an empty alignment of a pair
                    that is left out.
    ``thresholds``  the thresholds of verdicts, for ``SUPPORT``.
    """
    write = _writer(form, thresholds)
    for pair, alignment in align(pairs):
        text = StringIO()
        if alignment is not None:
            write([(pair, alignment)], text)
        elif form in WITHOUT_IDS:
            write([(pair, empty_alignment(pair))], text)
        yield outputs.line_of(pair, text.getvalue(), alignment is None)


def _writer(form: str | None, thresholds: Thresholds | None) -> Writer:
    """Return the function that writes alignments in a format."""
    if form is None:
        return _write_rows
    if form not in {SUPPORT, LABELS}:
        return WRITERS[form]
    support = application("support")  # slow to import
    if form == LABELS:
        return support.write_labels
    return partial(support.write_support, thresholds=thresholds)


def _write_rows(matched: MatchedAlignments, stream: TextIO) -> None:
    stream.writelines(files.json_line(alignment_row(alignment)) for _, alignment in matched)


def basis_of(aligners: LanguageAligners, form: str | None, thresholds: Thresholds | None) -> str:
    """Return all that the output depends on: program, models, settings, format, thresholds."""
    # On another machine, or compiled by another numba, kernels may round differently.
    versions = [program_source(), installed_version("numba"), installed_version("numpy"), machine()]
    models = []
    for code, aligner in sorted(aligners.of_language.items()):
        settings = aligner.settings
        encoder = encoder_of(settings).version if settings.needs_vectors else ""
        made_by = [aligner.trained.identity, aligner.made_by]
        models.append([code, *made_by, settings.as_json(), encoder])
    return json.dumps([versions, aligners.main, models, form, str(thresholds)])
