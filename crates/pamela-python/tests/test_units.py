"""Numbers are in the unit of their parameter, in and out, as on the command line; what has a unit of its own is converted.

Expected values are made by hand from the definitions: ``T = 2 * t`` of 5 us is 10 us, 1e-5 s.
"""

from __future__ import annotations

import json
import os
import pathlib
import pickle
import subprocess
import sys
from datetime import timedelta
from fractions import Fraction
from typing import Any

import numpy as np
import pandas
import pint
import polars
import pyarrow
import pytest

import pamelaplus as pamela

U = pint.UnitRegistry()
TEXT = """numeric parameter t : [us]
numeric parameter n : integer >= 0 = 1
numeric T = 2 * t * n
numeric D : [us] = 2 * t * n
process main = seq (i = 1, n) delay(t)
"""
FIVE = [
    5,
    5.0,
    np.float64(5),
    np.int32(5),
    Fraction(5),
    "5",
    "5 [us]",
    "5 us",
    "5 µs",
    "0.005 ms",
    5 * U.us,
    0.005 * U.ms,
    U.Quantity(Fraction(5, 10**6), "s"),
    timedelta(microseconds=5),
    np.timedelta64(5, "us"),
    np.timedelta64(5000, "ns"),
    pandas.Timedelta(5000, "ns"),
]


@pytest.fixture(scope="module")
def model() -> pamela.Model:
    return pamela.Model(TEXT)


@pytest.fixture(scope="module")
def fast(model: pamela.Model) -> pamela.Compiled:
    return model.compile()


@pytest.mark.parametrize("five", FIVE, ids=lambda value: f"{type(value).__name__} {value}")
def test_five_microseconds_are_these_everywhere(model: pamela.Model, fast: pamela.Compiled, five: Any) -> None:
    exact = Fraction(1, 10**5)
    assert fast.at(t=five).exact["T"] == model.evaluate(t=five).exact["T"] == exact
    assert model.define(t=five).compile().at().exact["T"] == exact
    assert fast.at(t=five).exact["D"] == 10
    assert fast(t=five)["T"] == 1e-5 and fast(t=five)["D"] == 10
    assert fast(t=five, n=[1, 2])["T"].tolist() == [1e-5, 2e-5]
    assert model.simulate(t=five, n=2).mean == 1e-5
    table = fast.sweep(t=five, n="1:2").to_numpy()
    assert table["t"].tolist() == [5, 5] and table["D"].tolist() == [10, 20] and table["T"].tolist() == [1e-5, 2e-5]
    best = fast.optimise(over={"n": "1:3"}, minimise="D", t=five)
    assert (best.at, best.value) == ({"n": 1}, 10)
    assert fast.map(pyarrow.table({"n": [3]}), t=five).to_pyarrow()["D"].to_pylist() == [30]
    assert fast.plot("D", t=five, n="1:4").svg == fast.plot("D", t=5, n="1:4").svg
    assert model.report(t=five, n="1:3").html == model.report(t=5, n="1:3").html


LISTS = [
    [5, 6, 7],
    np.array([5.0, 6.0, 7.0]),
    [5 * U.us, 0.006 * U.ms, 7000 * U.ns],
    ["5 us", "0.006 [ms]", "7"],
    np.array(["5 us", "6 us", "7 us"]),
    np.array([5, 6, 7]) * U.us,
    np.array([0.005, 0.006, 0.007]) * U.ms,
    [timedelta(microseconds=k) for k in (5, 6, 7)],
    np.array([5000, 6000, 7000], "timedelta64[ns]"),
    pandas.Series(pandas.to_timedelta([5000, 6000, 7000], unit="ns")),
    polars.Series([5, 6, 7], dtype=polars.Duration("us")),
]


@pytest.mark.parametrize("many", LISTS, ids=lambda value: f"{type(value).__name__} {value!r}"[:50].replace("\n", " "))
def test_arrays_of_quantities(fast: pamela.Compiled, many: Any) -> None:
    assert fast(t=many)["T"].tolist() == [1e-5, 1.2e-5, 1.4e-5]
    assert fast(t=many)["D"].tolist() == [10, 12, 14]
    table = fast.sweep(t=many).to_numpy()
    assert table["t"].tolist() == [5, 6, 7] and table["T"].tolist() == [1e-5, 1.2e-5, 1.4e-5]
    best = fast.optimise(over={"t": many}, maximise="T")
    assert best.at == {"t": 7} and best.value == 1.4e-5


def test_frames_are_in_the_units_of_parameters(fast: pamela.Compiled) -> None:
    frame = pandas.DataFrame({"t": [5.0, 6.0]})
    assert fast.add_to(frame)["D"].tolist() == [10, 12]
    assert fast.add_to(frame.assign(t=pandas.to_timedelta([5, 6], unit="us")))["T"].tolist() == [1e-5, 1.2e-5]
    table = pyarrow.table(fast.map(pyarrow.table({"t": [5.0, None]})))
    assert table["D"].to_pylist() == [10, None] and table["T"].to_pylist() == [1e-5, None]


