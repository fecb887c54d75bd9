from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from rewrite_models.wordnet_access.shared_reader import reading


def test_a_wordnet_is_opened_once(miniature):
    with reading(str(miniature)) as one:
        pass
    with reading(str(miniature)) as other:
        assert other is one


def test_threads_read_one_after_the_other(miniature):
    inside, most = [], []
    start = Barrier(4)

    def read(_):
        start.wait()
        for _ in range(20):
            with reading(str(miniature)) as wordnet:
                inside.append(wordnet)
                most.append(len(inside))
                assert wordnet.synsets("dogs")[0].name() == "dog.n.01"
                inside.pop()

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(read, range(4)))
    assert len(most) == 80 and max(most) == 1
