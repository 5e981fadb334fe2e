"""python -m mechanisms.external.walks.opacus.moved: how far records move clipped sums.

No noise is drawn: for each walked call whose batch has all records, the largest distance of
the clipped sums with and without one of them is printed, where noise is for 1.
"""

from __future__ import annotations

import sys
import warnings

from mechanisms.external.walks.opacus import layers, loops

ROUNDING = 5e-4
"""Of sums of 32 bits."""


def main() -> int:
    """Print calls and distances, the calls that move further at the end; 1 if there are any."""
    warnings.simplefilter("ignore")
    found = {asked.call: asked.moved() for asked in (*layers.asked(), *loops.asked())}
    further = {call: moved for call, moved in found.items() if not moved <= 1.0 + ROUNDING}
    for call, moved in sorted(found.items(), key=lambda pair: pair[0] in further):
        print(f"{moved:.3f} {call}")
    print(f"{len(further)} of {len(found)} calls move further than noise is for", file=sys.stderr)
    return 1 if further else 0


if __name__ == "__main__":
    raise SystemExit(main())
