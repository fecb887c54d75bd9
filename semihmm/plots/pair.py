r"""The figure of one pair: its abstract and its document, with numbered boxes around phrases.

The figure is TikZ, so that TeX breaks the lines, in the paper's font. Each word is a node. The
nodes of a phrase touch each other and look like one box, which may continue in the next line. The
file needs only ``\usepackage{tikz}``.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import groupby, pairwise

from corpus_tools.alignments.alignment import GOLD_SYSTEM
from corpus_tools.base.errors import BadData, number_of, printable
from corpus_tools.pages.pair_view import PairView, Run, alone, exact_phrases
from corpus_tools.texts.text_table import LATEX_ESCAPES
from semihmm.plots.plot import TEX, FigureSize, Plot, PlotData

SIDE_BY_SIDE = 5.0
"""The least width of a figure, in inches, with the abstract beside its document."""


class OnePair(Plot):
    """A figure of one pair for a paper."""

    name = "pair"
    help = "the phrases of one pair, in numbered boxes, for TeX"
    reads = ("pairs", "alignments", "id")
    forms = (TEX,)

    def tex(self, data: PlotData, size: FigureSize) -> str:
        """Return both sides as text for TeX.

        Raises ``BadData`` for several pairs, and without alignments.
        """
        return pair_tex(_view(data), size)


def _view(data: PlotData) -> PairView:
    """Return the pair with its alignment: by hand, if there is no other."""
    if len(data.pairs) != 1:
        raise BadData(f"the plot pair shows one pair, not {len(data.pairs)}: choose it by --id")
    if not data.alignments:
        raise BadData("there are no alignments, neither ALIGNMENTS nor hand alignments")
    (pair,) = data.pairs
    name, alignments = list(data.alignments.items())[-1]
    alignment = alignments[pair.id]
    if name == GOLD_SYSTEM:
        # Annotators link words one by one: a run of copied words becomes one box.
        links = exact_phrases(pair, pair.gold_links(), 1.0)
        alignment = replace(alignment, phrases=tuple(links))
    return alone(pair, alignment, has_probabilities=name != GOLD_SYSTEM)


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
"""The TeX commands of the figure, defined inside its minipage."""

SPECIAL = LATEX_ESCAPES | {
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\char34{}",
    "\N{HORIZONTAL ELLIPSIS}": r"\ldots{}",
}

BLANK = r"\kern.28em"
"""A blank inside of a box. A node would drop other white space at its end."""

LIGATURES = re.compile(r"-(?=-)|,(?=,)|[?!](?=`)")
"""Signs that TeX would join to other signs. Quotes of the Penn Treebank are also TeX's quotes."""


def escaped(text: str) -> str:
    """Return a text with the escapes of TeX."""
    text = LIGATURES.sub(lambda found: found[0] + "\0", text)
    return "".join(SPECIAL.get(sign, sign) for sign in text).replace("\0", "{}")


def pair_tex(view: PairView, size: FigureSize) -> str:
    """Return a file for TeX: the abstract, and the document's sentences with links."""
    points, beside = size.font_size, size.width >= SIDE_BY_SIDE
    lines = [
        r"% A pair and its alignment: include it by \input. It needs \usepackage{tikz}.",
        rf"\begin{{minipage}}{{{size.width:g}in}}%",
        rf"\fontsize{{{points:g}}}{{{1.65 * points:g}}}\selectfont",
        rf"\def\Small{{\fontsize{{{0.68 * points:g}}}{{{points:g}}}\selectfont}}%",
        MACROS,
    ]
    for side, fill, share in (("abstract", "", "0.38"), ("document", r"\hfill", "0.58")):
        if beside:
            lines.append(rf"{fill}\begin{{minipage}}[t]{{{share}\linewidth}}\raggedright")
        lines += [rf"\par\textbf{{{side.title()}}}", *_rows(view, side)]
        if beside:
            lines.append(r"\end{minipage}%")
    return "\n".join([*lines, r"\end{minipage}%", ""])


def _rows(view: PairView, side: str) -> Iterator[str]:
    """Yield the sentences of a side, with numbers if there are several; unused ones are counted."""
    boundaries = getattr(view.pair, side).boundaries
    shown = view.used_sentences() if side == "document" else range(len(boundaries))
    sentences = enumerate(view.runs(side, pairwise(boundaries)))
    for is_shown, group in groupby(sentences, lambda sentence: sentence[0] in shown):
        some = list(group)
        if not is_shown:
            left_out = f"\N{HORIZONTAL ELLIPSIS} {number_of(len(some), 'sentence')}"
            some = [(-1, [Run("", left_out, ())])]
        for sentence, runs in some:
            number = sentence + 1 if is_shown and len(boundaries) > 2 else ""
            yield rf"\Row{{{number}}}{''.join(map(_run, runs)).strip()}"


def _run(run: Run) -> str:
    """Return the words of a run, each on a line of the file, after a blank if there is one.

    A line of the figure may end only at a blank.
    """
    words = [escaped(word) for word in printable(run.text).split()]
    before = "\n" if run.before else ""
    if not run.links:
        return before + "\n".join(rf"\Unaligned{{{word}}}" for word in words)
    # A blank belongs to the box of the word before it.
    boxes = [["", f"{word}{BLANK}"] for word in words[:-1]]
    boxes.append([r"\Edge{east}", rf"{words[-1]}\Number{{{','.join(map(str, run.links))}}}"])
    first_edges, first_word = boxes[0]
    boxes[0] = [rf"\Edge{{west}}{first_edges}", rf"\kern.12em{first_word}"]
    return before + "\\allowbreak%\n".join(
        rf"\Linked{{{edges}}}{{{word}}}" for edges, word in boxes
    )
