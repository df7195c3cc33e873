"""Closed forms, with the conditions under which they hold."""

from __future__ import annotations

from _collections_abc import Mapping  # what `collections.abc` is, without importing `collections`

from . import _pamela

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    from ._errors import PamelaError

__all__ = ["Crossing", "Formula", "Premise", "Regime", "Simplified", "Step"]


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


class _Steps(list[Step]):
    """Steps; a notebook shows them as a table."""

    def _repr_html_(self) -> str:
        from ._display import steps_html

        return steps_html(self)


class Formula:
    """A closed form, with the conditions under which it holds.

    >>> import pamelaplus as pamela
    >>> model = pamela.Model("numeric parameter n : integer\\nnumeric T = sum (i = 1, n) { 2 }")
    >>> form = model.simplify()["T"]
    >>> form
    T = 2 * n  (valid for n >= 0)
    >>> form.text, form.conditions, form.parameters
    ('2 * n', ['n >= 0'], ['n'])
    """

    __slots__ = ("_formula",)

    def __init__(self, inner: _pamela.Formula) -> None:
        self._formula = inner

    @property
    def name(self) -> str:
        """Name of the equation."""
        return self._formula.name

    @property
    def text(self) -> str:
        """The value as an expression of the language, which can be read back."""
        return self._formula.text

    @property
    def latex(self) -> str:
        """The value in LaTeX, without its name."""
        return self._formula.latex

    @property
    def mathml(self) -> str:
        """The equation as displayed MathML."""
        return self._formula.mathml

    @property
    def sort(self) -> str:
        """``number``, ``vector`` or ``law``."""
        return self._formula.sort

    @property
    def conditions(self) -> list[str]:
        """Conditions of validity: expressions of the language that are 1 where they hold."""
        return self._formula.conditions

    @property
    def assumptions(self) -> list[str]:
        """Assumptions about laws that no condition checks."""
        return self._formula.assumptions

    @property
    def approximations(self) -> list[str]:
        """Approximations in the value, for example a bound, a fitted law, or a limit that was reached."""
        return self._formula.approximations

    @property
    def standing(self) -> str:
        """How the value relates to the time of a run, in the words of JSON: for example ``exact``, ``lower
        bound``, or ``unknown``.

        >>> import pamelaplus as pamela
        >>> model = pamela.Model("resource s = fcfs(0, 1)\\nprocess main = par (p = 1, 4) { delay(1) ; use(s, 2) }")
        >>> forms = model.simplify()
        >>> forms["time_main"].standing, forms["T_main"].standing
        ('exact', 'lower bound')
        """
        return self._formula.standing

    @property
    def evidence(self) -> str | None:
        """How the time of a process relates to the time of a run, if known."""
        return self._formula.evidence

    @property
    def parameters(self) -> list[str]:
        """The parameters that the formula depends on, in the order of the model."""
        return self._formula.parameters

    @property
    def arguments(self) -> list[str]:
        """The arguments of an equation that others call."""
        return self._formula.formals

    @property
    def operations(self) -> int:
        """Number of operations of an evaluation."""
        return self._formula.operations

    @property
    def is_closed(self) -> bool:
        """True if no loop is left."""
        return self._formula.open_reductions == 0

    @property
    def regimes(self) -> list[Regime]:
        """The cases of the formula; empty without ``regimes=True``."""
        return [Regime(*parts) for parts in self._formula.regimes]

    @property
    def crossings(self) -> list[Crossing]:
        """Boundaries of two regimes."""
        return [Crossing(*parts) for parts in self._formula.crossings]

    @property
    def steps(self) -> list[Step]:
        """The derivation; empty without ``explain=True``."""
        steps = self._formula.steps
        return _Steps(Step(*parts, [Premise(*premise) for premise in premises]) for *parts, premises in steps)

    def emit(self, language: str) -> str:
        """Emit a function of the value and a function of its conditions.

        The languages are ``c``, ``rust``, ``python``, ``numpy``, ``julia``, ``javascript``, ``sql`` and
        ``sympy``.

        >>> import pamelaplus as pamela
        >>> form = pamela.Model("numeric parameter n\\nnumeric T = n + 1").simplify()["T"]
        >>> "def T(n)" in form.emit("python")
        True
        """
        return self._formula.emit(language)[0]

    def to_sympy(self) -> Any:
        """Convert the value to a SymPy expression, whose symbols have the facts of the model.

        >>> import pamelaplus as pamela
        >>> form = pamela.Model("numeric parameter n : >= 1\\nnumeric T = n / 3").simplify()["T"]
        >>> form.to_sympy()
        n/3
        """
        source, function, _, _ = self._formula.emit("sympy")
        return _run(source)[function]

    def lambdify(self, backend: str = "numpy") -> Callable[..., Any]:
        """Compile the emitted source to a plain function, for optimisers and automatic differentiation.

        The backend ``math`` takes floats; ``numpy``, ``jax`` and ``torch`` take arrays. Results are doubles
        and may differ from :meth:`Compiled.at` in the last bits. They are meaningful only where the
        conditions hold; the attribute ``holds`` checks them.

        >>> import pamelaplus as pamela
        >>> f = pamela.Model("numeric parameter n\\nnumeric T = n ^ 2 + 1").simplify()["T"].lambdify("math")
        >>> f(3.0), f.holds(3.0)
        (10.0, True)
        """
        from ._backends import function

        return function(self._formula, backend)

    def _repr_latex_(self) -> str:
        from ._display import equations_latex

        return equations_latex([self._formula])

    def _repr_html_(self) -> str:
        from ._display import equations_html

        return equations_html([self._formula])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": repr(self), "text/latex": self._repr_latex_(), "text/html": self._repr_html_()}

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        arguments = f"({', '.join(self.arguments)})" if self.arguments else ""
        domain = self._formula.domain(False)
        valid = f"  (valid for {', '.join(domain)})" if domain else ""
        return f"{self.name}{arguments} = {self.text}{valid}"


