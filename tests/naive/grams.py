"""How alike sentences are, n-gram by n-gram."""

import math
from collections import Counter


def grams(words):
    """Count the four letters of each window over ``<word>``, or all of a shorter one."""
    marked = [f"<{word}>" for word in words]
    return Counter(
        word[start : start + 4] for word in marked for start in range(max(len(word) - 3, 1))
    )


def cosine(one, other, weight=lambda gram: 1.0):
    """Return the cosine of two bags by 1 + log tf, with a weight for each n-gram."""

    def product(first, second):
        return sum(
            (1 + math.log(first[gram])) * (1 + math.log(second[gram])) * weight(gram) ** 2
            for gram in first.keys() & second.keys()
        )

    lengths = math.sqrt(product(one, one) * product(other, other))
    return product(one, other) / lengths if lengths else 0.0
