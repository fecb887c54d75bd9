"""The WordNet of a dozen synsets, so that every rewrite model can be in a mixture wherever the tests run."""

from __future__ import annotations

from tests.rewrite_models.conftest import miniature

__all__ = ["miniature"]
