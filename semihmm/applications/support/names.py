"""Finds names of an abstract that its document lacks.

A name is a run of words with capital letters, without the titles before it. The document knows it
if it has each of its words in some form (``name_forms``). Other names are unknown: they contradict
nothing, since a name may be spelled, translated or shortened in ways that no rule knows.
"""

from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from corpus_tools.languages.language import Language, language
from corpus_tools.texts.forms import BEGINNINGS
from rewrite_models.wordnet_reader import WordNetReader
from semihmm.applications.support.name_forms import JOINTS, NameForms
from semihmm.applications.support.pair_features import Side

MOST_CAPITALS = 0.75
"""With capital letters on more of its content words, a sentence may be in title case."""

SAYING = ("communicate", "express", "write")
"""Verbs whose senses in WordNet are above those of saying and writing."""

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
        for run in (_runs(abstract, span, own.titles) if is_told else ())
        if run
    ]
    forms = NameForms(document, abstract, code)
    # Who speaks: the head of a document, which says it too, is often no part of it.
    speakers = {
        abstract.words[i]
        for run in runs
        if _speaks(abstract, run, wordnet) and not any(map(forms.has_name, run))
        for i in run
    }
    unknown = [
        i
        for run in runs
        if speakers.isdisjoint(abstract.words[i] for i in run)
        for i in run
        if i not in taken and not forms.has(i) and _is_name(abstract, i, own, wordnet)
        # "Mount Everest" is Everest; a first name that the document lacks is unknown.
        if not (
            wordnet
            and i + 1 in run
            and forms.has_alone(i + 1)
            and not wordnet.is_proper_only(abstract.words[i])
        )
    ]
    return Names(unknown, compared)


def _tells_names(side: Side, span: tuple[int, int], small: Set[str], own: Language) -> bool:
    """Tell whether capital letters mark the names of a sentence, and not all of its words.

    ``small``  words that the document has without capital letters.
    """
    content = [i for i in range(*span) if _is_word(side, i)]
    has_case = not content or any(side.shown[i].lower() != side.shown[i].upper() for i in content)
    inside = [i for i in content if not _begins(side, i, own)]
    capital = [i for i in inside if side.shown[i][0].isupper()]
    in_small = sum(side.words[i] in small for i in capital)
    return has_case and (len(capital) <= MOST_CAPITALS * len(inside) or 2 * in_small < len(capital))


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


def _runs(side: Side, span: tuple[int, int], titles: Set[str]) -> Iterator[list[int]]:
    """Give the words with capital letters that follow each other, or have a mark between.

    Titles before a name are left out; "King" is a name in "Mr. King".
    """
    run: list[int] = []
    for i in range(*span):
        if side.shown[i][0].isupper() and _is_word(side, i):
            if run and side.words[run[0]] in titles:
                run = []
            run.append(i)
        elif side.words[i] not in JOINTS:
            yield run
            run = []
    yield run


def _speaks(side: Side, run: Sequence[int], wordnet: WordNetReader | None) -> bool:
    """Tell whether a name is in a list before a colon, or beside a verb as "says" or "writes"."""
    start, end = side.spans[side.sentence[run[0]]]
    head = range(start, start + (*side.words[start:end], ":").index(":"))
    listed = run[-1] in head and all(side.shown[i][0].isupper() for i in head if side.content[i])
    beside = side.words[max(run[0] - 1, start)], (*side.words[run[-1] + 1 : end], "")[0]
    return (listed and head.stop < end) or any(_says(word, wordnet) for word in beside)


def _says(word: str, wordnet: WordNetReader | None) -> bool:
    """Tell whether a word is a verb of the present first of all in the sense of saying."""
    if wordnet is None or not word.endswith("s") or word in wordnet.base_forms(word).get("v", word):
        return False
    roots = {sense for verb in SAYING for sense in wordnet.synset_numbers(verb, "v")}
    above = wordnet.synset_numbers(word, "v")[:1]
    while above and roots.isdisjoint(above):
        above = [higher for sense in above for higher in wordnet.hypernyms(sense)]
    return bool(above)


def _is_name(side: Side, i: int, own: Language, wordnet: WordNetReader | None) -> bool:
    """Tell whether a word with a capital letter is a name.

    Where a word begins a sentence, or is all in capital letters ("TV"), WordNet tells. It is a name
    if it is no word of WordNet, if its most frequent sense is a name, or if it has such a sense and
    is followed by a finite verb: "John met", not "Court orders".
    """
    word, after = (*side.words[i : i + 2], "")[:2]
    begins = _begins(side, i, own)
    if word in own.classes or len(word) < LEAST_LETTERS or (begins and word in own.stop_words):
        return False
    if wordnet is None or not (begins or side.shown[i].isupper()):
        return not begins
    lemmas = wordnet.base_forms(word)
    senses = [
        [*map(wordnet.begins_with_capital, wordnet.synset_numbers(word, part))]
        for part, forms in lemmas.items()
        if word in forms
    ]
    if not senses:
        return wordnet.is_proper_only(word)
    readings = wordnet.base_forms(after)
    is_verb = after not in readings.get("v", [after]) and "n" not in readings
    is_finite = own.classes.get(after) == "auxiliary" or is_verb
    return all(first for first, *_ in senses) or (is_finite and any(map(any, senses)))
