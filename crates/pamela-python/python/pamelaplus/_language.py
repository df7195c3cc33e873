"""Python values as texts of the language."""

from __future__ import annotations

from . import _pamela
from ._errors import PamelaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

__all__ = ["language"]


def language(name: str, value: Any) -> str:
    """Write a value in the language; a float becomes the decimal that it prints as."""
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return repr(float(value))
    text = law_text(value)
    if text is not None:
        return text
    if hasattr(value, "__iter__"):
        from ._arrays import doubles, is_one

        if not is_one(value):
            # Samples of a random time.
            samples = doubles(name, value).reshape(-1).tolist()
            return f"empirical({', '.join(map(repr, samples))})"
    return _pamela.number(name, value)


def law_text(value: Any) -> str | None:
    """Write a law of this package or a frozen one of SciPy; ``None`` for other objects."""
    from ._law import Law

    if isinstance(value, Law):
        return value.text
    if hasattr(value, "dist") and hasattr(value, "kwds") and hasattr(value.dist, "_parse_args"):
        return _of_scipy(value)
    return None


def _plain(name: str) -> Callable[..., str]:
    """A law that only has shapes, which are those of SciPy."""
    return lambda *shapes: f"{name}({', '.join(map(_number, shapes))})"


#: The laws of SciPy at location 0 and scale 1, by name.
_STANDARD: dict[str, Callable[..., str]] = {
    "bernoulli": _plain("bernoulli"),
    "beta": _plain("beta"),
    "binom": _plain("binomial"),
    "expon": lambda: "exponential(1)",
    "geom": _plain("geometric"),
    "norm": lambda: "normal(0, 1)",
    "poisson": _plain("poisson"),
    "uniform": lambda: "uniform(0, 1)",
}
#: Those that the language gives a scale.
_SCALED: dict[str, Callable[..., str]] = {
    "erlang": lambda scale, k: f"erlang({_number(k)}, {_number(k)} * {scale})",
    "expon": lambda scale: f"exponential({scale})",
    "gamma": lambda scale, a: f"gamma({_number(a)}, {scale})",
    "lognorm": lambda scale, s: f"lognormal(ln({scale}), {_number(s)})",
    "pareto": lambda scale, b: f"pareto({_number(b)}, {scale})",
    "rayleigh": lambda scale: f"rayleigh({scale})",
    "weibull_min": lambda scale, c: f"weibull({_number(c)}, {scale})",
}


def _number(value: Any) -> str:
    return _pamela.number("a shape", float(value) if not hasattr(value, "__index__") else value)


def _of_scipy(frozen: Any) -> str:
    shapes, location, scale = frozen.dist._parse_args(*frozen.args, **frozen.kwds)
    name = frozen.dist.name
    own = _number(scale)
    if name in _SCALED:
        text = _SCALED[name](own, *shapes)
    elif name in _STANDARD:
        text = _STANDARD[name](*shapes)
        text = text if scale == 1 else f"{own} * {text}"
    else:
        known = ", ".join(sorted({*_SCALED, *_STANDARD}))
        raise PamelaError(
            f"the language has no law like `{name}` of SciPy; it has {known}. Samples stand for any law: law.rvs(1000)"
        )
    return text if location == 0 else f"({text} + {_number(location)})"
