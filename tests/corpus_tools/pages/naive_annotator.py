"""A naive twin of the work on a pair: a list of actions, replayed from the start each time."""

from typing import Any

from hypothesis import strategies as st

from corpus_tools.alignments.alignment import runs
from corpus_tools.pages.annotation import Annotation, Phrases, Spans

Row = dict[str, Any]


class NaiveAnnotator:
    """Keeps the actions of a pair, those that were undone apart."""

    def __init__(self, abstract_words: int) -> None:
        self.abstract_words = abstract_words
        self.actions: list[Row] = []
        self.undone: list[Row] = []

    def step(self, action: Row) -> None:
        """Make a step that the program admits."""
        if action["do"] == "undo":
            self.undone.append(self.actions.pop())
        elif action["do"] == "redo":
            self.actions.append(self.undone.pop())
        elif self.replayed([*self.actions, action]) != self.replayed(self.actions):
            self.actions.append(action)
            self.undone = []

    def admits(self, action: Row) -> bool:
        """Tell whether a step can be made."""
        if action["do"] == "undo":
            return bool(self.actions)
        if action["do"] == "redo":
            return bool(self.undone)
        state = self.replayed(self.actions)
        if action["do"] == "return":
            return bool(state["note"])
        open_words = self.open_words(state)
        return not (action["do"] == "decide" and action["decided"] and open_words)

    def current(self) -> Annotation:
        """Return the annotation as the program keeps it."""
        state = self.replayed(self.actions)
        return Annotation(
            self.abstract_words,
            {Phrases(*both): sure for both, sure in state["links"].items()},
            frozenset(state["null"]),
            frozenset(Phrases(*both) for both in state["dismissed"]),
            state["note"],
            state["decided"],
            state["sent back"],
        )

    def open_words(self, state: Row) -> list[int]:
        """Return the words that nothing is said of."""
        linked = {word for abstract, _ in state["links"] for word in words(abstract)}
        return [word for word in range(self.abstract_words) if word not in linked | state["null"]]

    def replayed(self, actions: list[Row]) -> Row:
        """Return what is known after some actions."""
        state: Row = {
            "links": {},
            "null": set(),
            "dismissed": set(),
            "note": "",
            "decided": False,
            "sent back": False,
        }
        for action in actions:
            self._replay(state, action)
        return state

    def _replay(self, state: Row, action: Row) -> None:
        both = [(side(one["abstract"]), side(one["document"])) for one in action.get("links", [])]
        marked = action.get("words", [])
        if action["do"] == "note":
            state["note"] = action["text"]
        if action["do"] == "decide":
            state["decided"] = action["decided"]
            state["sent back"] &= not action["decided"]
        if action["do"] == "return":
            state["sent back"], state["decided"] = True, False
        if action["do"] == "dismiss":
            state["dismissed"] |= set(both)
        if action["do"] == "remove":
            state["links"] = {one: sure for one, sure in state["links"].items() if one not in both}
            state["null"] -= set(marked)
        for word in marked if action["do"] == "null" else []:
            state["null"].add(word)
            state["links"] = {
                one: sure for one, sure in state["links"].items() if word not in words(one[0])
            }
        if action["do"] == "link":
            for one, row in zip(both, action["links"], strict=True):
                state["links"][one] = row["sure"]
                state["dismissed"].discard(one)
                state["null"] -= set(words(one[0]))
        if action["do"] == "choose":
            self._choose(state, action, list(zip(both, action["links"], strict=True)))
        if self.open_words(state):
            state["decided"] = False

    def _choose(self, state: Row, action: Row, chosen: list[Any]) -> None:
        kept = {
            one: sure
            for one, sure in state["links"].items()
            if not set(words(one[0])) & set(action["words"])
        }
        state["links"] = {**kept, **{one: row["sure"] for one, row in chosen}}
        state["null"] = (state["null"] - set(action["words"])) | set(action["null"])
        state["null"] -= {word for abstract, _ in state["links"] for word in words(abstract)}


def words(spans: Spans) -> list[int]:
    """Return the words of some spans."""
    return [word for start, end in spans for word in range(start, end)]


def side(written: list[Any]) -> Spans:
    """Return the spans of a side of a link, which is written as a span or a list of them."""
    several = isinstance(written[0], list)
    return tuple((start, end) for start, end in (written if several else [written]))


def phrases(length: int) -> st.SearchStrategy[list[Any]]:
    """Return phrases of a side of some words, as they are written: often of several spans."""
    chosen = st.sets(st.integers(0, length - 1), min_size=1)
    spans = chosen.map(lambda some: [[run[0], run[-1] + 1] for run in runs(some)])
    return spans.map(lambda several: several if len(several) > 1 else several[0])


def actions(abstract: int, document: int) -> st.SearchStrategy[Row]:
    """Return steps on a pair of so many words."""
    sides = {"abstract": phrases(abstract), "document": phrases(document)}
    some = st.lists(st.fixed_dictionaries(sides), max_size=2)
    linked = st.lists(st.fixed_dictionaries({**sides, "sure": st.booleans()}), max_size=2)
    marked = st.lists(st.integers(0, abstract - 1), max_size=abstract)
    do = st.just
    return st.one_of(
        st.fixed_dictionaries({"do": do("link"), "links": linked}),
        st.fixed_dictionaries({"do": do("remove"), "links": some, "words": marked}),
        st.fixed_dictionaries({"do": do("dismiss"), "links": some}),
        st.fixed_dictionaries({"do": do("null"), "words": marked}),
        st.fixed_dictionaries(
            {"do": do("choose"), "links": linked, "words": marked, "null": marked}
        ),
        st.fixed_dictionaries({"do": do("note"), "text": st.sampled_from(["", "a", "é\n\u2028"])}),
        st.fixed_dictionaries({"do": do("decide"), "decided": st.booleans()}),
        st.sampled_from([{"do": "undo"}, {"do": "redo"}, {"do": "return"}]),
    )
