"""What people agree on, where they differ, and from whom a link of an adjudication is.

Who decided what is kept in the file: ``test_session``.
"""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from semihmm.applications.annotate.adjudication import Adjudication
from semihmm.applications.annotate.annotation import Annotation, Phrases
from tests.examples import fuzz
from tests.semihmm.applications.annotate.tiny_work import PAIRS, linked

AGREEABLE = [
    Phrases(tuple(abstract), tuple(document))
    for abstract, document in (
        *(([(0, 1)], [(0, 1)]), ([(1, 2)], [(4, 5)]), ([(0, 2)], [(3, 5)]), ([(0, 1)], [(3, 5)])),
        ([(0, 2)], [(0, 1)]),
        # The same words on both sides: they are linked one by one.
        *(([(2, 3)], [(7, 8)]), ([(3, 4)], [(8, 9)]), ([(2, 4)], [(7, 9)])),
        *(([(1, 4)], [(4, 5), (7, 9)]), ([(0, 1), (2, 3)], [(0, 1), (7, 8)])),
    )
]
"""Phrases of the first pair: a cat ran . / a dog saw the cat . It ran ."""

NOTES = st.sampled_from(["", "?", "n" * 9_999])
LINKS = st.dictionaries(st.sampled_from(AGREEABLE), st.booleans(), max_size=3)


@st.composite
def decisions(draw):
    """Return what two or three people decided about the first pair: they agree in part."""
    common, people = draw(LINKS), draw(st.lists(LINKS, min_size=2, max_size=3))
    made = [(common | own, draw(NOTES)) for own in people]
    words = frozenset(range(4))
    return [Annotation(4, own, words - linked(own), note=note, decided=True) for own, note in made]


def meant(annotation):
    """Return for each word whether it is null, and its sure and its possible links."""
    kinds = annotation.hand_links(PAIRS[0]).values()
    return [
        (word in annotation.null, [{d for d, a in kind if a == word} for kind in kinds])
        for word in range(4)
    ]


@fuzz(120)
@given(decisions(), st.frozensets(st.integers(0, 3)))
def test_what_people_agree_on_is_that_of_a_naive_twin(made, closed):
    people = dict(zip(("anna", "ben", "cy"), made, strict=False))
    both = {name: {"one": one, "two": Annotation(1)} for name, one in people.items()}
    (found,) = Adjudication.from_annotations(PAIRS, both).opinions.values()
    by_person = [meant(one) for one in made]
    differing = {
        word for word in range(4) if any(one[word] != by_person[0][word] for one in by_person)
    }
    phrases = [one for own in found.people.values() for one in own.links]
    groups = set()
    for word in differing:
        group, before = {word}, set()
        while group != before:
            before = set(group)
            group |= {w for one in phrases if linked([one]) & group for w in linked([one])}
        groups.add(tuple(sorted(group)))
    assert found.differences == [list(group) for group in sorted(groups)]

    def mixed(some):
        return {one for one in some if len({word in differing for word in linked([one])}) == 2}

    # Phrases whose words are linked one by one are cut between agreed and differing words.
    for name, own in found.people.items():
        assert meant(own) == meant(people[name])
        before, after = people[name].links.keys(), own.links.keys()
        assert before - after == mixed(before).intersection(AGREEABLE[7:])
        assert not mixed(after - before)
    open_words = {word for group in groups for word in group}
    begun, first = found.agreement(), found.people["anna"]
    assert begun.open_words() == sorted(open_words) and begun.decided == (not groups)
    assert begun.links.items() <= first.links.items() and begun.null == first.null - open_words
    notes = "\n".join(f"{name}: {one.note}" for name, one in people.items() if one.note)
    assert begun.note == notes[:10_000]
    left = open_words - closed
    assert found.open_differences(replace(begun, null=begun.null | closed)) == sum(
        not left.isdisjoint(group) for group in groups
    )
    marks = {name: {*own.links.items(), *own.null} for name, own in found.people.items()}
    assert found.origins.keys() == set().union(*marks.values())
    for mark, origin in found.origins.items():
        names = [name for name, own in marks.items() if mark in own]
        words = {mark} if isinstance(mark, int) else linked([mark[0]])
        is_agreed = len(names) == len(people) or words.isdisjoint(open_words)
        assert origin == ("agreed" if is_agreed else ", ".join(names))
