"""Undocumented behaviour of NLTK that this project relies on.

By the file that relies on it:

corpus_tools/texts/tokenizers.py     which characters may follow a sentence's last stop
                                   which words of letters only are split
                                   regex has Unicode's word boundaries

A version for which one of these tests fails needs another bound in pyproject.toml, or other code of
ours. What the parser ``chunks`` gets from HanTa is compared with trees by hand
(``test_parsers.py``).
"""

import re
import string

import regex
from nltk.tokenize import NLTKWordTokenizer
from nltk.tokenize.destructive import MacIntyreContractions

from corpus_tools.texts.tokenizers import CLOSING_MARKS, CONTRACTIONS


def test_nltk_lets_certain_characters_follow_a_last_stop():
    tokenizer = NLTKWordTokenizer()
    candidates = string.ascii_letters + string.digits + string.punctuation + "\u2019\u201d\u00bb"
    closing = {
        character
        for character in candidates
        if tokenizer.tokenize(f"end.{character}")[:2] == ["end", "."]
    }
    assert closing == {c for c in candidates if CLOSING_MARKS.fullmatch(c)}


def test_nltk_splits_certain_words_of_letters():
    patterns = MacIntyreContractions.CONTRACTIONS2 + MacIntyreContractions.CONTRACTIONS3
    words = {"".join(re.findall(r"\((\w.*?|'\w.*?)\)", pattern)) for pattern in patterns}
    letters = {word for word in words if word.isalpha()}
    assert letters == set(re.findall(r"[a-z']{3,}", CONTRACTIONS.pattern.removeprefix("(?i)")))


def test_regex_knows_the_word_boundaries_of_unicode():
    # Unlike those of the module re, they part Chinese characters and marks, and no apostrophes.
    cut = regex.split(r"(?V1)\b", "don't 提出3.5」。", flags=regex.WORD)
    assert [part for part in cut if part.strip()] == ["don't", "提", "出", "3.5", "」", "。"]
