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
    """Its name in the model."""
    law: bool
    """It stands for a law: it has to have its value before the model is compiled."""
    whole: bool
    """It is declared to be a whole number."""
    default: bool
    """The model gives it a value, which others replace."""
    facts: tuple[str, ...]
    """What the model declares of it, beside that it is whole."""
    comment: str | None
    """What the model says of it in words."""
    unit: str | None
    """The unit of plain numbers for it, ``us``: the declared one, or else that of the base; None of one without unit."""

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
