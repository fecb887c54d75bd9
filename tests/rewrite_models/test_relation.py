"""The relation model against its naive twin, and known words of the machine's WordNet."""

import random
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.model_parts.encoding import Trees
from corpus_tools.model_parts.model_part import Corpus
from rewrite_models.concepts import WORD_CLASSES, concepts_of
from rewrite_models.related_words import LISTED_RELATIONS, RELATIONS, related_words
from rewrite_models.relation import ASIDE_RELATIONS, Asides, Relation, RelationSettings
from tests.naive.asides import NULL, AsidesTwin
from tests.naive.relation import related
from tests.rewrite_models.test_contract import UNSEEN, WORDS
from tests.tiny_corpora import batches, pair, random_pairs, sides, vocabulary_of


def test_relations_of_words_that_everybody_knows(wordnet):
    known = """
        is were lemma  better good lemma  russia russian beginning  u.s. us beginning
        d'ivoire ivoire spelling  big large synonym  cried shouted synonym  win victory parent
        sail voyager derived  destroy ruin synonym  dog canine parent  dog cat unrelated
        the a unrelated  of in unrelated  banana parliament unrelated
        """.split()  # noqa: SIM905
    for first, second, expected in zip(known[::3], known[1::3], known[2::3], strict=True):
        assert related(first, second) == expected
    assert related("dog", "wolf") == "two steps"


def test_a_lemma_does_not_relate_a_function_word_to_a_content_word(wordnet):
    """The haves are no form of what helps a verb."""
    pairs = [pair("1", "the haves", "it had"), pair("2", "it has", "it had")]
    vocabulary = vocabulary_of(pairs)
    for one, expected in zip(pairs, ([], ["lemma"]), strict=True):
        (batch,) = batches([one], vocabulary)
        spans, codes = related_words(batch, str(wordnet.root), "none")[2:]
        found = [RELATIONS[code] for (a, *_), code in zip(spans, codes, strict=True) if a == 1]
        assert found == expected


def test_word_classes(miniature):
    forms = {"the": "determiner", "n't": "auxiliary", "--": "punctuation", "seven": "number"}
    forms |= {"3.5m": "number", "dog": "noun", "walked": "verb", "quickly": "adverb"}
    forms |= {"quick": "adjective", "zuckerberg": "name"}
    found = [WORD_CLASSES[one.word_class] for one in concepts_of([*forms], str(miniature))]
    assert found == list(forms.values())


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("dog", "hound", "paraphrase"),
        ("hound", "dog", "paraphrase"),
        ("walk", "leave", "known paraphrase"),  # the miniature has it as a parent
        ("the", "this", "function paraphrase"),
        ("quick", "quickly", "beginning"),  # forms come first
        ("dog", "swift", None),
    ],
)
def test_words_that_the_list_pairs(first, second, expected, miniature):
    vocabulary = vocabulary_of([pair("1", first, second)])
    (batch,) = batches([pair("1", first, second)], vocabulary)
    found = [RELATIONS[code] for code in related_words(batch, str(miniature), None).relations]
    assert found == ([expected] if expected else [])


def test_a_model_without_the_list_starts_one_with_it(miniature):
    pairs = [pair("1", "the dog walks", "a hound")]
    vocabulary = vocabulary_of(pairs)
    corpus = batches(pairs, vocabulary)
    without, with_list = (RelationSettings(str(miniature), listed) for listed in ("none", None))
    start = Relation.initial(Corpus(corpus, len(vocabulary)), without)
    assert not len(start.features(corpus[0]).spans)
    known = np.arange(len(vocabulary) + 1)
    started = start.warm_start(Corpus(corpus, len(vocabulary), known), with_list)
    whole = Relation.initial(Corpus(corpus, len(vocabulary)), with_list)
    assert (
        started.p_chance == pytest.approx(whole.p_chance) and started.ratio[0] < started.ratio[-1]
    )
    assert len(started.features(corpus[0]).spans) == 1
    # One that knows the list goes on without it.
    fewer = whole.warm_start(Corpus(corpus, len(vocabulary), known), without)
    assert not len(fewer.features(corpus[0]).spans) and len(fewer.p_chance) == len(whole.p_chance)


# Asides against their naive twin


WITH_MEANING = (*WORDS, *UNSEEN, "hound", "driver", "drivers", "is", "17")


