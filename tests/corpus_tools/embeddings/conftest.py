from __future__ import annotations

import pytest

from tests.tiny_encoder import write_tiny_encoder


@pytest.fixture(scope="session")
def tiny(tmp_path_factory):
    """Return the directory of an encoder."""
    return write_tiny_encoder(tmp_path_factory.mktemp("encoder") / "tiny")
