"""Texts, pairs and alignments, and pages of them: everything that is known without a model."""
