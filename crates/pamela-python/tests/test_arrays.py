"""Arrays of all kinds and layouts."""

from __future__ import annotations

import numpy as np
import pytest

import pamela

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


def test_what_is_no_number() -> None:
    values = FAST(a=[1.0, np.nan, np.inf, -np.inf])
    assert np.isnan(values["T"][1:]).all() and [place for place, _ in values.notes] == [1, 2, 3]
    masked = np.ma.MaskedArray([1, 2], mask=[False, True])
    assert np.isnan(FAST(a=masked)["T"]).tolist() == [False, True]
    assert FAST(a=[1, None])["T"][0] == 2.25
    for wrong in (["x"], [1j], np.array(["2020-01-01"], dtype="M8[D]"), [object()]):
        with pytest.raises((pamela.PamelaError, TypeError)):
            FAST(a=wrong)


def test_large_whole_numbers() -> None:
    assert FAST(a=[2**53])["T"].shape == (1,)
    for array in (np.array([1, 2**53 + 1]), np.array([0, 2**63 + 5], dtype=np.uint64), np.array([0, -(2**60)]), [0, 2**70]):
        with pytest.raises(pamela.PamelaError, match="place 1"):
            FAST(a=array)
    # One number may be any.
    assert FAST(a=2**70, b=[0, 1])["T"][0] == 2.0**68


def test_large_columns_are_those_of_points() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.random(20_000).round(4), rng.integers(0, 9, 20_000)
    values = FAST(a=a, b=b)["T"]
    for place in range(0, 20_000, 997):
        assert values[place] == FAST.at(a=float(a[place]), b=int(b[place]))["T"]


def test_laws_have_columns(law: pamela.Compiled) -> None:
    values = law(P=[1, 2], quantiles=[0.5])
    assert list(values) == ["T_main_mean", "T_main_sd", "T_main_skewness", "T_main_kurtosis", "T_main_q0.5"]
    assert values["T_main_mean"].tolist() == pytest.approx([2.0, 3.0])
    assert law(P=1)["T_main_sd"] == pytest.approx(2.0)
