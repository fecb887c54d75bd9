"""The check of plug-ins: ours pass it, and what is wrong is said with the name of the plug-in."""

import types
from dataclasses import replace

import numpy as np
import pytest

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.alignments.formats import READERS, WRITERS
from corpus_tools.base.errors import BadUsage
from corpus_tools.parsing import Flat
from jump_models.distances import Relative
from jump_models.registry import JUMP_MODELS
from rewrite_models.asides import Asides
from rewrite_models.ngrams import Identity, Stem
from rewrite_models.null_factor import NullEmission, NullLinks
from rewrite_models.registry import NULL_FACTORS, REWRITE_MODELS
from semihmm.applications.measure.measuring import TEXT_MEASURES
from semihmm.applications.measure.ngrams import Bleu
from semihmm.applications.score.scores import SCORES, AlignmentErrorRate
from semihmm.model.decoders import DECODERS
from semihmm.model.decoders.posterior import Posterior
from semihmm.testing import check

PARTS = {**REWRITE_MODELS, **NULL_FACTORS, **JUMP_MODELS, "null": NullEmission}
OTHERS = [
    # Those of compressions ask for texts with their sources.
    *(kind for kind in TEXT_MEASURES if kind.__module__ != "semihmm.applications.measure.hori"),
    *[*SCORES.values(), *DECODERS.values(), Flat],
    types.SimpleNamespace(name="labels", write=WRITERS["labels"]),
    types.SimpleNamespace(name="jsonl", write=WRITERS["jsonl"], read=READERS["jsonl"]),
    types.SimpleNamespace(name="pharaoh", write=WRITERS["pharaoh"], read=READERS["pharaoh"]),
]


@pytest.mark.parametrize("name", PARTS)
def test_every_part_of_ours_passes(name, miniature):
    check(PARTS[name], wordnet=str(miniature))


@pytest.mark.parametrize("plugin", OTHERS, ids=lambda plugin: plugin.name)
def test_every_other_plug_in_of_ours_passes(plugin):
    check(plugin)


def wrong(base, method, change, **attributes):
    """Derive a plug-in that changes what one of its methods returns."""

    def changed(self, *values):
        return change(getattr(base, method)(self, *values))

    return type("Wrong", (base,), {"name": "wrong", method: changed, **attributes})


def spans_changed(change):
    return wrong(Stem, "features", lambda features: features._replace(spans=change(features.spans)))


def spans_with(place, value):
    def changed(spans):
        spans[place] = value
        return spans

    return spans_changed(changed)


def without_candidates(features):
    return features._replace(
        spans=features.spans[:0], data={name: own[:0] for name, own in features.data.items()}
    )


class Greedy(NullEmission):
    """Links each word of null with its document's first word, twice as probable as null."""

    name = "wrong"
    makes_links = True

    def links(self, features, null):
        spans = np.array([[0, 1, 0, 1]], dtype=np.int32)
        return NullLinks(spans, 2 * null[:1])


class Forgetful(Stem):
    """Is loaded as if abstracts had all words."""

    name = "wrong"

    @classmethod
    def from_arrays(cls, arrays, words, settings):
        return cls(np.ones(words, dtype=bool))


def forgetful(path, pairs):
    return iter([(None, Alignment(pair.id)) for pair in pairs])


NAMELESS = type("Wrong", (Bleu,), {"name": "wrong", "pattern": "bleurt"})
WRONG_FORMAT = types.SimpleNamespace(name="wrong", write=WRITERS["pharaoh"], read=forgetful)


class Changing(Relative):
    name = "wrong"

    def m_step(self, counts):
        self.weights[...] = 0.5
        return replace(self, weights=self.weights.copy())


@pytest.mark.parametrize(
    ("plugin", "problem"),
    [
        (wrong(Identity, "probabilities", lambda values: values * 3 + 3.0), r"expected 0 to 1"),
        (wrong(Identity, "probabilities", lambda values: values * np.nan), "not finite"),
        (wrong(Identity, "probabilities", lambda values: values[:-1]), "one for each candidate"),
        (wrong(Identity, "probabilities", lambda values: 1 / 0), "ZeroDivisionError"),
        (wrong(Identity, "features", without_candidates), "nothing to do, name others"),
        (
            wrong(Identity, "probabilities", lambda values: values / (1 + len(values))),
            "a pair has others in a batch than alone",
        ),
        (Forgetful, "gives other probabilities"),
        (
            type("Wrong", (Stem,), {"name": "wrong", "warm_start": lambda self, *_: self}),
            "in_abstracts: has the shape",
        ),
        (spans_with((-1, 3), 99), "goes beyond the text"),
        (spans_changed(lambda spans: spans[[0, *range(len(spans) - 1)]]), "among the spans twice"),
        (spans_with((-1, slice(2, 4)), (0, 1)), "joins the texts of two pairs"),
        (spans_changed(lambda spans: spans[:, [1, 0, 2, 3]]), "a phrase is empty"),
        (wrong(Identity, "m_step", lambda part: None), "m_step returns no part of its class"),
        (spans_changed(lambda spans: spans.astype(np.int64)), "expected int32"),
        (
            wrong(Relative, "probabilities", lambda jumps: jumps._replace(tables=-jumps.tables)),
            "'tables' has values that are negative",
        ),
        (Changing, "m_step changes the part"),
        (
            wrong(Relative, "m_step", lambda part: replace(part, weights=part.weights**0.7)),
            "m_step lowers the expected log-likelihood",
        ),
        (wrong(Asides, "probabilities", lambda values: -values), "no positive number"),
        (wrong(Asides, "probabilities", lambda values: values[1:]), "one for each abstract word"),
        (Greedy, "exceed its posterior of null"),
        (wrong(Posterior, "decode", lambda links: links[::-1]), "not sorted"),
        (
            wrong(Posterior, "decode", lambda links: [(span, 7.0) for span, _ in links]),
            "a probability is .7.0.",
        ),
        (wrong(Posterior, "decode", lambda links: links[:1] * 2), "twice"),
        (
            wrong(AlignmentErrorRate, "statistics", lambda row: row[row > 0]),
            "the same number of figures for all pairs",
        ),
        (
            wrong(AlignmentErrorRate, "figure", lambda figures: figures * np.nan),
            "figure: one is no number",
        ),
        (
            wrong(AlignmentErrorRate, "figure", lambda figures: figures[..., None]),
            r"figure: \(3, 1\) for sums of \(3, 4\)",
        ),
        (type("Wrong", (AlignmentErrorRate,), {"name": "wrong", "title": 7}), "head of a column"),
        (NAMELESS, "does not match the example 'bleu'"),
        (
            wrong(Flat, "document_trees", lambda documents: (trees[:-1] for trees in documents)),
            "expected a tree for each sentence",
        ),
        (WRONG_FORMAT, "not the links of the pair"),
        (dict, "no plug-in"),
        (types.SimpleNamespace(name="wrong"), "neither a class, nor a module"),
    ],
)
def test_what_is_wrong_is_said_with_the_name_of_the_plug_in(plugin, problem):
    with pytest.raises(BadUsage, match=f"plug-in .*(wrong|dict).*: .*{problem}"):
        check(plugin)


def test_texts_of_the_caller_are_those_that_are_checked():
    """Words that no abstract shares with its document give identity nothing to do."""
    texts = (("a b", "c"), ("d e", "f"))
    with pytest.raises(BadUsage, match="nothing to do, name others"):
        check(Identity, texts=texts)
    check(Identity, texts=(*texts, ("a b", "a")))
