"""Names the general model, which comes with the program."""

from __future__ import annotations

from pathlib import Path

GENERAL_MODEL = Path(__file__).parents[1] / "general_model"
"""Made by ``scripts/make_general_model.py``; docs/general-model.md says from what."""
