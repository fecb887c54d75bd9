"""Related words and phrases, and asides, against their naive twins; some that everybody knows."""

import random
from dataclasses import replace
from itertools import product
from string import ascii_lowercase

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpus_tools.model_parts.model_part import check_part, in_shape_of
from corpus_tools.model_parts.text_arrays import Trees
from rewrite_models.asides import Asides
from rewrite_models.kinds import WORD_CLASSES, is_function_word, sampled
from rewrite_models.multiword import matches
from rewrite_models.null_factor import NullLinks
from rewrite_models.phrase_keys import PHRASE_KINDS
from rewrite_models.related_words import RELATIONS, SAME_STEM, related_words
from rewrite_models.relation import Relation, RelationSettings
from tests.examples import fuzz
from tests.naive.relation import NULL, TWO_NAMES, AsidesTwin, relation, texts_of
from tests.naive.rewrite_twins import phrase_kind
from tests.paths import lines_beside
from tests.rewrite_models.test_contract import MORE, UNSEEN, WORDS
from tests.tiny_corpora import all_spans, corpus_of, one_batch, pair, random_pairs, words_of


def named(spans, names):
    """Return {candidate: name}; each candidate is there once."""
    found = dict(zip(map(tuple, spans.tolist()), names, strict=True))
    assert len(found) == len(spans)
    return found


def relations_of(batch, path, listed="none"):
    """Return {candidate: relation} of the related words of a batch."""
    words = related_words(batch, path, listed)
    names = {SAME_STEM: "same stem", **dict(enumerate(RELATIONS))}
    return named(words.spans, [names[code] for code in words.relations.tolist()])


def phrases_of(batch, path):
    """Return {candidate: kind} of the phrases of the same meaning in a batch."""
    matched = matches(batch, path)
    return named(matched.spans, [PHRASE_KINDS[kind] for kind in matched.kind.tolist()])


def assert_words_as_the_twin(batch, path, listed="none"):
    """Compare the relations of the words of two texts, and which of them are names."""
    ((abstract, document),) = texts_of(batch, path)
    assert relations_of(batch, path, listed) == {
        (a, a + 1, d, d + 1): name
        for (a, word), (d, other) in product(enumerate(abstract), enumerate(document))
        if (name := relation(word, other, path, listed)) not in {"unrelated", TWO_NAMES}
    }
    for own, side in zip(related_words(batch, path, listed)[:2], (abstract, document), strict=True):
        assert (own >= len(WORD_CLASSES)).tolist() == [word.is_name for word in side]


def assert_phrases_as_the_twin(batch, path):
    assert phrases_of(batch, path) == {
        span: kind
        for span in all_spans(batch)
        if (kind := phrase_kind(*words_of(batch, span), path))
    }


NAMES_OF_CLASSES = (*WORD_CLASSES, *(f"{name} as a name" for name in WORD_CLASSES[-6:]))
"""Numbers and the other content words have a class of their own if they are names."""


def in_words(batch, path):
    """Yield the classes of the words of an abstract, the related words, the phrases.

    Function words have a star.
    """
    forms = [batch.vocabulary.forms[number] for number in batch.abstract]
    classes = related_words(batch, path, "none").abstract
    yield [
        f"{form} {NAMES_OF_CLASSES[own]}{'*' if is_function_word(form) else ''}"
        for form, own in zip(forms, classes, strict=True)
    ]
    for of_batch in (relations_of, phrases_of):
        yield [
            f"{' '.join(one)} = {' '.join(other)} {name}"
            for span, name in of_batch(batch, path).items()
            for one, other in [words_of(batch, span)]
        ]


def test_what_is_related_in_two_texts_is_what_was_looked_at(wordnet, miniature, looked_at):
    """In the last row the 28th word has the number that the letters "aa" have as initials."""
    paths = {"full": str(wordnet.root), "tiny": str(miniature), "none": "none"}
    made = "WordNet|abstract|document|classes of the abstract's words|related words|phrases\n"
    texts = []
    for row in lines_beside(__file__, "related.txt"):
        name, abstract, document, *_ = row.split("|")
        batch = one_batch(pair("1", document, abstract))
        found = map(", ".join, in_words(batch, paths[name]))
        made += "|".join((name, abstract, document, *found)) + "\n"
        assert_phrases_as_the_twin(batch, paths[name])
        texts.append((document, abstract))
    assert made == looked_at("related.txt", made)
    every = pair("1", *map(" ".join, zip(*texts, strict=True)))
    assert_words_as_the_twin(one_batch(every), paths["full"])


