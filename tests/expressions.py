"""Regular expressions of the package, the texts that make them slow, and how their time grows."""

import ast
import importlib
import math
import re
import re._compiler as compiler
import re._constants as codes
import re._parser as parser
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from itertools import product
from typing import Any, NamedTuple

from evaltui.garbage_collection import without_collecting
from tests.package_source import texts, tree_of

METHODS = ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer")
LENGTHS = (24, 48, 250, 1_000, 3_000)
FLOOR = 0.002
"""Seconds of the processor. A linear search takes a twentieth on 3,000 characters; a quadratic one takes more."""
HOPELESS = 0.2
"""Seconds that a few hundred characters never take, unless each one more doubles the time."""
RATIO = 8
"""The most that four times the length may cost: 4 for a linear search, 16 for a quadratic one."""
ROUNDS = 4
"""Time is steep if it looks so in each of them."""
_calls_re = re.compile(rf"\bre\.(?:compile|{'|'.join(METHODS)})\(").search
_searches = re.compile(rf"(\w*)\.({'|'.join(METHODS)})\b").findall
_SAMPLES = 12
_CHARACTERS = [*map(chr, range(128)), *"\x85\xa0é٣中Ⅷ\u0301\u200b\u2028\ud800𝒳"]


class Expression(NamedTuple):
    """A regular expression in the source, with the methods that search with it."""

    place: str
    """File and name: `json_repair/scalars.py _run`."""
    pattern: str | bytes | None
    """None if it is built from values at run time."""
    flags: int
    methods: tuple[str, ...]


# --- the expressions of the package ----------------------------------------------------------------------------


@cache
def expressions() -> list[Expression]:
    """All expressions of the package."""
    return expressions_of(texts())


def expressions_of(sources: dict[str, str]) -> list[Expression]:
    """The expressions in the texts of files: every call of a function of `re`, wherever it stands."""
    used = _methods_of_names(sources.values())
    found = []
    for path, text in sources.items():
        if _calls_re(text):
            tree = tree_of(text)
            parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
            calls = filter(_is_call_of_re, parents)
            found += [_expression(path, call, parents, used) for call in calls]
    return found


def _is_call_of_re(node: ast.AST) -> bool:
    function = node.func if isinstance(node, ast.Call) else None
    is_of_re = (
        isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "re"
    )
    return is_of_re and function.attr in ("compile", *METHODS)


def _methods_of_names(sources: Iterable[str]) -> dict[str, set[str]]:
    """For each name, the methods of patterns that are called on it anywhere."""
    used: dict[str, set[str]] = {}
    for name, method in (pair for text in sources for pair in _searches(text)):
        used.setdefault(name, set()).add(method)
    return used


def _expression(path: str, call: Any, parents: dict[ast.AST, ast.AST], used: dict[str, set[str]]) -> Expression:
    names = []
    node: ast.AST = call
    while node in parents:
        node = parents[node]
        if isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.targets[0] if isinstance(node, ast.Assign) else node.target
            names.append(ast.unparse(target).removeprefix("self."))
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.append(node.name)
    around = parents[call]
    if call.func.attr != "compile":
        methods = {call.func.attr}
    elif isinstance(around, ast.Attribute):
        methods = {around.attr}
    else:
        users = _methods_of_names([ast.unparse(node)]) if len(names) > 1 else used
        methods = users.get(names[0].rpartition(".")[2] if names else "", set()) or {"match", "search"}
    place = f"{path} {'.'.join(reversed(names))}"
    pattern, flags = _values(path, call)
    return Expression(place, pattern, flags, tuple(sorted(methods)))


