"""Transfers a hand alignment to texts that were corrected afterwards.

Links and null marks of unchanged words are kept. The other words are open again: the pair is sent
back, and its note says which links are gone.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher

from corpus_tools.alignments.alignment import check_digests, pair_digests
from corpus_tools.pages.annotation import LONGEST_NOTE, Annotation, Phrases, spans_of, words_of
from corpus_tools.pairs.pair import Pair

LEAST_SAME = 0.5
"""The least share of unchanged words in a corrected text; otherwise it is another text.

Chosen by hand: corrections change far fewer words.
"""

Places = Mapping[int, int]
"""The new positions of unchanged words, by their old positions."""


def carried_over(annotation: Annotation, old: Pair, pair: Pair) -> Annotation:
    """Return the annotation of ``old`` as one of ``pair``, which has the same id and other texts.

    Raises ``BadData`` if the texts are no corrections: if most words differ, or if only the tokens
    differ.
    """
    sides = [(getattr(old, side).tokens, getattr(pair, side).tokens) for side in Phrases._fields]
    is_corrected = any("".join(before) != "".join(now) for before, now in sides)
    if not (is_corrected and all(_are_alike(*side) for side in sides)):
        check_digests(old.id, pair_digests(old), pair)
    places = [_places(*side) for side in sides]
    moved = {phrases: _moved(phrases, places) for phrases in annotation.links}
    lost = sorted(phrases for phrases, now in moved.items() if now is None)
    dismissed = (_moved(phrases, places) for phrases in annotation.dismissed)
    carried = replace(
        annotation,
        abstract_words=len(pair.abstract),
        links={now: annotation.links[phrases] for phrases, now in moved.items() if now},
        null=frozenset(places[0][word] for word in annotation.null if word in places[0]),
        dismissed=frozenset(filter(None, dismissed)),
        note="\n".join([*filter(None, [annotation.note]), *(_gone(one, old) for one in lost)]),
        origins=None,
    )
    needs_check = bool(lost or (annotation.decided and carried.open_words()))
    return replace(
        carried,
        note=carried.note[:LONGEST_NOTE],
        decided=annotation.decided and not needs_check,
        sent_back=annotation.sent_back or needs_check,
    )


def _are_alike(before: Sequence[str], now: Sequence[str]) -> bool:
    """Tell whether a text may be a correction of another."""
    same = (Counter(before) & Counter(now)).total()
    return same >= LEAST_SAME * max(len(before), len(now))


def _places(before: Sequence[str], now: Sequence[str]) -> Places:
    """Return the places of the words that both texts have, in one order."""
    blocks = SequenceMatcher(None, before, now, autojunk=False).get_matching_blocks()
    return {a + k: b + k for a, b, size in blocks for k in range(size)}


def _moved(phrases: Phrases, places: Sequence[Places]) -> Phrases | None:
    """Return phrases with the new positions of their words; ``None`` if a word is gone."""
    sides = [words_of(side) for side in phrases]
    if not all(known.keys() >= {*words} for known, words in zip(places, sides, strict=True)):
        return None
    moved = ([known[word] for word in words] for known, words in zip(places, sides, strict=True))
    return Phrases(*map(spans_of, moved))


def _gone(phrases: Phrases, old: Pair) -> str:
    """Return the line of the note about a link that the corrected texts do not have."""
    abstract = " ".join(old.abstract.tokens[word] for word in words_of(phrases.abstract))
    document = " ".join(old.document.tokens[word] for word in words_of(phrases.document))
    return f"The text was corrected: link “{abstract}” ← “{document}” again"
