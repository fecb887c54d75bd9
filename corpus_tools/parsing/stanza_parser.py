"""The provider ``stanza``: Stanford's neural constituency parser (Bauer et al. 2023)."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from corpus_tools.errors import BadUsage
from corpus_tools.parsing.extras import require
from corpus_tools.parsing.penn import plain
from corpus_tools.parsing.sentence_parser import Sentence, SentenceParser, tree_or_none
from corpus_tools.texts.brackets import Tree

PROCESSORS = "tokenize,pos,constituency"


@dataclass(frozen=True)
class Stanza(SentenceParser):
    """The English default models in the directory ``source``; ``None`` is stanza's own directory."""

    source: str | None = None
    name: ClassVar[str] = "stanza"

    @property
    def version(self) -> str:
        """The package's; its models change with it."""
        return f"{_package().__version__} {self.source}"

    def parse(self, sentences: Sequence[Sentence]) -> list[Tree | None]:
        document = _pipeline(self.source)([list(map(plain, sentence)) for sentence in sentences])
        return [
            tree_or_none(str(parsed.constituency), sentence)
            for parsed, sentence in zip(document.sentences, sentences, strict=True)
        ]


def _package():
    return require("stanza", "stanza", "semihmm[stanza]")


@functools.cache
def _pipeline(directory: str | None):
    stanza = _package()
    where = {} if directory is None else {"dir": directory}
    try:
        return stanza.Pipeline(
            "en",
            processors=PROCESSORS,
            tokenize_pretokenized=True,
            # No network at parsing time: what is missing is told below.
            download_method=None,
            logging_level="ERROR",
            **where,
        )
    except (FileNotFoundError, ValueError) as error:
        arguments = "".join(f", model_dir={path!r}" for path in where.values())
        raise BadUsage(
            f"the parser 'stanza' finds no English model: {error}; get it by "
            f"python -c \"import stanza; stanza.download('en', processors='{PROCESSORS}'{arguments})\""
        ) from error
