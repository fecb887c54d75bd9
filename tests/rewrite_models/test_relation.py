"""The relation model against its naive twin, and known words of the machine's WordNet."""

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpus_tools.languages.language import FUNCTION_WORD_CLASSES
from corpus_tools.model_parts.model_part import Corpus, check_part, in_shape_of
from corpus_tools.model_parts.text_arrays import Trees
from rewrite_models.asides import Asides
from rewrite_models.concepts import concepts_of
from rewrite_models.kinds import WORD_CLASSES, is_function_word, sampled
from rewrite_models.related_words import LISTED_RELATIONS, RELATIONS, SAME_STEM, related_words
from rewrite_models.relation import Relation, RelationSettings
from tests.examples import fuzz
from tests.naive.relation import NULL, TWO_NAMES, AsidesTwin, relation, texts_of
from tests.rewrite_models.test_contract import MORE, UNSEEN, WORDS
from tests.tiny_corpora import corpus_of, one_batch, pair, random_pairs


def named_relations(batch, path, listed):
    """Return {(a, d): relation} of the related words of a batch."""
    found = related_words(batch, path, listed)
    names = {SAME_STEM: "same stem", **dict(enumerate(RELATIONS))}
    rows = zip(found.spans.tolist(), found.relations.tolist(), strict=True)
    related = {(a, d): names[code] for (a, a_end, d, d_end), code in rows}
    assert len(related) == len(found.spans)
    return related


def related(first, second, path, listed="none"):
    """Return the relation of two words."""
    batch = one_batch(pair("1", second, first))
    return named_relations(batch, path, listed).get((0, 0), "unrelated")


def assert_as_the_twin(abstract, document, path, listed):
    """Compare the relations of the words of two texts, and which of them are names."""
    batch = one_batch(pair("1", " ".join(document), " ".join(abstract)))
    ((words, others),) = texts_of(batch, path)
    expected = {
        (a, d): relation(word, other, path, listed)
        for a, word in enumerate(words)
        for d, other in enumerate(others)
    }
    assert named_relations(batch, path, listed) == {
        key: name for key, name in expected.items() if name not in {"unrelated", TWO_NAMES}
    }
    for own, side in zip(related_words(batch, path, listed)[:2], (words, others), strict=True):
        assert (own >= len(WORD_CLASSES)).tolist() == [word.is_name for word in side]


KNOWN = """
    is were lemma  better good lemma  russia russian beginning  u.s. us beginning
    d'ivoire ivoire spelling  big large synonym  cried shouted synonym  win victory parent
    sail voyager derived  destroy ruin synonym  dog canine parent  dog cat unrelated
    the a unrelated  of in unrelated  banana parliament unrelated
    has had lemma  haves had unrelated  victor win derived  voyager navigation derived
    """.split()  # noqa: SIM905
"""Relations that everybody knows. The haves are no form of what helps a verb."""


def test_relations_of_words_that_everybody_knows(wordnet):
    path = str(wordnet.root)
    for first, second, expected in zip(KNOWN[::3], KNOWN[1::3], KNOWN[2::3], strict=True):
        assert related(first, second, path) == expected, (first, second)
    assert related("dog", "wolf", path) == "two steps"
    words = [*KNOWN, "seaman", "wolf"]
    assert_as_the_twin(words, words, path, "none")


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("부산", "부산의", "beginning"),
        ("휴교", "휴교했다", "beginning"),
        ("학교", "학교들이", "beginning"),
        ("일본을", "일본", "beginning"),
        ("부산", "서울", "unrelated"),
        ("의", "이", "unrelated"),
        ("gdańskie", "gdańsku", "beginning"),
    ],
)
def test_words_of_an_agglutinating_language_begin_alike(first, second, expected):
    assert related(first, second, "none") == expected
    texts = first.split(), second.split()
    assert_as_the_twin(*texts, "none", "none")


def test_word_classes(miniature):
    forms = {"the": "determiner", "n't": "auxiliary", "--": "punctuation", "seven": "number"}
    forms |= {"3.5m": "number", "dog": "noun", "walked": "verb", "quickly": "adverb"}
    forms |= {"quick": "adjective", "zuckerberg": "name"}
    found = [WORD_CLASSES[one.word_class] for one in concepts_of([*forms], str(miniature))]
    assert found == list(forms.values())
    # Numbers have a class of their own in the table of a language, and are content words.
    expected = [name in FUNCTION_WORD_CLASSES for name in found]
    assert [*map(is_function_word, forms)] == expected


def two_texts(words):
    """Draw the words of two texts."""
    text = st.lists(words, min_size=1, max_size=5)
    return st.tuples(text, text)


