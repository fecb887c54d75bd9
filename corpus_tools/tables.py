"""The statistics of a corpus and of its alignments as text for a terminal."""

from __future__ import annotations

from corpus_tools.statistics import AlignmentStatistics, CorpusStatistics

SHOWN_JUMPS = 5
"""The table shows jumps up to this distance one by one."""


def corpus_table(statistics: CorpusStatistics) -> str:
    """Table 1 or 3 for a terminal."""
    columns = {"Abstracts": statistics.abstracts}
    if statistics.extracts is not None:
        columns["Extracts"] = statistics.extracts
    columns["Documents"] = statistics.documents
    rows = {
        "Documents": "texts",
        "Sentences": "sentences",
        "Words": "words",
        "Unique words": "unique_words",
        "  with the abstracts'": "unique_words_together",
        "Sentences/Doc": "sentences_per_text",
        "Words/Doc": "words_per_text",
        "Words/Sent": "words_per_sentence",
    }
    lines = ["".join([f"{'':22}", *(f"{name:>12}" for name in columns)])]
    for title, name in rows.items():
        lines.append("".join([f"{title:22}", *(_cell(getattr(side, name)) for side in columns.values())]))
    lines.append(f"{'Compression rate':22}{statistics.compression:>12.1%}")
    return "\n".join(lines)


def _cell(value: float) -> str:
    return f"{value:>12,}" if isinstance(value, int) else f"{value:>12,.2f}"


def alignment_table(statistics: AlignmentStatistics) -> str:
    """The figures of section 2.3 for a terminal."""
    s = statistics
    lengths = {f"  {n} on the abstract side": share for n, share in enumerate(s.abstract_lengths, start=1)}
    rows = {
        f"Unaligned, of {s.abstract_words:,} abstract words": s.unaligned,
        "  punctuation": s.unaligned_punctuation,
        "  function words": s.unaligned_function,
        "  content words": s.unaligned_content,
        f"One word on both sides, of {s.phrases:,} links": s.one_to_one,
        **lengths,
        "Identical sides": s.identical,
        "Same stems": s.same_stems,
        "  of links of one word on both sides": s.same_stems_singletons,
        "  of the other links": s.same_stems_phrases,
        **_jump_rows(s.jumps),
    }
    return "\n".join(f"{title:44}{share:>7.1%}" for title, share in rows.items())


def _jump_rows(jumps: dict[int, float]) -> dict[str, float]:
    near = range(-SHOWN_JUMPS, SHOWN_JUMPS + 1)
    return {
        f"Jump by less than {near[0]}": sum(share for jump, share in jumps.items() if jump < near[0]),
        **{f"  {jump:+d}": jumps.get(jump, 0.0) for jump in near},
        f"  by more than {near[-1]:+d}": sum(share for jump, share in jumps.items() if jump > near[-1]),
    }
