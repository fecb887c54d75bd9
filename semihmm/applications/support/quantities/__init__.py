"""Reads quantities: a kind is a pattern and a function, words of languages are the CLDR's."""
