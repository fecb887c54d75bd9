"""Alignments as values, those made by hand too: file formats, scores, figures of a corpus."""
