import numpy as np
import pytest

from corpus_tools.encoding.named_arrays import join_parts, take_part


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