def two_texts(words):
    """Draw two texts of some words."""
    text = st.lists(words, min_size=1, max_size=5).map(" ".join)
    return st.tuples(text, text)


FAMILIES = (
    ("dog", "hound", "quick", "swift", "walk", "leave", "the", "this", "quickly", "unheard"),
    ("dog", "dogs", "Dog", "canine", "Rex", "rex", "entity", "Entity", "Gomez", "Gomes"),
    ("A380", "A350", "A-380", "a380s", "#Person1#", "#Person2#", "Airbus", "COVID-19", "19"),
    ("left", "leave", "leaves", "walked", "is", "are", "an", "a", "it", "its", "17", "17th"),
    ("domestic", "dog", "dogs", "pick", "up", "take"),
)
"""Paraphrases; names; labels; forms of a lemma, function words and numbers; words of entries."""


@fuzz(200)
@given(
    st.one_of(
        two_texts(st.text("abc", min_size=2, max_size=6)),
        st.sampled_from(FAMILIES).flatmap(lambda words: two_texts(st.sampled_from(words))),
    ),
    st.booleans(),
    st.booleans(),
)
@example(("by Dog", "by Entity entity"), True, False)  # two steps of names are none
@example(("b bcd", "b. bc"), False, False)  # one letter is no beginning
def test_related_words_names_and_phrases_are_those_of_the_twins(miniature, texts, known, paired):
    abstract, document = texts
    path, listed = (str(miniature) if known else "none"), (None if paired else "none")
    batch = one_batch(pair("1", document, abstract))
    assert_words_as_the_twin(batch, path, listed)
    assert_phrases_as_the_twin(batch, path)


@pytest.fixture
def hound(miniature):
    """Return a corpus with words of the list of paraphrases, settings without and with the list."""
    settings = (RelationSettings(str(miniature), listed) for listed in ("none", None))
    return corpus_of([pair("1", "the dog walks", "a hound")]), *settings


def test_a_model_without_the_list_starts_one_with_it(hound):
    corpus, without, with_list = hound
    (batch,), warm = corpus.batches, corpus._replace(known=np.arange(corpus.words + 1))
    start, whole = (Relation.initial(corpus, own) for own in (without, with_list))
    assert not len(start.features(batch).spans)
    started = start.warm_start(warm, with_list)
    assert started.p_chance == pytest.approx(whole.p_chance)
    assert started.p_linked.sum() == pytest.approx(1.0)
    # What the other model knows stays as it is, beside relations with the ratio of untrained ones.
    known = start.ratio / start.ratio[0]
    assert started.ratio / started.ratio[0] == pytest.approx([*known, *[20.0 / start.ratio[0]] * 3])
    assert len(started.features(batch).spans) == 1
    # Without the list it has no relation of paraphrases, even if there is one now.
    assert not len(replace(start, paraphrases=None).features(batch).spans)
    asides = replace(Asides.initial(corpus, without), paraphrases=None)
    assert not len(asides.features(batch).abstract)
    # One that knows the list goes on without it.
    fewer = whole.warm_start(warm, without)
    assert not len(fewer.features(batch).spans) and len(fewer.p_chance) == len(whole.p_chance)


@pytest.mark.parametrize(
    ("kind", "learned", "name"), [(Relation, "p_linked", "kinds"), (Asides, "share", "used")]
)
def test_counts_go_from_models_with_the_list_to_those_without_and_back(kind, learned, name, hound):
    """The relations of paraphrases, which are the last three, are left out or have no counts."""
    corpus, *settings = hound
    without, whole = (kind.initial(corpus, own) for own in settings)
    counts = np.arange(1.0, 1.0 + len(getattr(whole, learned)))
    fewer = in_shape_of(without, name, counts)
    assert fewer.tolist() == counts[:-3].tolist()
    assert in_shape_of(whole, name, fewer).tolist() == [*fewer.tolist(), 0.0, 0.0, 0.0]


def test_asides_that_did_not_start_from_asides_are_at_the_mode_of_their_prior(hound):
    """Those that know more relations than the model before are as without it."""
    corpus, without, whole = hound
    start = Asides.initial(corpus, whole)
    mode = start.m_step({"used": np.zeros(len(start.share))})
    warm = corpus._replace(known=np.zeros(corpus.words + 1, dtype=np.int64))
    assert Asides.initial(warm, whole).share.tolist() == pytest.approx(mode.share.tolist())
    assert mode.log_prior() > start.log_prior()
    again = Asides.initial(corpus, without).warm_start(warm, whole)
    assert again.share.tolist() == start.share.tolist() and again.prior is None


