"""Encodes pairs as flat arrays over a vocabulary."""
