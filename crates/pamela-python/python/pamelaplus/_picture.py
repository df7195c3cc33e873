"""Pictures."""

from __future__ import annotations

import os

from . import _pamela
from ._errors import PamelaError
from ._options import Wish
from ._same import Constant

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["Picture"]


class Picture(Constant):
    """A picture; a notebook shows it as SVG, and :meth:`plot` draws it with Matplotlib.

    >>> import pamelaplus as pamela
    >>> fast = pamela.Model("numeric parameter P\\nnumeric T = 100 / P").compile()
    >>> fast.plot(P="1:16").svg[:4]
    '<svg'
    """

    __slots__ = ("_origin", "_picture")

    def __init__(self, origin: tuple[Any, ...]) -> None:
        # A kind, the compiled forms, and arguments: a pickle draws again.
        kind, compiled, *arguments = origin
        self._origin = origin
        if kind == "laws":
            self._picture = _pamela.Picture.laws(compiled, *arguments)
        else:
            given, wish = arguments
            self._picture = _pamela.Picture.curves(compiled, given, Wish(**wish))

    @property
    def svg(self) -> str:
        """The picture as SVG."""
        return self._picture.svg

    @property
    def png(self) -> bytes:
        """The picture as PNG."""
        return self._picture.png

    @property
    def pdf(self) -> bytes:
        """The picture as PDF."""
        return self._picture.pdf

    @property
    def vega_lite(self) -> dict[str, Any]:
        """The picture for Vega-Lite; ``altair.Chart.from_dict`` opens it."""
        import json

        return json.loads(self._picture.vega_lite)  # type: ignore[no-any-return]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the picture to a file; the name decides: .svg, .pdf, .png, or .json for Vega-Lite.

        Parameters
        ----------
        path
            Name of the file.

        >>> import pamelaplus as pamela
        >>> pamela.Model("numeric parameter P\\nnumeric T = P").compile().plot(P="1:9").save("picture.txt")
        Traceback (most recent call last):
            ...
        pamelaplus.PamelaError: no picture is written to `picture.txt`: there are .svg, .pdf, .png and .json
        """
        path = os.fspath(path)
        ending = os.path.splitext(path)[1].lower()
        if ending == ".svg":
            content = self.svg.encode()
        elif ending == ".pdf":
            content = self.pdf
        elif ending == ".png":
            content = self.png
        elif ending == ".json":
            content = self._picture.vega_lite.encode()
        else:
            raise PamelaError(f"no picture is written to `{path}`: there are .svg, .pdf, .png and .json")
        with open(path, "wb") as file:
            file.write(content)

    def plot(self, ax: Any = None, **style: Any) -> Any:
        """Draw the picture with Matplotlib and return the axes.

        Parameters
        ----------
        ax
            Axes to draw on; a new figure without them.
        **style
            Options of ``Axes.plot``, such as ``color``, for all curves.

        >>> import pamelaplus as pamela
        >>> fast = pamela.Model("numeric parameter P\\nnumeric T = 100 / P").compile()
        >>> ax = fast.plot(P="1:16").plot(color="black")
        >>> ax.get_xlabel(), len(ax.lines)
        ('P', 1)
        """
        from ._axes import draw

        return draw(self.vega_lite, ax, style)

    def _key(self) -> Any:
        return self.svg

    def __reduce__(self) -> tuple[Any, ...]:
        kind, compiled, *arguments = self._origin
        return (_picture_again, (kind, compiled.dumps(), *arguments))

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        """The picture as text, for terminals."""
        return self._picture.text(100, 30)


def _picture_again(kind: str, data: bytes, *arguments: Any) -> Picture:
    return Picture((kind, _pamela.Compiled.loads("a pickle", data), *arguments))


Picture.__module__ = "pamelaplus"
