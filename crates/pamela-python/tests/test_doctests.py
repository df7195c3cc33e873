"""The examples of all docstrings."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil

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
