"""Figures of sweeps beside NumPy, plain doubles, frames with notes, and engines."""

from __future__ import annotations

import pickle
import random
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest

import pamelaplus as pamela
from pamelaplus import clusters
from pamelaplus._figures import _exact_sum, _ordered

FAST = pamela.Model("numeric parameter n\nnumeric parameter x\nnumeric T = (n - 3) / x + n ^ 3 / 7\nnumeric U = -n * x").compile()


def grids(count: int) -> Iterator[pamela.Sweep]:
    draw = random.Random(4)
    for _ in range(count):
        n = draw.choice(["0", "-3:3", "1:40", "-1:0.25:1", "0,0,0,1"])
        yield FAST.sweep(n=n, x=draw.choice(["0:3", "1,1,2", "-2:2", "5"]))


def test_figures_equal_those_of_numpy() -> None:
    for grid in grids(12):
        columns = grid.to_numpy()
        found = grid.summary("std", "median", "mean")
        for name in ("T", "U"):
            values = columns[name][~np.isnan(columns[name])]
            assert found[f"{name}_median"][0] == np.median(values)
            assert found[f"{name}_std"][0] == pytest.approx(np.std(values), rel=1e-12, abs=1e-14)
            counts, edges = grid.histogram(name, bins=5)
            wanted = np.histogram(values, 5)
            assert counts.tolist() == wanted[0].tolist() and edges == pytest.approx(wanted[1])


def test_figures_of_groups() -> None:
    grid = FAST.sweep(n="-5:9", x="-1:2")
    found = grid.summary("std", "median", "max", by="x")
    frame = grid.to_pandas().groupby("x")["T"]
    assert found["x"].tolist() == [-1, 0, 1, 2] and list(found) == [
        "x",
        "T_max",
        "U_max",
        "T_std",
        "U_std",
        "T_median",
        "U_median",
    ]
    assert found["T_median"] == pytest.approx(frame.median().to_numpy(), nan_ok=True)
    assert found["T_std"] == pytest.approx(frame.std(ddof=0).to_numpy(), nan_ok=True)
    assert np.isnan(found["T_std"][1]) and np.isnan(found["T_median"][1])


def test_any_division_gives_the_same_figures() -> None:
    grid = FAST.sweep(n="1:20000", x="0.1,0.3,7")
    wanted = grid.summary("std", "median", "sum", by="x")
    best, bins = grid.top(7, "-T"), grid.histogram("T", bins=[0, 1, 1e6, 1e12])
    with ThreadPoolExecutor(3) as engine:
        for parts in (1, 2, 5):
            result = grid.run_on(engine, aggregate=["std", "median", "sum"], by="x", parts=parts)
            assert result.figures is not None
            assert {k: v.tobytes() for k, v in result.figures.items()} == {k: v.tobytes() for k, v in wanted.items()}
        there = grid.top(7, "-T", engine=engine)
        assert {k: v.tolist() for k, v in there.items()} == {k: v.tolist() for k, v in best.items()}
        assert grid.histogram("T", bins=[0, 1, 1e6, 1e12], engine=engine)[0].tolist() == bins[0].tolist()
        assert grid.histogram("T", engine=engine)[1].tolist() == grid.histogram("T")[1].tolist()


def test_sums_are_exact_and_keys_are_ordered() -> None:
    from fractions import Fraction

    draw = np.random.default_rng(1)
    for _ in range(20):
        values = np.concatenate([draw.normal(size=30) * 10.0 ** draw.integers(-200, 200, 30), [0, -0.0, 1, 5e-324, 1e308]])
        assert _exact_sum(values) == sum(Fraction(value) for value in values.tolist())
        assert (np.argsort(_ordered(values), kind="stable") == np.argsort(values + 0.0, kind="stable")).all()


def test_wrong_figures_are_told() -> None:
    grid = FAST.sweep(n="1:3", x="0")
    with pytest.raises(pamela.PamelaError, match="go from nan"):
        grid.histogram("T")
    with pytest.raises(pamela.PamelaError, match="no column `n` of values"):
        grid.histogram("n")
    with pytest.raises(pamela.PamelaError, match="edges that increase"):
        grid.histogram("U", bins=[3, 1])
    with pytest.raises(pamela.PamelaError, match="whole number from 1"):
        grid.histogram("U", bins=0)
    with pytest.raises(KeyError, match="there are n, x, T"):
        grid["V"]


