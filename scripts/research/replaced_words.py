"""Counts links that are told to be no rewrites ("in the place of"), also of exchanged words.

usage: python scripts/research/replaced_words.py PAIRS... [--language CODE]

Every sixth word of an abstract that its document has is exchanged for a word of the corpus with the
same two last letters, and the same case. The model is trained on the texts as they are. Hand
alignments of PAIRS are counted, too.
"""

import random
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterable, Sequence

from corpus_tools.alignments.alignment import Alignment, gold_alignment
from corpus_tools.alignments.link_findings import takes_place
from corpus_tools.pairs.pair import Pair
from corpus_tools.pairs.read_pairs import read_pairs
from corpus_tools.texts.lexicons import read_ignore_list
from corpus_tools.texts.text import Text
from semihmm import Aligner

EVERY = 6
LEAST_LENGTH = 5
TRIES = 3000


def exchanged(pair: Pair, words: Sequence[str], draw: random.Random) -> tuple[Pair, set[int]]:
    """Return the pair with other words in its abstract, and where they are."""
    tokens = [*pair.abstract.tokens]
    document = {*pair.document.tokens}
    ignored = read_ignore_list("default", pair.language)
    starts = {*pair.abstract.boundaries}
    places = [
        place
        for place, word in enumerate(tokens)
        if place not in starts and word in document and word.lower() not in ignored
        if len(word) >= LEAST_LENGTH and word.isalpha()
    ]
    changed = set()
    for place in draw.sample(places, len(places) // EVERY):
        old = tokens[place]
        drawn = (draw.choice(words) for _ in range(TRIES))
        is_like = (new for new in drawn if new not in document and new[-2:] == old[-2:])
        new = next((new for new in is_like if new[0].isupper() == old[0].isupper()), None)
        if new is not None:
            tokens[place] = new
            changed.add(place)
    spans = zip(pair.abstract.boundaries, pair.abstract.boundaries[1:], strict=False)
    abstract = Text.from_sentences([tokens[start:end] for start, end in spans])
    return Pair(pair.id, pair.document, abstract, language=pair.language), changed


def told(pairs: Iterable[Pair], alignments: Iterable[Alignment]) -> list[tuple[range, bool]]:
    """Return the abstract words of each link, and whether it is told to be no rewrite."""
    found = []
    for pair, alignment in zip(pairs, alignments, strict=True):
        ignored = read_ignore_list("default", pair.language)
        every = takes_place(pair, alignment.phrases, ignored)
        spans = (range(*phrase.abstract) for phrase in alignment.phrases)
        found += [*zip(spans, every, strict=True)]
    return found


def main() -> None:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("pairs", nargs="+")
    parser.add_argument("--language")
    given = parser.parse_args()
    pairs = read_pairs(given.pairs, language=given.language)
    by_hand = [pair for pair in pairs if pair.sure is not None]
    aligner = Aligner().fit(pairs)
    draw = random.Random(1)
    words = [
        word
        for pair in pairs
        for word in pair.document.tokens
        if len(word) >= LEAST_LENGTH and word.isalpha()
    ]
    made = [exchanged(pair, words, draw) for pair in pairs]
    others = [pair for pair, _ in made]
    of_changed = []
    for (pair, changed), alignment in zip(made, aligner.align_all(others), strict=True):
        links = told([pair], [alignment])
        of_changed += [one for one in links if not changed.isdisjoint(one[0])]
    for name, links in (
        ("hand alignments", told(by_hand, map(gold_alignment, by_hand))),
        ("of the model", told(pairs, aligner.align_all(pairs))),
        ("of exchanged words", of_changed),
    ):
        print(f"{name:18}  {sum(one for _, one in links):5} of {len(links):5}")


if __name__ == "__main__":
    main()
