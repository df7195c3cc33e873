"""A sweep in parts on a scheduler of Dask, in a process of its own that can be killed: ``python study.py ADDRESS DIR``."""

from __future__ import annotations

import sys

import pamelaplus as pamela

MODEL = """
numeric parameter P : integer >= 1
numeric parameter N : integer >= 0
numeric parameter tl : >= 0
numeric parameter ts : >= 0
resource s = fcfs(0, 1)
process main = par (p = 1, P) seq (i = 1, N) { delay(tl) ; use(s, ts) }
"""


def grid(rows: int) -> pamela.Sweep:
    """So many rows, in whole thousands."""
    return pamela.Model(MODEL).compile().sweep(P="1:1000", N=f"1:{rows // 1000}", tl=10, ts=0.1)


if __name__ == "__main__":
    address, directory, rows, parts = sys.argv[1:]
    grid(int(rows)).run_on(address, to=directory, parts=int(parts))
