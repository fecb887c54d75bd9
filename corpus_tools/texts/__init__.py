"""Splits texts into sentences and tokens, and normalizes tokens."""