def _values(path: str, call: ast.Call) -> tuple[str | bytes | None, int]:
    """Pattern and flags of a call, if names of its module are all that they are made of."""
    names: dict[str, Any] = {"re": re}
    name = ".".join(("evaltui", *path.removesuffix(".py").split("/"))).removesuffix(".__init__")
    with suppress(ImportError):  # Ray is not installed
        names |= vars(importlib.import_module(name))
    given = call.args[{"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(call.func.attr, 2) :]
    given = [*given, *(keyword.value for keyword in call.keywords if keyword.arg == "flags")]
    try:
        pattern, *flags = (eval(compile(ast.Expression(part), name, "eval"), names) for part in (call.args[0], *given))
    except NameError:
        return None, 0
    return getattr(pattern, "pattern", pattern), int(flags[0]) if flags else 0


# --- texts that make an expression slow ----------------------------------------------------------------------------


def slow_texts(pattern: str | bytes, flags: int = 0) -> list[Callable[[int], str]]:
    """Functions that make a text of a length: beginnings of a match, then something that repeats, then its end."""
    parsed = parser.parse(pattern, flags)
    kinds = _kinds(parsed, pattern)
    samples = [*_samples(list(parsed))][:_SAMPLES]
    beginnings = dict.fromkeys("".join(sample[:place]) for sample in samples for place in range(len(sample) + 1))
    pairs = ["".join(pair) for pair in product(kinds, repeat=2)]
    repeats = dict.fromkeys([*product([""], [*pairs, *filter(None, beginnings)]), *product(beginnings, kinds)])
    ending = next((kind for kind in reversed(kinds) if kind not in "".join(beginnings)), "\x00")
    return [_repeating(beginning, unit, ending) for beginning, unit in repeats]


def _repeating(beginning: str, unit: str, ending: str) -> Callable[[int], str]:
    return lambda length: beginning + unit * (length // len(unit)) + ending


def _kinds(parsed: Any, pattern: str | bytes) -> list[str]:
    """A character of each kind that the expression tells apart."""
    tests = [_compiled([item], parsed.state, pattern) for item in _items(parsed)]
    characters = _CHARACTERS if isinstance(pattern, str) else [*map(chr, range(256))]
    kinds: dict[tuple[bool, ...], str] = {(): "\n"}  # a line break is told apart by ^ and $, too
    for character in sorted(characters, key=lambda character: not (character.isalnum() or character == " ")):
        text: Any = character if isinstance(pattern, str) else character.encode("latin-1")
        kinds.setdefault(tuple(test.match(text) is not None for test in tests), character)
    return list(kinds.values())


def _compiled(items: list[Any], state: Any, pattern: str | bytes) -> re.Pattern[Any]:
    part = parser.SubPattern(state, items)
    made: re.Pattern[Any] = compiler.compile(part, state.flags)
    return made


def _items(parts: Iterable[Any]) -> Iterator[Any]:
    """The parts of an expression that match one character."""
    for code, value in parts:
        if code in (codes.LITERAL, codes.NOT_LITERAL, codes.IN, codes.ANY):
            yield code, value
        for inner in _inner(code, value):
            yield from _items(inner)


def _inner(code: Any, value: Any) -> list[Any]:
    if code in (codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT):
        return [value[2]]
    if code is codes.SUBPATTERN:
        return [value[3]]
    if code is codes.BRANCH:
        return list(value[1])
    if code is codes.ATOMIC_GROUP:
        return [value]
    return [value[1]] if code in (codes.ASSERT, codes.ASSERT_NOT) else []


def _samples(parts: list[Any]) -> Iterator[list[str]]:
    """Texts that the parts match, one for each alternative, as a list of pieces."""
    longest = 0
    pieces: list[list[list[str]]] = []
    for code, value in parts:
        if code is codes.BRANCH:
            choices = [sample for branch in value[1] for sample in _samples(list(branch))]
        elif code in (codes.ASSERT, codes.ASSERT_NOT):
            choices = [[]]
        elif inner := _inner(code, value):
            least = max(1, value[0]) if code not in (codes.SUBPATTERN, codes.ATOMIC_GROUP) else 1
            choices = [sample * min(least, 40) for sample in _samples(list(inner[0]))]
        else:
            choices = [[_character(code, value)]]
        pieces.append(choices[:40] or [[]])
        longest = max(longest, len(choices))
    for number in range(min(max(longest, 1), 40)):
        yield [piece for choices in pieces for piece in choices[number % len(choices)]]


def _character(code: Any, value: Any) -> str:
    if code is codes.LITERAL:
        return chr(value)
    if code in (codes.NOT_LITERAL, codes.IN, codes.ANY):
        state = parser.State()
        state.str = ""
        test = compiler.compile(parser.SubPattern(state, [(code, value)]), 0)
        return next((character for character in "a0 .-_" + "".join(_CHARACTERS) if test.match(character)), "")
    return ""


def slow_searches(pattern: str | bytes, flags: int, methods: Iterable[str]) -> Iterator[tuple[str, str, float]]:
    """The searches that take more than linear time: method, a short form of the text, growth."""
    compiled = re.compile(pattern, flags)
    searches = {method: _search(compiled, method) for method in methods}
    for text in slow_texts(pattern, flags):
        made = text if isinstance(pattern, str) else lambda length, text=text: text(length).encode("latin-1")
        for method, search in searches.items():
            if steepness := growth(search, made):
                yield method, text(8), steepness


def _search(compiled: re.Pattern[Any], method: str) -> Callable[[Any], object]:
    if method in ("sub", "subn"):
        return lambda text: getattr(compiled, method)(text[:0], text)
    if method == "finditer":
        return lambda text: [*compiled.finditer(text)]
    search: Callable[[Any], object] = getattr(compiled, method)
    return search


# --- time --------------------------------------------------------------------------------------------------------


def growth(work: Callable[[Any], object], text: Callable[[int], Any], lengths: Iterable[int] = LENGTHS) -> float:
    """How much more time four times the length takes; 0.0 if the time is no more than in proportion to the length.

    The first text that takes long is enough, so that a slow search is found on a short text.
    """
    for length in lengths:
        seconds = _seconds(work, text(length))
        if length < 1_000 and seconds > HOPELESS and _seconds(work, text(length)) > HOPELESS:
            return math.inf
        if seconds > FLOOR and _least_seconds(work, text, length) > FLOOR:
            steepest = math.inf
            for _ in range(ROUNDS):  # of a linear search, a round that another process disturbs looks steep
                steepest = min(steepest, _steepness(work, text, length))
                if not steepest:
                    break
            return steepest
    return 0.0


def _steepness(work: Callable[[Any], object], text: Callable[[int], Any], length: int) -> float:
    """How much more time four times the length takes; 0.0 if that or half of it is in proportion to the length."""
    once = _least_seconds(work, text, length)
    four_times = _seconds(work, text(4 * length))
    if four_times > RATIO * once:
        four_times = min(four_times, _seconds(work, text(4 * length)))
    is_steep = four_times > RATIO * once and four_times > RATIO / 3 * _least_seconds(work, text, 2 * length)
    return four_times / once if is_steep else 0.0


def _least_seconds(work: Callable[[Any], object], text: Callable[[int], Any], length: int) -> float:
    return min(_seconds(work, text(length)) for _ in range(2))


def _seconds(work: Callable[[Any], object], text: Any) -> float:
    """Seconds of the processor in this thread, without those of the collector, which visits what other tests left."""
    with without_collecting():
        start = time.thread_time()
        work(text)
        return time.thread_time() - start
