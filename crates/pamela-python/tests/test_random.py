"""Random models at random points: points, calls, frames, grids and the command line give the same bits.

PAMELA_MODELS says how many, and PAMELA_SEED from which on.
"""

from __future__ import annotations

import csv
import os
import random
import struct
import sys
import warnings
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars
import pyarrow
import pytest

import pamelaplus as pamela
from pamelaplus._pamela import command

if hasattr(sys, "set_int_max_str_digits"):
    # Exact values may have thousands of digits.
    sys.set_int_max_str_digits(0)

MODELS = int(os.environ.get("PAMELA_MODELS", "150"))
FIRST = int(os.environ.get("PAMELA_SEED", "1"))
HEAD = "numeric parameter n : integer\nnumeric parameter x\nnumeric parameter y\n"

STRANGE = [
    0.0,
    -0.0,
    0.1,
    1.0,
    -2.5,
    1e300,
    -1e300,
    1e-300,
    5e-324,
    1e16,
    240234816.072265625,
    1 / 3,
    2**53,
    float("nan"),
    float("inf"),
]
TYPES = ["i1", "i2", ">i4", "i8", "u1", "u4", "f2", "f4", ">f4", "f8", ">f8", "longdouble", "O"]


def expression(chance: random.Random, depth: int, names: list[str]) -> str:
    """A random expression over these names."""
    if depth == 0 or chance.random() < 0.1:
        return chance.choice([*names, *names, str(chance.randint(0, 9)), f"{chance.randint(1, 99) / 10}"])

    def part() -> str:
        return expression(chance, depth - 1, names)

    def of_index() -> str:
        return expression(chance, min(depth - 1, 1), [*names, "i"])

    forms = [
        lambda: f"({part()} + {part()})",
        lambda: f"({part()} - {part()})",
        lambda: f"({part()} * {part()})",
        lambda: f"({part()} / {part()})",
        lambda: f"max({part()}, {part()})",
        lambda: f"min({part()}, {part()})",
        lambda: f"floor({part()})",
        lambda: f"ceil({part()})",
        lambda: f"({part()}) ^ {chance.randint(2, 3)}",
        lambda: f"({part()} mod {chance.randint(2, 7)})",
        lambda: f"if ({part()} < {part()}) {{ {part()} }} else {{ {part()} }}",
        lambda: f"sqrt(({part()}) ^ 2 + 1)",
        lambda: f"sum (i = {chance.randint(0, 1)}, n) {{ {of_index()} }}",
        lambda: f"prod (i = 1, {chance.randint(1, 4)}) {{ {of_index()} }}",
    ]
    return chance.choice(forms)()


def points(chance: random.Random) -> dict[str, np.ndarray[Any, Any]]:
    """Columns of one length, each of some type."""
    length = chance.randint(1, 6)
    number = [
        lambda: chance.choice(STRANGE),
        lambda: round(chance.uniform(-1000, 1000), 3),
        lambda: struct.unpack("<d", chance.getrandbits(64).to_bytes(8, "little"))[0],
        lambda: float(chance.randint(-9, 99)),
    ]
    found = {"n": np.array([chance.randint(0 if chance.random() < 0.8 else -3, 30) for _ in range(length)])}
    for name in "xy":
        found[name] = np.array([chance.choice(number)() for _ in range(length)])
    for name, column in found.items():
        kind = np.dtype(chance.choice(TYPES))
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            same = column.astype(kind)
        is_same = np.array_equal(same, column) and (np.abs(column) <= 2**53).all()
        if kind.kind in "fO" or is_same:
            found[name] = same
    return found


def bits(value: float | None) -> bytes:
    return b"nan" if value is None or value != value else struct.pack("<d", value + 0.0)


def at(fast: pamela.Compiled, row: dict[str, float]) -> pamela.Evaluated | None:
    try:
        return fast.at(row)
    except pamela.PamelaError:
        return None


def value_at(fast: pamela.Compiled, row: dict[str, float]) -> bytes:
    found = at(fast, row)
    return bits(found.get("T") if found else None)


