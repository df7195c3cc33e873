"""Emitted sources as functions of other libraries."""

from __future__ import annotations

from ._errors import PamelaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from . import _pamela

BACKENDS = ("numpy", "math", "jax", "torch")


def function(formula: _pamela.Formula, backend: str) -> Callable[..., Any]:
    """The function of the value, with that of its conditions as ``holds``."""
    if backend not in BACKENDS:
        raise PamelaError(f"there is no backend {backend!r}; there are {', '.join(BACKENDS)}")
    source, name, holds, _ = formula.emit("python" if backend == "math" else "numpy")
    names: dict[str, Any] = {}
    exec(compile(source, f"<pamela {formula.name}>", "exec"), names)
    if backend == "jax":
        import jax.numpy

        names["np"] = jax.numpy
    elif backend == "torch":
        names["np"] = _Torch()
    value = names[name]
    value.holds = names[holds]
    value.__doc__ = f"{formula.name} = {formula.text}"
    return value  # type: ignore[no-any-return]


class _Torch:
    """What the emitted source asks of NumPy, of PyTorch."""

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
