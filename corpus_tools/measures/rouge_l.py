"""ROUGE-L: longest common subsequences (Lin 2004, section 3)."""

from __future__ import annotations

from corpus_tools.measures.rouge import Counts, Rouge
from corpus_tools.measures.sequence_kernels import clip, sequence_length, union_marks
from corpus_tools.measures.words import Words


class RougeL(Rouge):
    """ROUGE-L of summaries: the union over the summary's sentences, for each reference sentence.

    The program counts a word as often as both texts have it, the paper (equation 5) for each
    reference sentence anew.
    """

    name = "rouge-l"
    pattern = "rouge-l"
    examples = ("rouge-l",)

    def counts(self, summary: Words, reference: Words, /) -> Counts:
        marked = union_marks(*summary, *reference)
        if self.settings.formula == "program":
            marked = clip(summary.ids, reference.ids, marked)
        return Counts(int(marked.sum()), len(reference.ids), len(summary.ids))

    def choice(self, counts: Counts, reference: Words, /) -> float:
        # For L the program chooses by the recall before it is rounded.
        return self.share(counts.hits, counts.of_reference)


class RougeLSequence(Rouge):
    """ROUGE-L of two texts as one sequence of words each, as rouge-score's ``rougeL``."""

    name = "rouge-l-sequence"
    pattern = "rouge-l-sequence"
    examples = ("rouge-l-sequence",)

    def counts(self, summary: Words, reference: Words, /) -> Counts:
        hits = sequence_length(summary.ids, reference.ids)
        return Counts(hits, len(reference.ids), len(summary.ids))
