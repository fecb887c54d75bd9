"""The scores as the paper words them: sets of links of the whole corpus, no statistics, no arrays."""

from __future__ import annotations


def word_links(phrases, document, abstract):
    """Word links of phrases ``((a, a_end), (d, d_end))``, spelled out case by case."""
    links = set()
    for (a, a_end), (d, d_end) in phrases:
        same = len(range(a, a_end)) == len(range(d, d_end)) and all(
            abstract[a + k].lower() == document[d + k].lower() for k in range(a_end - a)
        )
        for x in range(d, d_end):
            for y in range(a, a_end):
                if not same or x - d == y - a:
                    links.add((x, y))
    return links


def share(part, whole, empty):
    return len(part) / len(whole) if whole else empty


def figures(system, sure, possible, empty=0.0):
    """SoftP, Recall, SoftF, AER of three sets of links."""
    precision, recall = share(system & possible, system, empty), share(system & sure, sure, empty)
    f = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
    size = len(system) + len(sure)
    aer = 1 - (len(system & sure) + len(system & possible)) / size if size else 0.0
    return precision, recall, f, aer


def corpus_figures(pairs):
    """The seven figures of pairs ``(system, sure, possible)``: four over the corpus, three macro averages."""
    corpus = [{(n, *link) for n, pair in enumerate(pairs) for link in pair[k]} for k in range(3)]
    each = [figures(*pair, empty=1.0) for pair in pairs]
    macro = [sum(figure[k] for figure in each) / len(each) for k in range(3)]
    return [*figures(*corpus), *macro]
