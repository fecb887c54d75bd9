"""The check of plug-ins: ours pass it, and what is wrong is said with the name of the plug-in."""

import types
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.alignments.formats import READERS, WRITERS
from corpus_tools.alignments.scores import SCORES, AlignmentErrorRate
from corpus_tools.base.errors import BadUsage
from corpus_tools.measures.evaluation import TEXT_MEASURES
from corpus_tools.measures.ngrams import Bleu
from corpus_tools.parsing import Flat
from jump_models.distances import Relative
from jump_models.registry import JUMP_MODELS
from rewrite_models.ngrams import Identity, Stem
from rewrite_models.null_factor import NullEmission, NullLinks
from rewrite_models.registry import NULL_FACTORS, REWRITE_MODELS
from rewrite_models.relation import Asides
from rewrite_models.rewrite_model import Features
from semihmm.model.decoders import DECODERS, Posterior
from semihmm.plots.pair import OnePair
from semihmm.plots.registry import PLOTS
from semihmm.testing import check

PARTS = {**REWRITE_MODELS, **NULL_FACTORS, **JUMP_MODELS, "null": NullEmission}
OTHERS = [
    # Those of compressions ask for texts with their sources.
    *(kind for kind in TEXT_MEASURES if kind.__module__ != "corpus_tools.measures.hori"),
    *[*SCORES.values(), *DECODERS.values(), Flat],
    types.SimpleNamespace(name="labels", write=WRITERS["labels"]),
    types.SimpleNamespace(name="jsonl", write=WRITERS["jsonl"], read=READERS["jsonl"]),
    types.SimpleNamespace(name="pharaoh", write=WRITERS["pharaoh"], read=READERS["pharaoh"]),
]


@pytest.mark.parametrize("name", PARTS)
def test_every_part_of_ours_passes(name, miniature):
    check(PARTS[name], wordnet=str(miniature))


@pytest.mark.parametrize("name", PLOTS)
def test_every_plot_of_ours_passes(name):
    pytest.importorskip("matplotlib", reason="plots need matplotlib")
    check(PLOTS[name])


@pytest.mark.parametrize("plugin", OTHERS, ids=lambda plugin: plugin.name)
def test_every_other_plug_in_of_ours_passes(plugin):
    check(plugin)


def spans_changed(change):
    """Make a model whose spans are not those that it should have."""

    class Wrong(Stem):
        name = "wrong"

        def features(self, batch):
            features = super().features(batch)
            spans = change(features.spans.copy())
            return Features(
                spans, {key: value[: len(spans)] for key, value in features.data.items()}
            )

    return Wrong


def probabilities(change, base=Identity):
    class Wrong(base):
        name = "wrong"

        def probabilities(self, features):
            return change(super().probabilities(features))

    return Wrong


def with_beyond(spans):
    spans[-1, 3] += 9
    return spans


def with_twice(spans):
    spans[1] = spans[0]
    return spans


def negative(jumps):
    return jumps._replace(tables=-jumps.tables)


class Greedy(NullEmission):
    """Links each word of null with its document's first word, twice as probable as null."""

    name = "wrong"
    makes_links = True

    def links(self, features, null):
        spans = np.array([[0, 1, 0, 1]], dtype=np.int32)
        return NullLinks(spans, 2 * null[:1])


def decoded(change):
    class Wrong(Posterior):
        name = "wrong"

        def decode(self, model, encoded):
            return change(super().decode(model, encoded))

    return Wrong


class Uneven(AlignmentErrorRate):
    name = "wrong"

    def statistics(self, links):
        return np.ones(1 + len(links.sure))


class Deaf(AlignmentErrorRate):
    name = "wrong"

    def figure(self, sums):
        return np.full(np.shape(sums)[:-1], np.nan)


class Nameless(Bleu):
    name = "wrong"
    pattern = "bleurt"


class Half(Flat):
    name = "wrong"

    def document_trees(self, pairs, processes=1):
        for trees in super().document_trees(pairs):
            yield trees[:-1]


class Random(OnePair):
    name = "wrong"
    forms = ("tex",)

    def tex(self, drawn, size):
        return f"{super().tex(drawn, size)}% {id(self)}"


def forgetful(path, pairs):
    return iter([(None, Alignment(pair.id)) for pair in pairs])


WRONG_FORMAT = types.SimpleNamespace(name="wrong", write=WRITERS["pharaoh"], read=forgetful)


class Changing(Relative):
    name = "wrong"

    def m_step(self, counts):
        self.weights[...] = 0.5
        return replace(self, weights=self.weights.copy())


@pytest.mark.parametrize(
    ("wrong", "problem"),
    [
        (probabilities(lambda values: values * 3 + 3.0), r"expected 0 to 1"),
        (probabilities(lambda values: values * np.nan), "not finite"),
        (probabilities(lambda values: values[:-1]), "one for each candidate"),
        (probabilities(lambda values: 1 / 0), "ZeroDivisionError"),
        (spans_changed(with_beyond), "goes beyond the text"),
        (spans_changed(with_twice), "among the spans twice"),
        (spans_changed(lambda spans: spans.astype(np.int64)), "expected int32"),
        (probabilities(negative, Relative), "'tables' has values that are negative"),
        (Changing, "m_step changes the part"),
        (probabilities(lambda values: -values, Asides), "no positive number"),
        (probabilities(lambda values: values[1:], Asides), "one for each abstract word"),
        (Greedy, "exceed its posterior of null"),
        (decoded(lambda links: links[::-1]), "not sorted"),
        (decoded(lambda links: [(span, 7.0) for span, _ in links]), "a probability is .7.0."),
        (decoded(lambda links: links[:1] * 2), "twice"),
        (Uneven, "the same number of figures for all pairs"),
        (Deaf, "figure: one is no number"),
        (Nameless, "does not match the example 'bleu'"),
        (Half, "expected a tree for each sentence"),
        (Random, "other bytes each time"),
        (WRONG_FORMAT, "not the links of the pair"),
        (dict, "no plug-in"),
        (types.SimpleNamespace(name="wrong"), "neither a class, nor a module"),
    ],
)
def test_what_is_wrong_is_said_with_the_name_of_the_plug_in(wrong, problem):
    with pytest.raises(BadUsage, match=f"plug-in .*(wrong|dict).*: .*{problem}"):
        check(wrong)
