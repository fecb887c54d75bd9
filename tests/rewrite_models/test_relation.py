"""Related words and phrases, and asides, against their naive twins; some that everybody knows."""

import random
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from corpus_tools.languages.language import FUNCTION_WORD_CLASSES
from corpus_tools.model_parts.model_part import check_part, in_shape_of
from corpus_tools.model_parts.text_arrays import Trees
from rewrite_models.asides import Asides
from rewrite_models.concepts import concepts_of
from rewrite_models.kinds import WORD_CLASSES, is_function_word, sampled
from rewrite_models.multiword import matches
from rewrite_models.phrase_keys import PHRASE_KINDS
from rewrite_models.related_words import RELATIONS, SAME_STEM, related_words
from rewrite_models.relation import Relation, RelationSettings
from tests.examples import fuzz
from tests.naive.relation import NULL, TWO_NAMES, AsidesTwin, relation, texts_of
from tests.naive.rewrite_twins import phrase_kind, spans
from tests.rewrite_models.test_contract import MORE, UNSEEN, WORDS
from tests.tiny_corpora import corpus_of, one_batch, pair, random_pairs, words_of


def named_relations(batch, path, listed):
    """Return {(a, d): relation} of the related words of a batch."""
    found = related_words(batch, path, listed)
    names = {SAME_STEM: "same stem", **dict(enumerate(RELATIONS))}
    rows = zip(found.spans.tolist(), found.relations.tolist(), strict=True)
    related = {(a, d): names[code] for (a, a_end, d, d_end), code in rows}
    assert len(related) == len(found.spans)
    return related


