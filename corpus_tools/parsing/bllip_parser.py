"""Defines the parser ``bllip``: Charniak's, as in the paper, with a reranker.

The reranker is that of Charniak and Johnson (2005).
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, ClassVar

from corpus_tools.errors import BadUsage
from corpus_tools.parsing.extras import installed_version, require
from corpus_tools.parsing.penn import escape
from corpus_tools.parsing.sentence_parser import Sentence, SentenceParser, tree_or_none
from corpus_tools.plugins.options import Options, option
from corpus_tools.texts.brackets import Tree

if TYPE_CHECKING:
    from bllipparser import RerankingParser

MODEL = "WSJ-PTB3"
INSTALLED = Path("~/.local/share/bllipparser")
"""The folder into which bllipparser's ModelFetcher installs models."""


@dataclass(frozen=True)
class BllipSettings(Options):
    """``source`` is the unified model: a directory, or the name of an installed one."""

    source: str = option(MODEL, "name or directory of a BLLIP model", metavar="MODEL", parse=str)


@dataclass(frozen=True)
class Bllip(SentenceParser):
    """Parses with one unified model of bllipparser."""

    name: ClassVar[str] = "bllip"
    Settings: ClassVar[type[Options]] = BllipSettings
    package: ClassVar[str] = "bllipparser"

    settings: BllipSettings = BllipSettings()

    @property
    def version(self) -> str:
        """The package's version and the model's name."""
        _package()
        return f"{installed_version(self.package)} {self.settings.source}"

    def parse(self, sentences: Sequence[Sentence]) -> list[Tree | None]:
        model = _model(self.settings.source)
        return [_parse(model, sentence) for sentence in sentences]


def _parse(model: RerankingParser, sentence: Sentence) -> Tree | None:
    try:
        parses = model.parse(list(map(escape, sentence)))
    except ValueError:
        # The sentence is longer than the 399 tokens for which the parser is built.
        return None
    return tree_or_none(str(parses[0].ptb_parse), sentence) if len(parses) else None


def _package() -> ModuleType:
    return require(Bllip.package, Bllip.name)


@functools.cache
def _model(source: str) -> RerankingParser:
    directory = source if Path(source).is_dir() else str(INSTALLED.expanduser() / source)
    try:
        model = _package().RerankingParser.from_unified_model_dir(directory)
        model.check_models_loaded_or_error("auto")
    except (OSError, ValueError) as error:
        raise BadUsage(
            f"the parser 'bllip' finds no model {source!r}: {error}; "
            f"get it by python -m bllipparser.ModelFetcher -i {MODEL}"
        ) from error
    return model
