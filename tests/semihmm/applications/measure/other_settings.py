"""Settings of measures that are not the default."""

OTHER_SETTINGS: dict[str, list] = {
    "tokenizer": ["unicode"],
    "stem": ["nltk", "none"],
    "stop_words": [True],
    "limit_words": [9],
    "several": ["sum", "mean", "jackknife"],
    "formula": ["paper"],
    "beta": [3.0],
    "language": ["ru"],
}
"""Values that are not the default, by setting."""
