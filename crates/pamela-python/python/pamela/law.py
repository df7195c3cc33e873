"""The laws of the language by name, as numbers: ``pamela.law.exponential(2)``, with its mean, is one with the mean 2.

>>> import pamela
>>> pamela.law.normal(0, 1).ppf(0.975)
1.959963984540054
"""

from __future__ import annotations

from ._law import Law
from ._pamela import named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def constant(value: float) -> Law:
    """A number as a law.

    >>> import pamela
    >>> pamela.law.constant(3).mean()
    3.0
    """
    return Law(named("constant", [float(value)]))


def __getattr__(name: str) -> Callable[..., Law]:
    if name.startswith("_"):
        raise AttributeError(name)

    def law(*arguments: float) -> Law:
        return Law(named(name, [float(x) for x in arguments]))

    law.__name__ = name
    law.__doc__ = f"The law `{name}` of the language."
    return law
