"""Tables with added columns."""

from __future__ import annotations

from . import _pamela

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Stream"]


class Stream:
    """A table with added value columns, computed while it is read; any Arrow reader can read it once.

    >>> import pamelaplus as pamela, pyarrow
    >>> fast = pamela.Model("numeric parameter n\\nnumeric T = 2 * n").compile()
    >>> fast.map(pyarrow.table({"n": [1, 2]})).to_pyarrow()["T"].to_pylist()
    [2.0, 4.0]
    """

    __slots__ = ("_stream",)

    def __init__(self, inner: _pamela.Stream) -> None:
        self._stream = inner

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._stream.columns

    @property
    def notes(self) -> list[tuple[int, str]]:
        """Notes about rows read so far, each with its row number: for example why a value is missing.

        Only the first hundred are kept; :attr:`note_count` counts all.

        >>> import pamelaplus as pamela, pyarrow
        >>> fast = pamela.Model("numeric parameter n\\nnumeric T = 1 / n").compile()
        >>> stream = fast.map(pyarrow.table({"n": [2, 0, None]}))
        >>> _ = stream.to_pyarrow()
        >>> stream.notes[0], stream.note_count
        ((1, 'division by zero'), 2)
        """
        return self._stream.notes[0]

    @property
    def note_count(self) -> int:
        """Number of rows read so far that have a note."""
        return self._stream.notes[1]

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._stream.stream()

    def to_pyarrow(self) -> Any:
        """Read everything into a PyArrow table.

        >>> import pamelaplus as pamela, pyarrow
        >>> fast = pamela.Model("numeric parameter n\\nnumeric T = 2 * n").compile()
        >>> fast.map(pyarrow.table({"n": [1, 2]})).to_pyarrow()["T"].to_pylist()
        [2.0, 4.0]
        """
        from ._frames import to_pyarrow

        return to_pyarrow(self)

    def to_pandas(self) -> Any:
        """Read everything into a pandas frame.

        >>> import pamelaplus as pamela, pyarrow
        >>> fast = pamela.Model("numeric parameter n\\nnumeric T = 2 * n").compile()
        >>> fast.map(pyarrow.table({"n": [1, 2]})).to_pandas()["T"].tolist()
        [2.0, 4.0]
        """
        return self.to_pyarrow().to_pandas()

    def to_polars(self) -> Any:
        """Read everything into a Polars frame.

        >>> import pamelaplus as pamela, pyarrow
        >>> fast = pamela.Model("numeric parameter n\\nnumeric T = 2 * n").compile()
        >>> fast.map(pyarrow.table({"n": [1, 2]})).to_polars()["T"].to_list()
        [2.0, 4.0]
        """
        from ._frames import to_polars

        return to_polars(self)

    def __repr__(self) -> str:
        return f"<Stream of {', '.join(self.columns)}>"


Stream.__module__ = "pamelaplus"
