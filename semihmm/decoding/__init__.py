"""Turns posteriors into alignments."""
