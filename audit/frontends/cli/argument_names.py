"""Arguments of `audit.run` in messages, as flags of the command line."""

from __future__ import annotations

import re

from audit.frontends.project import FLAGS

_ARGUMENT = re.compile(r"`([a-z_]+)(?:=([^`]*))?`")
_OTHER_NAMES = {"neighbors": "neighbor", "more_data": "data"}


def as_flags(message: str) -> str:
    """A message whose arguments between backticks are flags.

    `data` becomes --data, `records='dict'` --records dict, `search=False` --no-search.
    Everything else between backticks stays.
    """
    return _ARGUMENT.sub(_flag, message)


def _flag(found: re.Match[str]) -> str:
    name = _OTHER_NAMES.get(found[1], found[1]).replace("_", "-")
    if name not in FLAGS:
        return found[0]
    match found[2]:
        case None | "True":
            return f"--{name}"
        case "False":
            return f"--no-{name}"
        case value:
            return f"--{name} {value.strip(chr(39))}"