def test_plain_doubles() -> None:
    draw = np.random.default_rng(2)
    model = pamela.Model(
        "numeric parameter n : integer\nnumeric parameter t : [us]\nnumeric parameter c = 3\n"
        "numeric T = sum (i = 1, n) { 2 * t }\nnumeric M = max(n, c) / (n - 2)"
    )
    fast = model.compile()
    n = draw.integers(-3, 9, 1_000).astype(float)
    n[:3] = [2.5, np.nan, 2]
    given: dict[str, Any] = {"n": n, "t": draw.random(1_000)}
    plain, exact = fast(given, exact=False), fast(given)
    for name in ("T", "M"):
        assert plain[name] == pytest.approx(exact[name], rel=1e-14, nan_ok=True)
    assert plain.notes == exact.notes and len(plain.notes) > 200
    assert fast(n=3, t="5 us", exact=False)["T"] == pytest.approx(3e-5)
    assert fast(n=[[1], [2]], t=[1.0, 2.0], exact=False)["T"].shape == (2, 2)
    with pytest.raises(pamela.PamelaError, match="no scalar parameter `q`"):
        fast(n=[1, 2], t=1, q=3, exact=False)
    with pytest.raises(pamela.PamelaError, match="has no value"):
        fast(n=[1, 2], exact=False)
    law = pamela.Model("numeric parameter n : integer\nprocess main = seq (i = 1, n) delay(exponential(1))").compile()
    with pytest.raises(pamela.PamelaError, match="only"):
        law(n=[1, 2], exact=False)


def test_frames_keep_names_notes_and_regimes() -> None:
    fast = pamela.Model("numeric parameter n\nnumeric T = max(n, 2) / n").compile()
    frame = fast.sweep(n="0:3", regimes=True).to_pandas()
    assert list(frame.columns) == ["n", "T", "regime", "note"] and frame["regime"].dtype == "category"
    assert frame["note"].tolist() == ["division by zero", None, None, None]
    assert frame["regime"].tolist() == fast.sweep(n="0:3", regimes=True).to_polars()["regime"].to_list()
    values = fast(n=[0, 1])
    assert values.to_pandas()["note"].tolist() == ["division by zero", None]
    assert values.to_polars().columns == ["n", "T", "note"] and values.to_polars()["T"].to_list() == [None, 2.0]
    grid = fast.sweep(n="1:10").where("T < 0.5")
    assert grid.head(2)["n"].tolist() == [] and grid["T"].tolist() == []
    assert fast.sweep(n="1:1e9").where("n mod 1000 < 1").head(2)["n"].tolist() == [1000.0, 2000.0]
    assert "division by zero" in fast.sweep(n="0:3")._repr_html_() and "4 points" in fast.sweep(n="0:3")._repr_html_()
    assert isinstance(fast.sweep(n="1:3").top(2, "T").to_pandas(), pandas.DataFrame)


def test_xarray_in_and_out() -> None:
    xarray = pytest.importorskip("xarray")
    a = xarray.DataArray([1.0, 2.0], dims="x", coords={"x": [10, 20]})
    b = xarray.DataArray([0.0, 4.0, 5.0], dims="y", coords={"y": list("abc")})
    values = pamela.Model("numeric parameter a\nnumeric parameter b\nnumeric T = a / b").compile()(a=a, b=b)
    assert isinstance(values["T"], xarray.DataArray) and values.dims == ("x", "y") and values["T"].name == "T"
    assert float(values["T"].sel(x=20, y="b")) == 0.5 and bool(np.isnan(values["T"].sel(x=10, y="a")))
    data = values.to_xarray()
    assert set(data.coords) == {"x", "y"} and data.equals(pickle.loads(pickle.dumps(values)).to_xarray())
    dataset = xarray.Dataset({"a": a, "b": b})
    again = pamela.Model("numeric parameter a\nnumeric parameter b\nnumeric T = a / b").compile()(dataset)
    assert again.to_xarray().equals(data)


class Flaky(Executor):
    """Runs a task at once; some fail before they run, as if a worker had died."""

    def __init__(self, fails: Callable[[int], bool]) -> None:
        self.fails, self.count = fails, 0

    def submit(self, work: Any, /, *given: Any, **named: Any) -> Future[Any]:
        self.count += 1
        future: Future[Any] = Future()
        if self.fails(self.count):
            future.set_exception(RuntimeError("a worker died"))
        else:
            future.set_result(work(*given, **named))
        return future


