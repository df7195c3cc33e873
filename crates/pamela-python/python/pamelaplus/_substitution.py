"""Values in place of parameters of a formula, and its derivatives."""

from __future__ import annotations

from . import _pamela
from ._errors import PamelaError
from ._formula import Formula

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def _named(compiled: _pamela.Compiled, name: str, options: dict[str, Any]) -> Formula:
    for formula in compiled.formulas:
        if formula.name == name:
            return Formula(formula, options)
    for failure in compiled.failures:
        raise failure
    raise PamelaError(f"`{name}` has no closed form with these values")


def pairs(values: tuple[Any, ...]) -> dict[str, Any]:
    """The values by name, as SymPy takes them: a dict, pairs, or a name and its value."""
    given: Any = values[0] if len(values) == 1 else [values] if values else []
    try:
        return {str(name): value for name, value in (given.items() if hasattr(given, "items") else given)}
    except (TypeError, ValueError):
        raise TypeError("values are a dict, a list of pairs, or a name and its value: subs({'n': 2}), subs('n', 2)") from None


def substituted(form: Formula, values: Mapping[str, Any]) -> Formula:
    """Implements :meth:`Formula.subs`."""
    from ._language import language
    from ._options import check_names
    from ._units import plain

    model = form._formula.compiled.model
    own = [parts[0] for parts in model.parameters]
    check_names(values, own)
    options = dict(form._options)
    slope = form._formula.derivative_of
    options["sensitivity"] = [slope[1]] if slope else []
    if slope and slope[1] in values:
        raise PamelaError(f"`{form.name}` is a derivative by `{slope[1]}`: substitute into form.to_sympy()")
    texts = {}
    for name, value in values.items():
        # A symbol of SymPy, or an expression, is a text of the language.
        value = value.text if isinstance(value, Formula) else plain(model, name, value)
        texts[name] = str(value) if hasattr(value, "free_symbols") else language(name, value)
    for name in dict.fromkeys(new for text in texts.values() for new in _pamela.names_of(text)):
        if name in texts:
            raise PamelaError(f"a value mentions `{name}`, which is replaced itself: use another name")
        if name not in own and name not in model.equations:
            model = model.with_parameter(name)
    model = model.define(list(texts.items()))
    return _named(model.compile(options), form.name, options)


def derivative(form: Formula, parameter: str, order: int) -> Formula:
    """Implements :meth:`Formula.diff`."""
    from ._options import as_whole, check_names

    if as_whole("order", order, 1, 2**31) > 1 or form._formula.derivative_of:
        raise PamelaError("derivatives of derivatives are those of SymPy: form.to_sympy().diff(..)")
    if form.sort != "number":
        raise PamelaError(f"`{form.name}` is a {form.sort}: a number has a derivative")
    model = form._formula.compiled.model
    check_names([parameter], [parts[0] for parts in model.parameters])
    options = {**form._options, "sensitivity": [parameter]}
    compiled = model.compile(options)
    for formula in compiled.formulas:
        if formula.derivative_of == (form.name, parameter):
            return Formula(formula, options)
    for failure in compiled.failures:
        raise failure
    raise PamelaError(f"`{form.name}` has no derivative by `{parameter}`")
