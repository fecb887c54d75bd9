"""The provider ``benepar``: the Berkeley Neural Parser (Kitaev, Cao and Klein 2019)."""

from __future__ import annotations

import functools
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from corpus_tools.errors import BadUsage
from corpus_tools.parsing.extras import installed_version, require
from corpus_tools.parsing.penn import plain
from corpus_tools.parsing.sentence_parser import Sentence, SentenceParser, tree_or_none
from corpus_tools.texts.brackets import Tree

MODEL = "benepar_en3"


@dataclass(frozen=True)
class Benepar(SentenceParser):
    """The model ``source``: a name that benepar knows, or a path."""

    source: str = MODEL
    name: ClassVar[str] = "benepar"

    @property
    def version(self) -> str:
        """The package's and the model's name."""
        _package()
        return f"{installed_version('benepar')} {self.source}"

    def parse(self, sentences: Sequence[Sentence]) -> list[Tree | None]:
        model = _model(self.source)
        inputs = [
            _package().InputSentence(words=list(map(plain, sentence))) for sentence in sentences
        ]
        try:
            parsed = list(model.parse_sents(inputs))
        except ValueError:
            # One sentence too long for the model spoils its whole batch.
            parsed = [_alone(model, words) for words in inputs]
        return [
            None if tree is None else tree_or_none(tree.pformat(margin=sys.maxsize), sentence)
            for tree, sentence in zip(parsed, sentences, strict=True)
        ]


def _alone(model, words):
    try:
        return model.parse(words)
    except ValueError:
        return None


def _package():
    return require("benepar", "benepar", "semihmm[benepar]")


@functools.cache
def _model(source: str):
    try:
        return _package().Parser(source)
    except LookupError as error:
        raise BadUsage(
            f"the parser 'benepar' finds no model {source!r}; get it by "
            f"python -c \"import benepar; benepar.download('{MODEL}')\""
        ) from error
