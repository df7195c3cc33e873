"""Pictures of compiled models."""

from __future__ import annotations

from . import _pamela
from ._errors import PamelaError
from ._model_parts import Parameter
from ._options import Naming, as_quantiles, check_options
from ._units import axis_values, plain_all

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from ._compiled import Compiled
    from ._picture import Picture

__all__ = ["Drawing"]


class Drawing:
    """Methods of :class:`Compiled` that draw."""

    __slots__ = ()

    _compiled: _pamela.Compiled

    @property
    def parameters(self) -> list[Parameter]:
        raise NotImplementedError

    @property
    def equations(self) -> list[str]:
        raise NotImplementedError

    def _own(self) -> Compiled:
        raise NotImplementedError

    def _names(self) -> list[str]:
        return [parts[0] for parts in self._compiled.parameters]

    def plot(
        self,
        /,
        *only: str,
        title: str = "",
        speedup: bool = False,
        efficiency: bool = False,
        base: float = 1,
        band: tuple[float, float] = (0.1, 0.9),
        scales: tuple[str | None, str | None] = (None, None),
        unit: str | None = None,
        heat: bool = False,
        density: bool = False,
        cdf: bool = False,
        tail: bool = False,
        **values: Any,
    ) -> Picture:
        """Draw curves of equations over one parameter; a second parameter gives one curve for each value.

        Without names, draw all equations, except the estimate ``T_L`` of a process whose exact time ``time_L``
        is known. With ``heat``, draw the first equation over two parameters. With ``density`` or ``cdf``, draw
        the laws at one point; with ``tail``, the probabilities of greater values on a logarithmic axis.

        Parameters
        ----------
        *only
            Equations to draw.
        title
            Title of the picture.
        speedup, efficiency, base
            Draw the value at ``base`` divided by each value, also divided by the parameter.
        band
            Probabilities of the quantiles that bound the band around the mean of a law.
        scales
            ``"log"``, ``"linear"`` or None for each axis.
        unit
            Unit of times.
        heat
            Draw one equation over two parameters.
        density, cdf, tail
            Draw laws at one point.
        **values
            Values of the parameters, as in :meth:`sweep`.

        >>> import pamelaplus as pamela
        >>> fast = pamela.Model("numeric parameter P : integer >= 1\\nnumeric T = 100 / P + P").compile()
        >>> fast.plot(P="1:32", speedup=True)._repr_svg_()[:4]
        '<svg'
        """
        from ._picture import Picture

        names = list(only) or self._compiled.shown
        chosen = self._compiled.only(names) if names != self.equations else self._compiled
        options = {"title": title != "", "speedup": speedup, "efficiency": efficiency, "base": base != 1, "heat": heat}
        options |= {"unit": unit is not None, "density": density, "cdf": cdf, "tail": tail}
        check_options(self.parameters, values, **options)
        with Naming(values, self._names(), (*options, "only", "band", "scales")):
            if density or cdf or tail:
                return Picture(("laws", chosen, plain_all(self._compiled, values), cdf, tail, title))
            given = [(name, axis_values(self._compiled, name, value)) for name, value in values.items()]
            relative = (float(base), efficiency) if speedup or efficiency else None
            ends = as_quantiles(band)
            if len(ends) != 2 or not ends[0] < ends[1]:
                raise PamelaError(f"a band goes from a probability to a larger one, and {band!r} does not")
            if isinstance(scales, str) or len(scales) != 2:
                raise PamelaError(f'there are two scales, such as ("log", "linear"), and not {scales!r}')
            wish = {
                "title": title,
                "relative": relative,
                "band": tuple(ends),
                "scales": tuple(scales),
                "unit": unit,
                "heat": heat,
            }
            return Picture(("curves", chosen, given, wish))

    def explore(self, /, *only: str, speedup: bool = False, efficiency: bool = False, base: float = 1, **values: Any) -> Any:
        """Show a curve with sliders in a notebook.

        Parameters are given as two ends. The first one is the horizontal axis; each other one has a slider.
        The kernel computes the values; without a kernel the notebook shows a figure. Needs
        ``pamelaplus[notebook]``.

        Parameters
        ----------
        *only
            Equations to draw.
        speedup, efficiency, base
            As in :meth:`plot`.
        **values
            For each parameter a number, or two ends.

        >>> import pamelaplus as pamela
        >>> fast = pamela.Model("numeric parameter P : integer >= 1\\nnumeric parameter w\\nnumeric T = w / P + P").compile()
        >>> widget = fast.explore(P=(1, 64), w=(10.0, 1000.0))
        >>> widget.values
        {'w': 505.0}
        """
        from ._explore import explorer

        return explorer(self._own(), only, values, {"speedup": speedup, "efficiency": efficiency, "base": base})
