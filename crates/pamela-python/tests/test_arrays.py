"""Arrays of all kinds and layouts."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow
import pytest

import pamelaplus as pamela

FAST = pamela.Model("numeric parameter a\nnumeric parameter b = 2\nnumeric T = a / 4 + b").compile()


@pytest.mark.parametrize(
    "dtype",
    ["bool", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", ">f8", "<f8", ">i4", ">f4", ">u2", "longdouble"],
)
def test_types(dtype: str) -> None:
    array = np.array([0, 1, 1], dtype=dtype)
    assert FAST(a=array)["T"].tolist() == [2.0, 2.25, 2.25]


def test_single_precision_is_what_it_holds() -> None:
    array = np.array([0.1], dtype=np.float32)
    assert FAST(a=array)["T"][0] == FAST.at(a=float(array[0]))["T"] != FAST.at(a=0.1)["T"]


def test_layouts() -> None:
    table = np.arange(24, dtype=float).reshape(4, 6)
    for array in (table, table.T, table[::2, ::-3], np.asfortranarray(table), np.broadcast_to([1.0, 2.0], (3, 2))):
        assert np.array_equal(FAST(a=array)["T"], array / 4 + 2)
    shifted = np.frombuffer(b"x" + np.arange(4.0).tobytes(), dtype=np.uint8)[1:].view(np.float64)
    assert FAST(a=shifted)["T"].tolist() == [2.0, 2.25, 2.5, 2.75]
    frozen = np.arange(3.0)
    frozen.flags.writeable = False
    assert FAST(a=frozen)["T"].shape == (3,)


def test_shapes() -> None:
    assert FAST(a=np.zeros((3, 1)), b=np.zeros((1, 4)))["T"].shape == (3, 4)
    assert FAST(a=np.zeros((0, 3)))["T"].shape == (0, 3)
    assert FAST(a=[], b=1)["T"].shape == (0,)
    assert FAST(a=1, b=2)["T"] == 2.25 and isinstance(FAST(a=1)["T"], float)
    assert FAST(a=np.float64(1), b=np.array(2))["T"].shape == ()
    with pytest.raises(pamela.PamelaError, match="broadcast"):
        FAST(a=[1, 2], b=[1, 2, 3])
    assert FAST(a=np.zeros((2, 2)), b=[[1], [np.nan]]).notes[0][0] == (1, 0)


def test_what_is_not_finite() -> None:
    values = FAST(a=[1.0, np.nan, np.inf, -np.inf])
    assert np.isnan(values["T"][1:]).all() and [place for place, _ in values.notes] == [1, 2, 3]


def test_what_is_beyond_doubles() -> None:
    fast = pamela.Model("numeric parameter n : integer\nnumeric T = -10^n").compile()
    one = fast.at(n=400)
    assert one["T"] == -np.inf and one.exact["T"] == -(10**400)
    assert one.notes["T"] == ["T is beyond the largest double"]
    values = fast(n=[1, 400])
    assert values["T"].tolist() == [-10, -np.inf] and values.notes == [(1, "T is beyond the largest double")]
    grid = fast.sweep(n=[1, 400])
    assert pyarrow.table(grid)["T"].to_pylist() == [-10, -np.inf]
    assert grid.to_pyarrow()["note"].to_pylist() == [None, "T is beyond the largest double"]
    assert grid.summary("min", "argmin")["T_min"].tolist() == [-np.inf]
    frame = pyarrow.table({"n": [1, 400]})
    assert pyarrow.table(fast.map(frame))["T"].to_pylist() == [-10, -np.inf]


MISSING: list[Any] = [
    [1, None],
    np.ma.MaskedArray([1, 2], mask=[False, True]),
    np.ma.MaskedArray([1, 2**60 + 1], mask=[False, True]),
    pandas.Series([1, None], dtype="Int64"),
    pandas.Series([True, None], dtype="boolean"),
    pandas.Series([1, None], dtype="Float32"),
    pandas.Series([1, None], dtype="int64[pyarrow]"),
    pandas.Series([Decimal(1), None]),
    pandas.Series([1, None], dtype="category"),
    polars.Series([1, None]),
    polars.Series([Decimal(1), None]),
    pyarrow.array([1, None]),
    pyarrow.chunked_array([[1], [None]]),
]


@pytest.mark.parametrize("array", MISSING, ids=repr)
def test_what_is_missing(array: Any) -> None:
    for values in (FAST(a=array)["T"], FAST.sweep(a=array).to_numpy()["T"]):
        assert values[0] == 2.25 and np.isnan(values[1])


WRONG: list[Any] = [
    ["x"],
    ["1.5"],
    [1j],
    [object()],
    [[1], [1, 2]],
    {1, 2},
    {"x": 1},
    b"12",
    np.array([b"1"]),
    np.array(["2020-01-01"], dtype="M8[ns]"),
    np.array([5], dtype="m8[ns]"),
    np.array("2020-01-01", dtype="M8[ns]"),
    np.datetime64("2020-01-01", "ns"),
    np.timedelta64(5, "ns"),
    np.complex128(1),
    np.void(b"12345678"),
    np.ma.MaskedArray([1j, 1], mask=[False, True]),
    np.ma.MaskedArray(["1", "x"], mask=[False, True]),
    np.zeros(2, dtype=[("a", "f8")]),
    pandas.Series([1, "x", None], dtype=object),
    pandas.Series(pandas.to_datetime(["2020-01-01", None])),
    pandas.Series(pandas.to_timedelta([5, None])),
    pandas.Series(["a", None], dtype="category"),
    pandas.Timestamp("2020"),
    polars.Series(["1.5"]),
    polars.Series([2**100], dtype=polars.Int128),
    int,
    len,
]


@pytest.mark.parametrize("value", WRONG, ids=repr)
def test_what_is_no_number(value: Any) -> None:
    for use in (lambda: FAST(a=value), lambda: FAST.sweep(a=value), lambda: FAST.at(a=value)):
        with pytest.raises((pamela.PamelaError, TypeError), match="`a`"):
            use()


def test_large_whole_numbers() -> None:
    assert FAST(a=[2**53])["T"].shape == (1,)
    large: list[Any] = [
        np.array([1, 2**53 + 1]),
        np.array([0, 2**63 + 5], dtype=np.uint64),
        np.array([0, -(2**60)]),
        [0, 2**70],
        # On their way to an array these become floats.
        [0.5, 2**60 + 1],
        [[0.5, 2**60 + 1]],
        np.ma.MaskedArray([1, 2**60 + 1], mask=[True, False]),
        pandas.Series([None, 2**60 + 1], dtype="Int64"),
        pandas.Series([None, 2**60 + 1], dtype="int64[pyarrow]"),
        polars.Series([None, 2**60 + 1]),
        pyarrow.array([None, 2**60 + 1]),
    ]
    for array in large:
        with pytest.raises(pamela.PamelaError, match="place 1"):
            FAST(a=array)
    with pytest.raises(pamela.PamelaError, match="place 0"):
        FAST.sweep(a=range(2**60, 2**60 + 3))
    # One number may be any.
    assert FAST(a=2**70, b=[0, 1])["T"][0] == 2.0**68


def test_exact_numbers_in_arrays_are_those_of_points() -> None:
    exact = [Decimal("0.1"), Fraction(1, 4), Decimal("240234816.07226562"), np.float32(0.1), True, Decimal("-0")]
    for array in (exact, np.array(exact, dtype=object)):
        assert FAST(a=array)["T"].tolist() == [FAST.at(a=value)["T"] for value in exact]
        assert FAST.sweep(a=array).to_numpy()["T"].tolist() == [FAST.at(a=value)["T"] for value in exact]
    for wrong in (Fraction(1, 3), Decimal("0.1000000000000000000001")):
        with pytest.raises(pamela.PamelaError, match="place 1"):
            FAST(a=[1, wrong])


def test_large_columns_are_those_of_points() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.random(20_000).round(4), rng.integers(0, 9, 20_000)
    values = FAST(a=a, b=b)["T"]
    for place in range(0, 20_000, 997):
        assert values[place] == FAST.at(a=float(a[place]), b=int(b[place]))["T"]


def test_laws_have_columns(law: pamela.Compiled) -> None:
    values = law(P=[1, 2], quantiles=[0.5])
    figures = ["mean", "sd", "skewness", "kurtosis", "q0.5"]
    assert list(values) == [f"{time}_{figure}" for time in ("time_main", "T_main") for figure in figures]
    assert values["time_main_mean"].tolist() == values["T_main_mean"].tolist() == pytest.approx([2.0, 3.0])
    assert law(P=1)["T_main_sd"] == pytest.approx(2.0)


def test_quantiles_are_of_probabilities(law: pamela.Compiled) -> None:
    for wrong in ([1.5], [-0.1], [np.nan], ["a"], [None]):
        for use in (law, law.sweep):
            with pytest.raises((pamela.PamelaError, TypeError), match="probabilit"):
                use(P=[1], quantiles=wrong)
    for right in (0.5, [0.5], np.array([0.5]), np.float64(0.5)):
        assert law(P=[1], quantiles=right)["T_main_q0.5"][0] == pytest.approx(2 * np.log(2))


def test_arguments_of_laws() -> None:
    law = pamela.law.exponential(2)
    for array in ([1, None], pandas.Series([1, None], dtype="Int64"), np.ma.MaskedArray([1, 2], mask=[False, True])):
        found = law.cdf(array)
        assert found[0] == law.cdf(1) and np.isnan(found[1])
    assert law.cdf(np.array(1)) == law.cdf(np.float32(1)) == law.cdf(1) and isinstance(law.cdf(1), float)
    assert law.cdf([[1, 2]]).shape == (1, 2) and law.cdf([]).shape == (0,)
    low, high = law.interval([0.5, 0.9])
    assert (low[1], high[1]) == law.interval(0.9) and law.moment(2.0) == law.moment(2)  # type: ignore[arg-type]
    for wrong in ("1", 1j, [1, "a"], b"1"):
        with pytest.raises(pamela.PamelaError, match="the argument"):
            law.cdf(wrong)


def test_single_numbers_of_any_type_give_floats() -> None:
    compiled = pamela.Model("numeric parameter P : integer\nnumeric T = P / 4").compile()
    for value in (3, 3.0, "3", True, Decimal(3), Fraction(3), np.int32(3), np.float32(3), np.array(3), np.bool_(True)):
        for exact in (True, False):
            found = compiled(P=value, exact=exact)
            assert type(found["T"]) is (np.float64 if isinstance(value, (np.generic, np.ndarray)) else float)
            assert found["T"] == float(value) / 4 and found.shape == ()
