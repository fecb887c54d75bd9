"""How many random inputs a test makes."""

from hypothesis import HealthCheck, settings

USUAL = 100
"""What Hypothesis makes by default."""


def examples(number: int) -> int:
    """Return a number of examples, ten times as many under the profile ``all``."""
    return number * settings().max_examples // USUAL


def fuzz(number: int) -> settings:
    """Return settings for so many examples, which take long, and which one fixture may serve."""
    slow = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
    return settings(max_examples=examples(number), deadline=None, suppress_health_check=slow)
