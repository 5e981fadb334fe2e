"""Texts and bytes read back from how Python writes them, without its syntax trees.

`ast.literal_eval` counts how deep its trees are in one place for all threads: where Python
3.11 changes threads in the middle of one, it raises SystemError from then on. Outputs are read in
threads.
"""

from __future__ import annotations

import re
import sys

_QUOTED = re.compile(r"""(b?)(['"])((?:[^\\]|\\.)*)\2""", re.DOTALL)
_ESCAPED = re.compile(
    r"""\\(?:([\\'"nrt])|x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|)|(['"])""", re.DOTALL
)
_NAMED = {"n": "\n", "r": "\r", "t": "\t"}


def unquoted(written: str) -> str | bytes:
    """The text, or the bytes, of which this is the `repr`.

    Raises:
        ValueError: it is none; a long one may have been cut.
    """
    found = _QUOTED.fullmatch(written)
    packed, quote, inside = found.groups() if found else ("", "", "")
    if not found or (packed and not inside.isascii()):
        raise ValueError(f"{written[:40]!r} is no text as Python writes it")
    text = _ESCAPED.sub(lambda part: _character(part, quote, bool(packed)), inside)
    return text.encode("latin-1") if packed else text


def _character(part: re.Match[str], quote: str, packed: bool) -> str:
    """Meaning of an escape; quotes stand for themselves unless the text would end there."""
    named, short, middle, long, bare = part.groups()
    if bare is not None:
        if bare == quote:
            raise ValueError("a quote within a text as Python writes it")
        return str(bare)
    if named is not None:
        return _NAMED.get(named, str(named))
    code = short if packed else short or middle or long
    if code is None or int(code, 16) > sys.maxunicode:
        raise ValueError("an escape that Python does not write")
    return chr(int(code, 16))
