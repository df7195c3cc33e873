"""Frames of other libraries."""

from __future__ import annotations

from ._errors import PamelaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._compiled import Compiled


def to_pyarrow(table: Any) -> Any:
    """A table of PyArrow."""
    import pyarrow

    return pyarrow.RecordBatchReader.from_stream(table).read_all()


def to_polars(table: Any) -> Any:
    """A frame of Polars."""
    import polars

    return polars.DataFrame(table)


def add_to(compiled: Compiled, frame: Any, constants: dict[str, Any]) -> Any:
    """A frame with the values behind its columns, as one of the same kind."""
    library = type(frame).__module__.partition(".")[0]
    if library == "pandas":
        return _with_pandas(compiled, frame, constants)
    if library == "polars":
        if hasattr(frame, "collect"):
            frame = frame.collect()
        return to_polars(compiled.map(frame, **constants))
    if library == "pyarrow":
        return to_pyarrow(compiled.map(frame, **constants))
    raise TypeError(
        f"a frame of PyArrow, Polars or pandas is expected, and this is a {type(frame).__name__}; other tables go through map()"
    )


def _with_pandas(compiled: Compiled, frame: Any, constants: dict[str, Any]) -> Any:
    import numpy as np

    from ._arrays import doubles

    names = [p.name for p in compiled.parameters if p.name in frame.columns and not p.law]
    for name in names:
        if name in constants:
            raise PamelaError(f"`{name}` is a column of the frame, and given as a constant as well")
    columns = {}
    for name in names:
        column = frame[name]
        if column.isna().any():
            columns[name] = column.to_numpy(dtype=np.float64, na_value=np.nan)
        else:
            columns[name] = doubles(name, column.to_numpy())
    if not columns:
        # No column is a parameter: each row has the same values.
        columns = {}
        values = compiled(**constants)
        found = {name: np.full(len(frame), value) for name, value in values.items()}
    else:
        found = {name: np.asarray(value) for name, value in compiled(**columns, **constants).items()}
    for name in found:
        if name in frame.columns:
            raise PamelaError(f"the frame has a column `{name}` already, which is what the model computes")
    return frame.assign(**{name: np.where(np.isfinite(value), value, np.nan) for name, value in found.items()})
