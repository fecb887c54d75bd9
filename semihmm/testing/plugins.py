"""Checks a plug-in of any kind. ``parts`` has the checks of the parts of the model."""

from __future__ import annotations

import io
import re
import tempfile
import warnings
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from corpus_tools.alignments import alignment
from corpus_tools.alignments.alignment import (
    GOLD_SYSTEM,
    Alignment,
    PhraseLink,
    check_consistency,
    gold_alignment,
    word_links,
)
from corpus_tools.alignments.portrait import PortraitColumn
from corpus_tools.alignments.scores import ScopedLinks, Score
from corpus_tools.base.errors import BadUsage, SemiHmmError, SemiHmmWarning, described
from corpus_tools.measures.measure import FIGURE_SIDES, Measure
from corpus_tools.measures.settings import MeasureSettings
from corpus_tools.measures.words import MeasuredText, WordIndexes
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.records import make_pair
from corpus_tools.parsing import Parser
from corpus_tools.texts.trees import read_tree, write_tree
from jump_models.jump_model import JumpModel
from rewrite_models.null_factor import NullFactor
from rewrite_models.rewrite_model import RewriteModel
from semihmm.aligner import Aligner
from semihmm.model.decoders.decoder import Decoder
from semihmm.plots.plot import FORMATS, FigureSize, Plot, PlotData, plotting
from semihmm.testing import parts
from semihmm.testing.parts import (
    OTHER_TEXTS,
    TEXTS,
    UNSEEN,
    Texts,
    batches,
    require,
    require_phrases,
    untrained_model,
)


def check(plugin: Any, *, texts: Texts = TEXTS, **settings: Any) -> None:
    """Check that a plug-in keeps the contract of its kind.

    ``plugin``    the class, or the module of a file format; it need not be registered.
    ``texts``     documents and abstracts for a part of the model or a decoder, words and marks with
                  blanks between them: texts that give the plug-in something to do.
    ``settings``  values of its settings, in place of the defaults.

    A part of the model is made from some texts, and its features, probabilities and expected counts
    are computed, also for unseen words. Its M-step must return a new part and not lower the
    objective, and its arrays must give the same part again. A decoder decodes the texts, a parser
    parses them, a format writes alignments and reads them again. Scores and measures must give the
    same number of statistics for each text, and figures for any sum of them. A plot is drawn twice.

    Raises ``BadUsage`` that names the plug-in and the problem. Its cause is the error, if the
    plug-in has raised one.
    """
    try:
        _check(plugin, settings, texts)
    except Exception as error:
        name = getattr(plugin, "name", plugin)
        problem = str(error) if isinstance(error, SemiHmmError) else described(error)
        raise BadUsage(f"the plug-in {name!r}: {problem}") from error


def _check(plugin: Any, settings: dict[str, Any], texts: Texts) -> None:
    if not isinstance(plugin, type):
        check_format(plugin)
    elif issubclass(plugin, RewriteModel):
        parts.check_rewrite_model(plugin, plugin.Settings.choose(settings), texts)
    elif issubclass(plugin, NullFactor):
        # The values may be those of a part that it requires.
        parts.check_null_factor(plugin, settings, texts)
    elif issubclass(plugin, JumpModel):
        parts.check_jump_model(plugin, plugin.Settings.choose(settings), texts)
    elif issubclass(plugin, Decoder):
        check_decoder(plugin, plugin.Settings.choose(settings), texts)
    elif issubclass(plugin, Score):
        check_score(plugin)
    elif issubclass(plugin, Measure):
        check_measure(plugin)
    elif issubclass(plugin, Parser):
        check_parser(plugin)
    elif issubclass(plugin, Plot):
        check_plot(plugin)
    else:
        raise BadUsage("it is no plug-in: it derives from no class of plug-ins")


def _pairs() -> list[Pair]:
    return [make_pair(*sides, str(n), "whitespace", "en") for n, sides in enumerate(TEXTS)]


def _alignment(pair: Pair) -> Alignment:
    """Link the first two words of both sides, and the last ones."""
    document, abstract = len(pair.document), len(pair.abstract)
    last = PhraseLink((abstract - 1, abstract), (document - 1, document), 0.25)
    return Alignment(pair.id, (PhraseLink((0, 2), (0, 2), 0.5), last))


