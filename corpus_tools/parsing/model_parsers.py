"""Defines the parsers that load models of other packages: ``stanza``, ``benepar`` and ``bllip``."""

from __future__ import annotations

import functools
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from corpus_tools.errors import BadUsage, needing
from corpus_tools.parsing.parser import (
    Sentence,
    SentenceParser,
    installed_version,
    tree_or_none,
)
from corpus_tools.texts.trees import Tree, escape, plain

if TYPE_CHECKING:
    import benepar
    import nltk
    from bllipparser import RerankingParser
    from stanza import Pipeline

PROCESSORS = "tokenize,pos,constituency"
"""Those of stanza that are needed."""

BENEPAR_MODEL = "benepar_en3"
BLLIP_MODEL = "WSJ-PTB3"
BLLIP_INSTALLED = Path("~/.local/share/bllipparser")
"""The folder into which bllipparser's ModelFetcher installs models."""


@dataclass(frozen=True)
class ModelParser(SentenceParser):
    """Parses with one model of a package: ``source`` is a name that this knows, or a path."""

    takes_source: ClassVar[bool] = True

    @property
    def version(self) -> str:
        """The package's version and the model's name."""
        assert self.package is not None
        with needing(f"the parser {self.name!r}", self.name):
            __import__(self.package)
        return f"{installed_version(self.package)} {self.source}"


@dataclass(frozen=True)
class Stanza(ModelParser):
    """Stanford's neural parser (Bauer et al. 2023), with the English default models.

    ``source`` is their directory; ``None`` is stanza's own.
    """

    name: ClassVar[str] = "stanza"
    package: ClassVar[str] = "stanza"

    def parse(self, sentences: Sequence[Sentence]) -> list[Tree | None]:
        pipeline = _stanza_pipeline(self.source)
        document = pipeline([list(map(plain, sentence)) for sentence in sentences])
        return [
            tree_or_none(str(parsed.constituency), sentence)
            for parsed, sentence in zip(document.sentences, sentences, strict=True)
        ]


@functools.cache
def _stanza_pipeline(directory: str | None) -> Pipeline:
    with needing("the parser 'stanza'", Stanza.name):
        import stanza
    where = {} if directory is None else {"dir": directory}
    try:
        return stanza.Pipeline(
            "en",
            processors=PROCESSORS,
            tokenize_pretokenized=True,
            # No network while parsing: the error below says what is missing.
            download_method=None,
            logging_level="ERROR",
            **where,
        )
    except (FileNotFoundError, ValueError) as error:
        arguments = "" if directory is None else f", model_dir={directory!r}"
        download = f"stanza.download('en', processors='{PROCESSORS}'{arguments})"
        raise BadUsage(
            f"the parser 'stanza' finds no English model: {error}; get it by "
            f'python -c "import stanza; {download}"'
        ) from error


@dataclass(frozen=True)
class Benepar(ModelParser):
    """The Berkeley Neural Parser (Kitaev, Cao and Klein 2019)."""

    name: ClassVar[str] = "benepar"
    package: ClassVar[str] = "benepar"

    source: str | None = BENEPAR_MODEL

    def parse(self, sentences: Sequence[Sentence]) -> list[Tree | None]:
        model = _benepar_model(self.source)
        from benepar import InputSentence

        inputs = [InputSentence(words=list(map(plain, sentence))) for sentence in sentences]
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


@functools.cache
def _benepar_model(source: str | None) -> benepar.Parser:
    with needing("the parser 'benepar'", Benepar.name):
        import benepar
    try:
        return benepar.Parser(source)
    except LookupError as error:
        raise BadUsage(
            f"the parser 'benepar' finds no model {source!r}; get it by "
            f"python -c \"import benepar; benepar.download('{BENEPAR_MODEL}')\""
        ) from error


@dataclass(frozen=True)
class Bllip(ModelParser):
    """Charniak's parser, as in the paper, with the reranker of Charniak and Johnson (2005)."""

    name: ClassVar[str] = "bllip"
    package: ClassVar[str] = "bllipparser"

    source: str | None = BLLIP_MODEL

    def parse(self, sentences: Sequence[Sentence]) -> list[Tree | None]:
        model = _bllip_model(str(self.source))
        return [_bllip_tree(model, sentence) for sentence in sentences]


def _bllip_tree(model: RerankingParser, sentence: Sentence) -> Tree | None:
    try:
        parses = model.parse(list(map(escape, sentence)))
    except ValueError:
        # The sentence is longer than the 399 tokens for which the parser is built.
        return None
    return tree_or_none(str(parses[0].ptb_parse), sentence) if len(parses) else None


@functools.cache
def _bllip_model(source: str) -> RerankingParser:
    with needing("the parser 'bllip'", Bllip.name):
        from bllipparser import RerankingParser
    directory = source if Path(source).is_dir() else str(BLLIP_INSTALLED.expanduser() / source)
    try:
        model = RerankingParser.from_unified_model_dir(directory)
        model.check_models_loaded_or_error("auto")
    except (OSError, ValueError) as error:
        raise BadUsage(
            f"the parser 'bllip' finds no model {source!r}: {error}; "
            f"get it by python -m bllipparser.ModelFetcher -i {BLLIP_MODEL}"
        ) from error
    return model
