"""What the base class of parts does with their fields; plug-ins of other packages."""

import math
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pytest

from corpus_tools.alignments import formats
from corpus_tools.base.errors import BadUsage
from corpus_tools.model_parts import model_part
from corpus_tools.plugins import Options, Plugin, Registry, option
from tests.tiny_corpora import batches, pair, vocabulary_of


@dataclass(frozen=True)
class Choices(Options):
    rows: int = option(2, "a number")
    path: str | None = option(None, "a text", kind=str)


@dataclass(frozen=True)
class Part(model_part.ModelPart):
    """A part with a field of every sort."""

    table: Annotated[np.ndarray, model_part.positive("K", "L+1")]
    words: Annotated[np.ndarray, model_part.open_shares("V+1")]
    rate: Annotated[float, model_part.numbers(least=0.0, most=2.0)]
    labels: Annotated[tuple[str, ...], model_part.texts("L")]
    path: str | None
    more: Annotated[np.ndarray | None, model_part.optional(model_part.positive("L"))] = None
    Settings = Choices

    @classmethod
    def sizes(cls, words, settings):
        return super().sizes(words, settings) | {"K": settings.rows}

    features = probabilities = expected_statistics = None  # type: ignore[assignment]  # no test calls them


TEXTS = [pair("1", "a b", "a a a c")]
VOCABULARY = vocabulary_of(TEXTS)
WORDS = np.array([0.5, 0.1, 0.3, 0.1])
"""Of a, b, c and unseen words: no abstract has b."""
PART = Part(np.ones((2, 3)), WORDS, 0.5, ("x", "y"), "here")


def test_a_part_comes_back_from_its_arrays_with_the_settings_of_now():
    arrays = PART.to_arrays()
    assert list(arrays) == ["table", "words", "rate", "labels"]
    settings = Choices(path="there")
    model_part.check_part(Part, arrays, len(VOCABULARY), settings)
    again = Part.from_arrays(arrays, len(VOCABULARY), settings)
    assert (again.rate, again.labels, again.path, again.more) == (0.5, ("x", "y"), "there", None)
    assert again.to_arrays().keys() == arrays.keys()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"table": np.ones((3, 3))}, "table: has the shape"),
        ({"labels": np.array(["x"])}, "labels: has the shape"),
        ({"words": np.ones(9) / 9}, "words: has the shape"),
        ({"rate": np.float64(3)}, "rate: has values"),
        ({"more": np.zeros(2)}, "more: has values"),
        ({"table": np.ones((2, 3, 1))}, "table: has the shape"),
        ({"table": np.ones((2, 2))}, "labels: has the shape"),
        ({"table": np.ones((2, 3), np.float32)}, "table: holds float32, expected float64"),
        ({"labels": np.ones(2)}, "labels: holds float64, expected str"),
        ({"words": None}, "words: missing"),
    ],
)
def test_arrays_are_checked_as_the_fields_say(changed, message):
    arrays = {name: own for name, own in (PART.to_arrays() | changed).items() if own is not None}
    with pytest.raises(model_part.BadArray, match=f"^{message}"):
        model_part.check_part(Part, arrays, len(VOCABULARY), Choices())


@pytest.mark.parametrize(
    ("declared", "good", "bad"),
    [
        (model_part.numbers("K"), [-1e308, 1e308], [math.inf, -math.inf, math.nan]),
        (model_part.numbers("K", least=-1.0, most=2.0), [-1.0, 2.0], [-1.1, 2.1]),
        (model_part.positive("K"), [5e-324, 1e308], [0.0, -1.0, math.inf]),
        (model_part.amounts("K"), [0.0, 1e308], [-5e-324, math.inf]),
        (model_part.shares("K"), [0.0, 1.0], [-0.1, 1.1, math.nan]),
        (model_part.open_shares("K"), [0.1, 0.9], [0.0, 1.0]),
        (model_part.indices("K", below=3), [0, 2], [-1, 3]),
        (model_part.indices("K", below=3, least=-1), [-1, 2], [-2, 3]),
    ],
)
def test_values_may_be_on_bounds_that_are_not_excluded(declared, good, bad):
    model_part.check_arrays({"x": np.array(good)}, {"x": declared}, {})
    for value in bad:
        with pytest.raises(model_part.BadArray, match=r"^x: has values"):
            model_part.check_arrays({"x": np.array([*good, value])}, {"x": declared}, {})


