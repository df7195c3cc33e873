"""A sweep on the ranks of MPI: ``mpirun -n 3 python -m mpi4py.futures ranks.py DIR POINTS ROWS PARTS``.

It prints the process of one worker, then what figures are, as JSON, and writes the parts of a table.
"""

from __future__ import annotations

import json
import os
import sys

from study import grid


def main(directory: str, points: int, rows: int, parts: int) -> None:
    from mpi4py.futures import MPIPoolExecutor

    with MPIPoolExecutor() as engine:
        assert engine.num_workers == 2
        print(engine.submit(os.getpid).result(), flush=True)
        found = grid(points).run_on(engine, aggregate=["min", "argmax", "mean", "sum", "count"], parts=4 * parts).figures
        print(json.dumps({name: column.tobytes().hex() for name, column in (found or {}).items()}), flush=True)
        assert grid(rows).run_on(engine, to=directory, parts=parts).missing == []


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
