"""House rules: no class name twice, no circular import, no long file, no long chain of base classes."""

import ast
import re
from collections import defaultdict
from functools import cache
from importlib import import_module

from tests.package_source import texts

MODULES = {
    ".".join(("evaltui", *path.removesuffix(".py").split("/"))).removesuffix(".__init__"): text
    for path, text in texts().items()
}
LONGEST_FILE = 500
LONGEST_CHAIN = 2
_heads = re.compile(r"^ *(class \w+(?:\([^:]*\))?:)", re.MULTILINE).findall
_for_types = re.compile(r"^if TYPE_CHECKING:.*\n(?:(?: .*)?\n)*", re.MULTILINE)
_late_parts = re.compile(r': (?:ClassVar\[)?LatePart\[(\w+)\]+ = LatePart\("([\w.]+)\.(\w+)"\)').findall
_imports = re.compile(r"^ *((?:from evaltui\S* )?import (?:\([^)]*\)|.*))", re.MULTILINE).findall


@cache
def classes() -> list[tuple[str, ast.ClassDef]]:
    """The head of each class, with its module."""
    heads = [(name, head) for name, text in MODULES.items() for head in _heads(text)]
    return [(name, node) for name, head in heads for node in _parsed(f"{head} pass") if isinstance(node, ast.ClassDef)]


def _parsed(text: str) -> list[ast.stmt]:
    return ast.parse(text).body


def imported_by(name: str) -> set[str]:
    """The modules that a module imports at run time, also inside functions.

    Imports for types alone make no circle: the tables of commands name the screens whose bindings they are.
    """
    found: set[str] = set()
    for statement in _imports(_for_types.sub("", MODULES[name])):
        for node in _parsed(statement):
            if isinstance(node, ast.ImportFrom):
                found |= {f"{node.module}.{alias.name}" for alias in node.names} | {str(node.module)}
            elif isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
    found |= {module for _, module, _ in _late_parts(MODULES[name])}
    modules = found & MODULES.keys()
    # `from package import module` needs the package itself only if it also imports another name
    return {module for module in modules if not any(other.startswith(f"{module}.") for other in modules)}


def circles() -> list[list[str]]:
    """Groups of modules that reach each other (Tarjan's strongly connected components)."""
    graph = {name: imported_by(name) - {name} for name in MODULES}
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
        if not module.startswith("evaltui.api."):  # named for the thing that they show
            places[node.name].append(module)
    assert {name: modules for name, modules in places.items() if len(modules) > 1} == {}


def test_a_late_part_is_of_the_class_that_its_annotation_names() -> None:
    parts = [part for text in MODULES.values() for part in _late_parts(text)]
    assert len(parts) == sum(text.count('LatePart("evaltui.') for text in MODULES.values())
    for annotated, module, name in parts:
        assert annotated == name
        assert isinstance(getattr(import_module(module), name), type)


def test_no_module_reaches_itself_through_its_imports() -> None:
    assert circles() == []


def test_no_file_is_too_long_to_be_read() -> None:
    lengths = {name: len(text.splitlines()) for name, text in MODULES.items()}
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
