"""A tagger and a chunk grammar that need no download."""
