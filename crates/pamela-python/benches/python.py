"""How fast the package is, beside what is asked of it: CPU time of the process, least of several runs.

    python benches/python.py            all figures
    python benches/python.py batch      those whose name has this word

Figures of many points are of one thread (RAYON_NUM_THREADS=1) in millions of points a second.
"""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

os.environ.setdefault("RAYON_NUM_THREADS", "1")

import numpy as np
import pyarrow

import pamelaplus as pamela

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MRM = """numeric parameter P : integer >= 1
numeric parameter N : integer >= 0
numeric parameter tl : >= 0
numeric parameter ts : >= 0
resource s = fcfs(0, 1)
process main = par (p = 1, P) seq (i = 1, N) { delay(tl) ; use(s, ts) }
"""
POINTS = 1_000_000


def least(work: Callable[[], object], times: int, runs: int = 5) -> float:
    """Seconds of one call."""
    found = []
    for _ in range(runs):
        start = time.process_time()
        for _ in range(times):
            work()
        found.append((time.process_time() - start) / times)
    return min(found)


def micro(work: Callable[[], object], times: int = 20_000) -> str:
    # Short runs: others that compute on this machine leave some of them alone.
    return f"{least(work, max(times // 100, 1), 100) * 1e6:.2f} us"


def rate(work: Callable[[], object], points: int = POINTS) -> str:
    # The first runs wait for memory that the system has to clear.
    return f"{points / least(work, 1, 12) / 1e6:.1f} Mpt/s"


def start(code: str) -> float:
    """Milliseconds of a process."""
    found = []
    for _ in range(15):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, "-c", code], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        found.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(found) * 1e3


def interrupted(work: str) -> str:
    """From the signal of Ctrl-C to the end of a process that would go on for minutes; the slowest of five."""
    found = []
    for _ in range(5):
        code = f"import numpy, pamelaplus as pamela\nprint('begun', flush=True)\n{work}"
        process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(0.7)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate()
        found.append(time.monotonic() - begin)
        assert "KeyboardInterrupt" in errors
    return f"{max(found):.2f} s"


ENDLESS = {
    "sweep": "pamela.Model('numeric parameter n\\nnumeric T = n / 3').compile().sweep(n='1:1e11').summary('sum')",
    "simulate": "pamela.Model('process main = seq (i = 1, 10^9) delay(exponential(1))').simulate(max_events=10**12)",
    "call": "pamela.Model('process main = par (i = 1, P) delay(gamma(P, 2))\\nnumeric parameter P : integer >= 1')"
    ".compile()(P=numpy.arange(1, 10**6))",
    "optimise": "pamela.Model('process main = par (i = 1, P) delay(gamma(P, 2))\\nnumeric parameter P : integer >= 1')"
    ".compile().optimise(over={'P': '1:1e7'}, minimise='T_main')",
}


def small(fast: pamela.Compiled) -> Iterator[tuple[str, str, Callable[[], str]]]:
    yield "parse and compile", "2.2 ms", lambda: f"{least(lambda: pamela.Model(MRM).compile(), 20) * 1e3:.2f} ms"
    data = fast.dumps()
    yield "dumps, size", "3258 bytes", lambda: f"{len(data)} bytes"
    yield "loads", "36 us", lambda: micro(lambda: pamela.Compiled.loads(data), 2000)
    yield "exact at", "5 us", lambda: micro(lambda: fast.at(P=100, N=1000, tl=10, ts=0.1))
    yield "exact at, with its value", "-", lambda: micro(lambda: fast.at(P=100, N=1000, tl=10, ts=0.1)["T_main"])
    yield "call with numbers", "2 us", lambda: micro(lambda: fast(P=100, N=1000, tl=10, ts=0.1))
    f = pamela.Model(MRM).simplify()["T_main"].lambdify("math")
    yield "lambdify math", "0.071 us", lambda: micro(lambda: f(100.0, 1000.0, 10.0, 0.1), 200_000)
    law = pamela.Model("numeric parameter P : integer >= 1\nprocess main = par (p = 1, P) delay(exponential(2))").compile()
    yield "law at a point", "100 us", lambda: micro(lambda: law.at(P=100)["T_main"].ppf(0.99), 500)
    own = law.at(P=100)["T_main"]
    p = np.linspace(0.01, 0.99, 10_000)
    yield "ppf of an array, each", "0.05 us", lambda: f"{least(lambda: own.ppf(p), 5) / 1e4 * 1e6:.3f} us"
    yield "cdf of an array, each", "0.15 us", lambda: f"{least(lambda: own.cdf(p * 20), 5) / 1e4 * 1e6:.3f} us"


