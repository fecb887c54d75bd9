"""Finds names of an abstract that its document lacks.

A name is a run of words with capital letters, without the titles before it. The document knows it
if it has each of its words in some form (``name_forms``). Other names are unknown: they contradict
nothing, since a name may be spelled, translated or shortened in ways that no rule knows.
"""

from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from corpus_tools.languages.language import Language, language
from corpus_tools.texts.capitals import BEGINNINGS
from rewrite_models.wordnet_reader import WordNetReader
from semihmm.applications.support.name_forms import JOINTS, NameForms
from semihmm.applications.support.pair_features import Side

MOST_CAPITALS = 0.75
"""With capital letters on more of its content words, a sentence may be in title case."""

LEAST_LETTERS = 2
"""So many letters has a name: one is an initial, or the number of something."""


class Names(NamedTuple):
    """The names of an abstract.

    ``unknown``   the subtokens that are names which the document lacks.
    ``compared``  for each sentence, whether capital letters tell its names.
    """

    unknown: list[int]
    compared: list[bool]


def names_of(
    document: Side, abstract: Side, code: str, wordnet: WordNetReader | None, taken: Set[int]
) -> Names:
    """Compare the names of an abstract with its document, in time linear in their words.

    ``wordnet``  tells names from other words that begin a sentence, if there is one.
    ``taken``    subtokens of the abstract that are read as numbers or dates: they are no names.
    """
    own = language(code)
    small = {shown for shown in document.shown if shown.islower()}
    # In a text without capital letters their absence says nothing.
    tells = not own.noun_capitals and any(shown[0].isupper() for shown in abstract.shown)
    compared = [tells and _tells_names(abstract, span, small, own) for span in abstract.spans]
    runs = [
        run
        for span, is_told in zip(abstract.spans, compared, strict=True)
        for run in (_runs(abstract, span) if is_told else ())
    ]
    # Who speaks: the head of a document, which says it too, is often no part of it.
    speakers = {abstract.words[i] for run in runs if _speaks(abstract, run) for i in run}
    forms = NameForms(document, abstract, code)
    unknown = [
        i
        for run in runs
        for i in _without_titles(abstract, run, own.titles)
        if i not in taken
        and abstract.words[i] not in speakers
        and abstract.words[i] not in own.classes
        if len(abstract.words[i]) >= LEAST_LETTERS and not forms.has(i)
        if not _begins(abstract, i, own) or _is_name_at_beginning(abstract, i, own, wordnet)
    ]
    return Names(unknown, compared)


def _tells_names(side: Side, span: tuple[int, int], small: Set[str], own: Language) -> bool:
    """Tell whether capital letters mark the names of a sentence, and not all of its words.

    ``small``  words that the document has without capital letters.
    """
    content = [i for i in range(*span) if _is_word(side, i)]
    shown = [side.shown[i] for i in content]
    has_case = not shown or any(one.lower() != one.upper() for one in shown)
    is_shouted = len(shown) > 1 and all(map(str.isupper, shown))
    inside = [i for i in content if not _begins(side, i, own)]
    capital = [i for i in inside if side.shown[i][0].isupper()]
    in_small = sum(side.words[i] in small for i in capital)
    is_title = len(capital) > MOST_CAPITALS * len(inside) and 2 * in_small >= len(capital)
    return has_case and not is_shouted and not is_title


def _is_word(side: Side, i: int) -> bool:
    return bool(side.content[i]) and side.words[i].isalpha()


def _begins(side: Side, i: int, own: Language) -> bool:
    """Tell whether the place of a word may be the reason for its capital letter."""
    start, _ = side.spans[side.sentence[i]]
    if i == start or side.words[i - 1] not in BEGINNINGS | {";"}:
        return i == start
    # The stop of "Mr." ends no sentence, and the hyphen of "Jean-Luc" is no dash.
    before = side.words[max(i - 2, start)]
    is_short = len(before) == 1 or before in own.titles | own.abbreviations
    return side.tokens[i - 1] < side.tokens[i] and not (side.words[i - 1] == "." and is_short)


def _runs(side: Side, span: tuple[int, int]) -> Iterator[list[int]]:
    """Give the words with capital letters that follow each other, or have a mark between."""
    run: list[int] = []
    for i in range(*span):
        if side.shown[i][0].isupper() and _is_word(side, i):
            run.append(i)
        elif side.words[i] not in JOINTS:
            yield run
            run = []
    yield run


def _speaks(side: Side, run: Sequence[int]) -> bool:
    """Tell whether a run begins a sentence and has a colon after it."""
    starts = bool(run) and run[0] == side.spans[side.sentence[run[0]]][0]
    return starts and side.words[run[-1] + 1 : run[-1] + 2] == (":",)


def _without_titles(side: Side, run: Sequence[int], titles: Set[str]) -> Sequence[int]:
    """Return a run without the titles before a name; "King" is a name in "Mr. King"."""
    first = 0
    while first < len(run) - bool(first) and side.words[run[first]] in titles:
        first += 1
    return run[first:]


def _is_name_at_beginning(side: Side, i: int, own: Language, wordnet: WordNetReader | None) -> bool:
    """Tell whether a word that begins a sentence is a name.

    It is one if it is no word of WordNet, if its most frequent sense is a name, or if it has such a
    sense and is followed by a finite verb: "John met", not "Court orders".
    """
    word, after = (*side.words[i : i + 2], "")[:2]
    if wordnet is None or word in own.stop_words:
        return False
    lemmas = wordnet.base_forms(word)
    parts = [part for part, forms in lemmas.items() if word in forms]
    if not parts:
        return wordnet.is_proper_only(word)
    senses = [
        [*map(wordnet.begins_with_capital, wordnet.synset_numbers(word, one))] for one in parts
    ]
    verbs = wordnet.base_forms(after).get("v", [after])
    is_finite = own.classes.get(after) == "auxiliary" or after not in verbs
    return all(first for first, *_ in senses) or (is_finite and any(map(any, senses)))
