r"""The figure of one pair: its abstract and its document, with numbered boxes around phrases.

It is TikZ: TeX itself breaks the lines, in the paper's font. Each word is a node. Those of a phrase
touch each other, so that they look like one box, which may go on in the next line. The file needs
``\usepackage{tikz}`` and nothing else.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, pairwise
from typing import NamedTuple

from corpus_tools.alignments.alignment import GOLD
from corpus_tools.base.errors import BadData, number_of, printable
from corpus_tools.pages.pair_view import PairView, Run, alone, exact_phrases
from corpus_tools.texts.text_table import LATEX
from semihmm.plots.plot import TEX, Drawn, FigureSize, Plot

SIDE_BY_SIDE = 5.0
"""From this width on, in inches, the abstract stands beside its document."""


class OnePair(Plot):
    """A pair as a figure of a paper shows it."""

    name = "pair"
    help = "the phrases of one pair, in numbered boxes, for TeX"
    reads = ("pairs", "alignments", "id")
    forms = (TEX,)

    def tex(self, drawn: Drawn, size: FigureSize) -> str:
        """Return both sides as text for TeX.

        Raises ``BadData`` for several pairs, and without alignments.
        """
        return pair_tex(blocks_of(_view(drawn)), size, size.width >= SIDE_BY_SIDE)


def _view(drawn: Drawn) -> PairView:
    """Return the pair with its alignment: by hand, if there is no other."""
    if len(drawn.pairs) != 1:
        raise BadData(f"the plot pair is of one pair, not of {len(drawn.pairs)}: choose it by --id")
    if not drawn.alignments:
        raise BadData("there are no alignments, neither ALIGNMENTS nor hand alignments")
    (pair,) = drawn.pairs
    name, alignments = list(drawn.alignments.items())[-1]
    alignment = alignments[pair.id]
    if name == GOLD:
        # Annotators link words: a copied run of them is one box.
        links = exact_phrases(pair, pair.gold_links(), 1.0)
        alignment = replace(alignment, phrases=tuple(links))
    return alone(pair, alignment, has_probabilities=name != GOLD)


# The texts in words: links, numbers, what is left out


class Word(NamedTuple):
    """A word, or what stands of it in one phrase.

    ``blank``   whether a blank stands before it: only there may a line end.
    ``begins``  whether a phrase begins with it.
    ``number``  the numbers of the links, behind the last word of a phrase; otherwise empty.
    """

    text: str
    blank: bool
    is_linked: bool
    begins: bool = False
    number: str = ""


class Row(NamedTuple):
    """A sentence with its number, or without one what is said of sentences that are left out."""

    number: str
    words: Sequence[Word]


class Block(NamedTuple):
    """A side of the pair.

    ``share``  of the width of the figure, where the sides stand beside each other.
    """

    title: str
    rows: Sequence[Row]
    share: float


def blocks_of(view: PairView) -> tuple[Block, Block]:
    """Return the abstract, and those sentences of the document that links go to."""
    abstract = list(_sentences(view, "abstract", view.pair.abstract.boundaries))
    used = view.used_sentences()
    sentences = _sentences(view, "document", view.pair.document.boundaries)
    document: list[Row] = []
    for is_used, group in groupby(enumerate(sentences), key=lambda sentence: sentence[0] in used):
        own = [row for _, row in group]
        document += own if is_used else [_left_out(len(own))]
    return Block("Abstract", abstract, 0.38), Block("Document", document, 0.58)


def _left_out(sentences: int) -> Row:
    said = f"\N{HORIZONTAL ELLIPSIS} {number_of(sentences, 'sentence')}"
    return Row("", [Word(word, blank=True, is_linked=False) for word in said.split()])


def _sentences(view: PairView, side: str, boundaries: Sequence[int]) -> Iterator[Row]:
    """Yield the sentences of a side, with numbers if there are several."""
    for number, runs in enumerate(view.runs(side, pairwise(boundaries)), start=1):
        words = [word for run in runs for word in _words(run)]
        yield Row(str(number) if len(boundaries) > 2 else "", words)


def _words(run: Run) -> Iterator[Word]:
    texts = printable(run.text).split()
    numbers = ",".join(map(str, run.links))
    for place, text in enumerate(texts):
        yield Word(
            text,
            blank=place > 0 or bool(run.before),
            is_linked=bool(run.links),
            begins=bool(run.links) and place == 0,
            number=numbers if place == len(texts) - 1 else "",
        )


# TeX

MACROS = r"""\raggedright\setlength{\parindent}{0pt}\setlength{\parskip}{.2em}%
\tikzset{edge/.style={black!50,line width=.4pt},word/.style={inner xsep=0pt,inner ysep=.1em,
  outer sep=0pt,fill=black!9,text height=.8em,text depth=.22em}}%
