"""Tables of other libraries, in and out."""

from __future__ import annotations

import datetime
import gc
import resource
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas
import polars
import pyarrow
import pytest

import pamelaplus as pamela

FAST = pamela.Model("numeric parameter n\nnumeric parameter k = 1\nnumeric T = n / k").compile()
ROWS = {"n": [1, None, 3], "name": ["a", "b", None]}


def test_streams_of_each_library() -> None:
    tables: list[Any] = [pyarrow.table(ROWS), polars.DataFrame(ROWS), duckdb.sql("select * from (values (1), (null), (3)) t(n)")]
    for table in tables:
        assert FAST.map(table).to_pyarrow()["T"].to_pylist() == [1.0, None, 3.0]
    assert FAST.map(polars.DataFrame(ROWS), k=2).to_polars()["T"].to_list() == [0.5, None, 1.5]
    batch = pyarrow.RecordBatchReader.from_batches(pyarrow.schema([("n", pyarrow.int8())]), [])
    assert FAST.map(batch).to_pyarrow().num_rows == 0


def test_datafusion() -> None:
    context = pytest.importorskip("datafusion").SessionContext()
    table = context.from_pydict({"n": [1.0, None, 3.0]})
    assert FAST.map(table).to_pyarrow()["T"].to_pylist() == [1.0, None, 3.0]
    assert context.from_arrow(FAST.sweep(n="1:3", k=2)).to_pydict()["T"] == [0.5, 1.0, 1.5]


def test_frames_stay_of_their_kind() -> None:
    assert FAST.add_to(pyarrow.table(ROWS)).column_names == ["n", "name", "T"]
    assert isinstance(FAST.add_to(polars.DataFrame(ROWS)), polars.DataFrame)
    frame = pandas.DataFrame({"n": [2.0, 4.0], "other": [1, 2]}, index=["x", "y"])
    found = FAST.add_to(frame, k=2)
    assert found.index.tolist() == ["x", "y"] and found["T"].tolist() == [1.0, 2.0]
    missing = FAST.add_to(pandas.DataFrame({"n": pandas.array([1, None], dtype="Int64")}))
    assert np.isnan(missing["T"][1]) and missing["T"][0] == 1.0
    with pytest.raises(TypeError, match="dict"):
        FAST.add_to({"n": [1]})
    with pytest.raises(TypeError, match="dict"):
        FAST.map({"n": [1]})


def test_columns_of_each_type() -> None:
    for kind in (pyarrow.int8(), pyarrow.uint64(), pyarrow.float32(), pyarrow.decimal128(5, 2), pyarrow.float64()):
        table = pyarrow.table({"n": pyarrow.array([1, None, 3], pyarrow.float64()).cast(kind)})
        assert FAST.map(table).to_pyarrow()["T"].to_pylist() == [1.0, None, 3.0], kind
    for array in (pyarrow.array([None, True]), pyarrow.array([None, np.float16(1)]), pyarrow.array([None, Decimal("1.00")])):
        assert FAST.map(pyarrow.table({"n": array})).to_pyarrow()["T"].to_pylist() == [None, 1.0], array.type
    assert FAST.map(pyarrow.table({"n": pyarrow.nulls(2)})).to_pyarrow()["T"].to_pylist() == [None, None]
    coded = pyarrow.table({"n": pyarrow.array([1.5, 2.5, 1.5]).dictionary_encode()})
    assert FAST.map(coded).to_pyarrow()["T"].to_pylist() == [1.5, 2.5, 1.5]
    chunked = pyarrow.table({"n": pyarrow.chunked_array([[1], [], [2, 3]], pyarrow.int64())})
    assert FAST.map(chunked).to_pyarrow()["T"].to_pylist() == [1.0, 2.0, 3.0]


def test_decimals_are_those_of_points() -> None:
    numbers = [Decimal("0.1"), Decimal("123456789012345.25"), None, Decimal("-7E-20"), Decimal("0")]
    wanted = [None if value is None else FAST.at(n=value)["T"] for value in numbers]
    for kind in (pyarrow.decimal128(38, 20), pyarrow.decimal256(60, 30)):
        array = pyarrow.array(numbers, kind)
        assert FAST.map(pyarrow.table({"n": array})).to_pyarrow()["T"].to_pylist() == wanted
        assert FAST.map(pyarrow.table({"n": array.dictionary_encode()})).to_pyarrow()["T"].to_pylist() == wanted
    with pytest.raises(pyarrow.ArrowException, match="row 1"):
        FAST.map(pyarrow.table({"n": [Decimal(1), Decimal("12345678901234567890.1")]})).to_pyarrow()


