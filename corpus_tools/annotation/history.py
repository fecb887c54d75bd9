"""The history of an annotation: what can be undone and redone."""

from __future__ import annotations

from dataclasses import dataclass, replace

from corpus_tools.annotation.annotation import Annotation
from corpus_tools.errors import BadUsage


@dataclass(frozen=True)
class History:
    """The annotations of a pair, one after another.

    ``annotations``  the first one is that of the beginning, which cannot be undone.
    ``index``        that of the current one. Those behind it were undone.
    ``steps``        how many steps were made, undoing included: it tells whether somebody has seen
                     the current annotation.
    """

    annotations: tuple[Annotation, ...]
    index: int = 0
    steps: int = 0

    @property
    def current(self) -> Annotation:
        """Return the annotation that holds."""
        return self.annotations[self.index]

    @property
    def can_undo(self) -> bool:
        """Tell whether there is an earlier annotation."""
        return self.index > 0

    @property
    def can_redo(self) -> bool:
        """Tell whether an annotation was undone."""
        return self.index + 1 < len(self.annotations)

    def done(self, annotation: Annotation) -> History:
        """Return the history with a new annotation. What was undone is gone."""
        kept = self.annotations[: self.index + 1]
        return History((*kept, annotation), self.index + 1, self.steps + 1)

    def undone(self) -> History:
        """Return the history one step back. Raises ``BadUsage`` at the beginning."""
        if not self.can_undo:
            raise BadUsage("there is nothing to undo")
        return replace(self, index=self.index - 1, steps=self.steps + 1)

    def redone(self) -> History:
        """Return the history with what was undone last. Raises ``BadUsage`` if nothing was."""
        if not self.can_redo:
            raise BadUsage("there is nothing to redo")
        return replace(self, index=self.index + 1, steps=self.steps + 1)
