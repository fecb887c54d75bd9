"""Counts what is in a corpus and in its alignments."""