def test_failed_tasks_are_tried_again() -> None:
    grid = FAST.sweep(n="1:100000", x=2)
    wanted = grid.summary("sum")["T_sum"].tolist()
    engine = Flaky(lambda count: count % 3 == 1)
    result = grid.run_on(engine, aggregate=["sum"], parts=6)
    assert result.figures is not None and result.figures["T_sum"].tolist() == wanted
    assert engine.count > len(clusters.parts(100_000, 6))
    with pytest.raises(pamela.PamelaError, match="part 0 failed 3 times.*a worker died"):
        grid.run_on(Flaky(lambda count: True), aggregate=["sum"], parts=6)


def test_many_parts_are_grouped() -> None:
    grid = FAST.sweep(n=f"1:{9000 * clusters.UNIT}", x=2)
    engine = Flaky(lambda count: False)
    engine.submit = lambda work, *given: _answered(engine, given)  # type: ignore[method-assign]
    running = grid.submit(engine, aggregate=["count"], parts=9000)
    assert sorted(running) == list(range(9000)) and engine.count <= 4000 and repr(running) == "<Running: 9000 of 9000 parts done>"


def _answered(engine: Flaky, given: tuple[Any, ...]) -> Future[Any]:
    engine.count += 1
    future: Future[Any] = Future()
    future.set_result([(b"", None)] * len(given[-1]))
    return future


def test_parts_where_fsspec_writes(tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    polars = pytest.importorskip("polars")
    grid = FAST.sweep(n="1:100000", x=2)
    url = f"local://{tmp_path}/study"
    with ThreadPoolExecutor(2) as engine:
        assert grid.run_on(engine, to=url, parts=4).missing == []
        files = sorted((tmp_path / "study").glob("part-*.parquet"))
        assert polars.concat([polars.read_parquet(file) for file in files])["T"].to_list() == grid["T"].tolist()
        grid.write(f"local://{tmp_path}/new/table.parquet")
        assert polars.read_parquet(tmp_path / "new" / "table.parquet")["T"].to_list() == grid["T"].tolist()
        grid.run_on(engine, to=tmp_path / "plain", parts=4)
        assert [file.read_bytes() for file in files] == [(tmp_path / "plain" / file.name).read_bytes() for file in files]
        # Continue: a cut part and a part without a record are computed again.
        stamp = files[0].stat().st_mtime_ns
        files[1].write_bytes(b"cut")
        (tmp_path / "study" / "_done" / "part-00002.json").unlink()
        running = grid.submit(engine, to=url, parts=4)
        assert sorted(running) == [1, 2] and running.result().missing == [] and files[0].stat().st_mtime_ns == stamp
        with pytest.raises(pamela.PamelaError, match="parts of another sweep"):
            FAST.sweep(n="1:100001", x=2).run_on(engine, to=url, parts=4)
        with pytest.raises(pamela.PamelaError, match="cannot be opened"):
            grid.run_on(engine, to="nowhere://x/y", parts=4)


def test_methods_of_many_models_on_an_engine() -> None:
    models: list[Any] = [pamela.Model(f"numeric parameter n : integer >= 1\nnumeric T = {k} * n + 12 / n") for k in (1, 3, 12)]
    with ThreadPoolExecutor(2) as engine:
        assert [form["T"].text for form in clusters.map(models, engine, "simplify")][0] == "n + 12 / n"
        assert [e["T"] for e in clusters.map(models, engine, "evaluate", n=2)] == [8.0, 12.0, 30.0]
        best = clusters.map(models, engine, "optimize", over={"n": "1:9"}, minimize="T")
        assert [own.at["n"] for own in best] == [3.0, 2.0, 1.0]
        laws = clusters.map([[1.0, 2.0, 4.0, 3.0], [2.0]], engine, "fit", resamples=10)
        assert isinstance(laws[0], pamela.Fit) and isinstance(laws[1], pamela.PamelaError)
        timed = pamela.Model("numeric parameter n : integer\nnumeric parameter t : >= 0\nprocess main = seq (i = 1, n) delay(t)")
        tables = [{"table": {"n": [1, 2, 4], "time": [k * 1.0, k * 2.0, k * 4.0]}} for k in (1, 5)]
        found = clusters.map([(timed, table) for table in tables], engine, "calibrate")
        assert [round(own.values["t"], 6) for own in found] == [1.0, 5.0]
        with pytest.raises(pamela.PamelaError, match="no method 'simplyfy'"):
            clusters.map(models, engine, "simplyfy")
