"""What an engine costs: CPU time of two workers of Dask, for parts of about a second.

    python benches/engines.py           needs `distributed`

Beside it are one process, and two without an engine, which tell what two cores that share caches and memory take more. The
start of workers is not counted; the scheduler and the client are.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

os.environ.setdefault("RAYON_NUM_THREADS", "1")

sys.path.insert(0, str(Path(__file__).parents[1] / "engines"))

import psutil
from distributed import Client, LocalCluster
from study import grid

import pamelaplus as pamela

PARTS = 16


def laws() -> pamela.Sweep:
    text = "numeric parameter n : integer >= 1\nnumeric parameter m : > 0\nprocess main = par (i = 1, n) delay(exponential(m))"
    return pamela.Model(text).compile().sweep(n="1:64", m="1:2000", quantiles=[0.5, 0.99])


def compute(sweep: pamela.Sweep, engine: object, table: bool) -> None:
    if not table:
        sweep.run_on(engine, aggregate=["min", "argmax", "mean"], parts=PARTS)
        return
    with tempfile.TemporaryDirectory() as study:
        assert sweep.run_on(engine, to=study, parts=PARTS).missing == []


def cpu() -> float:
    """Seconds that this process and those that it started have taken."""
    own = psutil.Process()
    times = [process.cpu_times() for process in (own, *own.children(recursive=True))]
    return sum(time.user + time.system for time in times)


def main() -> None:
    jobs = [
        ("figures of 1e9 points", grid(10**9), False),
        ("parts of 3e7 rows", grid(3 * 10**7), True),
        ("parts of 128,000 laws", laws(), True),
    ]
    spawn = get_context("spawn")
    with (
        ProcessPoolExecutor(1, spawn) as one,
        ProcessPoolExecutor(2, spawn) as two,
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        engines = {"one process": one, "two processes": two, "two workers of Dask": client}
        for engine in engines.values():
            compute(grid(10**6), engine, True)
        for name, sweep, table in jobs:
            for engine in engines:
                start, clock = cpu(), time.monotonic()
                compute(sweep, engines[engine], table)
                print(f"{name:24}{engine:20}{cpu() - start:8.1f} s of CPU,{time.monotonic() - clock:6.1f} s", flush=True)


if __name__ == "__main__":
    main()
