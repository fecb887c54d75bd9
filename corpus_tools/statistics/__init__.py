"""Computes statistics of a corpus and of its alignments."""
