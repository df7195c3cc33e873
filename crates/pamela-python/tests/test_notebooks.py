"""Notebooks run from their first cell to their last, and the sliders of one move its curve."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import pamela

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
    assert "image/svg+xml" in bundle


def test_what_has_no_ends_is_told(compiled: pamela.Compiled) -> None:
    pytest.importorskip("anywidget")
    with pytest.raises(pamela.PamelaError, match="two ends"):
        compiled.explore("T", P="1:9", w=1, c=1)
    with pytest.raises(pamela.PamelaError, match="a larger one"):
        compiled.explore("T", P=(9, 1), w=1, c=1)
