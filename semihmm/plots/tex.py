r"""Writes a pair as TikZ, with phrases in boxes. TeX itself breaks the lines, in the paper's font.

Each word is a node. Those of a phrase touch each other, so that they look like one box, which may
go on in the next line. The file needs ``\usepackage{tikz}`` and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from semihmm.plots.blocks import Block, Row, Word
from semihmm.plots.plot import Look

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

SPECIAL = {
    **{sign: f"\\{sign}" for sign in "{}$&#_%"},
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
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


def pair_tex(blocks: Sequence[Block], look: Look, beside: bool) -> str:
    """Return the blocks as a file for TeX, one below the other or ``beside`` each other."""
    size = look.font_size
    lines = [
        r"% A pair and its alignment: include it by \input. It needs \usepackage{tikz}.",
        rf"\begin{{minipage}}{{{look.width:g}in}}%",
        rf"\fontsize{{{size:g}}}{{{1.65 * size:g}}}\selectfont",
        rf"\def\Small{{\fontsize{{{0.68 * size:g}}}{{{size:g}}}\selectfont}}%",
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
    return rf"\Row{{{row.number}}}" + "".join(_words(row.words)).strip()


def _words(words: Sequence[Word]) -> Iterator[str]:
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
