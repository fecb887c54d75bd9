"""Defines the parser ``stanza``: Stanford's neural constituency parser (Bauer et al. 2023)."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, ClassVar

from corpus_tools.errors import BadUsage
from corpus_tools.parsing.extras import require
from corpus_tools.parsing.penn import plain
from corpus_tools.parsing.sentence_parser import Sentence, SentenceParser, tree_or_none
from corpus_tools.plugins.options import Options, option
from corpus_tools.texts.brackets import Tree

if TYPE_CHECKING:
    from stanza import Pipeline

PROCESSORS = "tokenize,pos,constituency"


@dataclass(frozen=True)
class StanzaSettings(Options):
    """``source`` is the directory of the English default models; ``None``: stanza's own."""

    source: str | None = option(None, "directory of stanza's models", metavar="DIR", parse=str)


@dataclass(frozen=True)
class Stanza(SentenceParser):
    """Parses with the English default models."""

    name: ClassVar[str] = "stanza"
    Settings: ClassVar[type[Options]] = StanzaSettings
    package: ClassVar[str] = "stanza"

    settings: StanzaSettings = StanzaSettings()

    @property
    def version(self) -> str:
        """The package's version, with which its models change, and their directory."""
        return f"{_package().__version__} {self.settings.source}"

    def parse(self, sentences: Sequence[Sentence]) -> list[Tree | None]:
        pipeline = _pipeline(self.settings.source)
        document = pipeline([list(map(plain, sentence)) for sentence in sentences])
        return [
            tree_or_none(str(parsed.constituency), sentence)
            for parsed, sentence in zip(document.sentences, sentences, strict=True)
        ]


def _package() -> ModuleType:
    return require(Stanza.package, Stanza.name)


@functools.cache
def _pipeline(directory: str | None) -> Pipeline:
    stanza = _package()
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
