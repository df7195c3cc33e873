"""Results are passed on: pickled, copied, compared, sent to another process."""

from __future__ import annotations

import copy
import os
import pickle
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest

import pamelaplus as pamela

TEXT = """numeric parameter n : integer
numeric parameter a : [us] >= 0
numeric parameter c = 2
numeric T = sum (i = 1, n) { 2 * a }
numeric M = max(n, c)
process main = par (p = 1, n) delay(exponential(a))
"""
MODEL = pamela.Model(TEXT)
FAST = MODEL.compile()
NUMBERS = FAST.only("T", "M")
FORMS = MODEL.simplify(explain=True, regimes=True, sensitivity=["a"])
RUNS = {"n": [1, 2, 4, 8], "time": [2e-6, 4e-6, 8e-6, 17e-6]}


def point(draw: random.Random) -> dict[str, Any]:
    """Values of the parameters; a third are 0, 1 or equal."""
    n = draw.choice([0, 1, 1, draw.randrange(2, 9)])
    return {"n": n, "a": draw.choice([1, n, draw.random() * 10 + 0.1, f"{draw.randrange(1, 9)} [us]"])}


def a_law(draw: random.Random) -> pamela.Law:
    own = pamela.law
    laws: list[Callable[[], pamela.Law]] = [
        lambda: own.exponential(draw.random() + 0.1),
        lambda: own.normal(draw.random() - 0.5, draw.choice([1, draw.random() + 0.1])),
        lambda: own.uniform(-1, draw.choice([0, 1, 3.5])),
        lambda: own.binomial(draw.randrange(1, 6), draw.choice([0.5, draw.random()])),
        lambda: own.gamma(draw.random() + 0.5, 2),
        lambda: FAST.at(n=draw.randrange(1, 5), a=draw.random() + 0.1)["time_main"],
        lambda: a_law(draw) + draw.choice([0, 1, -1, draw.random()]),
        lambda: draw.choice([1, 2, 0.5]) * a_law(draw),
    ]
    return draw.choice(laws)()


KINDS: dict[str, Callable[[random.Random], Any]] = {
    "model": lambda draw: MODEL.define(**point(draw)),
    "formula": lambda draw: draw.choice(list(FORMS.values())),
    "forms": lambda draw: FORMS,
    "compiled": lambda draw: draw.choice([FAST, NUMBERS]),
    "values at a point": lambda draw: NUMBERS.at(**point(draw)),
    "laws at a point": lambda draw: FAST.at(n=draw.randrange(1, 5), a=draw.randrange(1, 4)),
    "values": lambda draw: NUMBERS(n=[draw.randrange(5), -1, 3], a=draw.randrange(1, 4)),
    "law": a_law,
    "sweep": lambda draw: NUMBERS.sweep(n=[draw.randrange(9), 3], a=1),
    "table": lambda draw: NUMBERS.sweep(n=f"1:{draw.randrange(1, 9)}", a=1).summary("min", "mean"),
    "optimum": lambda draw: NUMBERS.optimise(over={"n": "1:9"}, minimise="M", a=1, c=draw.randrange(9)),
    "solution": lambda draw: MODEL.solve(f"M <= {draw.randrange(3, 9)}", "n", a=1, within=(0, 20)),
    "picture": lambda draw: NUMBERS.plot("M", n=f"1:{draw.randrange(2, 9)}", a=1),
    "report": lambda draw: MODEL.simulate(n=draw.randrange(1, 5), a=1, replications=3),
    "fit": lambda draw: pamela.fit([draw.random() for _ in range(8)], resamples=10),
    "function": lambda draw: FORMS["T"].lambdify(draw.choice(["numpy", "math"])),
    "calibration": lambda draw: MODEL.calibrate(RUNS, equation="T"),
    "prediction": lambda draw: MODEL.calibrate(RUNS, equation="T").predict(n=draw.randrange(1, 99), draws=64),
    "machine": lambda draw: pamela.Machine(f"t_fork = {draw.random()}"),
    "profile": lambda draw: pamela.Profile({"points": [{"point": {"n": draw.random()}, "time_ns": [1.0]}]}),
}


