"""Causes of leaks: low-order bits and the times of runs."""

from __future__ import annotations

from collections.abc import Iterable

from audit.diagnosis.cause import Cause
from audit.diagnosis.phrases import found, number
from audit.verdict.diagnosis import Diagnosis
from audit.verdict.leak import Leak


def cause_of_leaks(leaks: Iterable[Leak]) -> Diagnosis | None:
    """The cause of the first leak; to be called if the claim itself was not refuted.

    Args:
        leaks: of a result.

    Returns:
        None if there is no leak of a known kind.
    """
    for leak in leaks:
        if leak.kind == "floating-point":
            return _low_bits(leak)
        if leak.kind == "timing":
            return found(
                Cause.TIMING,
                f"The time of a run depends on the data: {leak.event.description}.",
                "Pad every run to a fixed time, or release only outputs whose time nobody sees.",
            )
    return None


def _low_bits(leak: Leak) -> Diagnosis:
    epsilon = leak.epsilon_lower
    size = "" if epsilon is None else f" (ε ≥ {number(epsilon)} if all digits are released)"
    return found(
        Cause.LOW_BITS,
        f"Low-order bits of the output reveal the data{size}: {leak.event.description}.",
        "Release only rounded numbers: the claim itself was not refuted. Else use discrete noise.",
        **({} if epsilon is None else {"epsilon": epsilon}),
    )
