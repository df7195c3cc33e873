"""Parts of closed forms: regimes, crossings, steps."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Crossing", "Premise", "Regime", "Step"]


class _Parts:
    """A few named values."""

    __slots__: tuple[str, ...] = ()

    def __init__(self, *parts: Any) -> None:
        for name, part in zip(self.__slots__, parts, strict=True):
            setattr(self, name, part)

    def __eq__(self, other: object) -> bool:
        names = self.__slots__
        return type(self) is type(other) and all(getattr(self, n) == getattr(other, n) for n in names)

    def __hash__(self) -> int:
        return hash(tuple(str(getattr(self, name)) for name in self.__slots__))


class Regime(_Parts):
    """One case of a formula: its value and its conditions.

    >>> import pamelaplus as pamela
    >>> model = pamela.Model("numeric parameter a\\nnumeric parameter b\\nnumeric T = max(a, b)")
    >>> model.simplify(regimes=True)["T"].regimes
    [a where b <= a, b where a <= b]
    """

    __slots__ = ("text", "latex", "conditions", "dominant")

    text: str
    """The value there."""
    latex: str
    """The value of this case, in LaTeX."""
    conditions: list[str]
    """Where it is."""
    dominant: str | None
    """``critical path``, or the resource that is the bottleneck."""

    def __repr__(self) -> str:
        dominant = f" ({self.dominant})" if self.dominant else ""
        return f"{self.text} where {' and '.join(self.conditions)}{dominant}"


class Crossing(_Parts):
    """The boundary of two regimes, where the parameter equals the formula.

    >>> import pamelaplus as pamela
    >>> model = pamela.Model("numeric parameter a\\nnumeric parameter b\\nnumeric T = max(a, b)")
    >>> model.simplify(regimes=True)["T"].crossings
    [a = b]
    """

    __slots__ = ("parameter", "text", "latex", "conditions")

    parameter: str
    """The parameter that is solved for."""
    text: str
    """Value of the parameter at which the two regimes meet."""
    latex: str
    """The common value in LaTeX."""
    conditions: list[str]
    """What this needs."""

    def __repr__(self) -> str:
        needs = f" for {' and '.join(self.conditions)}" if self.conditions else ""
        return f"{self.parameter} = {self.text}{needs}"


class Premise(_Parts):
    """A condition that a step needs.

    >>> import pamelaplus as pamela
    >>> pamela.Premise("n >= 0", "proved")
    n >= 0 (proved)
    """

    __slots__ = ("condition", "status")

    condition: str
    """The condition, which is 1 where it holds."""
    status: str
    """``case``, ``proved``, or ``assumed``: it follows only with the conditions of the closed form."""

    def __repr__(self) -> str:
        return f"{self.condition} ({self.status})"


class Step(_Parts):
    """One rewriting step on the way to a closed form.

    >>> import pamelaplus as pamela
    >>> model = pamela.Model("numeric parameter n : integer >= 0\\nnumeric T = sum (i = 1, n) { 3 }")
    >>> model.simplify(explain=True)["T"].steps[0].rule
    'sum-constant'
    """

    __slots__ = ("rule", "says", "left", "right", "scope", "premises")

    rule: str
    """The name of the rule, or ``ring``."""
    says: str
    """Statement of the rule in words."""
    left: str
    """The expression before the step."""
    right: str
    """The expression after the step."""
    scope: list[tuple[str, str, str]]
    """The enclosing indices, outermost first, each with its first and its last value."""
    premises: list[Premise]
    """The conditions that the step needs."""

    def __repr__(self) -> str:
        return f"{self.rule}: {self.left} = {self.right}"


class Steps(list[Step]):
    """Steps; a notebook shows them as a table."""

    def _repr_html_(self) -> str:
        from ._display import steps_html

        return steps_html(self)


for _class in (Crossing, Premise, Regime, Step):
    _class.__module__ = "pamelaplus"
del _class
