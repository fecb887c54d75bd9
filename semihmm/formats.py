"""Reads and writes alignments in the formats of the field (``corpus_tools.alignments.formats``)."""

from corpus_tools.alignments.formats import READERS, WRITERS, read, write

__all__ = ["READERS", "WRITERS", "read", "write"]
