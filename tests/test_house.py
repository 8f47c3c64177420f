"""House rules: no class name twice, no circular import, no long file, no long chain of base classes."""

import ast
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import evaltui

PACKAGE = Path(evaltui.__file__).parent
MODULES = {
    ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(PACKAGE.rglob("*.py"))
}
LONGEST_FILE = 500
LONGEST_CHAIN = 2


@cache
def trees() -> dict[str, ast.Module]:
    """The syntax tree of each module. Not made at import: each worker imports this module, and one uses the trees."""
    return {name: ast.parse(path.read_text("utf-8")) for name, path in MODULES.items()}


def classes() -> Iterator[tuple[str, ast.ClassDef]]:
    for name, tree in trees().items():
        yield from ((name, node) for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


def imported_by(name: str) -> set[str]:
    """The modules that a module imports anywhere, also inside functions and for types."""
    found: set[str] = set()
    for node in ast.walk(trees()[name]):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.update(f"{node.module}.{alias.name}" for alias in node.names)
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
    modules = found & trees().keys()
    # `from package import module` needs the package itself only if it also imports another name
    return {each for each in modules if not any(other.startswith(f"{each}.") for other in modules)}


def circles() -> list[list[str]]:
    """Groups of modules that reach each other (Tarjan's strongly connected components)."""
    graph = {name: imported_by(name) - {name} for name in trees()}
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(name: str) -> None:
        number[name] = lowest[name] = len(number)
        stack.append(name)
        for other in graph[name]:
            if other not in number:
                visit(other)
            if other in stack:
                lowest[name] = min(lowest[name], lowest[other])
        if lowest[name] == number[name]:
            group = [stack.pop()]
            while group[-1] != name:
                group.append(stack.pop())
            if len(group) > 1:
                found.append(sorted(group))

    for name in graph:
        if name not in number:
            visit(name)
    return sorted(found)


def test_a_class_name_stands_for_one_thing() -> None:
    places = defaultdict(list)
    for module, node in classes():
        if not module.startswith(("evaltui.api.", "evaltui.values.")):  # named for the thing that they show
            places[node.name].append(module)
    assert {name: modules for name, modules in places.items() if len(modules) > 1} == {}


def test_no_module_reaches_itself_through_its_imports() -> None:
    assert circles() == []


def test_no_file_is_too_long_to_be_read() -> None:
    lengths = {name: len(path.read_text("utf-8").splitlines()) for name, path in MODULES.items()}
    assert {name: length for name, length in lengths.items() if length > LONGEST_FILE} == {}


def test_no_class_stands_on_a_tower_of_our_own_classes() -> None:
    bases = {
        node.name: [ast.unparse(base).split("[")[0].split(".")[-1] for base in node.bases] for _, node in classes()
    }

    def chain(name: str) -> int:
        """The length of the chain of our own base classes, including this class."""
        return 1 + max((chain(base) for base in bases[name] if base in bases), default=0)

    schema = {node.name for module, node in classes() if ".evalset.schema." in module}  # follows google-adk
    assert {name: chain(name) for name in bases.keys() - schema if chain(name) > LONGEST_CHAIN + 1} == {}
