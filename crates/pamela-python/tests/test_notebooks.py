"""Notebooks run from their first cell to their last, and the sliders of one move its curve."""

from __future__ import annotations

import html
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import pamelaplus as pamela

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path, tmp_path: Path) -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    nbclient.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert cells and all(cell.execution_count for cell in cells)
    shown = [output.get("data", {}) for cell in cells for output in cell.outputs]
    if path.stem == "speedup":
        assert sum("image/svg+xml" in data for data in shown) >= 2 and any("text/latex" in data for data in shown)


@pytest.fixture
def compiled() -> pamela.Compiled:
    text = "numeric parameter P : integer >= 1\nnumeric parameter w : >= 0\nnumeric parameter c : >= 0\nnumeric T = w / P + c * P"
    return pamela.Model(text).compile()


def test_the_curve_follows_its_sliders(compiled: pamela.Compiled) -> None:
    pytest.importorskip("anywidget")
    widget = compiled.explore("T", P=(1, 64), w=(10.0, 1000.0), c=(1, 9))
    assert widget.values == {"w": 505.0, "c": 5.0}
    assert [slider["step"] for slider in widget.sliders] == [4.95, 1.0]
    before = widget.svg
    assert before == compiled.plot("T", P="1:64", w=505, c=5).svg
    widget.values = {"w": 100.0, "c": 2.0}
    assert widget.svg != before and widget.svg == compiled.plot("T", P="1:64", w=100, c=2).svg
    widget.values = {"w": -1.0, "c": 2.0}
    assert widget.svg
    shown: Any = widget._repr_mimebundle_()
    bundle = shown[0] if isinstance(shown, tuple) else shown
    assert "image/svg+xml" in bundle and "<iframe" in bundle["text/html"]


def test_sliders_without_a_kernel(compiled: pamela.Compiled, tmp_path: Path) -> None:
    pytest.importorskip("anywidget")
    widget = compiled.explore("T", P=(1, 64), w=(10.0, 1000.0), c=2)
    widget.save(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert text == widget.page().html and text.count('type="range"') >= 2 and "src=" not in text.replace("srcdoc=", "")


PAGE = """<!doctype html><meta charset="utf-8"><div id="cell"></div><pre id="found"></pre><script type="module">
const { first, second, source } = JSON.parse(document.getElementById("data").textContent);
const heard = {}, found = { saved: 0 };
const model = {
  get: name => first[name],
  set: (name, value) => { first[name] = value; (heard["change:" + name] ?? []).forEach(call => call()); },
  save_changes: () => found.saved++,
  on: (name, call) => (heard[name] ??= []).push(call),
};
const { default: widget } = await import("data:text/javascript;charset=utf-8," + encodeURIComponent(source));
const cell = document.getElementById("cell");
widget.render({ model, el: cell });
const paths = () => [...cell.querySelectorAll("svg path, svg polyline")].map(path => path.outerHTML);
found.sliders = [...cell.querySelectorAll("input")].map(s => [s.min, s.max, s.step, s.value].map(Number));
found.before = paths();
const slider = cell.querySelector("input");
slider.value = slider.max;
slider.dispatchEvent(new Event("input"));
found.values = first.values;
found.shown = cell.querySelector("output").textContent;
model.set("svg", second);
model.set("note", "a note");
found.after = paths();
found.text = cell.textContent;
document.getElementById("found").textContent = JSON.stringify(found);
</script>"""


def test_a_browser_moves_the_sliders(compiled: pamela.Compiled, tmp_path: Path) -> None:
    pytest.importorskip("anywidget")
    browser = next((path for name in ("chromium", "chromium-browser", "google-chrome") if (path := shutil.which(name))), None)
    if browser is None:
        pytest.skip("no Chromium")
    widget = compiled.explore("T", P=(1, 64), w=(10.0, 1000.0), c=(1, 9))
    first = {name: getattr(widget, name) for name in ("svg", "note", "sliders", "values")}
    widget.values = {**widget.values, "w": 1000.0}
    data = json.dumps({"first": first, "second": widget.svg, "source": str(widget._esm)}).replace("<", "\\u003c")
    page = tmp_path / "page.html"
    page.write_text(PAGE.replace("<pre", f'<script type="application/json" id="data">{data}</script><pre', 1), encoding="utf-8")
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000", "--dump-dom", page.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    text = done.stdout.partition('<pre id="found">')[2].partition("</pre>")[0]
    assert text, done.stderr
    found = json.loads(html.unescape(text))
    assert found["sliders"] == [[10, 1000, 4.95, 505], [1, 9, 1, 5]]
    assert found["values"] == widget.values and found["saved"] == 1 and found["shown"] == "1000"
    assert found["before"] and found["after"] and found["before"] != found["after"]
    assert found["text"].endswith("a note")


def test_what_has_no_ends_is_told(compiled: pamela.Compiled) -> None:
    pytest.importorskip("anywidget")
    with pytest.raises(pamela.PamelaError, match="two ends"):
        compiled.explore("T", P="1:9", w=1, c=1)
    with pytest.raises(pamela.PamelaError, match="a larger one"):
        compiled.explore("T", P=(9, 1), w=1, c=1)
    for ends in ((1, float("inf")), (float("nan"), 1), ("a", "b"), (None, 3)):
        with pytest.raises((pamela.PamelaError, TypeError), match="`P`"):
            compiled.explore("T", P=ends, w=1, c=1)
