"""Finds out what kind of plug-in something is, and checks it."""

from __future__ import annotations

from typing import Any

from corpus_tools.alignments.scores import Score
from corpus_tools.base.errors import BadUsage, SemiHmmError, described
from corpus_tools.measures.measure import Measure
from corpus_tools.parsing.parser import Parser
from jump_models.jump_model import JumpModel
from rewrite_models.null_factor import NullFactor
from rewrite_models.rewrite_model import RewriteModel
from semihmm.model.decoders import Decoder
from semihmm.plots.plot import Plot
from semihmm.testing import others, parts


def check(plugin: Any, **settings: Any) -> None:
    """Check that a plug-in keeps the contract of its kind.

    ``plugin``    the class, or the module of a file format; it need not be registered.
    ``settings``  other values than the defaults of its settings.

    A part of the model is made from some texts and asked for features, probabilities and expected
    counts, on words too that it has not seen. Its M-step must not lower what it has to raise, or
    change the part, and it must come back from its arrays. A decoder decodes these texts, a parser
    parses them, a format writes alignments of them and reads them again. Scores and measures must
    give as many statistics for each text, and figures for any sum of them. A plot is drawn twice.

    Raises ``BadUsage`` that names the plug-in and what is wrong; an error of the plug-in's own code
    is the cause.
    """
    try:
        _check(plugin, settings)
    except Exception as error:
        name = getattr(plugin, "name", plugin)
        problem = str(error) if isinstance(error, SemiHmmError) else described(error)
        raise BadUsage(f"the plug-in {name!r}: {problem}") from error


def _check(plugin: Any, settings: dict[str, Any]) -> None:
    if not isinstance(plugin, type):
        others.check_format(plugin)
    elif issubclass(plugin, RewriteModel):
        parts.check_rewrite_model(plugin, plugin.Settings.choose(settings))
    elif issubclass(plugin, NullFactor):
        parts.check_null_factor(plugin, settings)
    elif issubclass(plugin, JumpModel):
        parts.check_jump_model(plugin, plugin.Settings.choose(settings))
    elif issubclass(plugin, Decoder):
        others.check_decoder(plugin, plugin.Settings.choose(settings))
    elif issubclass(plugin, Score):
        others.check_score(plugin)
    elif issubclass(plugin, Measure):
        others.check_measure(plugin)
    elif issubclass(plugin, Parser):
        others.check_parser(plugin)
    elif issubclass(plugin, Plot):
        others.check_plot(plugin)
    else:
        raise BadUsage("it is no plug-in: it derives from none of their classes")
