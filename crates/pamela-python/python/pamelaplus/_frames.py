"""Frames of other libraries."""

from __future__ import annotations

from ._errors import PamelaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._compiled import Compiled


def to_pyarrow(table: Any) -> Any:
    """Convert to a PyArrow table."""
    import pyarrow

    return pyarrow.RecordBatchReader.from_stream(table).read_all()


def to_polars(table: Any) -> Any:
    """Convert to a Polars frame."""
    import polars

    return polars.DataFrame(table)


def exportable(table: Any) -> Any:
    """Drop columns that have no type.

    Polars gives them a layout that Arrow does not know. All their values are missing anyway.
    """
    if type(table).__module__.partition(".")[0] != "polars" or not hasattr(table, "schema"):
        return table
    import polars

    untyped = [name for name, kind in table.schema.items() if kind == polars.Null]
    return table.cast(dict.fromkeys(untyped, polars.Float64)) if untyped else table


def add_to(compiled: Compiled, frame: Any, constants: dict[str, Any]) -> Any:
    """Add value columns to a frame; return a frame of the same kind."""
    library = type(frame).__module__.partition(".")[0]
    if library == "polars" and hasattr(frame, "collect"):
        frame = frame.collect()
    if library == "pyarrow" and hasattr(frame, "__arrow_c_stream__"):
        return to_pyarrow(compiled.map(frame, constants))
    if library not in ("pandas", "polars") or not hasattr(frame, "columns"):
        raise TypeError(
            f"a frame of PyArrow, Polars or pandas is expected, and this is a {type(frame).__name__}; "
            "other tables go through map()"
        )
    found = _values(compiled, frame, constants)
    if library == "pandas":
        return frame.assign(**found)
    import polars

    return frame.with_columns(*(polars.Series(name, values, nan_to_null=True) for name, values in found.items()))


def _values(compiled: Compiled, frame: Any, constants: dict[str, Any]) -> dict[str, Any]:
    """Evaluate the rows of a frame; missing values are NaN."""
    import numpy as np

    from ._arrays import doubles, is_one
    from ._units import plain

    for name, value in constants.items():
        if not is_one(value):
            raise TypeError(
                f"`{name}` is of type {type(value).__name__}: a constant is one number, and a column stands in the frame"
            )
    columns = {}
    for name in [p.name for p in compiled.parameters if p.name in frame.columns and not p.law]:
        if name in constants:
            raise PamelaError(f"`{name}` is a column of the frame, and given as a constant as well")
        columns[name] = doubles(name, plain(compiled._compiled, name, frame[name]))
        if columns[name].ndim != 1:
            raise PamelaError(f"the frame has {columns[name].shape[1]} columns `{name}`: one is expected")
    values = compiled({**columns, **constants})
    for name in values:
        if name in frame.columns:
            raise PamelaError(f"the frame has a column `{name}` already, which is what the model computes")
    # If no column is a parameter, all rows have the same values.
    return {name: np.array(np.broadcast_to(np.asarray(value), len(frame))) for name, value in values.items()}
