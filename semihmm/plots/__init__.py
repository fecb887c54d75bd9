"""Draws figures, as a paper has them: a file for each, and one line in ``registry``."""