def assert_as_the_twin(abstract, document, path, listed):
    """Compare the relations of the words of two texts, and which of them are names."""
    batch = one_batch(pair("1", " ".join(document), " ".join(abstract)))
    ((words, others),) = texts_of(batch, path)
    assert named_relations(batch, path, listed) == {
        (a, d): name
        for a, word in enumerate(words)
        for d, other in enumerate(others)
        if (name := relation(word, other, path, listed)) not in {"unrelated", TWO_NAMES}
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


def assert_known(table, path):
    for first, second, expected in zip(*(table[n::3] for n in range(3)), strict=True):
        batch = one_batch(pair("1", second, first))
        found = named_relations(batch, path, "none").get((0, 0), "unrelated")
        assert found == expected, (first, second)
    assert_as_the_twin(table, table, path, "none")


def test_relations_of_words_that_everybody_knows(wordnet):
    assert_known(
        [*KNOWN, "dog", "wolf", "two steps", "win", "seaman", "unrelated"], str(wordnet.root)
    )


AGGLUTINATED = """
    부산 부산의 beginning  휴교 휴교했다 beginning  학교 학교들이 beginning  일본을 일본 beginning
    부산 서울 unrelated  의 이 unrelated  gdańskie gdańsku beginning
    """.split()  # noqa: SIM905


def test_words_of_an_agglutinating_language_begin_alike():
    assert_known(AGGLUTINATED, "none")


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


def learned(model, twin, corpus):
    """Return the model after an M-step, which the twin does too."""
    drawn = [(batch, null_of(batch)) for batch in corpus]
    twin.learn(drawn)
    counts = [model.expected_statistics(model.features(batch), null) for batch, null in drawn]
    return model.m_step({"used": sum(count["used"] for count in counts)})


@pytest.mark.parametrize("has_list", [False, True])
def test_shares_before_and_after_learning_are_those_of_the_twin(miniature, tmp_path, has_list):
    """A model that starts from another expects what that one learned."""
    file = tmp_path / "list.tsv"
    words = [word.lower() for word in WORDS[:14]]
    file.write_text("".join(f"{one}\t{other}\n" for one in UNSEEN for other in words))
    settings = RelationSettings(str(miniature), str(file) if has_list else "none")
    pairs = random_pairs(random.Random(1), 14, (*WORDS, *MORE, *UNSEEN), longest=9)
    corpus, _, _ = whole = corpus_of(pairs, size=5)
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


def test_an_aside_chooses_a_content_word_of_the_sentence_with_most_related_words(miniature):
    one = pair("1", "dogs walk the curb . curb unheard walks . dogs", "dog curb walked unseen")
    corpus = corpus_of([one])
    model = Asides.initial(corpus, RelationSettings(str(miniature), "none"))

    def chances(*bounds):
        flat = Trees.flat([(bounds, ("ROOT",) * (len(bounds) - 1))])
        features = model.features(replace(corpus.batches[0], trees=flat))
        rows = (features.abstract.tolist(), features.document.tolist(), features.chance.tolist())
        return {(a, d): chance for a, d, chance in zip(*rows, strict=True)}

    # All three words, two, and one of them: the first sentence is best.
    assert chances(0, 5, 9, 10) == dict.fromkeys([(0, 0), (1, 3), (2, 1)], 1 / 3)
    # Two words in either of the first sentences, which have six content words.
    both = [(0, 0), (2, 1), (1, 3), (1, 5), (2, 7)]
    assert chances(0, 2, 9, 10) == dict.fromkeys(both, 1 / 6)


# Phrases of several words


def found(abstract, document, path=None):
    """Return the pairs of phrases of two texts with their kinds."""
    batch = one_batch(pair("1", document, abstract))
    matched = matches(batch, path)
    return {
        (*(" ".join(phrase) for phrase in words_of(batch, span)), PHRASE_KINDS[kind])
        for span, kind in zip(matched.spans.tolist(), matched.kind.tolist(), strict=True)
    }


@pytest.mark.parametrize(
    ("abstract", "document", "kind"),
    [
        ("death penalty", "capital punishment", "entry"),
        ("prime minister", "premier", "entry"),
        ("nrdc", "natural resources defense council", "initials"),
        ("association of southeast asian nations", "a.s.a.n.", "initials"),
        ("al rashi", "al-rashi", "joined"),
        ("hongkong", "hong kong", "joined"),
    ],
)
def test_phrases_that_everybody_knows(abstract, document, kind, wordnet):
    assert (abstract, document, kind) in found(abstract, document)


def test_the_first_of_several_kinds_counts():
    """The letters are initials, and also the word that is written apart."""
    assert found("xyz", "x y z", "none") == {("xyz", "x y z", "initials")}


def test_keys_of_one_kind_are_none_of_another_however_many_words_there_are():
    """The letters "aa" have the number 28; words that are written apart have those of the words."""
    for number in range(40):
        others = [f"{n}x" for n in range(number)]
        document = ["ax", "ay", *others, "hong", "kong"]
        pairs = found("hongkong aa", " ".join(document), "none")
        assert pairs == {("hongkong", "hong kong", "joined"), ("aa", "ax ay", "initials")}


def assert_phrases_as_the_twin(abstract, document, path):
    both = product(spans(abstract), spans(document))
    expected = {
        (" ".join(s), " ".join(d), kind) for s, d in both if (kind := phrase_kind(s, d, path))
    }
    assert found(" ".join(abstract), " ".join(document), path) == expected


SEVEN = ["ab", "c", "d", "bc", "c", "d", "bc"]
RUNS = st.one_of(
    st.lists(
        st.sampled_from(["ab", "a", "bc", "c", "d", "éa", "1", "of", "-"]), min_size=1, max_size=9
    ),
    st.sampled_from([["d", "owl", "gab"], ["bc", "ab"], SEVEN[:6], SEVEN]),
)
"""Words of few letters, so that their first letters and they themselves make up other words.

The miniature WordNet has "dog" and "b.a."; initials have six letters at most.
"""


@fuzz(120)
@given(RUNS, st.sampled_from(["joined", "initials", "points"]), st.booleans(), st.booleans())
def test_initials_and_words_written_apart_are_those_of_the_twin(
    miniature, run, shape, turned, known
):
    word = "".join(run)
    if shape != "joined":
        letters = [form[0] for form in run if form.isalpha() and form not in {"a", "of"}]
        letters = letters or ["a"]
        word = "".join(f"{letter}." if shape == "points" else letter for letter in letters)
    texts = [word, "x"], run
    path = str(miniature) if known else "none"
    assert_phrases_as_the_twin(*(reversed(texts) if turned else texts), path)


LONG = ["walk", "up", "and", "down", "again"]
ENTRIES = st.one_of(
    st.lists(
        st.sampled_from(["domestic", "dog", "dogs", "pick", "up", "take"]), min_size=1, max_size=4
    ),
    st.sampled_from([["walk"], LONG[:4], LONG]),
)


@fuzz(150)
@given(ENTRIES, ENTRIES)
def test_entries_in_all_their_forms_are_those_of_the_twin(miniature, abstract, document):
    assert_phrases_as_the_twin(abstract, document, str(miniature))
