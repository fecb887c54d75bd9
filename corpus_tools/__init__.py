"""Texts, pairs, alignments and scores: everything that is known without a model."""
