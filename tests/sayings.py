"""What sentences about events say, read back by somebody who does not know how they are made."""

from __future__ import annotations

import math
import re

_NUMERIC = ("finite", "at least", "above", "below", "at most", "from", "exactly", "a ")
"""How what is said of numbers begins, infinities among them."""
_NUMBER = r"(-?[\d.e+-]+)"


def holds(sentence: str, output: float | str, known: tuple[str, ...]) -> bool:
    """Whether a sentence is true of an output.

    Args:
        sentence: about "the output".
        output: a number, or a symbol.
        known: the symbols that are called by their names.
    """
    assert sentence.startswith("the output is "), sentence
    said = sentence.removeprefix("the output is ")
    return any(_is(part, output, known) for part in re.split(r", | or ", said))


def _is(said: str, output: float | str, known: tuple[str, ...]) -> bool:
    if isinstance(output, str) and output.endswith("inf") and said.startswith(_NUMERIC):
        return _is(said, float(output), known)
    if isinstance(output, str):
        names = {"nan": "NaN", "missing": "absent", "inf": "infinity", "-inf": "minus infinity"}
        if said in ("no number", "a value rare in earlier runs"):
            return output not in known
        if said.startswith("neither a number nor "):
            others = said.removeprefix("neither a number nor ").split(" nor ")
            return names.get(output, output) not in others
        return output in known and said == names.get(output, output)
    if " and " in said and not said.startswith("finite"):
        rounded = " up to rounding" * said.endswith(" up to rounding")
        ends = said.removesuffix(rounded).split(" and ")
        return all(_is(f"{end}{rounded}", output, known) for end in ends)
    if found := re.fullmatch(f"from {_NUMBER} to {_NUMBER}", said):
        return float(found[1]) <= output <= float(found[2])
    pattern = f"(below|at most|above|at least|exactly|) ?{_NUMBER}( up to rounding)?"
    if found := re.fullmatch(pattern, said):
        number, slack = float(found[2]), 1e-11 * abs(output) * bool(found[3])
        return {
            "below": output < number - slack,
            "at most": output <= number + slack,
            "above": output > number + slack,
            "at least": output >= number - slack,
            "exactly": output == number,
            "": abs(output - number) <= slack,
        }[found[1]]
    if said == "a finite number" or said.startswith("finite and "):
        inside = said == "a finite number" or _is(said.removeprefix("finite and "), output, known)
        return math.isfinite(output) and inside
    return said == "a number"
