"""NumPy, and numexpr where it is installed, as peers of `cargo bench --bench peers`.

Reads lines `name;expression for NumPy;expression for numexpr` and prints `name;points a second;..` by each, best of
several passes over a million points in pieces that stay in the cache. `-` stands for what cannot be told.
"""

import sys
import time

import numpy as np

try:
    import numexpr
    numexpr.set_num_threads(1)
except ImportError:
    numexpr = None

POINTS, PIECE, PASSES = 1 << 20, 4096, 9
position = np.arange(POINTS) % 1000 + 1.0
columns = {"x": 1e3 * position, "y": position, "z": 0.5 * position, "w": 0.1 * position}
results = np.empty(POINTS)


def rate(compute):
    best = float("inf")
    for _ in range(PASSES):
        start = time.process_time()
        for first in range(0, POINTS, PIECE):
            piece = {name: column[first:first + PIECE] for name, column in columns.items()}
            results[first:first + PIECE] = compute(piece)
        best = min(best, time.process_time() - start)
    return f"{POINTS / best:.0f}"


for line in sys.stdin:
    name, plain, fused = line.rstrip("\n").split(";")
    code = compile(plain or "0", name, "eval")
    by_numpy = rate(lambda piece: eval(code, {"np": np}, piece)) if plain else "-"
    by_numexpr = rate(lambda piece: numexpr.evaluate(fused, piece)) if fused and numexpr else "-"
    print(f"{name};{by_numpy};{by_numexpr}", flush=True)
