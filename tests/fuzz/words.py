"""What hostile, careless or merely foreign people write."""

from __future__ import annotations

import json

from hypothesis import strategies as st

HOSTILE = (
    "",
    " ",
    "\0",
    "a\0b",
    "a\nb",
    "\r\n",
    "\t",
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "\x1b[2J",
    "\x9b31m",
    "\u202egnp.exe",
    "\u2028",
    "\ufeff",
    "\ud800",
    "\udcff",
    "\U0010ffff",
    "|",
    "a | b",
    "`",
    "```",
    "<script>alert(1)</script>",
    "<!-- ",
    "</td></table>",
    "&amp;",
    "[text](https://example.org)",
    "![](x.svg)",
    "https://example.org",
    "# heading",
    "---",
    "- item",
    "1. item",
    "\\",
    "$x$",
    "{{ 7 * 7 }}",
    "{% raw %}",
    "%s %(x)s {0} {x}",
    "--help",
    "-",
    "--",
    "null",
    "NaN",
    "日本語",
    "e\u0301",
    "²",
    "٣",
    "x" * 300,
    "x" * 5000,
)
"""Texts that have broken something somewhere before."""

NUMBERS = (
    "0",
    "-0",
    "1",
    "-1",
    "2",
    "0.5",
    "1e-9",
    "5e-324",
    "1e-400",
    "1e308",
    "1e309",
    "-1e309",
    "nan",
    "-nan",
    "inf",
    "-inf",
    "Infinity",
    "1_000",
    "0x10",
    "1e",
    "1,5",
    "1.",
    ".5",
    "+1",
    "１",
    "٣",
    "9" * 30,
    "-" + "9" * 30,
    "9" * 400,
    "9" * 5000,
    "1" + "0" * 309,
    str(2**63),
    str(2**63 - 1),
    str(-(2**63)),
    "True",
    "None",
)
"""Numbers as people, printers and attackers write them."""

texts = st.sampled_from(HOSTILE) | st.text(max_size=20)
numerals = st.sampled_from(NUMBERS)
words = numerals | texts

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**30, -(10**400), 2**63, -(2**63) - 1])
    | st.floats()
    | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
"""Anything that Python's own JSON holds, NaN and halves of surrogate pairs included."""

json_texts = json_values.map(json.dumps)


@st.composite
def mutated(draw: st.DrawFn, valid: st.SearchStrategy[str]) -> str:
    """A valid text after one to three small accidents."""
    text = draw(valid)
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.sampled_from([0, 0, 1, 1, 2, 8, 1000])))
        text = text[:start] + draw(st.sampled_from(["", text[start:end] * 2]) | words) + text[end:]
    return text
