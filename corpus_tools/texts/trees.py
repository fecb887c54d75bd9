"""The constituents of a sentence as plain values, and as Penn Treebank bracketed strings.

An example of a string is ``(ROOT (NP (DT the) (NN cat)))``. ``chunked`` makes trees without any
download: by NLTK's chunk grammars over HanTa's tags.
"""

import functools
import re
import string
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from corpus_tools.base.errors import BadData, number_of
from corpus_tools.base.packages import needing
from corpus_tools.texts.forms import load_nltk, normal_form

ROOT = "ROOT"
UNKNOWN_LABEL = "X"
RANK_MARK = "#"
"""The mark in a root's label before the rank of the sentence, as in ``ROOT#1``."""


def without_rank(label: str) -> str:
    """Return a label without the rank of its sentence."""
    return label.partition(RANK_MARK)[0] if RANK_MARK in label[1:] else label


class Bracket(NamedTuple):
    """A constituent over the tokens ``[start, end)`` of its sentence."""

    label: str
    start: int
    end: int


Tree = list[Bracket]
"""The brackets of one sentence in pre-order: a parent comes before its children.

The first bracket is ``ROOT`` over all n tokens. Each token has one bracket without children, its
tag (preterminal).
"""


def flat(length: int) -> Tree:
    """Return a tree without structure for n tokens: every token is a child of the root."""
    leaves = (Bracket(UNKNOWN_LABEL, token, token + 1) for token in range(length))
    return [Bracket(ROOT, 0, length), *leaves]


BRACKET_ESCAPES = {
    "(": "-LRB-",
    ")": "-RRB-",
    "[": "-LSB-",
    "]": "-RSB-",
    "{": "-LCB-",
    "}": "-RCB-",
}
ESCAPED_TOKENS = {escaped: plain for plain, escaped in BRACKET_ESCAPES.items()} | {
    r"\/": "/",
    r"\*": "*",
}
_TO_ESCAPE = re.compile(r"[()[\]{}]|\s+")
_WHITE_SPACE = re.compile(r"\s+")
_ESCAPED = re.compile("|".join(map(re.escape, ESCAPED_TOKENS)))

ROOT_LABELS = {"", ROOT, "TOP", "S1"}
"""The root labels of the Penn Treebank, and of Stanford's, Berkeley's and Charniak's parsers."""
TRACE_TAG = "-NONE-"
"""The tag of a leaf that is no word, a trace."""

_PIECE = re.compile(
    r"""\( (?P<tag>\s*+[^\s()]++(?=\s)|) \s++ (?P<leaf>[^\s()]++) \s*+ \)
      | \( \s* (?P<label>[^\s()]*)
      | (?P<close>\))
      | (?P<bare>[^\s()]+)""",
    re.VERBOSE,
)


def escape(token: str) -> str:
    """Return a token as a leaf of a tree, with escapes for brackets and white space."""
    return _TO_ESCAPE.sub(lambda match: BRACKET_ESCAPES.get(match.group(), "_"), token)


def unescape(token: str) -> str:
    """Return a token with characters in place of the escapes of brackets and slashes."""
    return _ESCAPED.sub(lambda match: ESCAPED_TOKENS[match.group()], token)


def plain(token: str) -> str:
    """Return a token as neural models expect it: without escapes and white space."""
    return _WHITE_SPACE.sub("_", unescape(token))


def write_tree(tree: Tree, tokens: Sequence[str]) -> str:
    """Write the tree of a sentence as one line."""
    pieces: list[str] = []
    ends: list[int] = []
    for index, (label, start, end) in enumerate(tree):
        while ends and ends[-1] <= start:
            pieces.append(")")
            ends.pop()
        is_followed_by_child = index + 1 < len(tree) and tree[index + 1].start < end
        if start == end or is_followed_by_child:
            pieces.append(f" ({label}")
            ends.append(end)
        else:
            pieces.append(f" ({label} {escape(tokens[start])})")
    return "".join(pieces).lstrip() + ")" * len(ends)


def read_tree(text: str, tokens: Sequence[str]) -> Tree | None:
    """Read the tree of a sentence; ``None`` if it has no leaf.

    ``text``    a bracketed string whose leaves are the tokens.
    ``tokens``  the tokens of the sentence.

    Function labels and traces are dropped, a word without a tag gets ``X``, and the root becomes
    ``ROOT``. Leaf and token may differ in case, in the style of quotes and in the escapes of
    brackets and slashes. Raises ``BadData`` for brackets that do not match and for other leaves.
    """
    tree, leaves = _read(text)
    if not leaves and tokens:
        return None
    for index, (leaf, token) in enumerate(zip(leaves, tokens, strict=False)):
        if leaf != token and _comparable(leaf) != _comparable(token):
            raise BadData(f"leaf {index} of the tree is {leaf!r}, the token is {token!r}")
    if len(leaves) != len(tokens):
        own, given = number_of(len(leaves), "leaf", "leaves"), number_of(len(tokens), "token")
        raise BadData(f"the tree has {own}, the sentence {given}")
    has_root = bool(tree) and tree[0].label == ROOT
    return tree if has_root else [Bracket(ROOT, 0, len(leaves)), *tree]


def _read(text: str) -> tuple[Tree, list[str]]:
    tree: Tree = []
    leaves: list[str] = []
    open_brackets: list[int] = []
    for piece in _PIECE.finditer(text):
        if not open_brackets and (tree or piece["close"] or piece["bare"]):
            raise BadData(f"found {piece.group()!r} outside the tree, expected one tree")
        if piece["label"] is not None:
            open_brackets.append(len(tree))
            label = ROOT if not tree and piece["label"] in ROOT_LABELS else _label(piece["label"])
            tree.append(Bracket(label, len(leaves), len(leaves)))
        elif piece["close"]:
            index = open_brackets.pop()
            tree[index] = tree[index]._replace(end=len(leaves))
            if index > 0 and tree[index].start == len(leaves):
                # The constituent has only traces.
                tree.pop()
        elif (tag := (piece["tag"] or "").lstrip()) != TRACE_TAG:
            tree.append(Bracket(_label(tag), len(leaves), len(leaves) + 1))
            leaves.append(piece["leaf"] or piece["bare"])
    if open_brackets:
        raise BadData(f"{number_of(len(open_brackets), 'bracket')} of the tree not closed")
    return tree, leaves


@functools.cache
def _label(raw: str) -> str:
    """Return the category without function labels: NP of ``NP-SBJ-1``, but all of ``-LRB-``."""
    if raw.startswith("-"):
        return raw
    return re.split(r"[-=|]", raw, maxsplit=1)[0] or UNKNOWN_LABEL


@functools.cache
def _comparable(token: str) -> str:
    return normal_form(plain(token))


# Chunks

HANTA_MODEL = "morphmodel_en.pgz"
"""HanTa's model for English."""

LONGEST_PARSED = 300
"""The most tokens of a sentence that is parsed. Sentences of the corpora have up to 230.

The time of some patterns grows faster than the number of tokens.
"""

QUOTE_TAG = "PUQ"
"""The tag of quotes, which the grammar ignores: most are next to a comma, which is enough."""

CHUNK_GRAMMAR = Path(__file__).parents[1] / "data" / "chunk_grammar.toml"
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
