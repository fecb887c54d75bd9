"""Finds the Python packages behind the baselines."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec

BASELINES_EXTRA = "baselines"
"""The extra of this project that installs Thot and eflomal."""
DISTRIBUTIONS = ("sil-thot", "eflomal")
"""The packages of that extra, as PyPI has them."""


def missing_modules(*modules: str, extra: str = BASELINES_EXTRA) -> str | None:
    """Return how to install modules, the extra of this project; ``None`` if all are installed."""
    if all(find_spec(module) for module in modules):
        return None
    return f"not installed: pip install 'semihmm[{extra}]'"


def package_versions() -> list[str]:
    """Return name and version of each package of ``DISTRIBUTIONS`` that is installed."""
    versions = []
    for package in DISTRIBUTIONS:
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    return versions
