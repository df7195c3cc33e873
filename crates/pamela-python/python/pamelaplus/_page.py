"""Pages about models."""

from __future__ import annotations

import html
import os

from ._same import Same

__all__ = ["Page"]


class Page(Same):
    """A page about a model, with sliders for its parameters. It needs no network; a notebook shows it.

    >>> import pamelaplus as pamela
    >>> page = pamela.Model("numeric parameter n : integer >= 1\\nnumeric T = n ^ 2").report(n="1:9")
    >>> page.html[:15]
    '<!DOCTYPE html>'
    """

    __slots__ = ("html",)

    html: str
    """All of it."""

    def __init__(self, text: str) -> None:
        self.html = text

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file for a browser.

        >>> import pamelaplus as pamela, pathlib, tempfile
        >>> page = pamela.Model("numeric parameter n\\nnumeric T = n").report(n=1)
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     page.save(pathlib.Path(directory, "page.html"))
        ...     pathlib.Path(directory, "page.html").read_text(encoding="utf-8") == page.html
        True
        """
        with open(path, "w", encoding="utf-8", newline="\n") as file:
            file.write(self.html)

    def _key(self) -> str:
        return self.html

    def _repr_html_(self) -> str:
        # The frame isolates its styles and names.
        return f'<iframe srcdoc="{html.escape(self.html)}" style="width: 100%; height: 45em; border: 0"></iframe>'

    def __repr__(self) -> str:
        return f"<Page of {len(self.html)} characters>"


Page.__module__ = "pamelaplus"
