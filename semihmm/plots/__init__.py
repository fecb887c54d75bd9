"""Draws figures, as a paper has them."""
