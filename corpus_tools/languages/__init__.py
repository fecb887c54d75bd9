"""A table of words for each language, and the detection of a text's language."""
