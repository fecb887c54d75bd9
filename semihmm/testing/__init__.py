"""The check of plug-ins, for the tests of the packages that have them.

>>> from semihmm.testing import check
>>> check(Prefix)                                               # doctest: +SKIP
"""

from semihmm.testing.plugins import check

__all__ = ["check"]
