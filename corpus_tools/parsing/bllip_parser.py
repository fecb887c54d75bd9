"""The provider ``bllip``: Charniak's parser, as in the paper, with the reranker of Charniak and Johnson (2005)."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from corpus_tools.errors import BadUsage
from corpus_tools.parsing.extras import installed_version, require
from corpus_tools.parsing.penn import escape
from corpus_tools.parsing.sentence_parser import Sentence, SentenceParser, tree_or_none
from corpus_tools.texts.brackets import Tree

MODEL = "WSJ-PTB3"
# Where bllipparser's ModelFetcher installs.
INSTALLED = Path("~/.local/share/bllipparser")


@dataclass(frozen=True)
class Bllip(SentenceParser):
    """The unified model ``source``: a directory, or the name of one that bllipparser has installed."""

    source: str = MODEL
    name: ClassVar[str] = "bllip"

    @property
    def version(self) -> str:
        """The package's and the model's name."""
        _package()
        return f"{installed_version('bllipparser')} {self.source}"

    def parse(self, sentences: Sequence[Sentence]) -> list[Tree | None]:
        model = _model(self.source)
        return [_parse(model, sentence) for sentence in sentences]


def _parse(model, sentence: Sentence) -> Tree | None:
    try:
        parses = model.parse(list(map(escape, sentence)))
    except ValueError:
        # Longer than the 399 tokens for which the parser is built.
        return None
    return tree_or_none(str(parses[0].ptb_parse), sentence) if len(parses) else None


def _package():
    return require("bllipparser", "bllip", "semihmm[bllip]")


@functools.cache
def _model(source: str):
    directory = source if Path(source).is_dir() else str(INSTALLED.expanduser() / source)
    try:
        model = _package().RerankingParser.from_unified_model_dir(directory)
        model.check_models_loaded_or_error("auto")
    except (OSError, ValueError) as error:
        raise BadUsage(
            f"the parser 'bllip' finds no model {source!r}: {error}; get it by python -m bllipparser.ModelFetcher -i {MODEL}"
        ) from error
    return model
