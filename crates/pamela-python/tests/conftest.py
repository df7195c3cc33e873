"""Models that several tests use."""

from __future__ import annotations

import pytest

import pamelaplus as pamela

MRM = """numeric parameter P : integer >= 1   % number of clients
numeric parameter N : integer >= 0   % number of iterations
numeric parameter tl : >= 0          % local processing
numeric parameter ts : >= 0          % service
resource s = fcfs(0, 1)
process main = par (p = 1, P) seq (i = 1, N) { delay(tl) ; use(s, ts) }
"""


@pytest.fixture(scope="session")
def mrm() -> pamela.Model:
    return pamela.Model(MRM)


@pytest.fixture(scope="session")
def fast(mrm: pamela.Model) -> pamela.Compiled:
    return mrm.compile()


@pytest.fixture(scope="session")
def law() -> pamela.Compiled:
    return pamela.Model("numeric parameter P : integer >= 1\nprocess main = par (p = 1, P) delay(exponential(2))").compile()
