"""Tables of the sample and of two alignments of it, beside those that were looked at.

Where a change is meant, this writes them anew: ``python -m
tests.semihmm.applications.stats.test_tables_of_the_sample``
"""

from collections.abc import Iterator
from pathlib import Path

from corpus_tools.alignments.alignment import Alignment, from_word_links, gold_alignment
from corpus_tools.alignments.statistics import (
    corpus_statistics,
    corpus_table,
    count_jumps,
    jump_table,
)
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.texts.lexicons import read_ignore_list
from semihmm.applications.stats.portrait import portraits
from semihmm.applications.stats.portrait_counts import link_counts
from tests.paths import ROOT
from tests.tiny_corpora import text

LOOKED_AT = Path(__file__).with_name("tables.txt")


def of_equal_words(pair: Pair) -> Alignment:
    """Link each abstract word with the first document word that is the same."""
    tokens = pair.document.tokens
    own = enumerate(pair.abstract.tokens)
    links = [(tokens.index(token), a) for a, token in own if token in tokens]
    return from_word_links(pair.id, links, len(pair.abstract))


def tables() -> Iterator[str]:
    pairs = read_pairs(ROOT / "corpus_tools" / "data" / "sample.jsonl")
    yield corpus_table(corpus_statistics(pairs, sentences=2))
    for some in ([*pairs, Pair("empty", text(), text())], []):
        yield corpus_table(corpus_statistics(some))
    systems = {
        name: {pair.id: align(pair) for pair in pairs}
        for name, align in (("gold", gold_alignment), ("equal words", of_equal_words))
    }
    yield jump_table([(name, count_jumps(pairs, made)) for name, made in systems.items()])
    matched = {name: [*zip(pairs, made.values(), strict=True)] for name, made in systems.items()}
    yield portraits(matched).table("text", all_figures=True)
    for of_system in matched.values():
        counts = link_counts(of_system, read_ignore_list())
        yield "\n".join(f"{name}: {count}" for name, count in sorted(counts.items()))


def text_of_tables() -> str:
    return "\n\n".join(tables()) + "\n"


def test_the_tables_are_those_that_were_looked_at():
    assert text_of_tables() == LOOKED_AT.read_text("utf-8")


def main() -> None:
    LOOKED_AT.write_text(text_of_tables(), encoding="utf-8")


if __name__ == "__main__":
    main()
