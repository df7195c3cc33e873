"""Errors and their locations."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

__all__ = ["Diagnostic", "PamelaError", "Unfinished"]


#: Keywords for options of the command line that have other names here.
_KEYWORDS = {
    "cc": "compiler",
    "for": "within",
    "map": "names",
    "param": "keep",
    "x-scale": "scales",
    "y-scale": "scales",
}


def in_python(text: str) -> str:
    """Write options of the command line as keywords: ``--effort high`` as ``effort="high"``."""
    if "--" not in text and "`pamela " not in text:
        return text
    import re

    def keyword(found: Any) -> str:
        option: str = found[1]
        name = _KEYWORDS.get(option, option.replace("-", "_"))
        value: str = found[2] or ""
        own = value.rstrip(".,;:")
        of, _, given = own.partition("=")
        shown = f'"{own}"'
        if name == "over":
            shown = f'{{"{of}": "{given}"}}'
        elif name == "within":
            shown = f"({given.replace(':', ', ')})"
        return f"{name}={shown}{value[len(own) :]}" if own else name + value

    words = "and|for|in|or|to|with"
    pattern = rf"(?<![\w-])--([a-z][a-z-]+)(?: (?:'(?=[^']*'))?(?!(?:{words})\b)([^\s`')]+)'?)?"
    # Commands that are quoted whole, and lines of a model, stay.
    lines = [line if re.search(r"`pamela \w+ | \| ", line) else re.sub(pattern, keyword, line) for line in text.split("\n")]
    return re.sub(r"`pamela (\w+)`", r"`\1()`", "\n".join(lines))


class Diagnostic:
    """One error or warning about a model, with its location in the text.

    >>> import pamelaplus as pamela
    >>> try:
    ...     pamela.Model("numeric T = 2 * n")
    ... except pamela.PamelaError as error:
    ...     found = error.diagnostics[0]
    >>> found.line, found.column, found.span
    (1, 17, (16, 17))
    """

    __slots__ = ("message", "file", "span", "line", "column", "label", "hint", "severity")

    message: str
    """What is wrong."""
    file: str | None
    """Name of the file or of the model; ``None`` for an error without a location."""
    span: tuple[int, int] | None
    """Location in the text of the file: index of the first character, and index after the last one, from 0."""
    line: int | None
    """Line number, from 1."""
    column: int | None
    """Column in characters, from 1."""
    label: str | None
    """What was found or expected at this location."""
    hint: str | None
    """Advice on how to correct the error."""
    severity: str
    """``"error"``, ``"warning"``, or ``"unsupported"`` (the model is correct, but `pamela` does not support the request)."""

    def __init__(
        self,
        message: str,
        file: str | None = None,
        span: tuple[int, int] | None = None,
        line: int | None = None,
        column: int | None = None,
        label: str | None = None,
        hint: str | None = None,
        severity: str = "error",
    ) -> None:
        self.message = message
        self.file = file
        self.span = span
        self.line = line
        self.column = column
        self.label = label
        self.hint = hint
        self.severity = severity

    def _parts(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self.__slots__)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Diagnostic, self._parts())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Diagnostic) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def __repr__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        return f"<{self.severity}: {place}{self.message}>"


class PamelaError(ValueError):
    """An error in a model, or in a request about a model. The text is what the command line prints.

    >>> import pamelaplus as pamela
    >>> pamela.Model("process main = delay(t)")
    Traceback (most recent call last):
        ...
    pamelaplus.PamelaError: error: `t` is not defined
    ...
    """

    diagnostics: list[Diagnostic]
    """All errors and warnings, each with its location."""

    def __init__(self, text: str, diagnostics: Iterable[Diagnostic] = ()) -> None:
        super().__init__(text)
        self.diagnostics = list(diagnostics) or [Diagnostic(text)]

    @classmethod
    def _of(cls, text: str, parts: Sequence[Any]) -> PamelaError:
        own: list[list[Any]] = [[in_python(one) if isinstance(one, str) else one for one in part] for part in parts]
        return cls(in_python(text), [Diagnostic(*part) for part in own])

    def __reduce__(self) -> tuple[Any, ...]:
        return (PamelaError, (str(self), self.diagnostics))


class Unfinished(UserWarning):
    """A result exists but is incomplete: a loop stays in a formula, or a limit was reached.

    >>> import pamelaplus as pamela
    >>> issubclass(pamela.Unfinished, UserWarning)
    True
    """


for _class in (Diagnostic, PamelaError, Unfinished):
    _class.__module__ = "pamelaplus"
del _class
