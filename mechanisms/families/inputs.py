"""Neighboring inputs that several mechanisms of the catalogue share."""

from __future__ import annotations

from typing import Any

import numpy as np

from audit.relation import Relation
from mechanisms.table import add_remove, declared, frame, session, substitute, user

NONE, NO_COUNT = np.array([]), np.array([], dtype=np.int64)
FAVORITE = np.array([1.0] + [0.0] * 9)
"""Scores of ten candidates of which the first leads by 1."""

ONE_REMOVED = add_remove(np.array([1.0]), NONE, "float:0:1")
ONE_ADDED = add_remove(NONE, np.array([1.0]), "float:0:1")
COUNT_REMOVED = add_remove(np.array([1]), NO_COUNT, "int:0:1")
COUNT_ADDED = add_remove(NO_COUNT, np.array([1]), "int:0:1")
HUNDRED_REMOVED = add_remove(np.array([100.0]), NONE, "float:90:100")
NEW_KEY = add_remove(["apple"], [], "choice:apple,pear,plum")
OTHER_BIT = substitute(np.array([1]), np.array([0]), "int:0:1")
OTHER_BIN = substitute(np.array([0]), np.array([1]), "int:0:1")
OTHER_ANSWER = substitute(np.array([0]), np.array([1]), "int:0:3")
OPPOSITE = substitute(np.array([1.0]), np.array([-1.0]), "float:-1:1")
FURTHER_BEHIND = declared(
    np.array([-4.0, 0.0, 0.0, 0.0, 0.0]), np.array([-5.0, 1.0, 1.0, 1.0, 1.0])
)
"""One answer moves away from the others, which move towards it."""

_ROWS = {"user": [0] * 5, "value": [1] * 5}
FIVE_ROWS = user(frame(_ROWS), frame(_ROWS, 0), "user=user:5,value=int:0:1")
"""A user with five rows, and nobody."""

_NAMES = [f"key{number}" for number in range(10)]
_KEYS: dict[str, list[Any]] = {"user": [0] * 10, "key": _NAMES}
TEN_KEYS = user(frame(_KEYS), frame(_KEYS, 0), "user=user:10,key=choice:" + ",".join(_NAMES))
"""A user with ten keys, and nobody."""

LOUD = np.array([[100.0, 1.0]])
"""A record whose gradient exceeds every clipping norm."""
LOUD_REMOVED = add_remove(LOUD, np.empty((0, 2)))
_NINE = np.array([[100.0, 0.0]] * 9)
LOUD_AGAINST_NINE = add_remove(np.concatenate([_NINE, LOUD]), _NINE)
"""The same among nine records whose gradients point away from its own."""

BUDGET_SESSION = session("bool", "choice:0.25,0.5,1.0[1..8]")
GROUP_SESSION = session("int:0:3", "int:0:3[1..8]", Relation.SUBSTITUTE)
