"""The README's picture of a counterexample; `python -m tests.docs.picture` writes it.

Two bars show how often an event occurs on D and on D′, a mark shows the most that the claim
allows on D′. The numbers are those of the audit in the README.
"""

from __future__ import annotations

import html
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import audit
from tests.docs.pages import DOCS

PICTURE = DOCS / "pictures" / "counterexample.svg"
EPSILON = 0.5

_WIDTH, _HEIGHT = 560, 282
_LEFT, _SCALE = 150.0, 390.0  # the x of probability 0, and the width of probability 1
_STYLE = """
text{font-family:system-ui,'DejaVu Sans',Verdana,sans-serif;font-size:15px;fill:#1f2328}
.mark{text-anchor:middle}.title{font-weight:600;font-size:16px}.small{font-size:13px;fill:#59636e}
.paper{fill:#ffffff}.bar{fill:#5b8db8}.excess{fill:#c8442e}.bound{stroke:#1f2328;stroke-width:2}
.interval{stroke:#1f2328;stroke-width:1.5}.axis{stroke:#8c959f}
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.small{fill:#9198a1}.paper{fill:#0d1117}
.bar{fill:#5b8db8}.excess{fill:#e5674f}.bound,.interval{stroke:#e6edf3}}
""".replace("\n", "")


@dataclass(frozen=True, slots=True)
class Bar:
    """Relative frequency of the event on one dataset, with its confidence interval."""

    name: str
    estimate: float
    low: float
    high: float


def noisy_count(data, rng, size):  # type: ignore[no-untyped-def]
    """The mechanism of the README."""
    return len(data) + rng.laplace(0, 1, size)


def audited() -> str:
    """The picture of the README's audit.

    Raises:
        RuntimeError: the audit found no counterexample.
    """
    result = audit.run(noisy_count, epsilon=EPSILON, domain="int:0:9")
    witness = result.witness
    if witness is None or result.units is None:
        raise RuntimeError("the audit of the README found no counterexample")
    sides = ((witness.neighbor, witness.q), (witness.dataset, witness.p))
    bars = [Bar(_words(data), each.estimate, each.low, each.high) for data, each in sides]
    words = re.sub(
        r"\d+\.\d{4,}", lambda found: f"{float(found[0]):.3g}", witness.event.description
    )
    caption = (
        f"Bars: {witness.draws} fresh runs each, so intervals (thin lines) are wide.",
        f"The verdict rests on {result.units.count:,} independent units.",
    )
    return drawn(f"Event: {words}", bars[0], bars[1], EPSILON, caption)


def drawn(event: str, rare: Bar, frequent: Bar, epsilon: float, caption: Sequence[str] = ()) -> str:
    """The SVG: the rarer side above the more frequent one, and the mark of the claim.

    Args:
        event: the title.
        rare: frequency on the dataset called D here.
        frequent: frequency on its neighbor D′.
        epsilon: the claim, pure differential privacy.
        caption: lines below the bars.
    """
    allowed = min(1.0, rare.estimate * math.exp(epsilon))
    edge = _x(allowed)
    words = f"ε = {epsilon:g} allows at most e^{epsilon:g} × {_percent(rare.estimate)} = "
    parts = [
        f'<rect class="paper" width="{_WIDTH}" height="{_HEIGHT}" rx="8"/>',
        _text(20, 34, f"Counterexample to ε = {epsilon:g} of noisy_count", "title"),
        _text(20, 58, event, ""),
        *_row(82, "D", rare, allowed),
        *_row(142, "D′", frequent, allowed),
        f'<line class="axis" x1="{_LEFT}" y1="74" x2="{_LEFT}" y2="190"/>',
        f'<line class="bound" x1="{edge}" y1="74" x2="{edge}" y2="204"/>',
        _text(edge, 222, f"{words}{_percent(allowed)}", "mark"),
        *(_text(20, 248 + 18 * place, line, "small") for place, line in enumerate(caption)),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'width="{_WIDTH}" height="{_HEIGHT}" role="img">'
        f"<title>{html.escape(event)}</title><style>{_STYLE}</style>{''.join(parts)}</svg>\n"
    )


def _row(y: float, symbol: str, bar: Bar, allowed: float) -> list[str]:
    inside, end, middle = _x(min(bar.estimate, allowed)), _x(bar.estimate), y + 18
    ends = f'x1="{_x(bar.low)}" y1="{middle}" x2="{_x(bar.high)}" y2="{middle}"'
    return [
        _text(20, y + 16, f"{symbol} = {bar.name}", ""),
        _text(20, y + 36, f"P[{symbol}] = {_percent(bar.estimate)}", "title"),
        f'<rect class="bar" x="{_LEFT}" y="{y}" width="{inside - _LEFT:.1f}" height="36"/>',
        f'<rect class="excess" x="{inside}" y="{y}" width="{end - inside:.1f}" height="36"/>',
        f'<line class="interval" {ends}/>',
    ]


def _x(probability: float) -> float:
    return round(_LEFT + _SCALE * probability, 1)


def _text(x: float, y: float, words: str, look: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{look}">{html.escape(words)}</text>'


def _percent(probability: float) -> str:
    return f"{100 * probability:.1f}%"


def _words(data: object) -> str:
    return str(data)


def main() -> None:
    """Write the picture."""
    PICTURE.write_text(audited(), encoding="utf-8")


if __name__ == "__main__":
    main()