def test_what_comes_out_goes_in_again(model: pamela.Model, fast: pamela.Compiled) -> None:
    grid = fast.sweep(t="5:7", n=2)
    table = grid.to_numpy()
    assert fast(t=table["t"], n=table["n"])["T"].tolist() == table["T"].tolist()
    assert pandas.DataFrame(pyarrow.table(grid).to_pandas())["t"].tolist() == [5, 6, 7]
    assert grid.to_xarray()["D"].sel(t=6).item() == 24
    best = fast.optimise(over={"t": "5:1:7"}, maximise="T", n=2)
    assert fast.at(best.at, n=2)["T"] == best.value == 2.8e-5
    assert best.neighbours == [(6, 2.4e-5)]
    figures = grid.summary("max", "argmax", "count")
    assert [figures[name][0] for name in ("D_max", "D_argmax_t", "D_count", "T_max")] == [28, 7, 3, 2.8e-5]
    assert grid.top(1, by="T")["t"].tolist() == [7]
    assert pickle.loads(pickle.dumps(grid)).to_numpy()["D"].tolist() == table["D"].tolist()
    found = model.calibrate({"n": [1, 2, 4], "time": [5e-6, 1e-5, 2e-5]}, fit=["t"])
    assert found.values["t"] == pytest.approx(5) and 't = "5e-6 [s]"' in found.parameters
    assert model.evaluate(n=2, **found.values)["T_main"] == pytest.approx(1e-5)


def test_units_say_in_what_numbers_are(model: pamela.Model, fast: pamela.Compiled) -> None:
    assert fast.units == {"t": "us", "T": "s", "D": "us", "time_main": "s", "T_main": "s"}
    assert {p.name: p.unit for p in model.parameters} == {p.name: p.unit for p in fast.parameters} == {"t": "us", "n": None}


def test_ranges_with_units_have_steps_of_one(fast: pamela.Compiled) -> None:
    for text in ("1 [us]:3 [us]", "1 us:3 us", "1:3", "1000 ns:1000 ns:3000 ns", "1 us, 2 us, 3 us"):
        assert fast.sweep(t=text).to_numpy()["t"].tolist() == [1, 2, 3], text
    assert len(fast.sweep(t="1 [ms]:3 [ms]")) == 3
    with pytest.raises(pamela.PamelaError, match="`1` has no unit"):
        fast.sweep(t="1, 2 [ms]")


@pytest.mark.parametrize(
    "wrong", [5 * U.byte, 5 * U.m, U.Quantity(5, ""), "5 MB", [5 * U.us, 1 * U.byte], np.array([1]) * U.kg], ids=str
)
def test_a_wrong_dimension_is_an_error(model: pamela.Model, fast: pamela.Compiled, wrong: Any) -> None:
    for use in (fast.at, fast, fast.sweep, model.evaluate, model.define, model.simulate):
        with pytest.raises((pamela.PamelaError, TypeError), match=r"`t`|\[us\]|\[B\]"):
            use(t=wrong)


def test_a_parameter_without_unit_takes_no_quantity(fast: pamela.Compiled) -> None:
    bare = pamela.Model("numeric parameter t\nnumeric T = 2 * t").compile()
    for wrong in (5 * U.us, timedelta(seconds=1), np.timedelta64(1, "s"), "5 us", np.array([1, 2]) * U.s):
        with pytest.raises(pamela.PamelaError, match="has none|has no unit"):
            bare(t=wrong)
    assert bare(t=U.Quantity(5, ""))["T"] == 10
    with pytest.raises(pamela.PamelaError, match="no fixed number of seconds"):
        fast.at(t=np.timedelta64(1, "M"))


def test_plain_functions_take_the_same_numbers(fast: pamela.Compiled) -> None:
    form = fast.formulas["D"].lambdify("math")
    assert form(5.0, 1) == pytest.approx(10) and form(n=2, t=5.0) == pytest.approx(20) and form.holds(5.0, 1)
    assert fast.formulas["T"].lambdify()(np.array([5.0, 6.0]), 1).tolist() == pytest.approx([1e-5, 1.2e-5])


def test_laws_are_in_the_unit_of_their_equation() -> None:
    text = "numeric parameter t : [us] > 0\nnumeric D : [us] = exponential(t)\nprocess main = delay(exponential(t))"
    fast = pamela.Model(text).compile()
    assert fast.at(t=5)["D"].mean() == pytest.approx(5) and fast(t=5)["D_mean"] == pytest.approx(5)
    assert fast.at(t=5)["D"].ppf(0.5) == pytest.approx(5 * np.log(2)) == fast(t=5, quantiles=0.5)["D_q0.5"]
    assert fast.at(t=5)["T_main"].mean() == pytest.approx(5e-6) == fast(t=5)["T_main_mean"]
    assert fast(t=5)["D_kurtosis"] == pytest.approx(9) == fast.at(t=5)["D"].kurtosis()
    assert fast.at(t=5)["D"].excess_kurtosis() == pytest.approx(6)


