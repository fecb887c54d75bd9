"""A model that fails for one pair."""

from __future__ import annotations

import pytest

from semihmm.model.semi_hmm import SemiHmm


def with_a_bad_pair(
    monkeypatch: pytest.MonkeyPatch, method: str, bad: str, error: Exception
) -> None:
    """Make a method of the model fail for every batch that has the pair of this id."""
    intact = getattr(SemiHmm, method)

    def failing(model, given, *more):
        if bad in (given.ids if method == "encode" else given.batch.ids):
            raise error
        return intact(model, given, *more)

    monkeypatch.setattr(SemiHmm, method, failing)
