"""The check of plug-ins: ours pass it, and what is wrong is said with the name of the plug-in."""

import types
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from corpus_tools.alignments.alignment import Alignment
from corpus_tools.alignments.formats import READERS, WRITERS
from corpus_tools.base.errors import BadUsage
from corpus_tools.parsing import Flat
from jump_models.distances import Relative
from rewrite_models.asides import Asides
from rewrite_models.ngrams import Identity, Stem
from rewrite_models.null_factor import NullEmission, NullLinks
from rewrite_models.registry import NULL_FACTORS, REWRITE_MODELS
from rewrite_models.rewrite_model import Features
from semihmm.applications.measure.measuring import TEXT_MEASURES
from semihmm.applications.measure.ngrams import Bleu
from semihmm.applications.score.scores import SCORES, AlignmentErrorRate
from semihmm.model.decoders import DECODERS
from semihmm.model.decoders.posterior import Posterior
from semihmm.testing import check

OURS = [
    *[*REWRITE_MODELS.values(), *NULL_FACTORS.values(), NullEmission],
    # Those of compressions ask for texts with their sources.
    *(kind for kind in TEXT_MEASURES if kind.__module__ != "semihmm.applications.measure.hori"),
    *[*SCORES.values(), *DECODERS.values(), Flat],
    *(
        types.SimpleNamespace(name=name, write=WRITERS[name], read=READERS.get(name))
        for name in ("labels", "jsonl", "pharaoh")
    ),
]
"""Jump models are checked with all their settings (``tests.jump_models``)."""


@pytest.mark.parametrize("plugin", OURS, ids=lambda plugin: plugin.name)
def test_every_plug_in_of_ours_passes(plugin, miniature):
    check(plugin, wordnet=str(miniature))


def kind(base, **own):
    """Derive a plug-in with members of its own."""
    return type("Wrong", (base,), {"name": "wrong", **own})


def wrong(base, method, change):
    """Derive a plug-in that changes what one of its methods returns."""

    def changed(self, *values):
        return change(getattr(base, method)(self, *values))

    return kind(base, **{method: changed})


identity = partial(wrong, Identity, "probabilities")
asides = partial(wrong, Asides, "probabilities")
decoder = partial(wrong, Posterior, "decode")
figure = partial(wrong, AlignmentErrorRate, "figure")
jumps = partial(wrong, Relative, "probabilities")
flattened = wrong(Relative, "m_step", lambda part: replace(part, weights=part.weights**0.7))


def spans(change):
    return wrong(Stem, "features", lambda features: features._replace(spans=change(features.spans)))


def crossing(rows):
    """Let a phrase of the first document end with the last document."""
    rows[0, 3] = rows[:, 3].max()
    return rows


def joining(rows):
    """Let the last abstract have a phrase of the first document."""
    rows[-1, 2:] = 0, 1
    return rows


def without_candidates(features):
    return Features(features.spans[:0], {name: own[:0] for name, own in features.data.items()})


def shortened(documents):
    return (trees[:-1] for trees in documents)


def repeated(documents):
    return [*documents] * 2


def changing(self, counts):
    self.weights[...] = 0.5
    return replace(self, weights=self.weights.copy())


def greedy(self, features, null):
    """Link a word of null with its document's first word, twice as probable as null."""
    return NullLinks(np.array([[0, 1, 0, 1]], dtype=np.int32), 2 * null[:1])


def with_every_word(kind, arrays, words, settings):
    return kind(np.ones(words, dtype=bool))


def with_axes(self, sums):
    return Bleu.figure(self, sums) + sums.ndim


def no_links(path, pairs):
    return iter([(None, Alignment(pair.id)) for pair in pairs])


FORMAT = types.SimpleNamespace(name="wrong", write=WRITERS["pharaoh"], read=no_links)


WRONG = [
    identity(lambda values: values * 3 + 3.0),
    identity(lambda values: values * np.nan),
    identity(lambda values: values[:-1]),
    identity(lambda values: 1 / 0),
    identity(lambda values: values / (1 + len(values))),
    wrong(Identity, "features", without_candidates),
    wrong(Identity, "m_step", lambda part: None),
    kind(Stem, from_arrays=classmethod(with_every_word)),
    kind(Stem, warm_start=lambda self, *_: self),
    spans(crossing),
    spans(lambda rows: rows[[0, 1, *range(len(rows) - 2)]]),
    spans(joining),
    spans(lambda rows: rows[:, [1, 0, 2, 3]]),
    spans(lambda rows: rows.astype(np.int64)),
    jumps(lambda own: own._replace(tables=-own.tables)),
    kind(Relative, m_step=changing),
    flattened,
    asides(lambda values: -values),
    asides(lambda values: values[1:]),
    kind(NullEmission, makes_links=True, links=greedy),
    decoder(lambda links: links[::-1]),
    decoder(lambda links: [(span, 7.0) for span, _ in links]),
    decoder(lambda links: links[:1] * 2),
    wrong(AlignmentErrorRate, "statistics", lambda row: row[row > 0]),
    figure(lambda figures: figures * np.nan),
    figure(lambda figures: figures[..., None]),
    kind(AlignmentErrorRate, title=7),
    kind(Bleu, pattern="bleurt"),
    kind(Bleu, side="f2"),
    kind(Bleu, figure=with_axes),
    wrong(Flat, "document_trees", shortened),
    wrong(Flat, "document_trees", repeated),
    FORMAT,
    dict,
    types.SimpleNamespace(name="wrong"),
]


def test_what_is_wrong_is_said_with_the_name_of_the_plug_in(looked_at):
    made = ""
    for plugin in WRONG:
        with pytest.raises(BadUsage) as caught:
            check(plugin)
        made += f"{caught.value}\n"
    assert made == looked_at("wrong_plugins.txt", made)


def test_texts_of_the_caller_are_those_that_are_checked():
    """Words that no abstract shares with its document give identity nothing to do."""
    texts = (("a b", "c"), ("d e", "f"))
    with pytest.raises(BadUsage, match="nothing to do, name others"):
        check(Identity, texts=texts)
    check(Identity, texts=(*texts, ("a b", "a")))