def test_rounding_leaves_no_posterior_below_zero():
    links = NullLinks(np.array([[0, 1, 0, 1]]), np.array([0.6000001]))
    assert links.left_over(np.array([0.6, 0.5])).tolist() == [0.0, 0.5]


def test_batches_are_sampled_from_the_whole_corpus():
    assert list(sampled(range(3))) == [0, 1, 2]
    assert list(sampled(range(60))) == list(range(0, 60, 3))


# Asides against their naive twin


def null_of(batch):
    """Return some posterior of null for each abstract word."""
    return np.random.default_rng(len(batch.abstract)).random(len(batch.abstract))


def require_same(model, twin, corpus):
    """Compare the shares, the factors of null and the links of asides with the twin's."""
    assert model.p_chance.tolist() == pytest.approx(list(twin.base.values()))
    assert model.share.tolist() == pytest.approx(list(twin.share.values()))
    linked = 0
    for batch in corpus:
        features, null, ways = model.features(batch), null_of(batch), twin.ways(batch)
        found = model.links(features, null)
        links = dict(zip(map(tuple, found.spans.tolist()), found.posteriors, strict=True))
        factors = [sum(factor for _, factor in own.values()) for own in ways]
        expected = {
            (a, a + 1, d, d + 1): null[a] * own[a, d][1] / factors[a]
            for own in ways
            for a, d in own.keys() - {NULL}
        }
        assert model.probabilities(features).tolist() == pytest.approx(factors)
        assert links == pytest.approx(expected)
        alone = null.sum() - sum(expected.values())
        counts = model.expected_statistics(features, null)
        assert null.sum() + model.null_words(counts) == pytest.approx(alone)
        assert found.left_over(null).sum() == pytest.approx(alone)
        linked += len(links)
    assert linked > 10


def in_sentences(batch):
    """Return the batch with trees: sentences of three words."""
    bounds = [(*range(0, size, 3), size) for size in np.diff(batch.document_offsets).tolist()]
    trees = Trees.flat([(own, ("ROOT",) * (len(own) - 1)) for own in bounds])
    return replace(batch, trees=trees)


def learned(model, twin, corpus):
    """Return the model after an M-step, which the twin does too."""
    drawn = [(batch, null_of(batch)) for batch in corpus]
    twin.learn(drawn)
    counts = [model.expected_statistics(model.features(batch), null) for batch, null in drawn]
    return model.m_step({"used": sum(count["used"] for count in counts)})


@pytest.mark.parametrize("has_list", [False, True])
def test_shares_before_and_after_learning_are_those_of_the_twin(miniature, tmp_path, has_list):
    """A model that starts from another expects what that one learned.

    Without the list few words are related by chance, so that asides stay below their bounds.
    """
    file = tmp_path / "list.tsv"
    words = [word.lower() for word in WORDS[:14]]
    file.write_text("".join(f"{one}\t{other}\n" for one in UNSEEN for other in words))
    settings = RelationSettings(str(miniature), str(file) if has_list else "none")
    others = () if has_list else [4 * letter for letter in ascii_lowercase]
    pairs = random_pairs(random.Random(1), 14, (*WORDS, *MORE, *UNSEEN, *others), longest=12)
    whole = corpus_of(pairs, size=5)
    corpus = [*map(in_sentences, whole.batches)]
    model = Asides.initial(whole, settings)
    twin = AsidesTwin(corpus, settings.wordnet, settings.paraphrases)
    require_same(model, twin, corpus)
    for _ in range(2):
        model = learned(model, twin, corpus)
        require_same(model, twin, corpus)
    started = model.warm_start(whole, settings)
    twin.prior = twin.share
    unused = started.m_step({"used": np.zeros(len(started.share))})
    assert unused.share.tolist() == pytest.approx(model.share.tolist())
    started = learned(started, twin, corpus)
    require_same(started, twin, corpus)
    arrays = started.to_arrays()
    check_part(Asides, arrays, whole.words, settings)
    again = Asides.from_arrays(arrays, whole.words, settings)
    assert again.log_prior() == started.log_prior()
    assert again.prior.tolist() == model.share.tolist()
