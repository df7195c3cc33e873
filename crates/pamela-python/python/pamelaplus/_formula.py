"""Closed forms, with the conditions under which they hold."""

from __future__ import annotations

from _collections_abc import Mapping  # what `collections.abc` is, without importing `collections`

from . import _pamela
from ._errors import PamelaError
from ._formula_parts import Crossing, Premise, Regime, Step, Steps
from ._same import Constant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from ._backends import Function

__all__ = ["Formula", "Simplified"]


class Formula(Constant):
    """A closed form, with the conditions under which it holds.

    It can be called, substituted into and differentiated; SymPy, pickles and workers of an engine take it.

    >>> import pamelaplus as pamela
    >>> model = pamela.Model("numeric parameter n : integer\\nnumeric T = sum (i = 1, n) { 2 }")
    >>> form = model.simplify()["T"]
    >>> form
    T = 2 * n  (valid for n >= 0)
    >>> form.text, form.conditions, form.parameters
    ('2 * n', ['n >= 0'], ['n'])
    >>> form(n=21), form.subs(n="m + 1"), form.diff("n").text
    (42.0, T = 2 * m + 2  (valid for m + 1 >= 0), '2')
    """

    __slots__ = ("_formula", "_alone", "_options", "_steps")

    def __init__(
        self, inner: _pamela.Formula, options: dict[str, Any] | None = None, steps: Sequence[Step] | None = None
    ) -> None:
        self._formula = inner
        self._options = options or {"exact_times": True, "regimes": True, "moments": 0}
        self._steps = steps
        self._alone: _pamela.Compiled | None = None

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
        if self._steps is not None:
            # Those of a pickle, which the compiled form does not keep.
            return Steps(self._steps)
        steps = self._formula.steps
        return Steps(Step(*parts, [Premise(*premise) for premise in premises]) for *parts, premises in steps)

    def __call__(self, values: Mapping[str, Any] | None = None, /, **named: Any) -> Any:
        """Evaluate the formula: at a point exactly, or over arrays.

        Parameters
        ----------
        values, **named
            Values of the parameters, as for :meth:`Compiled.at` and :class:`Compiled`.

        Returns
        -------
        A float or a :class:`Law` at a point, else an array. Where the conditions of the formula fail, the definition
        of the model is used.

        >>> import pamelaplus as pamela
        >>> form = pamela.Model("numeric parameter n\\nnumeric T = 1 / n").simplify()["T"]
        >>> form(n=4), form(n=[1, 2])
        (0.25, array([1. , 0.5]))
        """
        from ._arrays import is_one
        from ._compiled import Compiled
        from ._options import joined

        if self.arguments:
            raise PamelaError(f"`{self.name}` has the arguments {', '.join(self.arguments)}: evaluate an equation that calls it")
        if self._alone is None:
            self._alone = self._formula.compiled.only([self.name])
        compiled = Compiled(self._alone)
        given = joined(values, named)
        if all(is_one(value) for value in given.values()):
            return compiled.at(given)[self.name]
        if self.sort != "number":
            raise PamelaError(f"`{self.name}` is a {self.sort}: evaluate it at one point, or over arrays by Model.compile()")
        return compiled(given)[self.name]

    def subs(self, *values: Any, **named: Any) -> Formula:
        """Replace parameters by values, texts or formulas.

        The model is simplified again with these values, so that conditions are those of the result. A name that the
        model lacks becomes a parameter without facts.

        Parameters
        ----------
        *values, **named
            For each parameter a number, a text such as ``"m + 1"``, a :class:`Formula`, or a law: by keywords, as a dict, as
            pairs, or as a name and its value. A symbol of SymPy is a name, too.

        >>> import pamelaplus as pamela
        >>> form = pamela.Model("numeric parameter a\\nnumeric parameter b\\nnumeric T = a * b").simplify()["T"]
        >>> form.subs(a=3), form.subs({"b": "a + c"}), form.subs("a", 3)
        (T = 3 * b, T = a * (a + c), T = 3 * b)
        """
        from ._substitution import pairs, substituted

        return substituted(self, {**pairs(values), **named})

    def diff(self, parameter: Any, order: int = 1) -> Formula:
        """Differentiate by a parameter.

        Parameters
        ----------
        parameter
            Name of the parameter, or its symbol of SymPy.
        order
            1; higher derivatives are those of :meth:`to_sympy`.

        >>> import pamelaplus as pamela
        >>> form = pamela.Model("numeric parameter n\\nnumeric T = n ^ 3").simplify()["T"]
        >>> form.diff("n")
        dT_dn = 3 * n^2
        """
        from ._substitution import derivative

        return derivative(self, str(parameter), order)

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

        ``sympy.sympify`` does the same. Symbols are found by name: see :meth:`symbols`.

        >>> import pamelaplus as pamela
        >>> form = pamela.Model("numeric parameter n : >= 1\\nnumeric T = n / 3").simplify()["T"]
        >>> form.to_sympy(), form.to_sympy().subs(form.symbols()["n"], 6)
        (n/3, 2)
        """
        source, function, _, _ = self._formula.emit("sympy")
        return _run(source)[function]

    def _sympy_(self) -> Any:
        return self.to_sympy()

    def _latex(self, printer: object) -> str:
        """What ``sympy.latex`` prints."""
        return self.latex

    def symbols(self) -> dict[str, Any]:
        """Return the symbols of :meth:`to_sympy` by name.

        >>> import pamelaplus as pamela
        >>> form = pamela.Model("numeric parameter n : integer >= 1\\nnumeric T = n / 3").simplify()["T"]
        >>> form.symbols()["n"].is_integer
        True
        """
        found = self.to_sympy().free_symbols
        return {symbol.name: symbol for symbol in sorted(found, key=str)}

    def lambdify(self, backend: str = "numpy") -> Function:
        """Compile the emitted source to a plain function, for optimisers and automatic differentiation.

        Parameters
        ----------
        backend
            ``numpy``, ``math``, ``jax`` or ``torch``.

        The backend ``math`` takes floats; ``numpy``, ``jax`` and ``torch`` take arrays. Results are doubles
        and may differ from :meth:`Compiled.at` in the last bits. They are meaningful only where the
        conditions hold; the attribute ``holds`` checks them.

        >>> import pamelaplus as pamela
        >>> f = pamela.Model("numeric parameter n\\nnumeric T = n ^ 2 + 1").simplify()["T"].lambdify("math")
        >>> f(3.0), f.holds(3.0)
        (10.0, True)
        """
        from ._backends import of_formula

        return of_formula(self, backend)

    def _repr_latex_(self) -> str:
        from ._display import equations_latex

        return equations_latex([self._formula])

    def _repr_html_(self) -> str:
        from ._display import equations_html

        return equations_html([self._formula])

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"text/plain": repr(self), "text/latex": self._repr_latex_(), "text/html": self._repr_html_()}

    def _key(self) -> Any:
        own = self._formula
        head = (own.name, own.formals, own.text, own.conditions, own.assumptions, own.approximations)
        return (*head, own.standing, own.compiled.units.get(own.name))

    def __reduce__(self) -> tuple[Any, ...]:
        data = self._formula.compiled.only([self.name]).dumps()
        return (_formula_again, (data, self.name, self._options, list(self.steps)))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        arguments = f"({', '.join(self.arguments)})" if self.arguments else ""
        domain = self._formula.domain(False)
        valid = f"  (valid for {', '.join(domain)})" if domain else ""
        return f"{self.name}{arguments} = {self.text}{valid}"


def _formula_again(data: bytes, name: str, options: dict[str, Any], steps: list[Step]) -> Formula:
    found = {formula.name: formula for formula in _pamela.Compiled.loads("a pickle", data).formulas}
    return Formula(found[name], options, steps)


class Simplified(Constant, Mapping[str, Formula]):
    """The closed forms of a model by name, in the order of the model.

    Text, LaTeX and HTML leave out the estimate ``T_L`` of a process ``L`` whose exact time ``time_L`` is known;
    it is still a key.

    >>> import pamelaplus as pamela
    >>> forms = pamela.Model("numeric parameter n\\nnumeric a = n + n\\nnumeric b = a * a").simplify()
    >>> list(forms), forms["b"].text
    (['a', 'b'], '4 * n^2')
    """

    __slots__ = ("_compiled", "_forms", "_kept", "_options")

    def __init__(
        self, inner: _pamela.Compiled, options: dict[str, Any] | None = None, kept: dict[str, Any] | None = None
    ) -> None:
        self._compiled = inner
        self._options = options
        # Of a pickle: what the compiled form does not keep.
        self._kept = kept or {}
        steps = self._kept.get("steps", {})
        self._forms = {own.name: Formula(own, options, steps.get(own.name)) for own in inner.formulas}

    def __getitem__(self, name: str) -> Formula:
        found = self._forms.get(name)
        if found is None:
            from ._options import no_key

            raise no_key("equation", name, self._forms)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._forms)

    def __len__(self) -> int:
        return len(self._forms)

    @property
    def text(self) -> str:
        """The result as a model, as ``pamela simplify`` prints it."""
        return self._kept_or("text")  # type: ignore[no-any-return]

    @property
    def latex(self) -> str:
        """LaTeX displays for a paper."""
        return self._kept_or("latex")  # type: ignore[no-any-return]

    @property
    def mathml(self) -> str:
        """The displays as MathML."""
        return self._kept_or("mathml")  # type: ignore[no-any-return]

    @property
    def json(self) -> str:
        """The output of ``pamela simplify --emit json``."""
        return self._kept_or("json")  # type: ignore[no-any-return]

    @property
    def failures(self) -> list[PamelaError]:
        """Errors of the equations that have no closed form."""
        return self._kept_or("failures")  # type: ignore[no-any-return]

    @property
    def caveats(self) -> list[str]:
        """Caveats beside the conditions, such as limits that were reached."""
        return self._compiled.caveats

    @property
    def is_closed(self) -> bool:
        """True if no loop is left."""
        return self._compiled.is_closed

    def emit(self, language: str) -> str:
        """Emit functions of all equations in another ``language``, like ``pamela simplify --emit``.

        >>> import pamelaplus as pamela
        >>> "def T(n)" in pamela.Model("numeric parameter n\\nnumeric T = n").simplify().emit(language="python")
        True
        """
        return self._compiled.emit(language)[0]

    def _kept_or(self, name: str) -> Any:
        return self._kept[name] if name in self._kept else getattr(self._compiled, name)

    def _key(self) -> Any:
        return [form._key() for form in self._forms.values()]

    def __reduce__(self) -> tuple[Any, ...]:
        kept = dict(self._kept)
        steps = {name: list(form.steps) for name, form in self._forms.items() if form.steps}
        if not kept and (steps or self.failures):
            kept = {name: self._kept_or(name) for name in ("text", "latex", "mathml", "json", "failures")}
        return (_simplified_again, (self._compiled.dumps(), self._options, {**kept, "steps": steps}))

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


def _simplified_again(data: bytes, options: dict[str, Any] | None, kept: dict[str, Any]) -> Simplified:
    return Simplified(_pamela.Compiled.loads("a pickle", data), options, kept)


def _run(source: str) -> dict[str, Any]:
    """Execute a source and return the names that it defines."""
    names: dict[str, Any] = {}
    exec(compile(source, "<pamela>", "exec"), names)
    return names


for _class in (Formula, Simplified):
    _class.__module__ = "pamelaplus"
del _class
