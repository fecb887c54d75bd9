"""Defines the parser ``benepar``: the Berkeley Neural Parser (Kitaev, Cao and Klein 2019)."""

from __future__ import annotations

import functools
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, ClassVar

from corpus_tools.errors import BadUsage
from corpus_tools.parsing.extras import installed_version, require
from corpus_tools.parsing.penn import plain
from corpus_tools.parsing.sentence_parser import Sentence, SentenceParser, tree_or_none
from corpus_tools.plugins.options import Options, option
from corpus_tools.texts.brackets import Tree

if TYPE_CHECKING:
    import benepar
    import nltk

MODEL = "benepar_en3"


@dataclass(frozen=True)
class BeneparSettings(Options):
    """``source`` is the model: a name that benepar knows, or a path."""

    source: str = option(MODEL, "name or path of a benepar model", metavar="MODEL", parse=str)


@dataclass(frozen=True)
class Benepar(SentenceParser):
    """Parses with one model of benepar."""

    name: ClassVar[str] = "benepar"
    Settings: ClassVar[type[Options]] = BeneparSettings
    package: ClassVar[str] = "benepar"

    settings: BeneparSettings = BeneparSettings()

    @property
    def version(self) -> str:
        """The package's version and the model's name."""
        _package()
        return f"{installed_version(self.package)} {self.settings.source}"

    def parse(self, sentences: Sequence[Sentence]) -> list[Tree | None]:
        model = _model(self.settings.source)
        make_input = _package().InputSentence
        inputs = [make_input(words=list(map(plain, sentence))) for sentence in sentences]
        try:
            parsed = list(model.parse_sents(inputs))
        except ValueError:
            # One sentence too long for the model makes its whole batch fail.
            parsed = [_parse_alone(model, words) for words in inputs]
        return [
            None if tree is None else tree_or_none(tree.pformat(margin=sys.maxsize), sentence)
            for tree, sentence in zip(parsed, sentences, strict=True)
        ]


def _parse_alone(model: benepar.Parser, words: benepar.InputSentence) -> nltk.Tree | None:
    try:
        return model.parse(words)
    except ValueError:
        return None


def _package() -> ModuleType:
    return require(Benepar.package, Benepar.name)


@functools.cache
def _model(source: str) -> benepar.Parser:
    try:
        return _package().Parser(source)
    except LookupError as error:
        raise BadUsage(
            f"the parser 'benepar' finds no model {source!r}; get it by "
            f"python -c \"import benepar; benepar.download('{MODEL}')\""
        ) from error