# Decoders and parsers


def check_decoder(kind: type[Decoder], settings: Any, texts: Texts = TEXTS) -> None:
    """Raise ``BadUsage`` if a decoder breaks the contract."""
    seen = batches(texts)
    decoded = 0
    vocabulary = seen[0].vocabulary
    model = untrained_model(seen)
    for batch in (*seen, *batches(UNSEEN, vocabulary)):
        links = kind(settings).decode(model, model.encode(batch))
        spans = np.array([span for span, _ in links], dtype=np.int64).reshape(-1, 4)
        decoded += len(spans)
        require_phrases(spans, batch, "decode")
        probabilities = np.array([probability for _, probability in links])
        wrong = probabilities[~((probabilities >= 0) & (probabilities <= 1 + 1e-9))]
        require(not len(wrong), f"decode: a probability is {wrong[:1].tolist()}, expected 0 to 1")
        phrases = spans[:, :2].tolist()
        require(phrases == sorted(phrases), "decode: links are not sorted by abstract offset")
        overlap = any(two[0] < one[1] for one, two in pairwise(phrases))
        require(not overlap, "decode: abstract phrases overlap")
    require(decoded, f"decode: there are no links: {OTHER_TEXTS}")


def check_parser(kind: type[Parser]) -> None:
    """Raise ``BadUsage`` if a parser breaks the contract."""
    pairs = _pairs()
    documents = list(kind().document_trees(pairs))
    require(len(documents) == len(pairs), "document_trees: expected a list of trees for each pair")
    for pair, trees in zip(pairs, documents, strict=True):
        sentences = list(pair.document.sentences())
        require(len(trees) == len(sentences), "document_trees: expected a tree for each sentence")
        for tree, tokens in zip(trees, sentences, strict=True):
            if tree is not None:
                again = read_tree(write_tree(tree, tokens), tokens)
                require(
                    again == tree,
                    f"document_trees: not the same when read again, for {tokens}: {tree}",
                )


# Scores and measures


def _require_statistics(rows: list[np.ndarray], subject: str) -> np.ndarray:
    shapes = {np.shape(row) for row in rows}
    same = len(shapes) == 1 and len(*shapes) == 1
    expected = f"expected one row with the same number of figures for {subject}"
    require(same, f"statistics: {expected}, got {sorted(shapes)}")
    return np.array(rows, dtype=np.float64)


def check_score(kind: type[Score]) -> None:
    """Raise ``BadUsage`` if a score breaks the contract."""
    score = kind()
    require(isinstance(kind.title, str), "title: expected the head of a column")
    none = frozenset[Any]()
    system, sure, possible = (
        frozenset({(0, 0), (3, 1)}),
        frozenset({(0, 0)}),
        frozenset({(0, 0), (1, 1)}),
    )
    cases = [
        ScopedLinks(system, sure, possible, frozenset({0, 1, 2})),
        ScopedLinks(none, sure, possible, frozenset({0, 1})),
        ScopedLinks(system, none, none, frozenset({0, 1})),
        ScopedLinks(none, none, none, none),
    ]
    statistics = _require_statistics([*map(score.statistics, cases)], "all pairs")
    require(np.isfinite(statistics).all(), "statistics: one is not finite")
    together = np.asarray(score.statistics_of_all(cases))
    require(np.allclose(together, statistics), "statistics_of_all: not what statistics gives")
    # A pair may count more than once, and nothing at all is a sum too.
    sums = np.stack([statistics.sum(axis=0), 2 * statistics[0] + statistics[1], 0 * statistics[0]])
    figures = np.asarray(score.figure(sums))
    require(figures.shape == (3,), f"figure: {figures.shape} for sums of {sums.shape}")
    require(np.isfinite(figures).all(), "figure: one is no number")
    alone = [float(score.figure(row)) for row in sums]
    require(np.allclose(alone, figures), "figure: one sum by itself has another figure")