FAMILIES = (
    ("dog", "hound", "quick", "swift", "walk", "leave", "the", "this", "quickly", "unheard"),
    ("dog", "dogs", "Dog", "canine", "Rex", "rex", "entity", "Entity", "Gomez", "Gomes"),
    ("A380", "A350", "A-380", "a380s", "#Person1#", "#Person2#", "Airbus", "COVID-19", "19"),
    ("left", "leave", "leaves", "walked", "is", "are", "an", "a", "it", "its", "17", "17th"),
)
"""Paraphrases; names; labels; forms of a lemma, function words and numbers."""


@fuzz(120)
@given(
    st.one_of(
        two_texts(st.text("abc", min_size=2, max_size=6)),
        st.sampled_from(FAMILIES).flatmap(lambda words: two_texts(st.sampled_from(words))),
    ),
    st.booleans(),
    st.booleans(),
)
@example((["by", "Entity", "entity"], ["by", "Dog"]), True, False)  # two steps of names are none
@example((["b.", "bc"], ["b", "bcd"]), False, False)  # one letter is no beginning
def test_related_words_are_those_of_the_twin(miniature, two, known, paired):
    document, abstract = two
    path, listed = (str(miniature) if known else "none"), (None if paired else "none")
    assert_as_the_twin(abstract, document, path, listed)


def test_a_model_without_the_list_starts_one_with_it(miniature):
    corpus = corpus_of([pair("1", "the dog walks", "a hound")])
    (batch,), warm = corpus.batches, corpus._replace(known=np.arange(corpus.words + 1))
    without, with_list = (RelationSettings(str(miniature), listed) for listed in ("none", None))
    start, whole = (Relation.initial(corpus, own) for own in (without, with_list))
    assert not len(start.features(batch).spans)
    started = start.warm_start(warm, with_list)
    assert started.p_chance == pytest.approx(whole.p_chance)
    assert started.p_linked.sum() == pytest.approx(1.0)
    # What the other model knows stays as it is, beside relations with the ratio of untrained ones.
    known = start.ratio / start.ratio[0]
    assert started.ratio / started.ratio[0] == pytest.approx([*known, *[20.0 / start.ratio[0]] * 3])
    assert len(started.features(batch).spans) == 1
    # One that knows the list goes on without it.
    fewer = whole.warm_start(warm, without)
    assert not len(fewer.features(batch).spans) and len(fewer.p_chance) == len(whole.p_chance)


@pytest.mark.parametrize(
    ("kind", "learned", "name"), [(Relation, "p_linked", "kinds"), (Asides, "share", "used")]
)
def test_counts_go_from_models_with_the_list_to_those_without_and_back(
    kind, learned, name, miniature
):
    """The relations of paraphrases, which are the last three, are left out or have no counts."""
    corpus = corpus_of([pair("1", "the dog walks", "a hound")])
    without, whole = (
        kind.initial(corpus, RelationSettings(str(miniature), listed)) for listed in ("none", None)
    )
    counts = np.arange(1.0, 1.0 + len(getattr(whole, learned)))
    fewer = in_shape_of(without, name, counts)
    assert fewer.tolist() == counts[:-3].tolist()
    again = in_shape_of(whole, name, fewer)
    assert again.tolist() == [*fewer.tolist(), 0.0, 0.0, 0.0]


def test_asides_that_did_not_start_from_asides_are_at_the_mode_of_their_prior(miniature):
    """Those that know more relations than the model before are as without it."""
    corpus = corpus_of([pair("1", "the dog walks", "a hound")])
    without, whole = (RelationSettings(str(miniature), listed) for listed in ("none", None))
    start = Asides.initial(corpus, whole)
    mode = start.m_step({"used": np.zeros(len(start.share))})
    warm = corpus._replace(known=np.zeros(corpus.words + 1, dtype=np.int64))
    assert Asides.initial(warm, whole).share.tolist() == pytest.approx(mode.share.tolist())
    assert mode.log_prior() > start.log_prior()
    again = Asides.initial(corpus, without).warm_start(warm, whole)
    assert again.share.tolist() == start.share.tolist() and again.prior is None


def test_batches_are_sampled_from_the_whole_corpus():
    assert list(sampled(range(3))) == [0, 1, 2]
    assert list(sampled(range(60))) == list(range(0, 60, 3))


# Asides against their naive twin


@pytest.fixture(params=[False, True], ids=["without a list", "with a list"])
def listed(request, tmp_path):
    if not request.param:
        return "none"
    file = tmp_path / "list.tsv"
    words = [word.lower() for word in WORDS[:14]]
    file.write_text("".join(f"{one}\t{other}\n" for one in UNSEEN for other in words))
    return str(file)


