"""Checks a plug-in of any kind. ``parts`` has the checks of the parts of the model.

>>> from semihmm.testing import check
>>> check(Prefix)                                               # doctest: +SKIP
"""

from __future__ import annotations

import io
import tempfile
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from corpus_tools.alignments.alignment import Alignment, PhraseLink, word_links
from corpus_tools.alignments.formats import check_consistency
from corpus_tools.base.errors import BadUsage, SemiHmmError, described
from corpus_tools.pairs.pair import Pair
from corpus_tools.parsing import Parser
from corpus_tools.texts.trees import read_tree, write_tree
from jump_models.jump_model import JumpModel
from rewrite_models.null_factor import NullFactor
from rewrite_models.rewrite_model import RewriteModel
from semihmm.model.decoders.decoder import Decoder
from semihmm.testing import parts
from semihmm.testing.parts import (
    OTHER_TEXTS,
    TEXTS,
    UNSEEN,
    Texts,
    batches,
    require,
    require_phrases,
    tiny_pairs,
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
    same number of statistics for each text, and figures for any sum of them.

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
    elif issubclass(plugin, Parser):
        check_parser(plugin)
    elif contract := getattr(plugin, "contract", ""):
        module, _, name = contract.partition(":")
        getattr(import_module(module), name)(plugin)
    else:
        raise BadUsage("it is no plug-in: it derives from no class of plug-ins")


def tiny_alignment(pair: Pair) -> Alignment:
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
    pairs = tiny_pairs()
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


# File formats


def check_format(module: Any) -> None:
    """Raise ``BadUsage`` if the module of a file format breaks the contract."""
    functions = [name for name in ("write", "read") if callable(getattr(module, name, None))]
    require(functions, "it is no plug-in: neither a class, nor a module with write or read")
    if "write" not in functions:
        return
    pairs = tiny_pairs()
    alignments = [*map(tiny_alignment, pairs[:-1]), Alignment(pairs[-1].id)]
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
        check_consistency(after)
        texts = pair.document.tokens, pair.abstract.tokens
        same = word_links(before, *texts) == word_links(after, *texts)
        require(same, f"read: not the links of the pair {pair.id} that write got")
