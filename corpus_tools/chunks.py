"""Chunks sentences: NLTK's chunk grammars over HanTa's tags, without any download."""

import functools
import re
import string
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from corpus_tools.base.library_loading import needing
from corpus_tools.texts.forms import load_nltk
from corpus_tools.texts.trees import ROOT, Bracket, Tree, unescape

HANTA_MODEL = "morphmodel_en.pgz"
"""HanTa's model for English."""

LONGEST_PARSED = 300
"""The most tokens of a sentence that is parsed. Sentences of the corpora have up to 230.

The time of some patterns grows faster than the number of tokens.
"""

QUOTE_TAG = "PUQ"
"""The tag of quotes, which the grammar ignores: most are next to a comma, which is enough."""

CHUNK_GRAMMAR = Path(__file__).parent / "data" / "chunk_grammar.toml"
"""The rules of ``Chunks``, and the words that have tags of their own."""


@functools.cache
def _tagger() -> Any:
    """Load HanTa (Wartena 2019) with its English model, once. Raises ``BadUsage`` without it."""
    load_nltk()
    with needing("the parser 'chunks'", "chunks"):
        import HanTa
        from HanTa.HanoverTagger import HanoverTagger
    # The path has a folder, since HanTa looks for a bare name in the current folder, and the file
    # is a pickle.
    return HanoverTagger(str(Path(HanTa.__file__).with_name(HANTA_MODEL)))


class ChunkGrammar(NamedTuple):
    """The grammar of ``Chunks``.

    ``steps``        NLTK's parsers, which run one after the other.
    ``tag_of_word``  the words with a tag of their own.
    ``finite``       matches the tags of finite verbs.
    """

    steps: tuple[Any, ...]
    tag_of_word: dict[str, str]
    finite: re.Pattern[str]


@functools.cache
def _grammar() -> ChunkGrammar:
    from nltk.chunk import RegexpParser

    table = tomllib.loads(CHUNK_GRAMMAR.read_text(encoding="utf-8"))
    guards, macros = table["guards"], table["macros"]
    phrases, clauses, sentences = table["rules"].values()
    unguarded = _replaced(clauses, dict.fromkeys(guards, ""))
    rules = (_replaced(step, guards | macros) for step in (phrases, clauses, unguarded, sentences))
    return ChunkGrammar(
        tuple(RegexpParser(step, root_label=ROOT) for step in rules),
        {word: tag for tag, words in table["words"].items() for word in words.split()},
        re.compile(macros["%FINITE"]),
    )


def _replaced(rules: str, meanings: Mapping[str, str]) -> str:
    for name, meaning in meanings.items():
        rules = rules.replace(name, meaning)
    return rules


def chunked(sentence: tuple[str, ...]) -> Tree | None:
    """Return the Penn-like tree of a sentence, with C5 tags; ``None`` for one that is too long."""
    from nltk.tree import Tree as Constituent

    if len(sentence) > LONGEST_PARSED:
        return None
    tags: list[str] = _tagger().tag_sent(list(map(unescape, sentence)), taglevel=0)
    grammar = _grammar()
    names = [
        grammar.tag_of_word.get(token.lower(), tag)
        for token, tag in zip(sentence, tags, strict=True)
    ]
    if "VVN" in names and not any(map(grammar.finite.fullmatch, names)):
        # HanTa tagged the only verb as a participle, as in "prices dropped".
        names[names.index("VVN")] = "VVD"
    parsed = Constituent(ROOT, [leaf for leaf in enumerate(names) if leaf[1] != QUOTE_TAG])
    if len(parsed):
        for parser in grammar.steps:
            parsed = parser.parse(parsed)
    return _brackets(parsed, tags)


def _brackets(parsed: Any, tags: Sequence[str]) -> Tree:
    """Return the brackets of a chunked sentence. Its leaves are pairs of token index and tag."""
    tree = [Bracket(ROOT, 0, len(tags))]
    labels = [part.label() for part in parsed if not isinstance(part, tuple)]
    if "S" in labels or "VPf" in labels:
        tree.append(Bracket("S", 0, len(tags)))
    for part in parsed.subtrees(lambda part: part is not parsed):
        # A single clause is the whole sentence, which has its bracket already.
        if part.label() != "S" or labels.count("S") != 1 or part not in parsed:
            leaves = part.leaves()
            label = part.label().rstrip(string.ascii_lowercase)
            tree.append(Bracket(label, leaves[0][0], leaves[-1][0] + 1))
    tree += (Bracket(tag, index, index + 1) for index, tag in enumerate(tags))
    # The sort is stable: brackets over the same tokens stay in order.
    return sorted(tree, key=lambda bracket: (bracket.start, -bracket.end))
