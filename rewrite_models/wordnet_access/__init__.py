"""Reads WordNet."""
