import numpy as np
import pytest

from corpus_tools.encoding.named_arrays import join_parts, take_part


def test_arrays_are_named_by_their_part_in_the_order_of_the_parts():
    joined = join_parts({"jump": {"b": [1.0], "a": [2.0]}, "null": {"a": [3.0]}})
    assert list(joined) == ["jump.b", "jump.a", "null.a"]
    assert joined["null.a"] == 3.0


def test_numbers_become_arrays():
    number = join_parts({"length": {"more": 0.5}})["length.more"]
    assert isinstance(number, np.ndarray)
    assert number.shape == ()


def test_arrays_are_not_copied():
    weights = np.ones(3)
    joined = join_parts({"mixture": {"weights": weights}})
    assert joined["mixture.weights"] is weights
    assert take_part(joined, "mixture")["weights"] is weights


@pytest.mark.parametrize("part", ["first", "second"])
def test_what_was_joined_is_taken_apart_again(part):
    parts = {
        "first": {"share": np.arange(2)},
        "second": join_parts({"first": {"share": np.arange(3)}, "second": {"share": np.arange(4)}}),
    }
    taken = take_part(join_parts(parts), part)
    assert list(taken) == list(parts[part])
    for key, array in parts[part].items():
        np.testing.assert_array_equal(taken[key], array)


def test_a_part_is_not_taken_for_another_whose_name_begins_alike():
    joined = join_parts({"null": {"a": 1}, "null_jump": {"a": 2}})
    assert take_part(joined, "null") == {"a": 1}
    assert take_part(joined, "nul") == {}
