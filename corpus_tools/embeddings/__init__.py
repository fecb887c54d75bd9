"""Makes word vectors in context by any Hugging Face encoder, and keeps them on disk."""

from __future__ import annotations

from corpus_tools.embeddings.encoder import Encoder
from corpus_tools.embeddings.pair_vectors import embed_pairs, embed_texts

__all__ = ["Encoder", "embed_pairs", "embed_texts"]