def check_measure(kind: type[Measure]) -> None:
    """Raise ``BadUsage`` if a measure breaks the contract."""
    require(kind.side in FIGURE_SIDES, f"side: {kind.side!r} is none of {', '.join(FIGURE_SIDES)}")
    require(kind.examples, "examples: there are none")
    texts = [MeasuredText([text], WordIndexes()) for text in (*TEXTS[0], *TEXTS[1], "", "the")]
    for name in kind.examples:
        match = re.fullmatch(kind.pattern, name)
        if match is None:
            raise BadUsage(f"pattern: it does not match the example {name!r}")
        measure = kind(name, match.groupdict(), MeasureSettings()).prepared(texts)
        # Both documents and the empty text.
        references = texts[0], texts[2], texts[4]
        cases = [(text, references) for text in texts]
        statistics = _require_statistics([measure.statistics(*case) for case in cases], name)
        together = np.asarray(measure.all_statistics(cases))
        same = np.allclose(together, statistics, equal_nan=True)
        require(same, "all_statistics: not what statistics gives")
        sums = np.stack([statistics.sum(axis=0), *statistics])
        figures = np.asarray(measure.figure(sums))
        expected = (len(sums), len(FIGURE_SIDES))
        require(figures.shape == expected, f"figure: {figures.shape}, expected {expected}")
        alone = np.array([measure.figure(row) for row in sums])
        same = np.allclose(alone, figures, equal_nan=True)
        require(same, "figure: one sum by itself has other figures")


# File formats


def check_format(module: Any) -> None:
    """Raise ``BadUsage`` if the module of a file format breaks the contract."""
    functions = [name for name in ("write", "read") if callable(getattr(module, name, None))]
    require(functions, "it is no plug-in: neither a class, nor a module with write or read")
    if "write" not in functions:
        return
    pairs = _pairs()
    alignments = [*map(_alignment, pairs[:-1]), Alignment(pairs[-1].id)]
    stream = io.StringIO()
    module.write(zip(pairs, alignments, strict=True), stream)
    if "read" not in functions:
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "alignments"
        path.write_text(stream.getvalue(), encoding="utf-8")
        found = [read for _, read in module.read(path, pairs)]
    require(
        [one.id for one in found] == [pair.id for pair in pairs],
        "read: the ids are not those of the pairs that write got",
    )
    for pair, before, after in zip(pairs, alignments, found, strict=True):
        alignment.check(after, pair)
        check_consistency(after)
        texts = pair.document.tokens, pair.abstract.tokens
        same = word_links(before, *texts) == word_links(after, *texts)
        require(same, f"read: not the links of the pair {pair.id} that write got")


# Plots

PLOT_INPUTS = ("models", "pairs", "alignments", "names", "gold", "columns")
"""The values that ``Plot.reads`` may have."""


def check_plot(kind: type[Plot]) -> None:
    """Raise ``BadUsage`` if a plot breaks the contract."""
    require(isinstance(kind.help, str), "help: expected a line that says what it shows")
    unknown = [name for name in kind.reads if name not in PLOT_INPUTS]
    require(not unknown, f"reads: unknown {unknown}; known: {', '.join(PLOT_INPUTS)}")
    data = _plot_data()
    with tempfile.TemporaryDirectory() as folder:
        for form in FORMATS:
            written = []
            for attempt in ("first", "second"):
                path = Path(folder) / f"{attempt}.{form}"
                with plotting(kind(), path, FigureSize()) as draw:
                    draw(data)
                written.append(path.read_bytes())
            require(written[0], f"the figure in {form} is empty")
            require(written[0] == written[1], f"the figure in {form} has other bytes each time")


@cache
def _plot_data() -> PlotData:
    """Train a model on the texts, with everything that a plot may ask for."""
    # The first word of each side is linked by hand.
    pairs = [replace(pair, sure=frozenset({(0, 0)}), possible=frozenset()) for pair in _pairs()]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SemiHmmWarning)
        aligner = Aligner(wordnet="none", iterations=2).fit(pairs)
        alignments = {one.id: one for one in aligner.align(pairs)}
    gold = {pair.id: gold_alignment(pair) for pair in pairs}
    column = PortraitColumn("model")
    for pair in pairs:
        column.add(pair, alignments[pair.id], frozenset())
    return PlotData({"model": aligner}, pairs, {GOLD_SYSTEM: gold, "model": alignments}, [column])
