"""The lines of an output of ``align`` and ``support``, and what they depend on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import partial
from io import StringIO
from pathlib import Path
from platform import machine
from typing import TYPE_CHECKING, TextIO

from corpus_tools.alignments.alignment import Alignment, alignment_row, from_word_links
from corpus_tools.alignments.formats import OWN_WRITERS, WITHOUT_IDS, MatchedAlignments, Writer
from corpus_tools.base import files
from corpus_tools.base.packages import installed_version
from corpus_tools.pairs.pair import Pair
from semihmm.aligner import Aligner
from semihmm.cli import outputs
from semihmm.cli.align_options import LABELS, SUPPORT
from semihmm.model.decoding import aligned_pairs
from semihmm.model.units import encoder_of
from semihmm.model_choice import LanguageAligners, in_languages
from semihmm.registry import application
from semihmm.training.cluster import program_source, read_shared

if TYPE_CHECKING:
    from semihmm.applications.support import Thresholds


def lines_of_pairs(
    shared: LanguageAligners | Path,
    skip: bool,
    threads: int,
    form: str | None,
    thresholds: Thresholds | None,
    pairs: Iterable[Pair],
) -> Iterator[bytes]:
    """Align the pairs and yield their lines in ``OUTPUT.partial``.

    ``shared``      the aligners, or the file from which workers read them.
    ``skip``        whether pairs that make the model fail are left out.
    ``threads``     the number of threads.
    ``form``        the format: one of ``OWN_WRITERS``, ``SUPPORT``, ``LABELS``, or ``None`` for
                    that of ``semihmm align``. Formats without ids get an empty alignment of a pair
                    that is left out.
    ``thresholds``  the thresholds of verdicts, for ``SUPPORT``.
    """
    aligners = read_shared(shared)

    def align(aligner: Aligner, own: Iterable[Pair]) -> Iterator[tuple[Pair, Alignment | None]]:
        given = aligner.model, aligner.settings, own
        return aligned_pairs(*given, threads, aligner.made_by, skip)

    works = {code: partial(align, aligner) for code, aligner in aligners.of_language.items()}
    write = _writer(form, thresholds)
    for pair, alignment in in_languages(pairs, aligners.main, works):
        text = StringIO()
        if alignment is not None:
            write([(pair, alignment)], text)
        elif form in WITHOUT_IDS:
            write([(pair, from_word_links(pair.id, (), len(pair.abstract)))], text)
        yield outputs.line_of(pair, text.getvalue(), alignment is None)


def _writer(form: str | None, thresholds: Thresholds | None) -> Writer:
    """Return the function that writes alignments in a format."""
    if form == SUPPORT:
        return partial(application("support").write_support, thresholds=thresholds)
    if form == LABELS:
        return application("support").write_labels
    return _write_rows if form is None else OWN_WRITERS[form]


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
