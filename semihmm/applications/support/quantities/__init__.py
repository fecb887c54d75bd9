"""Reads the quantities of texts: a kind is a file, the words of a language come from the CLDR."""
