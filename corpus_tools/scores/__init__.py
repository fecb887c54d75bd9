"""Measures alignments against hand alignments."""