def test_a_part_that_starts_from_another_has_seen_the_words_of_both():
    both = vocabulary_of([pair("2", "d", "")], VOCABULARY)
    known = both.numbers_in(VOCABULARY)
    started = PART.warm_start(
        model_part.Corpus(batches(TEXTS, both), len(both), known), Choices(path="new")
    )
    expected = np.array([3.0, 0.0, 1.0, 0.0, 0.0]) + 100_000 * WORDS[[0, 1, 2, 3, 3]]
    assert started.words == pytest.approx(expected / expected.sum())
    assert (started.path, started.rate) == ("new", 0.5)


class Tool(Plugin):
    name = "own"


class Hammer(Tool):
    name = "hammer"


class Other(Plugin):
    name = "other"


class Stranger: ...


REGISTRIES = {
    "tools": lambda: Registry.of_classes("tool", Tool, (Tool,), "semihmm.tools"),
    "formats": lambda: formats._registry("write", {}),
}
HERE = __name__


@pytest.mark.parametrize(
    ("role", "name", "value", "found"),
    [
        ("tools", "hammer", f"{HERE}:Hammer", [("own", Tool), ("hammer", Hammer)]),
        ("tools", "saw", "no_module:Saw", "ModuleNotFoundError: No module named 'no_module'"),
        ("tools", "saw", f"{HERE}:Saw", f"AttributeError: module '{HERE}' has no attribute 'Saw'"),
        ("tools", "saw", f"{HERE}:Hammer", "TypeError: it calls itself otherwise"),
        ("tools", "own", f"{HERE}:Tool", "TypeError: there is another tool of this name"),
        ("tools", "stranger", f"{HERE}:Stranger", "TypeError: it does not derive from Plugin"),
        ("formats", "own", formats.__name__, [("own", formats.write)]),
        ("formats", "own", "json", "TypeError: it has neither write nor read"),
        # Of another role: here one that only reads.
        ("tools", "other", f"{HERE}:Other", [("own", Tool)]),
        ("formats", "own", "urllib.robotparser:RobotFileParser", []),
    ],
)
def test_a_registry_has_our_own_plug_ins_and_then_those_of_others(
    tmp_path, monkeypatch, role, name, value, found
):
    """One that cannot be used is named with its package."""
    folder = tmp_path / "hardware-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: hardware\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text(f"[semihmm.{role}]\n{name} = {value}\n")
    monkeypatch.syspath_prepend(tmp_path)
    if isinstance(found, str):
        what = f"the plug-in {name} of the package hardware ({value}, entry points semihmm.{role})"
        found = f"{what} cannot be used: {found}: repair the package or uninstall it"
    registry = REGISTRIES[role]()  # nothing is imported before it is asked
    try:
        made = [*registry.items()]
    except BadUsage as error:
        made = str(error)
    assert made == found


def test_a_word_of_no_abstract_is_as_frequent_as_half_a_word():
    one = pair("1", "dog cat", "dog dog")
    vocabulary = vocabulary_of([one])
    corpus = model_part.Corpus(batches([one], vocabulary), len(vocabulary))
    # "dog", "cat", and words of texts to come.
    np.testing.assert_allclose(corpus.smoothed_shares(), [2.5 / 3.5, 0.5 / 3.5, 0.5 / 3.5])
    np.testing.assert_allclose(corpus.smoothed_shares(0.5), [0.5, 0.5 / 3.5, 0.5 / 3.5])
