"""Several threads, forked processes, pickles, and Ctrl-C."""

from __future__ import annotations

import copy
import importlib
import inspect
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

import pamelaplus as pamela

MODEL = "numeric parameter n : integer >= 0\nnumeric parameter x\nnumeric T = sum (i = 1, n) { x * i }"
FAST = pamela.Model(MODEL).compile()


def work(fast: pamela.Compiled) -> float:
    column = fast(n=np.arange(50_000) % 100, x=0.1)["T"].sum()
    return float(column + fast.sweep(n="1:40000", x=0.5).summary("sum")["T_sum"][0] + fast.at(n=3, x=2)["T"])


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::RuntimeWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_processes(method: str) -> None:
    known = work(FAST)
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(2, mp_context=context) as engine:
        assert list(engine.map(work, [FAST, FAST])) == [known, known]


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::RuntimeWarning")
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_forked_process_goes_on() -> None:
    known = work(FAST)
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        os._exit(0 if work(FAST) == known and pamela.Model(MODEL).simplify()["T"].text else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_threads_share_a_model() -> None:
    known = work(FAST)
    with ThreadPoolExecutor(8) as engine:
        assert set(engine.map(work, [FAST] * 16)) == {known}


def test_other_threads_go_on() -> None:
    steps, done = 0, False

    def count() -> None:
        nonlocal steps
        while not done:
            steps += 1

    thread = threading.Thread(target=count)
    thread.start()
    FAST.sweep(n="1:3000000", x=0.5).summary("sum")
    done = True
    thread.join()
    assert steps > 1000


def test_pickles() -> None:
    again = pickle.loads(pickle.dumps(FAST))
    assert again == FAST and again.at(n=4, x=1)["T"] == 10.0
    assert copy.copy(FAST) is FAST and copy.deepcopy([FAST])[0] is FAST
    grid = FAST.sweep(n="1:9", x=[1, 2]).where("n > 3").shard(2, 2)
    other = pickle.loads(pickle.dumps(grid))
    assert other.to_numpy()["T"].tolist() == grid.to_numpy()["T"].tolist()
    error = pytest.raises(pamela.PamelaError, pamela.Model, "numeric T =").value
    assert pickle.loads(pickle.dumps(error)).diagnostics == error.diagnostics
    model = pickle.loads(pickle.dumps(pamela.Model(MODEL).define(x=3)))
    assert model.text == MODEL and [parameter.name for parameter in model.parameters] == ["n"]
    assert model.evaluate(n=4)["T"] == pamela.Model(MODEL).evaluate(n=4, x=3)["T"]


def test_pickles_name_the_package() -> None:
    classes = [item for name in pamela.__all__ if inspect.isclass(item := getattr(pamela, name))]
    classes += [item for item in vars(pamela._pamela).values() if inspect.isclass(item)]
    assert len(classes) > 20
    for one in classes:
        assert one.__module__ in ("pamelaplus", "pamelaplus._pamela")
        assert getattr(importlib.import_module(one.__module__), one.__name__) is one
    for item in (FAST, FAST.sweep(n="1:9", x=1), pamela.Model(MODEL), pamela.PamelaError("wrong")):
        assert b"pamelaplus" in pickle.dumps(item)


def test_what_is_no_compiled_model() -> None:
    data = FAST.dumps()
    name, version, rest = data.split(maxsplit=2)
    other_version = b"%s %d\n%s" % (name, int(version) + 1, rest)
    for wrong in (b"", b"\xff", data[:-9], other_version):
        with pytest.raises(pamela.PamelaError, match="cannot read"):
            pamela.Compiled.loads(wrong)


LONG = {
    "sweep": "pamela.Model('numeric parameter n\\nnumeric T = n / 3').compile().sweep(n='1:1e11').summary('sum')",
    "simulate": "pamela.Model('process main = seq (i = 1, 10^9) delay(exponential(1))').simulate(max_events=10**12)",
    "call": "import numpy; pamela.Model('process main = par (i = 1, P) delay(gamma(P, 2))\\nnumeric parameter P : integer >= 1')"
    ".compile()(P=numpy.arange(1, 10**6))",
    "stream": "[None for _ in pamela.Model('numeric parameter n\\nnumeric T = n / 3').compile().sweep(n='1:1e11')]",
}


@pytest.mark.parametrize("what", LONG)
def test_interrupts(what: str) -> None:
    code = f"import pamelaplus as pamela\nprint('begun', flush=True)\n{LONG[what]}"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None and process.stdout.readline() == "begun\n"
    time.sleep(0.7)
    process.send_signal(signal.SIGINT)
    start = time.monotonic()
    _, errors = process.communicate(timeout=30)
    # A second where the machine is idle.
    assert "KeyboardInterrupt" in errors and time.monotonic() - start < 6
