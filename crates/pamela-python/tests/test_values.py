"""Points, arrays, tables, grids and the command line give the same bits."""

from __future__ import annotations

import csv
import io
import struct
import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pamelaplus as pamela

# Sums with conditions, divisions, cases, remainders, minima, rounding, and roots that only exact evaluation knows.
BODIES = [
    "sum (i = 1, n) { x * i + y }",
    "max(n * x, y) + min(x, y)",
    "x / y + n",
    "sum (i = 1, n) { x ^ i }",
    "floor(n * x) + ceil(y) - n mod 3",
    "if (x < y) { x } else { y * n }",
    "sqrt(x ^ 2 + y ^ 2) * n",
    "prod (i = 1, n) { 2 } - x",
    "binom(n + 3, 2) * y",
]
HEAD = "numeric parameter n : integer\nnumeric parameter x\nnumeric parameter y\n"


def compiled() -> list[pamela.Compiled]:
    found = []
    for body in BODIES:
        try:
            found.append(pamela.Model(f"{HEAD}numeric T = {body}").compile())
        except pamela.PamelaError:  # pragma: no cover
            raise AssertionError(body) from None
    return found


MODELS = compiled()

numbers = st.one_of(
    st.sampled_from([0.0, -0.0, 0.1, 1.0, -2.5, 1e300, 1e-300, 5e-324, 1e16, 240234816.072265625, 1 / 3]),
    st.floats(-1000, 1000).map(lambda x: round(x, 3)),
    st.floats(allow_nan=False, allow_infinity=False),
)
wholes = st.integers(-3, 40)


def bits(value: float) -> bytes:
    return b"nan" if value != value else struct.pack("<d", value + 0.0)


def at(fast: pamela.Compiled, **values: float) -> float:
    """Not a number where there is none."""
    try:
        return float(fast.at(**values).get("T", np.nan))
    except pamela.PamelaError:
        return np.nan


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(MODELS), st.lists(st.tuples(wholes, numbers, numbers), min_size=1, max_size=6))
def test_all_ways_give_the_bits_of_points(fast: pamela.Compiled, points: list[tuple[int, float, float]]) -> None:
    known = [bits(at(fast, n=n, x=x, y=y)) for n, x, y in points]
    columns = {name: np.array([float(p[k]) for p in points]) for k, name in enumerate("nxy")}
    called = fast(**columns)
    assert [bits(value) for value in called["T"]] == known
    single = [bits(float(fast(n=n, x=x, y=y)["T"])) for n, x, y in points]
    assert single == known
    mapped = pyarrow.table(fast.map(pyarrow.table(columns)))
    values = [b"nan" if value is None else bits(value) for value in mapped["T"].to_pylist()]
    assert values == known
    grid = fast.sweep(zip=True, **columns)
    assert [bits(value) for value in grid.to_numpy()["T"]] == known
    assert [None if v is None else bits(v) for v in grid.to_pyarrow()["T"].to_pylist()] == [
        None if b == b"nan" else b for b in known
    ]


def test_values_are_those_of_the_command_line(tmp_path: Any) -> None:
    """`pamela sweep` and `pamela eval` in a process of their own."""
    for number, (body, fast) in enumerate(zip(BODIES, MODELS, strict=True)):
        path = tmp_path / f"{number}.pam"
        path.write_text(f"{HEAD}numeric T = {body}\n")
        given = ["-D", "n=0:7", "-D", "x=0.1,2.5,240234816.072265625", "-D", "y=1.7,1e16"]
        command = [sys.executable, "-m", "pamelaplus"]
        done = subprocess.run([*command, "sweep", str(path), *given], capture_output=True, text=True, check=True)
        rows = list(csv.DictReader(io.StringIO(done.stdout)))
        grid = fast.sweep(n="0:7", x="0.1, 2.5, 240234816.072265625", y="1.7,1e16").to_numpy()
        assert [bits(float(row["T"] or "nan")) for row in rows] == [bits(value) for value in grid["T"]], body
        point = ["-D", "n=3", "-D", "x=0.1", "-D", "y=1.7", "--exact", "--only", "T", "--emit", "pamela"]
        done = subprocess.run([*command, "eval", str(path), *point], capture_output=True, text=True, check=True)
        printed = done.stdout.splitlines()[-1].rpartition("=")[2].strip()
        exact = fast.at(n=3, x=0.1, y=1.7).exact["T"]
        if exact is not None:
            assert Fraction(printed) == exact, body


def test_exact_numbers_stay_exact() -> None:
    from decimal import Decimal

    fast = pamela.Model("numeric parameter x\nnumeric T = 3 * x").compile()
    for value in (Fraction(1, 3), 2**80, Decimal("0.1"), "1 / 3", "2 ^ 100", np.int64(7), np.float32(0.1), True):
        known = Fraction(1, 3) if value == "1 / 3" else Fraction(2**100) if value == "2 ^ 100" else value
        known = Fraction(repr(float(value))) if isinstance(value, np.float32) else Fraction(known)  # type: ignore[arg-type]
        assert fast.at(x=value).exact["T"] == 3 * known
    assert fast.at(x=0.1).exact["T"] == Fraction(3, 10)
    assert fast.at(x=np.float64(0.1)).exact["T"] == Fraction(3, 10)
    for wrong in (None, [1], object(), 1j):
        with pytest.raises(TypeError):
            fast.at(x=wrong)
    with pytest.raises(pamela.PamelaError):
        fast.at(x=float("nan"))


