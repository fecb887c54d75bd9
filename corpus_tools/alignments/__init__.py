"""Alignments as values, the hand alignment among them, and their file formats."""
