"""Makes the rows of the command ``extract``."""

from __future__ import annotations

import json

from corpus_tools.pairs.extract_methods import choose_extracts
from corpus_tools.pairs.pair import Pair


def extract_row(pair: Pair, number: int, method: str) -> str:
    """Return a line of JSON: a pair with its extract, and what was chosen for each sentence."""
    chosen = [one.sentences for one in choose_extracts(pair, number, method)]
    kept = sorted({sentence for choice in chosen for sentence in choice})
    sentences = pair.document.sentences()
    row = {
        "id": pair.id,
        "document": [list(sentences[sentence]) for sentence in kept],
        "abstract": [list(sentence) for sentence in pair.abstract.sentences()],
        "document_sentences": kept,
        "extracts": [list(choice) for choice in chosen],
    }
    return json.dumps(row, ensure_ascii=False) + "\n"
