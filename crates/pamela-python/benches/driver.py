"""What a sweep in many parts costs the process that drives it.

    python benches/driver.py            needs `distributed`

Asked: 60,000 parts below 20 s of processor time, and a list of 300,000 values adds less than 1 s to 40 parts.
"""

from __future__ import annotations

import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from multiprocessing import get_context

import pamelaplus as pamela


class Instant(Executor):
    """Computes nothing: what is left is the driver."""

    def __init__(self, answer: object) -> None:
        self._answer = answer

    def submit(self, *given: object, **named: object) -> Future[object]:  # type: ignore[override]
        future: Future[object] = Future()
        _, _, _, _, tasks = given
        future.set_result([(self._answer, None)] * len(tasks))  # type: ignore[arg-type]
        return future


def grid(points: int) -> pamela.Sweep:
    fast = pamela.Model("numeric parameter n\nnumeric parameter x\nnumeric T = n * x").compile()
    return fast.sweep(n=f"1:{points}", x=2)


def seconds(work: object) -> str:
    start, clock = time.process_time(), time.monotonic()
    work()  # type: ignore[operator]
    return f"{time.process_time() - start:8.2f} s of the driver,{time.monotonic() - clock:8.2f} s"


def listed(engine: object, values: object) -> object:
    fast = pamela.Model("numeric parameter n\nnumeric parameter x\nnumeric T = n * x").compile()
    return lambda: fast.sweep(n=values, x="1:8").run_on(engine, aggregate=["sum"], parts=40)


def main() -> None:
    count = 60_000
    many = grid(count * pamela.clusters.UNIT)
    empty = many._sweep.part(0, 1).summarised([])
    print(
        "60,000 parts, an engine that computes nothing",
        seconds(lambda: many.run_on(Instant(empty), aggregate=["sum"], parts=count)),
    )
    with ProcessPoolExecutor(2, get_context("spawn")) as engine:
        grid(1 << 20).run_on(engine, aggregate=["sum"], parts=40)
        print("40 parts of a range of 300,000 values       ", seconds(listed(engine, "1:300000")))
        print("40 parts of a list of 300,000 values        ", seconds(listed(engine, [float(k) for k in range(1, 300_001)])))
    dask(count)


def nothing(key: str, data: object, *task: object) -> None:
    """A part that takes no time."""


def dask(count: int) -> None:
    """The scheduler and the worker are processes of their own, so that the driver is measured alone."""
    import subprocess
    import sys

    from distributed import Client

    from pamelaplus._engines import Engine

    address = "tcp://127.0.0.1:18786"
    scheduler = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_scheduler", "--port", "18786", "--no-dashboard"], stderr=subprocess.DEVNULL
    )
    worker = subprocess.Popen(
        [sys.executable, "-m", "distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard"],
        stderr=subprocess.DEVNULL,
    )
    try:
        with Client(address) as client, Engine(client, "x" * 3000) as engine:
            client.wait_for_workers(1)
            tasks = [(1, (k, k + 1), []) for k in range(count)]
            print("60,000 parts, Dask                          ", seconds(lambda: list(engine.results(nothing, tasks))))
    finally:
        worker.kill()
        scheduler.kill()


if __name__ == "__main__":
    main()
