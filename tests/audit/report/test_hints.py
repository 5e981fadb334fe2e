"""Hints on datasets that a mechanism is not meant for, and on users with several records."""

from __future__ import annotations

import dataclasses

import pytest

from audit.report.answer import answer_of, hint
from audit.report.loss import Interface
from audit.report.text import render_answer, render_text

from .sample_results import all_samples, exception_violation, not_refuted


def test_a_mechanism_that_nearly_always_fails_is_asked_about_its_domain() -> None:
    result = exception_violation()
    assert result.witness is not None
    assert not hint(result, Interface.COMMAND)
    always = dataclasses.replace(result.witness.p, estimate=1.0)
    failing = dataclasses.replace(result, witness=dataclasses.replace(result.witness, p=always))
    found = hint(failing, Interface.COMMAND)
    assert "nearly every run on D' fails" in found
    assert "--domain or --data" in found
    assert f"Hint: {found}"[:60] in render_text(failing)
    assert "domain or --data" in failing.to_markdown()


def test_outputs_of_a_type_are_no_failures() -> None:
    result = exception_violation()
    assert result.witness is not None
    event = dataclasses.replace(
        result.witness.event,
        parameters=result.witness.event.parameters | {"symbols": ["float"]},
    )
    always = dataclasses.replace(result.witness.p, estimate=1.0)
    witness = dataclasses.replace(result.witness, event=event, p=always)
    assert not hint(dataclasses.replace(result, witness=witness), Interface.COMMAND)


@pytest.mark.parametrize("name", sorted(all_samples()))
def test_samples_have_no_hint(name: str) -> None:
    assert not hint(all_samples()[name], Interface.COMMAND)


def test_the_answer_names_the_relation_as_its_reader_gives_it() -> None:
    repeats = (
        "column 'user' repeats (up to 3 rows a user); one record is protected here, not one user: "
        "`relation='user'`"
    )
    result = dataclasses.replace(not_refuted(), notes=(repeats,))
    for interface, relation in [
        (Interface.COMMAND, "--relation user"),
        (Interface.PYTHON, "relation='user'"),
    ]:
        whole = " ".join(render_answer(answer_of(result, interface)).split())
        assert f"one record is protected here, not one user: {relation} not a proof" in whole
        assert whole.count("column 'user' repeats") == 1
