"""Compile emitted sources into functions of other libraries."""

from __future__ import annotations

from functools import partial

from ._errors import PamelaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from . import _pamela
    from ._formula import Formula

BACKENDS = ("numpy", "math", "jax", "torch")


class Function(partial):  # type: ignore[type-arg]
    """The function of :meth:`Formula.lambdify`, which pickles."""

    holds: Callable[..., Any]
    """A function of the same arguments: whether the conditions of the formula hold."""
    formula: Formula
    """The formula."""
    backend: str
    """Name of the library."""

    def __reduce__(self) -> tuple[Any, ...]:
        return (of_formula, (self.formula, self.backend))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Function) and (self.formula, self.backend) == (other.formula, other.backend)

    def __hash__(self) -> int:
        return hash((self.formula, self.backend))

    def __repr__(self) -> str:
        return f"<function {self.formula} for {self.backend}>"


def of_formula(formula: Formula, backend: str) -> Function:
    """Return the function of the value; its attribute ``holds`` checks the conditions."""
    value, holds = functions(formula._formula, backend)
    found = Function(value)
    found.holds, found.formula, found.backend = holds, formula, backend
    found.__doc__ = f"{formula.name} = {formula.text}"
    return found


def functions(formula: _pamela.Formula, backend: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """Return the function of the value, and that of the conditions."""
    if backend not in BACKENDS:
        raise PamelaError(f"there is no backend {backend!r}; there are {', '.join(BACKENDS)}")
    source, name, holds, parameters = formula.emit("python" if backend == "math" else "numpy")
    names: dict[str, Any] = {}
    exec(compile(source, f"<pamela {formula.name}>", "exec"), names)
    if backend == "jax":
        import jax.numpy

        names["np"] = jax.numpy
    elif backend == "torch":
        names["np"] = _Torch()
    value, applies = names[name], names[holds]
    scales = {own: formula.scale(own) for own in parameters}
    result = formula.scale(formula.name)
    if result != 1 or any(scale != 1 for scale in scales.values()):
        value, applies = _in_units(value, scales, result), _in_units(applies, scales, 1)
    return value, applies


def _in_units(function: Callable[..., Any], scales: dict[str, float], result: float) -> Any:
    """Convert a function of base units into one of the model's units."""

    def converted(*positional: Any, **named: Any) -> Any:
        given = zip(positional, scales.values(), strict=False)
        found = function(
            *(value * scale if scale != 1 else value for value, scale in given),
            *positional[len(scales) :],
            **{name: value * scales.get(name, 1) for name, value in named.items()},
        )
        return found / result if result != 1 else found

    converted.__name__ = function.__name__
    return converted


class _Torch:
    """The part of NumPy that emitted sources use, on PyTorch."""

    def __getattr__(self, name: str) -> Any:
        import torch

        if name == "asarray":
            return lambda value, dtype=None: torch.as_tensor(value, dtype=torch.float64)
        if name == "errstate":
            import contextlib

            return lambda **_: contextlib.nullcontext()
        found = getattr(torch, name)
        if not callable(found) or isinstance(found, type):
            return found

        def called(*arguments: Any, **words: Any) -> Any:
            def tensor(value: Any) -> Any:
                return torch.as_tensor(value) if isinstance(value, (int, float, bool)) else value

            return found(*map(tensor, arguments), **words)

        return called