def test_values_of_many_digits_are_those_at_points(fast: pamela.Compiled) -> None:
    rng = np.random.default_rng(1)
    many = rng.random(200) * 10.0 ** rng.integers(-9, 9, 200)
    found, table = fast(t=many), fast.sweep(t=many).to_numpy()
    for place, t in enumerate(many):
        at = fast.at(t=float(t))
        assert at["T"] == found["T"][place] == table["T"][place]
        # A column is rounded in base units, and then in its own.
        assert found["D"][place] == table["D"][place] == pytest.approx(at["D"], rel=3e-16)


CASES = [
    ("numeric parameter t : [us]\nnumeric T = 3 * t\nnumeric D : [ms] = 3 * t", {"t": "5"}),
    (
        "numeric parameter S : [KiB]\nnumeric parameter b : [GB/s]\nnumeric T = S / b\nnumeric R : [MB] = 2 * S",
        {"S": "3", "b": "1.5"},
    ),
    ("numeric parameter x\nnumeric T = floor(3 * x)\nnumeric U = x / 7", {"x": "1/3"}),
    ("unit [page] = 4 [KiB]\nnumeric parameter p : [page]\nnumeric T : [B] = p\nnumeric U = 1 / p", {"p": "7"}),
]


@pytest.mark.parametrize(("text", "given"), CASES, ids=lambda value: str(value)[:30])
def test_the_command_line_has_the_same_numbers(tmp_path: pathlib.Path, text: str, given: dict[str, str]) -> None:
    file = tmp_path / "model.pam"
    file.write_text(text)

    def command(*arguments: str) -> str:
        flags = [part for name, value in given.items() for part in ("-D", f"{name}={value}")]
        words = [sys.executable, "-m", "pamelaplus", arguments[0], str(file), *flags, *arguments[1:]]
        return subprocess.run(words, check=True, capture_output=True, text=True, env={**os.environ}).stdout

    model = pamela.Model(text)
    fast = model.compile()
    plain = {name: Fraction(value) for name, value in given.items()}
    printed = {one["name"]: one for one in json.loads(command("eval", "--json"))["equations"]}
    for name, one in printed.items():
        assert fast.units.get(name) == one.get("unit")
        for found in (fast.at(plain), fast.at(given), model.evaluate(**plain), model.define(**given).evaluate()):
            assert found[name] == one["value"] and str(found.exact[name]) == one["exact"]
        assert fast(plain)[name] == one["value"]
    row = json.loads(command("sweep", "--format", "jsonl"))
    table = fast.sweep(plain).to_numpy()
    for head, value in row.items():
        name = head.split(" ")[0]
        if name in table:
            # A text is an exact number that no double holds.
            assert table[name].tolist() == [float(Fraction(value))], head


def test_arrays_of_xarray_are_matched_by_dimension() -> None:
    import xarray

    fast = pamela.Model("numeric parameter a\nnumeric parameter b\nnumeric T = a * b").compile()
    a = xarray.DataArray([1.0, 2.0, 3.0], dims="x", coords={"x": [10, 20, 30]})
    b = xarray.DataArray([1.0, 10.0, 100.0], dims="y")
    values = fast(a=a, b=b)
    assert values.dims == ("x", "y") and values["T"].values.tolist() == [[k, 10 * k, 100 * k] for k in (1, 2, 3)]
    both = fast(a=xarray.DataArray(np.ones((2, 3)), dims=("y", "x")), b=xarray.DataArray([1.0, 2.0, 3.0], dims="x"))
    assert both.dims == ("y", "x") and both["T"].values.tolist() == [[1, 2, 3]] * 2
    turned = fast(
        a=xarray.DataArray([[1.0, 2.0, 3.0]], dims=("y", "x")), b=xarray.DataArray([[1.0], [2.0], [3.0]], dims=("x", "y"))
    )
    assert turned.shape == (1, 3) and turned["T"].values.tolist() == [[1, 4, 9]]
    assert fast(a=a, b=2)["T"].values.tolist() == [2, 4, 6]
    with pytest.raises(pamela.PamelaError, match="coordinates"):
        fast(a=a, b=a.assign_coords(x=[10, 20, 40]))
    with pytest.raises(pamela.PamelaError, match="without names"):
        fast(a=a, b=[1, 2, 3])


def test_an_interval_is_searched_continuously() -> None:
    fast = pamela.Model("numeric parameter x : > 0\nnumeric T = x + 2 / x").compile()
    best = fast.optimise(over={"x": "0.1:10"}, minimise="T")
    assert best.at["x"] == pytest.approx(2**0.5, rel=1e-9) and best.value == pytest.approx(8**0.5, rel=1e-14)
    assert best.certainty == "enclosure" and best.bound is not None and best.bound == pytest.approx(best.value, rel=1e-8)
    ten = fast.optimise(over={"x": "0.1:1:10"}, minimise="T")
    assert ten.at == {"x": 1.1} and ten.certainty == "every point" and ten.points == 10
    units = pamela.Model("numeric parameter t : [us] > 0\nnumeric D : [us] = t + 1 [us^2] * 2 / t").compile()
    best = units.optimise(over={"t": "100 ns:10 us"}, minimise="D")
    assert best.at["t"] == pytest.approx(2**0.5) and best.value == pytest.approx(8**0.5)
