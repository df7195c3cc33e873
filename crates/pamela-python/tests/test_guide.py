"""What the guide and the README show is what comes out."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
HERE = Path(__file__).parent.parent


GUIDES = [HERE / "README.md", *(HERE.parent.parent / "docs" / "how-to" / name for name in ("python.md", "clusters.md"))]


@pytest.mark.parametrize("path", GUIDES, ids=lambda path: path.name)
def test_guide(path: Path) -> None:
    output: list[str] = []
    test = doctest.DocTestParser().get_doctest(path.read_text(), {}, path.name, str(path), 0)
    result = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=output.append)
    assert test.examples and not result.failed, "".join(output)