class Simplified(Mapping[str, Formula]):
    """The closed forms of a model by name, in the order of the model.

    Text, LaTeX and HTML leave out the estimate ``T_L`` of a process ``L`` whose exact time ``time_L`` is known;
    it is still a key.

    >>> import pamelaplus as pamela
    >>> forms = pamela.Model("numeric parameter n\\nnumeric a = n + n\\nnumeric b = a * a").simplify()
    >>> list(forms), forms["b"].text
    (['a', 'b'], '4 * n^2')
    """

    __slots__ = ("_compiled", "_forms")

    def __init__(self, inner: _pamela.Compiled) -> None:
        self._compiled = inner
        self._forms = {formula.name: Formula(formula) for formula in inner.formulas}

    def __getitem__(self, name: str) -> Formula:
        return self._forms[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._forms)

    def __len__(self) -> int:
        return len(self._forms)

    @property
    def text(self) -> str:
        """The result as a model, as ``pamela simplify`` prints it."""
        return self._compiled.text

    @property
    def latex(self) -> str:
        """LaTeX displays for a paper."""
        return self._compiled.latex

    @property
    def mathml(self) -> str:
        """The displays as MathML."""
        return self._compiled.mathml

    @property
    def json(self) -> str:
        """The output of ``pamela simplify --emit json``."""
        return self._compiled.json

    @property
    def failures(self) -> list[PamelaError]:
        """Errors of the equations that have no closed form."""
        return self._compiled.failures

    @property
    def caveats(self) -> list[str]:
        """Caveats beside the conditions, such as limits that were reached."""
        return self._compiled.caveats

    @property
    def is_closed(self) -> bool:
        """True if no loop is left."""
        return self._compiled.is_closed

    def emit(self, language: str) -> str:
        """Emit functions of all equations in another language, like ``pamela simplify --emit``."""
        return self._compiled.emit(language)[0]

    def _shown(self) -> list[Formula]:
        return [form for form in self._forms.values() if not form._formula.superseded]

    def _repr_latex_(self) -> str:
        from ._display import equations_latex

        return equations_latex([form._formula for form in self._shown()])

    def _repr_html_(self) -> str:
        from ._display import equations_html

        return equations_html([form._formula for form in self._shown()])

    def __repr__(self) -> str:
        return "\n".join(map(repr, self._shown())) or "<no equations>"


def _run(source: str) -> dict[str, Any]:
    """Execute a source and return the names that it defines."""
    names: dict[str, Any] = {}
    exec(compile(source, "<pamela>", "exec"), names)
    return names


for _class in (Crossing, Formula, Premise, Regime, Simplified, Step):
    _class.__module__ = "pamelaplus"
del _class
