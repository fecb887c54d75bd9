"""Opens WordNet with NLTK's reader."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from corpus_tools.texts.wordnet_files import find_wordnet
from rewrite_models.wordnet_access.damage import damage_named

if TYPE_CHECKING:
    from rewrite_models.wordnet_access.nltk_reader import WordNetReader


def open_wordnet(path: str | None = None) -> WordNetReader:
    """Open the WordNet that ``find_wordnet`` finds.

    The reader seeks in files: threads share it under a lock (``shared_reader.reading``), forked
    processes must not.

    Raises the errors of ``find_wordnet``, and ``BadResource`` if NLTK cannot read the files.
    """
    from rewrite_models.wordnet_access.nltk_reader import WordNetReader

    root = find_wordnet(path)
    with damage_named(root), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="The multilingual functions are not available")
        return WordNetReader(root)