def same(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return type(one) is type(other) and list(one) == list(other) and all(np.array_equal(one[k], other[k]) for k in one)
    return type(one) is type(other) and bool(one == other) and hash(one) == hash(other)


def results(count: int) -> Iterator[tuple[str, Any]]:
    draw = random.Random(1)
    kinds = list(KINDS)
    for number in range(count):
        kind = kinds[number % len(kinds)]
        yield kind, KINDS[kind](draw)


def echoed(value: Any) -> Any:
    """Runs in another process."""
    return value


@pytest.mark.filterwarnings("ignore")
def test_results_survive_pickles_copies_and_processes() -> None:
    every = bool(os.environ.get("PAMELA_ALL"))
    if not every:
        print("60 of 1,000 results, PAMELA_ALL=1 takes all")
    found = list(results(1000 if every else 60))
    for kind, result in found:
        for protocol in (2, pickle.HIGHEST_PROTOCOL):
            assert same(pickle.loads(pickle.dumps(result, protocol)), result), kind
        assert same(copy.deepcopy(result), result) and same(copy.copy(result), result), kind
    with ProcessPoolExecutor(1, get_context("spawn")) as engine:
        for (kind, result), back in zip(found, engine.map(echoed, [result for _, result in found]), strict=True):
            assert same(back, result), kind


@pytest.mark.filterwarnings("ignore")
@pytest.mark.skipif(not os.environ.get("PAMELA_ALL"), reason="PAMELA_ALL=1 sends 1,000 results to a Dask worker")
def test_results_survive_a_dask_worker() -> None:
    distributed = pytest.importorskip("distributed")
    found = list(results(1000))
    cluster = distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        for (kind, result), back in zip(found, client.gather(client.map(echoed, [r for _, r in found], pure=False)), strict=True):
            assert same(back, result), kind


def test_results_differ() -> None:
    draw = random.Random(3)
    for kind, make in KINDS.items():
        seen = [make(draw) for _ in range(6)]
        assert all(result != 3 and result != "text" for result in seen), kind
    assert FORMS["T"] != FORMS["M"] and MODEL.define(n=3) != MODEL and pamela.law.exponential(1) != pamela.law.exponential(2)
    assert NUMBERS.at(n=1, a=1) != NUMBERS.at(n=2, a=1) and NUMBERS.sweep(n=1, a=1) != NUMBERS.sweep(n=2, a=1)
    # Different texts of one law have the same numbers.
    assert pamela.law.exponential(2) == pamela.Law.from_text("exponential(1 + 1)")
    assert NUMBERS(n=[1, -1], a=1) == NUMBERS(n=[1, -1], a=1)


def test_pickles_keep_derivations_and_failures() -> None:
    text = "numeric parameter n : integer\nnumeric bad = sum (i = 1, n) { i ^ i }\nnumeric T = sum (i = 1, n) { i }"
    with pytest.warns(pamela.Unfinished):
        forms = pamela.Model(text).simplify(explain=True, sensitivity=["n"])
    assert forms.failures and forms["T"].steps
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(forms))))
    for part in ("text", "latex", "mathml", "json", "caveats", "is_closed", "failures"):
        assert str(getattr(again, part)) == str(getattr(forms, part)), part
    for name, form in forms.items():
        for part in ("steps", "regimes", "crossings", "evidence", "standing", "latex", "operations", "parameters"):
            assert getattr(again[name], part) == getattr(form, part), part
            assert getattr(pickle.loads(pickle.dumps(form)), part) == getattr(form, part), part


def test_notebooks_show_every_result() -> None:
    draw = random.Random(7)
    for kind, make in KINDS.items():
        result = make(draw)
        if kind == "function":
            continue
        shown = result._repr_svg_() if kind == "picture" else result._repr_html_()
        assert shown.startswith("<"), kind
        # What is opened is closed.
        for tag in ("table", "tr", "td", "div"):
            assert shown.count(f"<{tag}>") + shown.count(f"<{tag} ") == shown.count(f"</{tag}>"), (kind, tag)
    assert "&lt;b&gt;" in pamela.Model("numeric T = 1 % <b>")._repr_html_()


def test_functions_of_pickles_compute_the_same() -> None:
    f = FORMS["T"].lambdify("math")
    again = pickle.loads(pickle.dumps(f))
    assert (
        again(5.0, 2.0) == f(5.0, 2.0) == pytest.approx(2e-5, rel=1e-15) and again.holds(5.0, 2.0) and not again.holds(-1.0, 2.0)
    )
    assert again.formula == FORMS["T"] and again.backend == "math"
