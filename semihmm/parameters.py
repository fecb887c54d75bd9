"""The parameters of an aligner, as estimators have them: read, changed, cloned, shown."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Self, TypeVar

from corpus_tools.errors import BadUsage, choose
from semihmm.settings import PRESETS, Settings, all_options, preset

F = TypeVar("F", bound=Callable[..., Any])


NO_SETTINGS = ("preset", "workers", "verbose")
"""The parameters that are no settings of the model."""


def settings_after_training() -> list[str]:
    """Return the names of the settings of which a trained model admits changes."""
    return [name for name, one in all_options().items() if one.after_training or one.on_resume]


def parameter_names() -> list[str]:
    """Return the names of all parameters, those that are no settings first."""
    return [*NO_SETTINGS, *(name for name in all_options() if name not in NO_SETTINGS)]


def with_keywords(names: Iterable[str]) -> Callable[[F], F]:
    """Make a decorator that shows parameters as keywords of a function with ``**settings``.

    Interactive shells and ``help`` read the signature. ``None`` leaves a setting as it is.
    """

    def decorate(function: F) -> F:
        signature = inspect.signature(function)
        own = {
            name: one for name, one in signature.parameters.items() if one.kind != one.VAR_KEYWORD
        }
        known = all_options()
        keywords = [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                default=None,
                annotation=known[name].kind | None if name in known else Any,
            )
            for name in names
            if name not in own
        ]
        shown = signature.replace(parameters=[*own.values(), *keywords])
        setattr(function, "__signature__", shown)  # noqa: B010  # functions do not declare it
        return function

    return decorate


class Parameterized:
    """An object with the parameters of an aligner, in the manner of scikit-learn's estimators.

    ``settings``  the preset with the changes; training may add what it had to do without.
    ``workers``   the number of threads.
    ``verbose``   whether bars on stderr show how far long work is.
    """

    def __init__(self, given: Mapping[str, Any]) -> None:
        """Take the parameters by name. Raises ``BadUsage`` for those that are not allowed."""
        # Clones are compared with what they were made from: the values are kept as they came.
        self._given: dict[str, Any] = dict(given)
        self.settings: Settings = settings_of(given)
        self.workers: int = number_of_workers(given["workers"])
        self.verbose: bool = given["verbose"]
        self._loaded: tuple[str, dict[str, Any]] | None = None
        """Where the model was loaded from, as ``load`` writes it, and what was changed since."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name; ``None`` stands for the preset's value.

        ``deep``  changes nothing: no parameter is an estimator.
        """
        return {name: self._given.get(name) for name in parameter_names()}

    @with_keywords(parameter_names())
    def set_params(self, **parameters: Any) -> Self:
        """Change parameters; ``None`` stands for the preset's value.

        Raises ``BadUsage`` for an unknown name, for a value that is not allowed, and for changes
        that a trained model does not admit.
        """
        for name in parameters:
            choose("parameter", name, self.get_params())
        given = self._given | parameters
        settings = self._changed(parameters) if self.is_trained else settings_of(given)
        self.workers = number_of_workers(given["workers"])
        self.verbose = given["verbose"]
        self.settings = settings
        self._given = given
        if self._loaded is not None:
            self._loaded[1].update(parameters)
        return self

    @property
    def is_trained(self) -> bool:
        """Tell whether there is a model, with which settings must go together."""
        return False

    def _changed(self, changes: Mapping[str, Any]) -> Settings:
        """Return the settings of a trained model with changes. Raises ``BadUsage``."""
        admitted = {*settings_after_training(), "workers", "verbose"}
        refused = [name for name in changes if name not in admitted]
        if refused:
            raise BadUsage(
                f"the aligner is trained, and its model depends on {', '.join(refused)}: "
                "make another aligner with the parameters of this one, Aligner(**get_params())"
            )
        values = {
            name: usual_value(self.settings.preset, name) if value is None else value
            for name, value in changes.items()
            if name not in NO_SETTINGS
        }
        return self.settings.changed(**values)

    def __repr__(self) -> str:
        """Return the expression that makes it.

        Of a model that was loaded, ``load`` with the settings that were changed; of another, the
        settings that differ from the preset's.
        """
        name = type(self).__name__
        if self._loaded is None:
            changed = differences(self.settings)
            first = [] if self.settings.preset == "default" else [repr(self.settings.preset)]
        else:
            where, changes = self._loaded
            used = self.settings.described_all()
            changed = {one: value for one, value in changes.items() if one in used}
            name, first = f"{name}.load", [where] if where else []
        if self._given["workers"] is not None:
            changed["workers"] = self.workers
        if self.verbose:
            changed["verbose"] = True
        named = [f"{one}={value!r}" for one, value in changed.items()]
        return f"{name}({', '.join([*first, *named])})"


def settings_of(given: Mapping[str, Any]) -> Settings:
    """Return the settings of an aligner's parameters. Raises ``BadUsage``."""
    changes = {name: given[name] for name in given if name not in NO_SETTINGS}
    return preset(given["preset"]).changed(**changes)


def number_of_workers(workers: int | None) -> int:
    """Return the number of threads, by default one for each processor. Raises ``BadUsage``."""
    if workers is not None and workers < 1:
        raise BadUsage(f"workers must be 1 or more, not {workers}")
    return workers or os.cpu_count() or 1


def usual_value(preset_name: str, name: str) -> Any:
    """Return the value that a setting has in a preset."""
    usual = PRESETS[preset_name]
    if name in usual.described():
        return getattr(usual, name)
    return usual.values.get(name, all_options()[name].default)


def differences(settings: Settings) -> dict[str, Any]:
    """Return the settings in use that differ from those of the preset, by name."""
    used = {name: settings.value(name) for name in settings.described_all()}
    return {
        name: value for name, value in used.items() if value != usual_value(settings.preset, name)
    }
