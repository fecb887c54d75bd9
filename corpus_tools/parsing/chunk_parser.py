"""Defines the parser ``chunks``: NLTK's chunk grammars over HanTa's tags, without any download."""

from __future__ import annotations

import functools
import re
import string
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from corpus_tools.errors import needing
from corpus_tools.packages import installed_version
from corpus_tools.parsing.parser import Sentence, SentenceParser
from corpus_tools.texts.tokenizers import load_nltk
from corpus_tools.texts.trees import ROOT, Bracket, Tree, unescape

if TYPE_CHECKING:
    import nltk
    from HanTa.HanoverTagger import HanoverTagger

MODEL = "morphmodel_en.pgz"
"""HanTa's model for English."""

LONGEST = 300
"""The most tokens of a sentence that is parsed. Set by hand: those of the corpora have up to 230.

The time of some patterns grows faster than the number of tokens.
"""

QUOTE = "PUQ"
"""The tag of quotes. The grammar does not see them: they stand anywhere, and mostly beside a comma
that says the same."""

GRAMMAR = Path(__file__).parents[1] / "data" / "chunk_grammar.txt"
"""Three grammars in the notation of NLTK's ``RegexpParser``, with a blank line between them.

Tags are those of C5 and of ``TAGS``. A label begins with its Penn category; small letters tell the
grammar more: NPt a time, NPp a possessor, PPo a phrase with "of", VPf, VPi, VPt, VPg and VPn a
finite verb, an infinitive without and with "to", -ing and a participle, St, Sg and Sr a clause of
these, SBARr a relative clause. The rules were tuned by hand on tests/golden/brackets-tuned.penn,
and chosen by the SoftF of ``paper jump=syntax`` on rte2/dev. Of brackets-held-out.penn only totals
were seen.
"""

MACROS = {
    "%ARGUMENTS": "<NP.?|PP.?|ADVP|AVP|ADJP|SBAR|S.?|XX0>*(<COM><Sg|PP|SBAR|NPt>)*",
    "%DET": "AT0|DPS|DT0",
    "%ADJ": "AJ.|ORD|CRD|NEXT",
    "%NOUN": "NN.|NP0|UNC|ZZ0|TIME",
    "%FINITE": "V.[BDZ]|VM0",
}
# English branches to the right: a phrase may close only when nothing that belongs to it is still
# open on its right. The clauses are found with these guards first, and then without them.
GUARDS = {
    # A noun phrase is still to be extended.
    "%OPEN": "|<COM>?<DTQ|PNQ>|<V.N|V.G|VPn|VPg>",
    # A verb phrase ends at punctuation or a conjunction, unless more of it is announced.
    "%END": "(?=<COM>(?!<CJS|V.G|VPg|SBAR|DTQ|PNQ|AVQ|PRP|PP>)|<PUN|CJC|PUR>|$)",
    # No conjunction joins a second verb phrase.
    "%ALONE": "(?!<COM>?<CJC><ADVP|XX0>*<%FINITE|VPf>)",
}
WORDS = {
    # HanTa gives it the tag of a full stop.
    "COM": ",",
    "DAY": "monday tuesday wednesday thursday friday saturday sunday today yesterday tomorrow",
    "TIME": "year month week night spring summer autumn winter",
    "NEXT": "last next",
    "EITHER": "as since before after until than like",
}
"""The words that tell the grammar more than their tag does. ``EITHER``: preposition or conjunction,
as the grammar sees by what follows."""
TAGS = {word: tag for tag, words in WORDS.items() for word in words.split()}


@dataclass(frozen=True)
class Chunks(SentenceParser):
    """Gives Penn-like trees with the tags of the C5 set."""

    name: ClassVar[str] = "chunks"
    package: ClassVar[str] = "HanTa"

    @property
    def version(self) -> str:
        """The version of HanTa, and a checksum of the source of this parser."""
        # First, because its error says how to get HanTa.
        _tagger()
        return f"HanTa {installed_version(self.package)}, grammar {_checksum():08x}"

    def parse(self, sentences: Sequence[Sentence]) -> list[Tree | None]:
        return [_parse(sentence) for sentence in sentences]


@functools.cache
def _tagger() -> HanoverTagger:
    """Load HanTa (Wartena 2019) with its English model, once. Raises ``BadUsage`` without it."""
    load_nltk()
    with needing("the parser 'chunks'", "chunks"):
        from HanTa.HanoverTagger import HanoverTagger
    return HanoverTagger(MODEL)


@functools.cache
def _checksum() -> int:
    return zlib.crc32(Path(__file__).read_bytes() + GRAMMAR.read_bytes())


@functools.cache
def _parsers() -> list[nltk.RegexpParser]:
    """Make the parsers that run one after the other."""
    from nltk.chunk import RegexpParser

    phrases, clauses, sentences = GRAMMAR.read_text(encoding="utf-8").split("\n\n")
    unguarded = clauses
    for guard in GUARDS:
        unguarded = unguarded.replace(guard, "")
    steps = (phrases, clauses, unguarded, sentences)
    return [RegexpParser(_expanded(step), root_label=ROOT) for step in steps]


def _expanded(grammar: str) -> str:
    for name, meaning in (GUARDS | MACROS).items():
        grammar = grammar.replace(name, meaning)
    return grammar


def _parse(sentence: Sentence) -> Tree | None:
    from nltk.tree import Tree as Constituent

    if len(sentence) > LONGEST:
        return None
    tags: list[str] = _tagger().tag_sent(list(map(unescape, sentence)), taglevel=0)
    names = [TAGS.get(token.lower(), tag) for token, tag in zip(sentence, tags, strict=True)]
    if "VVN" in names and not any(re.fullmatch(MACROS["%FINITE"], name) for name in names):
        # HanTa took the only verb for a participle: "prices fell", but "prices dropped".
        names[names.index("VVN")] = "VVD"
    parsed = Constituent(ROOT, [leaf for leaf in enumerate(names) if leaf[1] != QUOTE])
    if len(parsed):
        for parser in _parsers():
            parsed = parser.parse(parsed)
    return _brackets(parsed, tags)


def _brackets(parsed: nltk.Tree, tags: Sequence[str]) -> Tree:
    """Return the brackets of a chunked sentence, whose leaves are indices of tokens with names."""
    tree = [Bracket(ROOT, 0, len(tags))]
    labels = [part.label() for part in parsed if not isinstance(part, tuple)]
    if "S" in labels or "VPf" in labels:
        tree.append(Bracket("S", 0, len(tags)))
    for part in parsed.subtrees(lambda part: part is not parsed):
        # A single clause is the sentence, with what is beside it.
        if part.label() != "S" or labels.count("S") != 1 or part not in parsed:
            leaves = part.leaves()
            label = part.label().rstrip(string.ascii_lowercase)
            tree.append(Bracket(label, leaves[0][0], leaves[-1][0] + 1))
    tree += (Bracket(tag, index, index + 1) for index, tag in enumerate(tags))
    # The sort is stable: brackets over the same tokens stay in order.
    return sorted(tree, key=lambda bracket: (bracket.start, -bracket.end))