def large(fast: pamela.Compiled) -> Iterator[tuple[str, str, Callable[[], str]]]:
    rng = np.random.default_rng(1)
    P = rng.integers(1, 257, POINTS).astype(float)
    N = rng.integers(1, 10_000, POINTS).astype(float)
    tl = rng.integers(0, 100, POINTS).astype(float)
    ts = rng.random(POINTS)
    few = rng.integers(0, 1000, POINTS) / 1000
    tenth = np.full(POINTS, 0.1)
    yield "batch, whole numbers", "100 Mpt/s", lambda: rate(lambda: fast(P=P, N=N, tl=tl, ts=2))
    yield "batch, one column of any doubles", "15 Mpt/s", lambda: rate(lambda: fast(P=P, N=N, tl=tl, ts=ts))
    yield "batch, one column of short decimals", "-", lambda: rate(lambda: fast(P=P, N=N, tl=tl, ts=few))
    yield "batch, a column that is 0.1", "as a constant", lambda: rate(lambda: fast(P=P, N=N, tl=tl, ts=tenth))
    yield "batch, the constant 0.1", "-", lambda: rate(lambda: fast(P=P, N=N, tl=tl, ts=0.1))
    columns = {"P": P, "N": N, "tl": rng.random(POINTS), "ts": ts}
    tr = columns["tl"]
    plain = "half of NumPy's"
    yield "random doubles, exact=False", plain, lambda: rate(lambda: fast(columns, exact=False))
    yield "random doubles by NumPy", "-", lambda: rate(lambda: np.maximum(N * P * ts + tr, N * tr + ts * (N + P - 1)))
    yield "NumPy by hand", "-", lambda: rate(lambda: N * np.maximum(tl + 2, P * 2))
    table = pyarrow.table({"P": P, "N": N, "tl": tl})
    yield "Arrow in, Arrow out", "100 Mpt/s", lambda: rate(lambda: fast.map(table, ts=2).to_pyarrow())
    grid = fast.sweep(P="1:256", N="1:4096", tl=10, ts=2)
    yield "sweep to an Arrow table", "100 Mpt/s", lambda: rate(grid.to_pyarrow, len(grid))
    yield "sweep, reduced", "-", lambda: rate(lambda: grid.summary("min", "max", "mean"), len(grid))
    decimals = fast.sweep(P="1:256", N="1:4096", tl=10, ts=0.1)
    yield "sweep with 0.1 to an Arrow table", "-", lambda: rate(decimals.to_pyarrow, len(decimals))
    try:
        import duckdb
    except ImportError:
        return
    duckdb.sql("set threads = 1")

    def query() -> object:
        points = grid  # noqa: F841  (DuckDB finds it by its name)
        return duckdb.sql("select P, max(T_main) from points where N >= P group by P").fetchall()

    yield "DuckDB over the lazy sweep", "50 Mpt/s", lambda: rate(query, len(grid))


def main() -> None:
    fast = pamela.Model(MRM).compile().only("T_main")
    rows = [*small(fast), *large(fast)]
    bare = start("pass")
    rows.append(("import pamelaplus, above bare Python", "10 ms", lambda: f"{start('import pamelaplus') - bare:.1f} ms"))
    for what, work in ENDLESS.items():
        rows.append((f"Ctrl-C ends {what}", "1 s", lambda work=work: interrupted(work)))
    for name, asked, measure in rows:
        if all(word in name for word in sys.argv[1:]):
            print(f"{name:36}{asked:>16}{measure():>16}", flush=True)


if __name__ == "__main__":
    main()
