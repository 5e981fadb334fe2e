"""Relations are read, written back, and refused in one line."""

from __future__ import annotations

import pickle

import pytest

from audit.errors import InputError
from audit.relation import Measure, Relation, Within, relation_named


@pytest.mark.parametrize(
    ("name", "relation"),
    [
        ("add-remove", Relation.ADD_REMOVE),
        ("declared", Relation.DECLARED),
        ("l1:2", Within(Measure.L1, 2.0)),
        ("l2:0.5", Within(Measure.L2, 0.5)),
        ("linf:1e-05", Within(Measure.LINF, 1e-5)),
        ("changes:3", Within(Measure.CHANGES, 3.0)),
    ],
)
def test_they_are_read_and_written(name: str, relation: object) -> None:
    found = relation_named(name)
    assert found == relation
    assert str(found) == name
    assert pickle.loads(pickle.dumps(found)) == found


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("friends", "use one of add-remove, substitute, user, declared, l1:K, l2:K, linf:K"),
        ("l1", "did you mean l1:K?"),
        ("l1:", "'l1:' is not known"),
        ("l3:1", "'l3:1' is not known"),
        ("l1:many", "'l1:many' is not known"),
        ("l1:0", "needs a number above 0; write for example l1:1"),
        ("l2:-1", "needs a number above 0"),
        ("linf:inf", "needs a number above 0"),
        ("linf:nan", "needs a number above 0"),
        ("changes:1.5", "needs a whole number above 0; write for example changes:1"),
        ("add-remove:2", "is not known"),
        (
            "user:3",
            "give `relation='user'` with `domain='who=user:3'` (at most 3 records of one user)",
        ),
        ("user:", "with `domain='who=user:5'` (at most 5"),
    ],
)
def test_others_are_refused(name: str, complaint: str) -> None:
    with pytest.raises(InputError) as caught:
        relation_named(name)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)