def test_what_is_said_of_points(fast: pamela.Compiled) -> None:
    model = pamela.Model("numeric parameter n : integer\nnumeric T = sum (i = 1, n) { 2 }\nnumeric q = 1 / n")
    compiled = model.compile()
    found = compiled.at(n=-3)
    assert found.method["T"] == "definition" and found.conditions == [("n >= 0", False)]
    found = compiled.at(n=0)
    assert list(found) == ["T"] and "q" not in found
    assert isinstance(found.failures[0], pamela.PamelaError)
    with pytest.raises(KeyError, match="no value here"):
        found["q"]
    assert any("lower bound" in note for note in fast.at(P=1, N=1, tl=1, ts=1).notes["T_main"])
    with pytest.raises(pamela.PamelaError, match="no scalar parameter `Q`"):
        fast.at(Q=1)
    with pytest.raises(pamela.PamelaError, match="`ts`"):
        fast.at(P=1, N=1, tl=1)


def test_models_with_values() -> None:
    model = pamela.Model("numeric parameter n\nnumeric parameter t\nnumeric T = n * t")
    assert model.define(t="2 * n").simplify()["T"].text == "2 * n^2"
    random = pamela.Model("numeric parameter n\nnumeric parameter t : law\nnumeric T = n * t")
    assert random.evaluate(n=3, t="exponential(2)")["T"].mean() == pytest.approx(6)
    assert model.parameters[0].name == "n" and model.name == "model"
    with pytest.raises(TypeError):
        model.define(n=object())
    with pytest.raises(pamela.PamelaError, match="law"):
        model.define(n=[1])


def test_parameters_called_as_options_are() -> None:
    text = "numeric parameter threads\nnumeric parameter quantiles = 1\nnumeric parameter zip = 1\n"
    text += "numeric T = threads * quantiles + zip"
    model = pamela.Model(text)
    fast = model.compile()
    assert fast.at(threads=4, quantiles=2)["T"] == fast.at({"threads": 4, "quantiles": 2})["T"] == 9.0
    assert fast({"quantiles": [2, 3]}, threads=4)["T"].tolist() == [9.0, 13.0]
    assert fast.sweep({"threads": "1:3", "zip": [5]}, threads=1).to_numpy()["T"].tolist() == [6.0, 7.0, 8.0]
    assert fast.map(pyarrow.table({"threads": [4]}), {"quantiles": 2}).to_pyarrow()["T"].to_pylist() == [9.0]
    assert fast.optimise(over={"threads": "1:3", "zip": 4}, maximise="T").value == 7.0
    assert model.define(threads=2).compile().at()["T"] == 3.0
    for use in (
        lambda: fast(threads=1, quantiles=[0.5]),
        lambda: fast.sweep(threads=8),
        lambda: fast.sweep({"threads": 1}, zip=True),
        lambda: fast.map(pyarrow.table({"threads": [4]}), quantiles=[0.5]),
        lambda: model.simulate(threads=2),
    ):
        with pytest.raises(pamela.PamelaError, match="an option here"):
            use()


def test_units_of_texts() -> None:
    fast = pamela.Model("numeric parameter t : [us]\nnumeric T = 2 * t").compile()
    for found in (
        fast.at(t="5 [ms]")["T"],
        fast(t="5 [ms]")["T"],
        fast.sweep(t="5 [ms]").to_numpy()["T"][0],
        fast.at(t=5000)["T"],
    ):
        assert found == 0.01
    assert fast.sweep(t="1 [ms], 2 [s]").to_numpy()["T"].tolist() == [0.002, 4.0]
    for wrong in ("5 [MB]", "5 [mss]"):
        for use in (fast.at, fast, fast.sweep, fast.plot):
            with pytest.raises(pamela.PamelaError, match=r"\[B\]|no unit named"):
                use(t=wrong)
    with pytest.raises(pamela.PamelaError, match="has none"):
        pamela.Model("numeric parameter t\nnumeric T = t").compile().at(t="5 [ms]")


@pytest.mark.parametrize(
    "options",
    [
        {"replications": 0},
        {"replications": -1},
        {"replications": 1.5},
        {"until_relative_error": 0},
        {"until_relative_error": -1},
        {"until_relative_error": "x"},
        {"confidence": 2},
        {"confidence": 1},
        {"confidence": float("nan")},
        {"seed": -1},
        {"seed": 2**64},
        {"threads": -1},
        {"threads": 10**6},
        {"trace": -1},
        {"max_events": 0},
    ],
    ids=repr,
)
def test_options_that_have_no_meaning(options: dict[str, Any]) -> None:
    model = pamela.Model("process main = par (i = 1, 3) delay(exponential(1))")
    (name,) = options
    with pytest.raises((pamela.PamelaError, TypeError), match=f"`{name}`"):
        model.simulate(**options)
