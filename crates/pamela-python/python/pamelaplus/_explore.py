"""Sliders beside a curve, for notebooks."""

from __future__ import annotations

from . import _pamela
from ._compiled import Compiled
from ._errors import PamelaError
from ._page import Page
from ._units import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    import os
    from collections.abc import Mapping
    from typing import Any

__all__ = ["explorer"]

#: Number of positions of a slider over real numbers.
_STEPS = 200

_PAGE = """
function render({ model, el }) {
  const picture = document.createElement("div");
  const note = document.createElement("div");
  const show = () => {
    picture.innerHTML = model.get("svg");
    note.textContent = model.get("note");
  };
  for (const slider of model.get("sliders")) {
    const row = document.createElement("label");
    row.style.display = "flex";
    row.style.gap = "0.5em";
    const input = document.createElement("input");
    Object.assign(input, { type: "range", min: slider.least, max: slider.greatest, step: slider.step });
    input.value = model.get("values")[slider.name];
    input.style.flex = "1";
    const value = document.createElement("output");
    value.textContent = input.value;
    input.addEventListener("input", () => {
      value.textContent = input.value;
      model.set("values", { ...model.get("values"), [slider.name]: Number(input.value) });
      model.save_changes();
    });
    row.append(slider.name, input, value);
    el.append(row);
  }
  model.on("change:svg", show);
  model.on("change:note", show);
  el.append(picture, note);
  show();
}
export default { render };
"""


def _slider(compiled: Compiled, name: str, ends: tuple[Any, Any]) -> dict[str, Any]:
    """Positions of a slider: whole numbers if the ends are whole or the parameter is."""
    ends = tuple(plain(compiled._compiled, name, end) for end in ends)
    try:
        least, greatest = float(ends[0]), float(ends[1])
    except (TypeError, ValueError):
        raise TypeError(f"`{name}` goes from {ends[0]!r} to {ends[1]!r}: numbers are expected") from None
    if not (least < greatest and greatest - least < float("inf")):
        raise PamelaError(f"`{name}` goes from a number to a larger one, and ({ends[0]}, {ends[1]}) does not")
    known = {parameter.name: parameter.whole for parameter in compiled.parameters}
    whole = known.get(name, False) or all(isinstance(end, int) for end in ends)
    step = 1.0 if whole else (greatest - least) / _STEPS
    middle = least + step * round((greatest - least) / step / 2)
    return {"name": name, "least": least, "greatest": greatest, "step": step, "start": middle}


def _along(slider: Mapping[str, Any]) -> str:
    """All positions of a slider, as a range of the language."""
    return f"{slider['least']!r}:{slider['step']!r}:{slider['greatest']!r}"


def explorer(compiled: Compiled, only: tuple[str, ...], values: Mapping[str, Any], options: Mapping[str, Any]) -> Any:
    """Build the widget of :meth:`Compiled.explore`."""
    try:
        import anywidget
        import traitlets
    except ImportError:
        raise PamelaError("sliders need anywidget: pip install pamelaplus[notebook]") from None

    ranges = {name: value for name, value in values.items() if isinstance(value, tuple) and len(value) == 2}
    if not ranges:
        raise PamelaError("a parameter is given two ends, for example P=(1, 256): the first one is the axis, others have sliders")
    axis, *others = ranges
    constants = {name: value for name, value in values.items() if name not in ranges}
    own = _slider(compiled, axis, ranges[axis])
    # Enough points for a smooth curve.
    step = max(own["step"], (own["greatest"] - own["least"]) / _STEPS)
    step = float(round(step)) if own["step"] == 1.0 else step
    along = _along({**own, "step": step})
    sliders = [_slider(compiled, name, ranges[name]) for name in others]

    def svg(places: Mapping[str, float]) -> str:
        given: dict[str, Any] = {**options, axis: along, **constants, **places}
        return compiled.plot(*only, **given).svg

    class Explorer(anywidget.AnyWidget):  # type: ignore[misc, unused-ignore]
        _esm = _PAGE
        svg = traitlets.Unicode("").tag(sync=True)
        note = traitlets.Unicode("").tag(sync=True)
        sliders: Any = traitlets.List().tag(sync=True)
        values: Any = traitlets.Dict().tag(sync=True)

        def _repr_mimebundle_(self, **asked: Any) -> Any:
            found = super()._repr_mimebundle_(**asked)
            bundle = found[0] if isinstance(found, tuple) else found
            if bundle is not None:
                # A page without a kernel computes by itself, and what shows no pages has the figure.
                bundle["text/html"] = self.page()._repr_html_()
                bundle["image/svg+xml"] = self.svg
            return found

        def page(self) -> Page:
            """The same sliders as a page that needs no kernel."""
            inner = compiled.only(*only)._compiled if only else compiled._compiled
            model = compiled._compiled.model
            given = [(axis, along), *constants.items(), *((own["name"], _along(own)) for own in sliders)]
            return Page(_pamela.report(inner, model.text, model.name, given, None))

        def save(self, path: str | os.PathLike[str]) -> None:
            """Write :meth:`page` to a file."""
            self.page().save(path)

    places = {slider["name"]: slider["start"] for slider in sliders}
    widget = Explorer(sliders=sliders, values=places, svg=svg(places))

    def follow(change: Any) -> None:
        try:
            widget.svg, widget.note = svg(change["new"]), ""
        except PamelaError as error:
            widget.note = str(error)

    widget.observe(follow, names="values")
    return widget
