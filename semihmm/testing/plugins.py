"""Checks a plug-in of any kind."""

from __future__ import annotations

from typing import Any

from corpus_tools.alignments.scores import Score
from corpus_tools.base.errors import BadUsage, SemiHmmError, described
from corpus_tools.measures.measure import Measure
from corpus_tools.parsing import Parser
from jump_models.jump_model import JumpModel
from rewrite_models.null_factor import NullFactor
from rewrite_models.rewrite_model import RewriteModel
from semihmm.model.decoders import Decoder
from semihmm.plots.plot import Plot
from semihmm.testing import others, parts


def check(plugin: Any, **settings: Any) -> None:
    """Check that a plug-in keeps the contract of its kind.

    ``plugin``    the class, or the module of a file format; it need not be registered.
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
        # The values may be those of a part that it requires.
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
        raise BadUsage("it is no plug-in: it derives from no class of plug-ins")
