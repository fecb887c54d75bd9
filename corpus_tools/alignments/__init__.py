"""Alignments as values: file formats, what links say, hand alignments, figures of a corpus."""
