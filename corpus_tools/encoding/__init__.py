"""Turns pairs into flat arrays over a vocabulary."""
