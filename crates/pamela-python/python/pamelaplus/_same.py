"""Equality of results."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class Same:
    """Results are equal if they are of one class and say the same; missing numbers are equal to each other."""

    __slots__ = ()

    def _key(self) -> Any:
        """Parts that decide equality: texts, numbers, and lists and dicts of them."""
        raise NotImplementedError

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other) or not isinstance(other, Same):
            return NotImplemented
        # As texts, since a missing number is not equal to itself.
        return self is other or repr(self._key()) == repr(other._key())

    def __hash__(self) -> int:
        return hash(repr(self._key()))


class Constant(Same):
    """A result that never changes, so that a copy is the object itself."""

    __slots__ = ()

    def __copy__(self) -> Any:
        return self

    def __deepcopy__(self, memo: Any) -> Any:
        return self