@pytest.fixture(params=[False, True], ids=["without a list", "with a list"])
def listed(request, tmp_path):
    if not request.param:
        return "none"
    file = tmp_path / "list.tsv"
    file.write_text("dog\tcurb\nhound\trex\ndrivers\twalk\n")
    return str(file)


def made(miniature, listed, seed=1, count=7):
    pairs = random_pairs(random.Random(seed), count, WITH_MEANING, longest=9)
    vocabulary = vocabulary_of(pairs)
    corpus = batches(pairs, vocabulary, size=4)
    settings = RelationSettings(wordnet=str(miniature), paraphrases=listed)
    model = Asides.initial(Corpus(corpus, len(vocabulary)), settings)
    return model, AsidesTwin(corpus, str(miniature), listed), corpus


def require_same(model, twin):
    assert model.p_chance.tolist() == pytest.approx(list(twin.base.values()))
    assert model.share.tolist() == pytest.approx(list(twin.share.values()))


def null_of(batch):
    """Return some posterior of null for each abstract word."""
    return np.random.default_rng(len(batch.abstract)).random(len(batch.abstract))


def learned(model, twin, corpus):
    """Return the model after an M-step, which the twin does too."""
    counts = [model.expected_statistics(model.features(batch), null_of(batch)) for batch in corpus]
    texts = [text for batch in corpus for text in sides(batch)]
    null = [
        own.tolist()
        for batch in corpus
        for own in np.split(null_of(batch), batch.abstract_offsets[1:-1])
    ]
    twin.learn(texts, null)
    return model.m_step({"used": sum(count["used"] for count in counts)})


def test_shares_before_and_after_learning_are_those_of_the_twin(miniature, listed):
    model, twin, corpus = made(miniature, listed)
    require_same(model, twin)
    for _ in range(2):
        model = learned(model, twin, corpus)
        require_same(model, twin)
    assert len(model.p_chance) == len(ASIDE_RELATIONS) - (
        len(LISTED_RELATIONS) if listed == "none" else 0
    )


def test_asides_that_start_from_a_model_expect_what_it_learned(miniature, listed):
    model, twin, corpus = made(miniature, listed)
    model = learned(model, twin, corpus)
    settings = RelationSettings(wordnet=str(miniature), paraphrases=listed)
    vocabulary = corpus[0].vocabulary
    started = model.warm_start(Corpus(corpus, len(vocabulary)), settings)
    twin.prior = twin.share
    unused = started.m_step({"used": np.zeros(len(started.share))})
    assert unused.share.tolist() == pytest.approx(model.share.tolist())
    started = learned(started, twin, corpus)
    require_same(started, twin)
    arrays = started.to_arrays()
    Asides.check(arrays, len(vocabulary), settings)
    again = Asides.from_arrays(arrays, len(vocabulary), settings)
    assert again.log_prior() == started.log_prior()
    assert again.prior.tolist() == model.share.tolist()


@pytest.mark.parametrize("seed", range(3))
def test_factors_and_links_are_those_of_the_twin(seed, miniature, listed):
    model, twin, corpus = made(miniature, listed, seed)
    model = learned(model, twin, corpus)
    linked = 0
    for batch in corpus:
        features = model.features(batch)
        probabilities, null = model.probabilities(features), null_of(batch)
        links = dict(
            zip(
                zip(features.abstract.tolist(), features.document.tolist(), strict=True),
                model.links(features, null).posteriors.tolist(),
                strict=True,
            )
        )
        expected = {}
        for p, (abstract, document) in enumerate(sides(batch)):
            first, d_first = batch.abstract_offsets[p], batch.document_offsets[p]
            for a, word in enumerate(abstract, start=int(first)):
                ways = twin.ways(word, document)
                assert probabilities[a] == pytest.approx(sum(ways.values()))
                for j in ways.keys() - {NULL}:
                    expected[a, int(d_first) + j] = null[a] * ways[j] / sum(ways.values())
        assert links == pytest.approx(expected)
        linked += len(links)
    assert linked > 10


def test_an_aside_chooses_a_content_word_of_the_sentence_with_most_related_words(miniature):
    one = pair("1", "dogs walk the curb . curb unheard walks . dogs", "dog curb walked unseen")
    vocabulary = vocabulary_of([one])
    settings = RelationSettings(wordnet=str(miniature), paraphrases="none")
    (batch,) = batches([one], vocabulary, size=1)
    model = Asides.initial(Corpus([batch], len(vocabulary)), settings)

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
