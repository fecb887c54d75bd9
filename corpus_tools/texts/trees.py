"""The constituents of a sentence as plain values, and as Penn Treebank bracketed strings.

An example of a string is ``(ROOT (NP (DT the) (NN cat)))``.
"""

import functools
import re
from collections.abc import Sequence
from typing import NamedTuple

from corpus_tools.base.errors import BadData
from corpus_tools.texts.forms import normal_form

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
        raise BadData(f"the tree has {len(leaves)} leaves, the sentence {len(tokens)} tokens")
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
        raise BadData(f"{len(open_brackets)} brackets of the tree are not closed")
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
