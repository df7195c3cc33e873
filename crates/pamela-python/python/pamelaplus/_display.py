"""Display of results in notebooks."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from typing import Any

    from . import _pamela


def escape(text: str) -> str:
    """Escape a text for HTML.

    The module of the standard library takes longer to import than this whole package.
    """
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def _latex_of(formula: _pamela.Formula) -> tuple[str, str, str]:
    """LaTeX of the name, the value and the conditions."""
    domain = formula.domain(True)
    valid = rf"\text{{for }} {', '.join(domain)}" if domain else ""
    return formula.latex_name, formula.latex, valid


def equations_latex(formulas: Sequence[_pamela.Formula]) -> str:
    """One aligned display of all equations, each with its conditions."""
    if not formulas:
        return ""
    lines = []
    for formula in formulas:
        name, value, valid = _latex_of(formula)
        lines.append(f"{name} &= {value}" + (rf" \qquad {valid}" if valid else ""))
    body = " \\\\\n".join(lines)
    return f"$$\\begin{{aligned}}\n{body}\n\\end{{aligned}}$$"


def equations_html(formulas: Sequence[_pamela.Formula]) -> str:
    """A paragraph of MathML for each equation, with its notes below."""
    parts = []
    for formula in formulas:
        notes = [*(f"valid for {escape(', '.join(d))}" for d in [formula.domain(False)] if d)]
        notes += [escape(note) for note in formula.approximations]
        below = "".join(f'<div style="opacity:.7;font-size:smaller">{note}</div>' for note in notes)
        try:
            shown = formula.mathml
        except ValueError:
            shown = f"<code>{escape(formula.name)} = {escape(formula.text)}</code>"
        parts.append(f"<div>{shown}{below}</div>")
    return "".join(parts)


def table_html(head: Iterable[str], rows: Iterable[Iterable[Any]]) -> str:
    """An HTML table of texts and numbers."""

    def cell(value: Any, tag: str = "td") -> str:
        return f"<{tag}>{escape(_short(value))}</{tag}>"

    top = "".join(cell(name, "th") for name in head)
    body = "".join(f"<tr>{''.join(map(cell, row))}</tr>" for row in rows)
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"


def _short(value: Any) -> str:
    """A value as a person reads it: numbers have six digits."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (list, tuple)):
        return " .. ".join(map(_short, value))
    return "" if value is None else str(value)


def steps_html(steps: Sequence[Any]) -> str:
    """The steps of a derivation as an HTML table."""
    rows = [(s.rule, s.left, s.right, "; ".join(map(repr, s.premises))) for s in steps]
    return table_html(["rule", "from", "to", "needs"], rows)