\def\Edge#1{\draw[edge,overlay] (w.north #1)--(w.south #1);}%
\def\Linked#1#2{\tikz[baseline=(w.base)]{\node[word] (w) {#2};
  \draw[edge,overlay] (w.north west)--(w.north east) (w.south west)--(w.south east);#1}}%
\def\Number#1{\raisebox{.35em}{\Small#1}\kern.12em}%
\def\Unaligned#1{\textcolor{black!55}{#1}}%
\def\Row#1{\par\hangindent=1.7em\hangafter=1\leavevmode
  \hbox to 1.7em{\Small#1\hss}\ignorespaces}%"""
"""What is known inside the minipage only."""

SPECIAL = LATEX | {
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",
    "\N{HORIZONTAL ELLIPSIS}": r"\ldots{}",
}

BLANK = r"\kern.28em"
"""A blank inside of a box: a node drops other space at its end."""

LIGATURES = re.compile(r"-(?=-)|,(?=,)|[?!](?=`)")
"""Signs from which TeX would make others. The quotes of the Penn Treebank are those of TeX."""


def escaped(text: str) -> str:
    """Return a text as TeX must be given it."""
    text = LIGATURES.sub(lambda found: found[0] + "\0", text)
    return "".join(SPECIAL.get(sign, sign) for sign in text).replace("\0", "{}")


def pair_tex(blocks: Sequence[Block], size: FigureSize, beside: bool) -> str:
    """Return the blocks as a file for TeX, one below the other or ``beside`` each other."""
    points = size.font_size
    lines = [
        r"% A pair and its alignment: include it by \input. It needs \usepackage{tikz}.",
        rf"\begin{{minipage}}{{{size.width:g}in}}%",
        rf"\fontsize{{{points:g}}}{{{1.65 * points:g}}}\selectfont",
        rf"\def\Small{{\fontsize{{{0.68 * points:g}}}{{{points:g}}}\selectfont}}%",
        MACROS,
    ]
    for number, block in enumerate(blocks):
        if beside:
            fill = r"\hfill" if number else ""
            lines.append(rf"{fill}\begin{{minipage}}[t]{{{block.share:g}\linewidth}}\raggedright")
        lines.append(rf"\par\textbf{{{escaped(block.title)}}}")
        lines += (_row(row) for row in block.rows)
        if beside:
            lines.append(r"\end{minipage}%")
    return "\n".join([*lines, r"\end{minipage}%", ""])


def _row(row: Row) -> str:
    return rf"\Row{{{row.number}}}" + "".join(_nodes(row.words)).strip()


def _nodes(words: Sequence[Word]) -> Iterator[str]:
    """Yield the words each on a line of the file, with what stands before it."""
    for place, word in enumerate(words):
        is_inside = word.is_linked and not word.begins
        if is_inside:
            # The blank is in the box of the word before.
            yield "\\allowbreak%\n" if word.blank else "%\n"
        elif word.blank and place:
            yield "\n"
        if word.is_linked:
            following = words[place + 1] if place + 1 < len(words) and not word.number else None
            yield _linked(word, following is not None and following.blank)
        else:
            yield rf"\Unaligned{{{escaped(word.text)}}}"


def _linked(word: Word, has_blank: bool) -> str:
    """Return a word of a phrase.

    ``has_blank``  whether a blank follows that is inside of the phrase.
    """
    text, edges = escaped(word.text), ""
    if word.begins:
        text, edges = rf"\kern.12em{text}", r"\Edge{west}"
    if word.number:
        text, edges = rf"{text}\Number{{{word.number}}}", rf"{edges}\Edge{{east}}"
    return rf"\Linked{{{edges}}}{{{text}{BLANK if has_blank else ''}}}"
