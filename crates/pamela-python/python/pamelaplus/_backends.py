"""Compile emitted sources into functions of other libraries."""

from __future__ import annotations

from ._errors import PamelaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from . import _pamela

BACKENDS = ("numpy", "math", "jax", "torch")


def function(formula: _pamela.Formula, backend: str) -> Callable[..., Any]:
    """Return the function of the value; its attribute ``holds`` checks the conditions."""
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
    value.holds = applies
    value.__doc__ = f"{formula.name} = {formula.text}"
    return value  # type: ignore[no-any-return]


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
