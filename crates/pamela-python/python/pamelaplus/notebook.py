"""The cell magic ``%%pamela name``: a notebook cell is a model. ``%load_ext pamelaplus`` registers it."""

from __future__ import annotations

import sys

from ._errors import PamelaError
from ._model import Model

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def load_ipython_extension(shell: Any) -> None:
    """Called by ``%load_ext pamelaplus``."""

    def cell(line: str, text: str) -> Model | None:
        name = line.strip()
        if not name.isidentifier():
            print(f"%%pamela takes the name of a variable, and {name!r} is none", file=sys.stderr)
            return None
        try:
            model = Model(text, name=name)
        except PamelaError as error:
            print(error, file=sys.stderr)
            return None
        shell.user_ns[name] = model
        return model

    shell.register_magic_function(cell, "cell", "pamela")
