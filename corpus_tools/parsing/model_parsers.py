"""Defines the parsers that load models of other packages: ``stanza``, ``benepar`` and ``bllip``."""

from __future__ import annotations

import functools
import sys
from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from corpus_tools.errors import BadData, BadUsage, needing
from corpus_tools.packages import installed_version
from corpus_tools.parsing.parser import Sentence, SentenceParser
from corpus_tools.texts.trees import Tree, escape, plain, read_tree

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

    @abstractmethod
    def load(self) -> Any:
        """Load the model.

        Raises ``ImportError`` without the package, ``BadUsage`` where the model is missing.
        """

    @abstractmethod
    def bracketed(self, model: Any, sentences: Sequence[Sentence]) -> Iterable[str | None]:
        """Yield the tree of each sentence as the package writes it, ``None`` where it fails."""

    def parse(self, sentences: Sequence[Sentence]) -> list[Tree | None]:
        written = self.bracketed(_loaded(self), sentences)
        return [_tree_or_none(*both) for both in zip(written, sentences, strict=True)]


@functools.cache
def _loaded(parser: ModelParser) -> Any:
    with needing(f"the parser {parser.name!r}", parser.name):
        return parser.load()


def _tree_or_none(text: str | None, sentence: Sentence) -> Tree | None:
    """Read another program's bracketed string; ``None`` where its leaves are not the sentence."""
    try:
        return None if text is None else read_tree(text, sentence)
    except BadData:
        return None


@dataclass(frozen=True)
class Stanza(ModelParser):
    """Stanford's neural parser (Bauer et al. 2023), with the English default models.

    ``source`` is their directory; ``None`` is stanza's own.
    """

    name: ClassVar[str] = "stanza"
    package: ClassVar[str] = "stanza"

    def load(self) -> Any:
        import stanza

        where = {} if self.source is None else {"dir": self.source}
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
            arguments = "" if self.source is None else f", model_dir={self.source!r}"
            download = f"stanza.download('en', processors='{PROCESSORS}'{arguments})"
            raise BadUsage(
                f"the parser 'stanza' finds no English model: {error}; get it by "
                f'python -c "import stanza; {download}"'
            ) from error

    def bracketed(self, model: Any, sentences: Sequence[Sentence]) -> Iterable[str | None]:
        document = model([list(map(plain, sentence)) for sentence in sentences])
        return [str(parsed.constituency) for parsed in document.sentences]


@dataclass(frozen=True)
class Benepar(ModelParser):
    """The Berkeley Neural Parser (Kitaev, Cao and Klein 2019)."""

    name: ClassVar[str] = "benepar"
    package: ClassVar[str] = "benepar"

    source: str | None = BENEPAR_MODEL

    def load(self) -> Any:
        import benepar

        try:
            return benepar.Parser(self.source)
        except LookupError as error:
            raise BadUsage(
                f"the parser 'benepar' finds no model {self.source!r}; get it by "
                f"python -c \"import benepar; benepar.download('{BENEPAR_MODEL}')\""
            ) from error

    def bracketed(self, model: Any, sentences: Sequence[Sentence]) -> Iterable[str | None]:
        from benepar import InputSentence

        inputs = [InputSentence(words=list(map(plain, sentence))) for sentence in sentences]
        try:
            parsed = list(model.parse_sents(inputs))
        except ValueError:
            # One sentence too long for the model makes its whole batch fail.
            parsed = [_parse_alone(model, words) for words in inputs]
        return [None if tree is None else tree.pformat(margin=sys.maxsize) for tree in parsed]


def _parse_alone(model: Any, words: Any) -> Any:
    try:
        return model.parse(words)
    except ValueError:
        return None


@dataclass(frozen=True)
class Bllip(ModelParser):
    """Charniak's parser, as in the paper, with the reranker of Charniak and Johnson (2005)."""

    name: ClassVar[str] = "bllip"
    package: ClassVar[str] = "bllipparser"

    source: str | None = BLLIP_MODEL

    def load(self) -> Any:
        from bllipparser import RerankingParser

        directory = str(self.source)
        if not Path(directory).is_dir():
            directory = str(BLLIP_INSTALLED.expanduser() / directory)
        try:
            model = RerankingParser.from_unified_model_dir(directory)
            model.check_models_loaded_or_error("auto")
        except (OSError, ValueError) as error:
            raise BadUsage(
                f"the parser 'bllip' finds no model {self.source!r}: {error}; "
                f"get it by python -m bllipparser.ModelFetcher -i {BLLIP_MODEL}"
            ) from error
        return model

    def bracketed(self, model: Any, sentences: Sequence[Sentence]) -> Iterable[str | None]:
        for sentence in sentences:
            try:
                parses = model.parse(list(map(escape, sentence)))
            except ValueError:  # it is longer than the 399 tokens for which the parser is built
                parses = []
            yield str(parses[0].ptb_parse) if len(parses) else None
