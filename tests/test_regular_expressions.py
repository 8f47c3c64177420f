"""No regular expression of the package takes time that grows with the square of a text, or worse.

Each expression is found in the source, and tried with texts that are made from its own parts: they repeat whatever it
repeats, and then do not match. So a new expression needs no entry here unless it is built at run time.
"""

import re
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from unittest import mock

import pytest

from evaltui.document.disk.temporary_file import remove_leftovers
from evaltui.evalset.case_file import CaseIds
from evaltui.evalset.search.case_filter import letters_in_order
from evaltui.evalset.search.replacement import Replacement
from evaltui.files.folder_search import Bounds, matching
from evaltui.files.gitignore import Rules
from evaltui.json_repair.repair import syntax_faults
from evaltui.settings.user_settings import _line_of
from evaltui.validation.rules import odd_values
from tests.expressions import Expression, expressions, expressions_of, slow_searches
from tests.package_source import texts

_IGNORED = b"*a*a*a*b\n**/a/**/a/b\n/a/*/**/b\n[a-c]*[!a]*x\na?a?**\n"


def _gitignore(folder: Path) -> None:
    rules = Rules(folder, _IGNORED)
    rules.verdict(bytes(folder / "a" / "a" / "x"), False)


def _glob(folder: Path) -> list[Path]:
    (folder / "file").touch()
    return matching(folder, "*a*[ab]*a?c*", Bounds())


BUILT: dict[str, Callable[[Path], object]] = {
    "document/disk/temporary_file.py remove_leftovers.pattern": lambda folder: remove_leftovers(folder / "a.json"),
    "evalset/search/case_filter.py letters_in_order": lambda _: letters_in_order("aab aa(*"),
    "evalset/search/replacement.py Replacement.matches.pattern": lambda _: Replacement("a a", "b").matches([], []),
    "evalset/case_file.py CaseIds.__init__._first": lambda _: CaseIds("eval_id"),
    "evalset/case_file.py CaseIds.__init__._anywhere": lambda _: CaseIds("eval_id"),
    "files/folder_search.py _following.fits": _glob,
    "files/gitignore.py _either": _gitignore,
    "files/gitignore.py _compiled": _gitignore,
    "json_repair/scalars.py Scalars._find_end.pattern": lambda _: syntax_faults(b"['a', `b`]"),
    "json_repair/scalars.py Scalars._log_quotes.is_certain": lambda _: syntax_faults(b"['a', `b`]"),
    "settings/user_settings.py _line_of.assignment": lambda _: _line_of("a = 1", "keys.a a*"),
    "validation/rules/odd_values.py check_texts.forms": lambda _: [
        re.compile(form, re.ASCII) for _, form, _ in odd_values._SECRETS
    ],
}
"""Work in which each expression of values is built, from values that are as hard as a stranger can make them."""


@pytest.mark.parametrize("part", range(3))
def test_no_expression_takes_time_that_grows_with_the_square_of_a_text(part: int) -> None:
    known = [(expression, expression.pattern) for expression in expressions() if expression.pattern is not None]
    assert len(known) > 100
    slow = [
        f"{expression.place} {pattern!r}: {search}"
        for expression, pattern in known[part::3]
        for search in islice(slow_searches(pattern, expression.flags, expression.methods), 1)
    ]
    assert not slow, "Rewrite with possessive repeats (*+, ++), a bound, or plain string code:\n" + "\n".join(slow)


def test_each_expression_that_is_built_at_run_time_is_tried_here() -> None:
    built = {expression.place for expression in expressions() if expression.pattern is None}
    assert built == BUILT.keys(), "Add an entry to BUILT that builds the expression from hard values, or delete one."


@pytest.mark.parametrize("place", BUILT)
def test_no_expression_of_a_strangers_values_takes_time_that_grows_with_the_square(place: str, tmp_path: Path) -> None:
    methods = next(expression.methods for expression in expressions() if expression.place == place)
    given: list[tuple[str | bytes, int]] = []
    make = re.compile

    def recorded(pattern: str | bytes, flags: int = 0) -> re.Pattern[str] | re.Pattern[bytes]:
        given.append((pattern, flags))
        return make(pattern, flags)

    with mock.patch.object(re, "compile", recorded):
        BUILT[place](tmp_path)
    assert given
    for pattern, flags in dict.fromkeys(given):
        assert next(slow_searches(pattern, flags, methods), None) is None, pattern


@pytest.mark.parametrize(
    ("pattern", "flags", "method"),
    [
        (r"\s*[,:]+\s*", 0, "sub"),
        (r"""^\s*\[\s*["']?tool["']?""", re.MULTILINE, "search"),
        (rb'"(?:[^"\\]|\\.)*"', 0, "finditer"),
        (r"(a+)+b", 0, "match"),
        (r"x*.*y", re.DOTALL, "search"),
        (r"[a-z]+[a-z0-9]*!", 0, "match"),
        (r"(?:a|ab|b)*c", 0, "fullmatch"),
    ],
)
def test_a_slow_expression_is_found(pattern: str | bytes, flags: int, method: str) -> None:
    # One round without growth counts as linear, and other processes can cause one, so a single try may miss it.
    assert any(next(slow_searches(pattern, flags, [method]), None) for _ in range(4))


@pytest.mark.parametrize(
    ("source", "pattern", "methods"),
    [
        ("_x = re.compile(r'a+').search", "a+", ("search",)),
        ("_y = re.compile(_UNKNOWN)\n_y.sub('', 'a')", None, ("sub",)),
        ("def go(text):\n    return re.split(r' +', text)", " +", ("split",)),
    ],
)
def test_expressions_are_found_wherever_they_stand(source: str, pattern: str | None, methods: tuple[str, ...]) -> None:
    (found,) = expressions_of({"new.py": source})
    assert isinstance(found, Expression)
    assert (found.pattern, found.methods) == (pattern, methods)


def test_groups_are_possessive_by_a_sign_that_old_pythons_do_not_get() -> None:
    """Python 3.11.0 to 3.11.4 match them wrong."""
    by_hand = re.compile(r"(?<!\()\)(?:[*?]|\{[\d,]+\})\+")
    files = {file for file, text in texts().items() if by_hand.search(text)}
    assert files == {"document/scanner.py"}, "write *{POSSESSIVE} for *+"
