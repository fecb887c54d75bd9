"""A table with a group, a short row, a title and a note, in every format by hand."""

from corpus_tools.texts.text_table import TABLE_FORMATS, Table

TABLE = Table(
    [["name", "F", "AER"], ["a|b", "0.5", "10 %"], ["c", "not installed"], ["d", "-"]],
    title="Scores",
    notes=["F: of links"],
    groups=["", "all words", ""],
)

TEXT = """\
Scores
      all words
name    F   AER
a|b   0.5  10 %
c     not installed
d     -
F: of links"""

MARKDOWN = r"""**Scores**

|  | all words |  |
|---|--:|--:|
| name | F | AER |
| a\|b | 0.5 | 10 % |
| c | not installed |  |
| d | - |  |

F: of links"""

LATEX = r"""Scores

\begin{tabular}{lrr}
 & all words &  \\
name & F & AER \\
a|b & 0.5 & 10 \% \\
c & \multicolumn{2}{l}{not installed} \\
d & \multicolumn{2}{l}{-} \\
\end{tabular}
% F: of links"""


def test_every_format_by_hand():
    written = {name: write(TABLE) for name, write in TABLE_FORMATS.items()}
    assert written == {"text": TEXT, "markdown": MARKDOWN, "latex": LATEX}
    assert TABLE_FORMATS["markdown"](Table(notes=["alone"])) == "alone"
