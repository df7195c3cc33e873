"""Parts of models."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Parameter"]


class Parameter:
    """A parameter of a model.

    >>> import pamelaplus as pamela
    >>> pamela.Model("numeric parameter n : integer >= 1  % jobs\\nnumeric T = 2 * n").parameters
    [Parameter('n', whole=True, facts=['n >= 1'], comment='jobs')]
    """

    __slots__ = ("name", "law", "whole", "default", "facts", "comment", "unit")

    name: str
    """Name of the parameter in the model."""
    law: bool
    """True if the parameter stands for a law; it needs a value before the model is compiled."""
    whole: bool
    """True if the parameter is declared to be a whole number."""
    default: bool
    """True if the model gives a default value."""
    facts: tuple[str, ...]
    """Declared facts, except that the parameter is a whole number."""
    comment: str | None
    """Comment of the declaration."""
    unit: str | None
    """Unit of plain numbers, such as ``us``: the declared unit, else the base unit; None for a parameter without a unit."""

    def __init__(
        self,
        name: str,
        law: bool = False,
        whole: bool = False,
        default: bool = False,
        facts: Sequence[str] = (),
        comment: str | None = None,
        unit: str | None = None,
    ) -> None:
        self.name = name
        self.law = law
        self.whole = whole
        self.default = default
        self.facts = tuple(facts)
        self.comment = comment
        self.unit = unit

    def __repr__(self) -> str:
        words = [repr(self.name)]
        words += [f"{word}=True" for word in ("law", "whole", "default") if getattr(self, word)]
        if self.facts:
            words.append(f"facts={list(self.facts)}")
        if self.comment:
            words.append(f"comment={self.comment!r}")
        if self.unit:
            words.append(f"unit={self.unit!r}")
        return f"Parameter({', '.join(words)})"


Parameter.__module__ = "pamelaplus"
