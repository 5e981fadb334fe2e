"""A program that stays: the number of records with Laplace noise of a scale, from the seed given.

python3 count.py SCALE
"""

from __future__ import annotations

import json
import math
import random
import sys

scale = float(sys.argv[1])
for line in sys.stdin:
    asked = json.loads(line)
    draw = random.Random(asked["seed"])
    noise = (draw.expovariate(1.0) - draw.expovariate(1.0) for _ in range(asked["size"]))
    outputs = [len(asked["data"]) + scale * value for value in noise]
    assert all(map(math.isfinite, outputs))
    print(json.dumps(outputs), flush=True)
