"""Pictures on axes of Matplotlib."""

from __future__ import annotations

from ._errors import PamelaError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def draw(chart: dict[str, Any], ax: Any, style: dict[str, Any]) -> Any:
    """Draw a chart of Vega-Lite, of those that :class:`Picture` makes."""
    if ax is None:
        try:
            from matplotlib import pyplot
        except ImportError:
            raise PamelaError("axes need Matplotlib: pip install pamelaplus[notebook]") from None

        ax = pyplot.figure().add_subplot()
    if chart["title"]:
        ax.set_title(chart["title"])
    if "layer" not in chart:
        _heat(chart, ax, style)
        return ax
    colors: dict[str, Any] = {}
    for layer in chart["layer"]:
        _layer(layer, ax, style, colors)
    if len(ax.lines) > 1 and any(name for name in colors):
        ax.legend()
    return ax


def _layer(layer: dict[str, Any], ax: Any, style: dict[str, Any], colors: dict[str, Any]) -> None:
    """Draw the curves, bands or points of one layer."""
    series: dict[str, list[dict[str, float]]] = {}
    for row in layer["data"]["values"]:
        series.setdefault(row.get("series", ""), []).append(row)
    kind = layer["mark"]["type"]
    for name, rows in series.items():
        x = [row["x"] for row in rows]
        if kind == "area":
            band = ax.fill_between(x, [row["low"] for row in rows], [row["high"] for row in rows], alpha=0.2, label=f"_{name}")
            colors.setdefault(name, band.get_facecolor()[0][:3])
            continue
        own = {"label": name, **({"color": colors[name]} if name in colors else {}), **style}
        if kind == "point":
            own = {"marker": "o", "linestyle": "", **own}
        (line,) = ax.plot(x, [row.get("y") for row in rows], **own)
        colors.setdefault(name, line.get_color())
    for axis in ("x", "y"):
        about = layer["encoding"][axis]
        if about.get("title"):
            getattr(ax, f"set_{axis}label")(about["title"])
        if about.get("scale", {}).get("type") == "log":
            getattr(ax, f"set_{axis}scale")("log")


def _heat(chart: dict[str, Any], ax: Any, style: dict[str, Any]) -> None:
    import numpy as np

    rows = chart["data"]["values"]
    x, y = (sorted({row[axis] for row in rows}) for axis in ("x", "y"))
    values = np.full((len(y), len(x)), np.nan)
    places = [{value: place for place, value in enumerate(axis)} for axis in (x, y)]
    for row in rows:
        value = row.get("value")
        values[places[1][row["y"]], places[0][row["x"]]] = np.nan if value is None else value
    mesh = ax.pcolormesh(x, y, values, shading="nearest", **style)
    ax.figure.colorbar(mesh, ax=ax, label=chart["encoding"]["color"]["title"])
    for axis in ("x", "y"):
        getattr(ax, f"set_{axis}label")(chart["encoding"][axis]["title"])
