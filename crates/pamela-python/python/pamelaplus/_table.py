"""Columns of results."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Table"]


class Table(dict[str, "Any"]):
    """Columns by name: arrays of one length. A notebook shows the first rows.

    >>> import pamelaplus as pamela
    >>> grid = pamela.Model("numeric parameter n\\nnumeric T = n ^ 2").compile().sweep(n="1:9")
    >>> grid.head(2).to_pandas()
         n    T  note
    0  1.0  1.0  None
    1  2.0  4.0  None
    """

    def __len__(self) -> int:
        """Number of columns."""
        return super().__len__()

    @property
    def rows(self) -> int:
        """Number of rows."""
        return max((len(column) for column in self.values()), default=0)

    def to_pandas(self) -> Any:
        """Return a pandas frame.

        >>> import pamelaplus as pamela
        >>> pamela.Table(n=[1, 2]).to_pandas()["n"].tolist()
        [1, 2]
        """
        import pandas

        # Texts with missing values stay objects, so that a missing one is None.
        columns = {name: pandas.Series(own, dtype=getattr(own, "dtype", None)) for name, own in self.items()}
        return pandas.DataFrame(columns)

    def to_polars(self) -> Any:
        """Return a Polars frame, where missing numbers are null.

        >>> import pamelaplus as pamela
        >>> pamela.Table(n=[1, 2]).to_polars()["n"].sum()
        3
        """
        import polars

        return polars.DataFrame({name: polars.Series(column, nan_to_null=True) for name, column in self.items()})

    def head(self, count: int = 5) -> Table:
        """Return the first rows.

        Parameters
        ----------
        count
            Number of rows.

        >>> import pamelaplus as pamela
        >>> pamela.Table(n=[1, 2, 3]).head(2)
        {'n': [1, 2]}
        """
        return Table({name: column[:count] for name, column in self.items()})

    def _repr_html_(self) -> str:
        from ._display import table_html

        rows = list(zip(*self.head(10).values(), strict=True))
        more = self.rows - len(rows)
        below = f"<div>and {more} more rows</div>" if more > 0 else ""
        return table_html(self, rows) + below


Table.__module__ = "pamelaplus"
