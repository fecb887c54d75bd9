"""Makes measured texts of summaries and references, those of compressions with their choices."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from corpus_tools.errors import BadData, BadUsage
from corpus_tools.measures.compressions import (
    Choice,
    Compressions,
    Sentences,
    SystemSummary,
    check_positions,
)
from corpus_tools.measures.settings import WordSettings
from corpus_tools.measures.word_network import UNKNOWN, WordNetwork
from corpus_tools.measures.words import MeasuredText, Wordings
from corpus_tools.texts.tokenizers import normal_form


def reference_texts(references: Sequence[Sentences], wordings: Wordings) -> list[MeasuredText]:
    """Return the measured texts of references."""
    if not isinstance(references, Compressions):
        return [MeasuredText(sentences, wordings) for sentences in references]
    choices = map(references.chosen, references.compressions)
    return [
        MeasuredText(sentences, wordings, choice)
        for sentences, choice in zip(references, choices, strict=True)
    ]


def summary_text(
    summary: SystemSummary, references: Sequence[Sentences], wordings: Wordings
) -> MeasuredText:
    """Return the measured text of a summary. Errors are those of ``check_summary``."""
    check_summary(summary, references)
    if not isinstance(references, Compressions):
        return MeasuredText(summary.sentences, wordings)
    if summary.positions is not None:
        choice = references.chosen(summary.positions)
        return MeasuredText((" ".join(choice.words),), wordings, choice)
    words = tuple(" ".join(summary.sentences).split())
    choice = Choice(references, place_words(words, references), words)
    return MeasuredText(summary.sentences, wordings, choice)


def check_summary(summary: SystemSummary, references: Sequence[Sentences]) -> None:
    """Raise ``BadData`` if a summary has positions that its references have no words for."""
    if summary.positions is None:
        return
    what = f"the summary {summary.id!r} of {summary.system!r}"
    if not isinstance(references, Compressions):
        problem = "has positions, but its references are no compressions of a source"
        raise BadData(f"{what} {problem}")
    check_positions(list(summary.positions), len(references.words), what)


def choice_of(text: MeasuredText, metric: str) -> Choice:
    """Return the choice of a compression. Raises ``BadUsage`` for another text."""
    if text.choice is None:
        raise BadUsage(
            f"{metric} needs compressions as references: "
            "JSON lines with 'words' and 'compressions' (lists of positions)"
        )
    return text.choice


def compared(text: MeasuredText, words: WordSettings) -> list[int]:
    """Return numbers by which the words of a text are compared, one after the other.

    Those of a compression are positions in the source: a word that occurs twice there is two words
    (Hori et al. 2003, section 3.2). Those of other texts number equal words alike.
    """
    if text.choice is not None:
        return list(text.choice.positions)
    ids: list[int] = text.words(words).ids.tolist()
    return ids


class _Placed(NamedTuple):
    """A summary word at a position, with the best placement of the words before it.

    ``value``     what placements are compared by: words with a position, gaps (negative), subjects
                  who made the connections.
    ``previous``  the index of the word placed before it, or ``None``.
    """

    word: int
    position: int
    value: tuple[int, int, int]
    previous: int | None


def place_words(words: Sequence[str], source: Compressions) -> tuple[int, ...]:
    """Return the position of each word in the source, increasing, or ``UNKNOWN``.

    The words do not say which of several equal words of the source was chosen (Hori et al. 2003,
    Table 1: "in" of subject C).

    As many words as possible get a position. Among such placements the one with the fewest gaps
    counts, where two words one after the other do not follow each other in the source; then the
    one whose connections most subjects made; then the first.
    """
    network = source.network
    placed: list[_Placed] = []
    for word, positions in enumerate(_occurrences(words, source.words)):
        before = len(placed)
        for position in positions:
            placed.append(_best(placed[:before], word, position, network))
    values = [_with_end(last, len(words), network) for last in placed]
    positions = [UNKNOWN] * len(words)
    row = values.index(max(values)) if values else None
    while row is not None:
        last = placed[row]
        positions[last.word] = last.position
        row = last.previous
    return tuple(positions)


def _occurrences(words: Sequence[str], source: Sequence[str]) -> list[list[int]]:
    """Return the positions of the source that have each word."""
    positions = defaultdict(list)
    for position, word in enumerate(source):
        positions[normal_form(word)].append(position)
    return [positions.get(normal_form(word), []) for word in words]


def _best(placed: Sequence[_Placed], word: int, position: int, network: WordNetwork) -> _Placed:
    """Place a word at a position after the words that leave the best value."""
    best = _Placed(word, position, (1, 0, 0 if word else network.begins[position]), None)
    for row, last in enumerate(placed):
        if last.position >= position:
            continue
        number, gaps, subjects = last.value
        gap = position - last.position > 1
        made = network.made[last.position, position] if word - last.word == 1 else 0
        value = (number + 1, gaps - gap, subjects + made)
        if value > best.value:
            best = _Placed(word, position, value, row)
    return best


def _with_end(last: _Placed, words: int, network: WordNetwork) -> tuple[int, int, int]:
    """Return the value of a placement with the connection to the end, if its last word is last."""
    number, gaps, subjects = last.value
    return number, gaps, subjects + (network.ends[last.position] if last.word == words - 1 else 0)