def test_large_whole_numbers_in_codes() -> None:
    array = pyarrow.array([1, 2**60 + 1])
    runs = pyarrow.RunEndEncodedArray.from_arrays(pyarrow.array([1, 2]), array)
    for coded in (array.dictionary_encode(), runs):
        with pytest.raises(pyarrow.ArrowException, match="row 1"):
            FAST.map(pyarrow.table({"n": coded})).to_pyarrow()


NO_NUMBERS = [
    ["1.5"],
    [b"1"],
    [datetime.date(2020, 1, 1)],
    [datetime.datetime(2020, 1, 1)],
    [datetime.timedelta(1)],
    [datetime.time(1)],
    [[1]],
    [{"n": 1}],
]


@pytest.mark.parametrize("values", NO_NUMBERS, ids=repr)
def test_columns_that_hold_no_numbers(values: list[Any]) -> None:
    tables = [pyarrow.table({"n": values}), polars.DataFrame({"n": values}), pandas.DataFrame({"n": values})]
    for table in tables:
        with pytest.raises((pamela.PamelaError, TypeError), match="`n`"):
            FAST.add_to(table)
    for table in tables[:2]:
        with pytest.raises(pamela.PamelaError, match="not a number"):
            FAST.map(table)
    # A column that is no parameter is passed through.
    assert FAST.map(pyarrow.table({"m": values}), n=2).to_pyarrow()["m"].to_pylist() == values


def test_columns_without_a_type_are_missing() -> None:
    frame = polars.DataFrame({"n": [None, None], "m": [None, None], "k": [1, 2]})
    assert polars.DataFrame(FAST.map(frame)).to_dict(as_series=False) == {
        "n": [None, None],
        "m": [None, None],
        "k": [1, 2],
        "T": [None, None],
    }
    assert polars.DataFrame(FAST.map(frame.drop("n"), n=2))["T"].to_list() == [2.0, 1.0]
    assert FAST.map(pyarrow.table({"n": pyarrow.nulls(2)})).to_pyarrow()["T"].to_pylist() == [None, None]


def test_frames_keep_what_is_no_parameter() -> None:
    other = {"n": [1.0], "big": polars.Series([2**100], dtype=polars.Int128), "none": [None], "what": polars.Series([object()])}
    found = FAST.add_to(polars.DataFrame(other))
    assert found["T"].to_list() == [1.0] and found["big"].dtype == polars.Int128 and found["none"].dtype == polars.Null
    assert FAST.add_to(polars.DataFrame({"m": [1, 2]}), n=3)["T"].to_list() == [3.0, 3.0]
    assert FAST.add_to(pandas.DataFrame({"m": [1, 2]}), n=3)["T"].tolist() == [3.0, 3.0]
    with pytest.raises(pamela.PamelaError, match="2 columns"):
        FAST.add_to(pandas.DataFrame([[1, 2]], columns=["n", "n"]))
    with pytest.raises(TypeError, match="Series"):
        FAST.add_to(pandas.Series([1], name="n"))
    for frame in (pandas.DataFrame({"n": [1, 2]}), polars.DataFrame({"n": [1, 2]}), pyarrow.table({"n": [1, 2]})):
        with pytest.raises(TypeError, match="`k`"):
            FAST.add_to(frame, k=[1, 2])


def test_more_rows_than_there_is_memory_for() -> None:
    grid = FAST.sweep(n="1:1e12")
    for work in (grid.to_numpy, grid.to_pandas, grid.to_xarray):
        with pytest.raises(MemoryError, match="1000000000000 rows"):
            work()


def test_errors_of_tables() -> None:
    with pytest.raises(pamela.PamelaError, match="already has a column `T`"):
        FAST.map(pyarrow.table({"n": [1], "T": [1]}))
    with pytest.raises(pamela.PamelaError, match="`n`"):
        FAST.map(pyarrow.table({"m": [1]}))
    with pytest.raises(pamela.PamelaError, match="both a column of the table and a constant"):
        FAST.map(pyarrow.table({"n": [1]}), n=2)
    with pytest.raises(pyarrow.ArrowException, match="row 1"):
        FAST.map(pyarrow.table({"n": [1, 2**60]})).to_pyarrow()
    with pytest.raises(pamela.PamelaError, match="two columns"):
        FAST.map(pyarrow.Table.from_arrays([pyarrow.array([1]), pyarrow.array([2])], names=["n", "n"]))
    stream = FAST.map(pyarrow.table({"n": [1]}))
    stream.to_pyarrow()
    with pytest.raises(pamela.PamelaError, match="once"):
        stream.to_pyarrow()


def test_grids_are_streams() -> None:
    grid = FAST.sweep(n="1:300000", k=[1, 2])
    assert duckdb.sql("select count(*), max(T) from grid where k = 2").fetchall() == [(300000, 150000.0)]
    assert polars.DataFrame(grid)["T"].sum() == pytest.approx(1.5 * 300000 * 300001 / 2)
    assert sum(batch.num_rows for batch in grid) == 600_000
    assert grid.to_pandas().shape == (600_000, 4)


