"""Messages speak plain English: the words of docs/glossary.md, short sentences, the thing named first.

A message is any string of two or more words in the package, except docstrings, types, SQL and samples of JSON.
"""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.package_source import PACKAGE, texts, tree_of, trees

PROJECT = PACKAGE.parent
LONGEST_SENTENCE = 20
MOST_WORDS_IN_GLOSSARY = 40
ROOMS = sorted({path.split("/")[0] for path in texts()})

UNUSUAL = (
    "anew",
    "afresh",
    "as long as",
    "be it",
    "called so",
    "had before",
    "is said",
    "no json",
    "of which",
    "said so",
    "take out",
    "taken back",
    "takes out",
    "that of",
    "thereof",
    "those of",
    "whereof",
    "without a word",
)
"""Words for which there are usual ones: again, while, delete, undo, report."""
BAD_START = re.compile(r"\W*(what|those|that of|of those|of that)\b", re.IGNORECASE)
NOT_A_MESSAGE = re.compile(r"\s*([\[{]\s*[\"{\[\]}]|SELECT |CREATE |PRAGMA |INSERT )|.*\": [\"\[{]", re.DOTALL)
END_OF_SENTENCE = re.compile(r"[.!?…]['\")]?(?:\s|$)|\n| · | › ")


def messages(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The messages of a module, each with its line. A value in an f-string counts as one word."""
    nodes: list[ast.AST] = [tree]
    while nodes:
        node = nodes.pop()
        text = _text(node)
        if text is not None and _is_message(text):
            yield node.lineno, text  # type: ignore[attr-defined]
        skipped = _no_messages(node)
        if node not in skipped:
            nodes += [inner for inner in ast.iter_child_nodes(node) if inner not in skipped]


def _no_messages(node: ast.AST) -> list[ast.expr]:
    """The node itself or parts of it whose strings nobody reads alone: docstrings, types, pieces of an f-string."""
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return [node.value]
    if isinstance(node, ast.JoinedStr):
        return [value for value in node.values if isinstance(value, ast.Constant)]
    if isinstance(node, (ast.AnnAssign, ast.arg)) and node.annotation is not None:
        return [node.annotation]
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.returns is not None:
        return [node.returns]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("cast", "TypeVar"):
        return [node]
    return []


def _text(node: ast.AST) -> str | None:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(each.value if isinstance(each, ast.Constant) else "⟨value⟩" for each in node.values)
    return None


def _is_message(text: str) -> bool:
    return re.search(r"[A-Za-z]{2,}\W* \W*\w", text) is not None and NOT_A_MESSAGE.match(text) is None


@cache
def ruled_out() -> list[str]:
    """The words of the last column of the glossary."""
    rows = re.findall(r"^\| .+ \| ([^|]+) \|$", (PROJECT / "docs" / "glossary.md").read_text("utf-8"), re.MULTILINE)
    return [word.strip() for row in rows[1:] for word in row.split(",") if word.strip() != "–"]


@cache
def _bad_words() -> re.Pattern[str]:
    return re.compile(rf"\b({'|'.join((*ruled_out(), *UNUSUAL))})s?\b", re.IGNORECASE)


def faults(text: str) -> list[str]:
    """The faults of a message, each as a phrase."""
    plain = re.sub(r"`[^`]*`", "⟨code⟩", text)
    found = [f"says {word!r}" for word in _bad_words().findall(plain)]
    if BAD_START.match(plain):
        found.append("does not name the thing first")
    for sentence in END_OF_SENTENCE.split(plain):
        count = len(re.findall(r"[^\s–=≥≤<>|/]*[\w⟩][^\s]*", sentence))
        if count > LONGEST_SENTENCE:
            found.append(f"has a sentence of {count} words")
    return found


def test_the_glossary_is_short() -> None:
    rows = re.findall(r"^\| ", (PROJECT / "docs" / "glossary.md").read_text("utf-8"), re.MULTILINE)
    assert 20 <= len(rows) - 1 <= MOST_WORDS_IN_GLOSSARY
    assert {"answer", "stale", "chat"} <= set(ruled_out())


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("the stale score", "says 'stale'"),
        ("What has no score never passes", "does not name the thing first"),
        ("a " * 21 + "end", "has a sentence of 22 words"),
    ],
)
def test_faults_are_found(text: str, fault: str) -> None:
    assert fault in faults(text)


def test_a_plain_sentence_has_no_fault() -> None:
    assert faults("Tool call has no id. f adds one. `answer` is a name in code.") == []


@pytest.mark.parametrize("room", ROOMS)
def test_messages_are_plain(room: str) -> None:
    broken = [
        f"{path}, line {line}: {', '.join(found)}: {text!r}"
        for path, tree in trees("", folder=room)
        for line, text in messages(tree)
        if (found := faults(text))
    ]
    assert broken == []


if __name__ == "__main__":  # python -m tests.test_words PATH… lists the faults of some modules
    for argument in sys.argv[1:]:
        path = Path(argument)
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            for line, text in sorted(messages(tree_of(file.read_text("utf-8")))):
                if found := faults(text):
                    print(f"{file}:{line}: {', '.join(found)}: {text!r}")
