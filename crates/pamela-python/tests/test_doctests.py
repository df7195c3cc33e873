"""The examples of all docstrings."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
from typing import Any

import pytest

import pamelaplus as pamela

FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
OTHERS = ("pamelaplus.__main__", "pamelaplus._pamela")
MODULES = [name for _, name, _ in pkgutil.iter_modules(pamela.__path__, "pamelaplus.") if name not in OTHERS]


class Finder(doctest.DocTestFinder):
    """Looks into classes that say they are of the package itself."""

    def _from_module(self, module, object):  # type: ignore[no-untyped-def]
        if inspect.isclass(object) or inspect.isroutine(object):
            name = getattr(object, "__globals__", {}).get("__name__") or object.__module__
            return name == module.__name__ or (name == "pamelaplus" and object.__name__ in getattr(module, "__all__", ()))
        return True


def examples() -> list[doctest.DocTest]:
    found = []
    for name in ["pamelaplus", *MODULES]:
        module = importlib.import_module(name)
        found += [test for test in Finder().find(module, name, globs={}) if test.examples]
    return list({test.docstring: test for test in found}.values())


@pytest.mark.parametrize("test", examples(), ids=lambda test: test.name)
def test_example(test: doctest.DocTest) -> None:
    output: list[str] = []
    result = doctest.DocTestRunner(optionflags=FLAGS).run(test, out=output.append, clear_globs=False)
    assert not result.failed, "".join(output)


def public_methods() -> list[tuple[str, Any]]:
    """Functions of the package and methods of its classes, by name."""
    found: list[tuple[str, Any]] = []
    for name in pamela.__all__:
        item = getattr(pamela, name)
        if inspect.isfunction(item):
            found.append((name, item))
        elif inspect.isclass(item):
            own = [
                (member, value)
                for base in item.__mro__
                if base.__module__.startswith("pamelaplus")
                for member, value in vars(base).items()
            ]
            for member, value in own:
                value = getattr(value, "__func__", value)
                if inspect.isfunction(value) and (not member.startswith("_") or member == "__call__"):
                    found.append((f"{name}.{member}", value))
        elif inspect.ismodule(item):
            found += [
                (f"{name}.{member}", getattr(item, member))
                for member in item.__all__
                if inspect.isfunction(getattr(item, member))
            ]
    return found


@pytest.mark.parametrize(("name", "item"), public_methods(), ids=lambda one: one if isinstance(one, str) else "")
def test_public_methods_have_parameters_and_an_example(name: str, item: Any) -> None:
    text = inspect.getdoc(item) or ""
    assert ">>> " in text, f"{name} has no example"
    parameters = [own for own in inspect.signature(item).parameters if own not in ("self", "cls")]
    for own in parameters:
        assert own in text, f"{name} does not say what `{own}` is"
    # One argument may stand in the sentence that says what the method does.
    assert len(parameters) < 2 or "Parameters\n" in text or "Parameters are those of" in text, (
        f"{name} has no section on parameters"
    )


def test_public_items_have_docstrings() -> None:
    for name in pamela.__all__:
        item = getattr(pamela, name)
        if name.startswith("__"):
            continue
        assert inspect.getdoc(item), name
        if inspect.isclass(item):
            for member, value in vars(item).items():
                if not member.startswith("_") and (inspect.isroutine(value) or isinstance(value, property)):
                    assert value.__doc__, f"{name}.{member}"
