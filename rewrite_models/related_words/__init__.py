"""Finds words and phrases that are related: by WordNet, a list of paraphrases, their letters."""