def made(miniature, listed):
    pairs = random_pairs(random.Random(1), 14, (*WORDS, *MORE, *UNSEEN), longest=9)
    corpus = corpus_of(pairs, size=5)
    model = Asides.initial(corpus, RelationSettings(str(miniature), listed))
    return model, AsidesTwin(corpus.batches, str(miniature), listed), corpus.batches


def null_of(batch):
    """Return some posterior of null for each abstract word."""
    return np.random.default_rng(len(batch.abstract)).random(len(batch.abstract))


def require_same(model, twin, corpus):
    """Compare the shares, the factors of null and the links of asides with the twin's."""
    assert model.p_chance.tolist() == pytest.approx(list(twin.base.values()))
    assert model.share.tolist() == pytest.approx(list(twin.share.values()))
    linked = 0
    for batch in corpus:
        features, null = model.features(batch), null_of(batch)
        found = model.links(features, null)
        links = dict(zip(map(tuple, found.spans.tolist()), found.posteriors, strict=True))
        factors, expected = [], {}
        begins = zip(batch.abstract_offsets, batch.document_offsets, strict=True)
        for (abstract, document), (begin, d) in zip(twin.texts(batch), begins, strict=False):
            for a, word in enumerate(abstract, start=int(begin)):
                ways = twin.ways(word, document)
                factors.append(sum(ways.values()))
                for j in ways.keys() - {NULL}:
                    span = a, a + 1, int(d) + j, int(d) + j + 1
                    expected[span] = null[a] * ways[j] / factors[a]
        assert model.probabilities(features).tolist() == pytest.approx(factors)
        assert links == pytest.approx(expected)
        alone = null.sum() - sum(expected.values())
        counts = model.expected_statistics(features, null)
        assert null.sum() + model.null_words(counts) == pytest.approx(alone)
        assert found.left_over(null).sum() == pytest.approx(alone)
        linked += len(links)
    assert linked > 10


def learned(model, twin, corpus):
    """Return the model after an M-step, which the twin does too."""
    counts = [model.expected_statistics(model.features(batch), null_of(batch)) for batch in corpus]
    texts = [text for batch in corpus for text in twin.texts(batch)]
    null = [
        own.tolist()
        for batch in corpus
        for own in np.split(null_of(batch), batch.abstract_offsets[1:-1])
    ]
    twin.learn(texts, null)
    return model.m_step({"used": sum(count["used"] for count in counts)})


def test_shares_before_and_after_learning_are_those_of_the_twin(miniature, listed):
    model, twin, corpus = made(miniature, listed)
    require_same(model, twin, corpus)
    for _ in range(2):
        model = learned(model, twin, corpus)
        require_same(model, twin, corpus)
    assert len(model.p_chance) == len(RELATIONS) + 1 - (
        len(LISTED_RELATIONS) if listed == "none" else 0
    )


def test_asides_that_start_from_a_model_expect_what_it_learned(miniature, listed):
    model, twin, corpus = made(miniature, listed)
    model = learned(model, twin, corpus)
    settings = RelationSettings(str(miniature), listed)
    vocabulary = corpus[0].vocabulary
    started = model.warm_start(Corpus(corpus, len(vocabulary)), settings)
    twin.prior = twin.share
    unused = started.m_step({"used": np.zeros(len(started.share))})
    assert unused.share.tolist() == pytest.approx(model.share.tolist())
    started = learned(started, twin, corpus)
    require_same(started, twin, corpus)
    arrays = started.to_arrays()
    check_part(Asides, arrays, len(vocabulary), settings)
    again = Asides.from_arrays(arrays, len(vocabulary), settings)
    assert again.log_prior() == started.log_prior()
    assert again.prior.tolist() == model.share.tolist()


def test_an_aside_chooses_a_content_word_of_the_sentence_with_most_related_words(miniature):
    one = pair("1", "dogs walk the curb . curb unheard walks . dogs", "dog curb walked unseen")
    corpus = corpus_of([one])
    (batch,), model = (
        corpus.batches,
        Asides.initial(corpus, RelationSettings(str(miniature), "none")),
    )

    def chances(*bounds):
        flat = Trees.flat([(bounds, ("ROOT",) * (len(bounds) - 1))])
        features = model.features(replace(batch, trees=flat))
        rows = (features.abstract.tolist(), features.document.tolist(), features.chance.tolist())
        return {(a, d): chance for a, d, chance in zip(*rows, strict=True)}

    # All three words, two, and one of them: the first sentence is best.
    assert chances(0, 5, 9, 10) == dict.fromkeys([(0, 0), (1, 3), (2, 1)], 1 / 3)
    # Two words in either of the first sentences, which have six content words.
    both = [(0, 0), (2, 1), (1, 3), (1, 5), (2, 7)]
    assert chances(0, 2, 9, 10) == dict.fromkeys(both, 1 / 6)