def test_grids() -> None:
    grid = FAST.sweep(n="0:3", k=[0, 2])
    assert grid.columns == ["n", "k", "T", "note"] and len(grid) == 8
    assert [place for place, _ in grid.notes] == [0, 2, 4, 6]
    assert grid.where("k > 1", "n >= 2").to_numpy()["T"].tolist() == [1.0, 1.5]
    assert grid.to_pyarrow()["T"].null_count == 4
    parts = [grid.shard(k, 3).to_numpy()["n"].tolist() for k in (1, 2, 3)]
    assert sum(parts, []) == grid.to_numpy()["n"].tolist()
    assert FAST.sweep(n=[1, 2], k=[3, 4], zip=True).to_numpy()["n"].tolist() == [1.0, 2.0]
    assert len(FAST.sweep(n=[1, 2], k=5)) == 2 and len(FAST.sweep(n=1, k=5)) == 1
    assert grid.top(1, "T")["n"].tolist() == [3.0]
    with pytest.raises(pamela.PamelaError):
        grid.shard(0, 3)
    with pytest.raises(pamela.PamelaError, match="no column"):
        grid.top(1, "U")
    with pytest.raises(pamela.PamelaError, match="no values"):
        FAST.sweep(n=[1], k=[1], zip=[["n", "K"]])
    with pytest.raises(pamela.PamelaError, match="same length"):
        FAST.sweep(n=[1, 2], k=[1, 2, 3], zip=True)
    with pytest.raises(pamela.PamelaError):
        grid.where("nonsense >")
    with pytest.raises(pamela.PamelaError, match="unknown figure"):
        grid.summary("mode")
    with pytest.raises(pamela.PamelaError, match="whole grid"):
        grid.where("n > 1").to_xarray()
    data = FAST.sweep(n=[1, 2, 3], k=[1, 2]).to_xarray()
    assert data["T"].shape == (3, 2) and float(data["T"].sel(n=3, k=2)) == 1.5


def test_regimes_are_a_column() -> None:
    fast = pamela.Model("numeric parameter a\nnumeric parameter b\nnumeric T = max(a, b)").compile()
    grid = fast.sweep(a=[1, 3], b=2, regimes=True).to_pyarrow()
    assert grid.column_names == ["a", "b", "T", "regime", "note"] and len(set(grid["regime"].to_pylist())) == 2


def test_figures_do_not_depend_on_parts() -> None:
    grid = pamela.Model("numeric parameter x\nnumeric T = x / 7").compile().sweep(x="0:0.1:5000")
    whole = grid._sweep.summarised([])
    parts = [grid.shard(k, 9)._sweep.summarised([]) for k in range(1, 10)]
    figures = ["min", "max", "mean", "sum", "count", "argmin", "argmax"]
    one, many = (grid._figures(found, figures) for found in ([whole], parts))
    assert {name: column.tobytes() for name, column in one.items()} == {name: column.tobytes() for name, column in many.items()}
    from math import fsum

    assert one["T_sum"][0] == fsum(grid.to_numpy()["T"])


def test_files(tmp_path: Path) -> None:
    grid = FAST.sweep(n="1:3", k=2)
    grid.write(tmp_path / "table.csv")
    assert pandas.read_csv(tmp_path / "table.csv")["T"].tolist() == [0.5, 1.0, 1.5]
    grid.write(tmp_path / "table.jsonl")
    assert pandas.read_json(tmp_path / "table.jsonl", lines=True)["T"].tolist() == [0.5, 1.0, 1.5]
    grid.write(tmp_path / "table.parquet")
    assert polars.read_parquet(tmp_path / "table.parquet")["T"].to_list() == [0.5, 1.0, 1.5]
    with pytest.raises(pamela.PamelaError, match="cannot be told"):
        grid.write(tmp_path / "table.xlsx")
    with pytest.raises(pamela.PamelaError, match="cannot write"):
        grid.write(tmp_path / "none" / "table.csv")


def test_streams_that_nobody_reads_to_the_end_leak_nothing() -> None:
    table = pyarrow.table({"n": np.arange(5000.0)}).to_batches(max_chunksize=1000)
    grid = FAST.sweep(n="1:1e6", k=1)

    def turn(times: int) -> int:
        for number in range(times):
            reader = pyarrow.RecordBatchReader.from_stream(FAST.map(pyarrow.Table.from_batches(table)))
            if number % 3:
                reader.read_next_batch()
            if number % 50 == 0:
                next(iter(grid))
            capsule = FAST.map(pyarrow.Table.from_batches(table)).__arrow_c_stream__()
            del reader, capsule
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = turn(200)
    assert turn(800) - before < 20_000, "kilobytes"
