"""Reads documents with their abstracts, and chooses extracts."""
