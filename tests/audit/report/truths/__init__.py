"""Every sentence of a report beside what makes it true, for mechanisms whose laws are known.

A sentence that no rule knows is an error: whoever adds one says here when it is true.
"""

from . import of_audits, of_causes, of_profiles, of_tables, of_verdicts, of_witnesses
from .of_profiles import true_epsilon
from .rule import chances, hold

__all__ = [
    "chances",
    "hold",
    "of_audits",
    "of_causes",
    "of_profiles",
    "of_tables",
    "of_verdicts",
    "of_witnesses",
    "true_epsilon",
]