def tables(fast: pamela.Compiled, columns: dict[str, np.ndarray[Any, Any]]) -> dict[str, list[float | None]]:
    """The values by each kind of frame."""
    plain = {name: np.ascontiguousarray(column.astype(float)) for name, column in columns.items()}
    missing = {name: [None if value != value else value for value in column.tolist()] for name, column in plain.items()}
    return {
        "map": fast.map(pyarrow.table(missing)).to_pyarrow()["T"].to_pylist(),
        "pyarrow": fast.add_to(pyarrow.table(plain))["T"].to_pylist(),
        "pandas": fast.add_to(pandas.DataFrame(columns))["T"].tolist(),
        "nullable": fast.add_to(pandas.DataFrame(missing, dtype="Float64"))["T"].tolist(),
        "polars": fast.add_to(polars.DataFrame(missing, strict=False))["T"].to_list(),
    }


def on_command_line(model: Path, rows: list[dict[str, float]]) -> list[float]:
    """What `pamela sweep` writes."""
    table = model.with_suffix(".csv")
    given = [word for name in rows[0] for word in ("-D", f"{name}=[{','.join(repr(row[name]) for row in rows)}]")]
    assert command(["pamela", "sweep", str(model), "--zip", *given, "-o", str(table)]) == 0
    with open(table, newline="") as file:
        return [float(row["T"] or "nan") for row in csv.DictReader(file)]


def exact_on_command_line(model: Path, row: dict[str, float], capfd: pytest.CaptureFixture[str]) -> Fraction:
    """What `pamela eval --exact --emit pamela` prints."""
    capfd.readouterr()
    given = [word for name, value in row.items() for word in ("-D", f"{name}={value!r}")]
    assert command(["pamela", "eval", str(model), *given, "--exact", "--only", "T", "--emit", "pamela"]) == 0
    return Fraction(capfd.readouterr().out.splitlines()[-1].rpartition("=")[2].replace(" ", ""))


@pytest.mark.filterwarnings("ignore")
def test_all_ways_give_the_same_bits(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    tried = values = 0
    for seed in range(FIRST, FIRST + MODELS):
        chance = random.Random(seed)
        body = expression(chance, 3, ["n", "x", "y"])
        try:
            fast = pamela.Model(f"{HEAD}numeric T = {body}").compile(effort="low")
        except pamela.PamelaError:
            # The value of a constant part may not exist.
            continue
        tried += 1
        columns = points(chance)
        rows = [{name: float(column[k]) for name, column in columns.items()} for k in range(len(columns["n"]))]
        said = f"seed {seed}: {body} at {columns}"
        known = [bits(value) for value in fast(**columns)["T"]]
        values += sum(one != b"nan" for one in known)
        for row, one in zip(rows, known, strict=True):
            # There is a value where a number that is missing is not looked at.
            some = {name: value if np.isfinite(value) else 0.5 for name, value in row.items()}
            assert one == value_at(fast, some) or (one == b"nan" and some != row), said
        there = [(row, one) for row, one in zip(rows, known, strict=True) if np.isfinite(list(row.values())).all()]
        for row, one in there:
            assert bits(float(fast(**row)["T"])) == one, said
        for kind, found in tables(fast, columns).items():
            assert [bits(value) for value in found] == known, f"{kind}, {said}"
        grid = fast.sweep(zip=True, **columns)
        assert [bits(value) for value in grid.to_numpy()["T"]] == known, said
        assert [bits(value) for value in grid.to_pyarrow()["T"].to_pylist()] == known, said
        if not there:
            continue
        model = tmp_path / "model.pamc"
        model.write_bytes(fast.dumps())
        found_there = on_command_line(model, [row for row, _ in there])
        assert [bits(value) for value in found_there] == [one for _, one in there], said
        found = at(fast, there[0][0])
        if found and found.exact.get("T") is not None:
            assert exact_on_command_line(model, there[0][0], capfd) == found.exact["T"], said
    assert tried > MODELS * 0.9 and values > MODELS
