"""Invalid JSON, and JSON that google-adk's parser does not read: rules, diagnostics and repair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator
from dataclasses import replace

from evaltui.document.document import Document
from evaltui.document.edits import Rename, Set
from evaltui.document.node import Node
from evaltui.document.positions import text_ranges_of
from evaltui.document.scanner import is_deep
from evaltui.document.strings import decode, encode_file, invalid_utf8
from evaltui.json_repair.faults import SyntaxFault
from evaltui.json_repair.repair import apply_safe_fixes, not_utf_8, spliced, syntax_faults
from evaltui.validation.rule_types import Diagnostic, Example, Fix, Rule

_PARSER = "google-adk's JSON parser (jiter, in `EvalSet.model_validate_json`) "
_GOOD_TEXT = '{"eval_set_id": "trips", "eval_cases": []}'
_GOOD = Example("text", _GOOD_TEXT)  # in examples, a surrogate stands for a byte that is not UTF-8 (PEP 383)


def _syntax(code: str, summary: str, why: str, bad: str, fix: str = "") -> Rule:
    return Rule(code, summary, _PARSER + why, Example("text", bad), _GOOD, fix, "error", "syntax")


NOT_JSON = _syntax(
    "not-json",
    "A character or word is not allowed at this place in JSON.",
    "stops at the first error, so google-adk reads nothing of the file. This rule covers errors that have no rule "
    "of their own.",
    '{"eval_set_id": "trips", "eval_cases": [...]}',
)
EMPTY_FILE = _syntax(
    "empty-file",
    "The file is empty or has only spaces and line breaks.",
    "ends with *EOF while parsing a value*. `evaltui edit NAME.evalset.json` creates a new eval set.",
    "\n",
)

# --- commas and colons ---------------------------------------------------------------------------------------

TRAILING_COMMA = _syntax(
    "trailing-comma",
    "A comma follows the last item.",
    "reports *trailing comma*. JSON allows commas only between items, unlike Python and JavaScript.",
    '{"eval_set_id": "trips", "eval_cases": [],}',
    "Deletes the comma.",
)
EXTRA_COMMA = _syntax(
    "extra-comma",
    "There is a comma, but an item is expected.",
    "does not allow empty items. In an object, you can delete the comma. In a list, look whether someone forgot an "
    "item.",
    '{"eval_set_id": "trips",, "eval_cases": []}',
    "Deletes the comma (safe only in an object).",
)
MISSING_COMMA = _syntax(
    "missing-comma",
    "A comma is missing between two items.",
    "stops at the second item.",
    '{"eval_set_id": "trips"\n "eval_cases": []}',
    "Adds a comma after the first item (safe before a key, and in a list between `}` and `{`).",
)
MISSING_COLON = _syntax(
    "missing-colon",
    "A colon is missing between a key and its value.",
    "stops after the key. Other languages write `=` or `=>` instead of a colon.",
    '{"eval_set_id" = "trips", "eval_cases": []}',
    "Writes a colon (safe if nothing else is possible).",
)
MISSING_VALUE = _syntax(
    "missing-value",
    "A key has no value.",
    "stops after the key or its colon.",
    '{"eval_set_id": "trips", "name": , "eval_cases": []}',
    "Writes null.",
)
MISSING_KEY = _syntax(
    "missing-key",
    "A value in an object has no key.",
    "expects a key in double quotes there.",
    '{"eval_set_id": "trips", [], "eval_cases": []}',
)

# --- texts, keys and values ----------------------------------------------------------------------------------

SINGLE_QUOTES = _syntax(
    "single-quotes",
    "A string or key is in single quotes or backticks.",
    "reads only double quotes. Python prints a dict with single quotes, and `json.dumps` prints JSON.",
    '{\'eval_set_id\': "trips", "eval_cases": []}',
    "Writes double quotes (safe if the string certainly ends at the next quote).",
)
SMART_QUOTES = _syntax(
    "smart-quotes",
    "A string or key is in typographic quotes.",
    "reads only straight double quotes. Word processors and messengers insert typographic quotes. Typographic quotes "
    "inside a string are allowed.",
    '{"eval_set_id": “trips”, "eval_cases": []}',
    "Writes straight quotes (safe if the string certainly ends at the next quote).",
)
UNQUOTED_KEY = _syntax(
    "unquoted-key",
    "A key has no quotes.",
    "reads only keys in double quotes, unlike JavaScript.",
    '{eval_set_id: "trips", "eval_cases": []}',
    "Writes the key in double quotes.",
)
UNQUOTED_TEXT = _syntax(
    "unquoted-text",
    "A string has no quotes.",
    "reads a word without quotes only if it is true, false, null, NaN, Infinity or a number.",
    '{"eval_set_id": trips, "eval_cases": []}',
    "Writes the string in double quotes.",
)
FOREIGN_LITERAL = _syntax(
    "foreign-literal",
    "A value is a word of a programming language: True, False, None or undefined.",
    "accepts only the words true, false, null, NaN and Infinity, in exactly this spelling.",
    '{"eval_set_id": "trips", "name": None, "eval_cases": []}',
    "Writes true, false or null instead (not safe for undefined: it may mean null or an absent key).",
)
BAD_NUMBER = _syntax(
    "bad-number",
    "A number has a form that JSON does not allow: +1, 007, .5, 5., 0x1F or 1_000.",
    "reads decimal digits without a plus sign or leading zeros, and with digits on both sides of the point.",
    '{"eval_set_id": "trips", "eval_cases": [], "creation_timestamp": +1.5}',
    "Writes the number as JSON (not safe for leading zeros: it may be an octal number or an id).",
)
UNCLOSED_STRING = _syntax(
    "unclosed-string",
    "A string has no closing quote on its line.",
    "reports *control character (\\u0000-\\u001F) found while parsing a string* at the end of the line.",
    '{"eval_set_id": "trips,\n "eval_cases": []}',
    "Adds the missing quote at the end of the line (before the comma, if the line ends with a comma).",
)
UNESCAPED_QUOTE = _syntax(
    "unescaped-quote",
    "A double quote inside a string ends it too early.",
    'ends the string there. Inside a string, write a double quote as `\\"`.',
    '{"eval_set_id": "my "best" trips", "eval_cases": []}',
    "Adds a backslash before each inner quote.",
)
CONTROL_CHARACTER = _syntax(
    "control-character",
    "A string contains a line break, a tab or another control character.",
    "reads such characters only as escapes: `\\n`, `\\t`, `\\u001b`.",
    '{"eval_set_id": "trips\tto Rome", "eval_cases": []}',
    "Writes the escape (not safe for a line break: a closing quote may be missing instead).",
)
BAD_ESCAPE = _syntax(
    "bad-escape",
    "A backslash in a string is not part of a valid escape.",
    'knows `\\"` `\\\\` `\\/` `\\b` `\\f` `\\n` `\\r` `\\t` and `\\u` with four hexadecimal digits.',
    '{"eval_set_id": "trips to L\\\'Aquila", "eval_cases": []}',
    "Writes the intended character (not safe if the text may need a backslash, as in a path).",
)

# --- brackets and what surrounds the JSON ----------------------------------------------------------------------

UNCLOSED_BRACKET = _syntax(
    "unclosed-bracket",
    "A bracket is never closed.",
    "reads to the end and finds no closing bracket. Look at the end of the file first: the end may be missing.",
    '{"eval_set_id": "trips", "eval_cases": []',
    "Adds the missing brackets.",
)
WRONG_BRACKET = _syntax(
    "wrong-bracket",
    "A closing bracket does not match the open bracket.",
    "reads ] as the end of a list and } as the end of an object.",
    '{"eval_set_id": "trips", "eval_cases": [}}',
    "Writes the matching bracket.",
)
STRAY_TEXT = _syntax(
    "stray-text",
    "There is text after the end of the JSON.",
    "reports *trailing characters*. Often a bracket closes too early, or there is one bracket too many.",
    '{"eval_set_id": "trips", "eval_cases": []}}',
    "Deletes the extra brackets.",
)
SEVERAL_DOCUMENTS = _syntax(
    "several-documents",
    "The file has several JSON values one after the other, as in a JSON Lines file.",
    "reads one value per file. Put the cases into the list `eval_cases` of one eval set.",
    '{"eval_set_id": "trips", "eval_cases": []}\n{"eval_set_id": "hotels", "eval_cases": []}',
)
COMMENT = _syntax(
    "comment",
    "The file has a comment.",
    "reads no comments: no `//`, no `/* */` and no `#`. Use the `description` of the eval set instead.",
    '{"eval_set_id": "trips", // my trips\n "eval_cases": []}',
    "Deletes the comment.",
)
CONFLICT_MARKS = _syntax(
    "conflict-marks",
    "The file has the marks of a git merge conflict.",
    "reads the marks as text. Choose one of the versions between `<<<<<<<` and `>>>>>>>`, and delete the other "
    "version and the marks. After that, evaltui also checks the text between the marks.",
    '{"eval_set_id": "trips",\n<<<<<<< HEAD\n "name": "Trips",\n=======\n "name": "My trips",\n>>>>>>> other\n'
    ' "eval_cases": []}',
)
CODE_FENCE = _syntax(
    "code-fence",
    "The JSON is inside a Markdown code block (between two lines with ```).",
    "reads the ``` as text.",
    '```json\n{"eval_set_id": "trips", "eval_cases": []}\n```',
    "Deletes the lines with ```.",
)

# --- characters and bytes ------------------------------------------------------------------------------------

ODD_BLANK = _syntax(
    "odd-blank",
    "There is a space character that JSON does not allow between values.",
    "reads only space, tab and line break. A no-break space looks the same, and a zero-width space is invisible.",
    '{"eval_set_id": "trips",\u00a0"eval_cases": []}',
    "Writes a space, or deletes the character if it has no width.",
)
TOO_DEEP = _syntax(
    "too-deep",
    "Values are nested deeper than google-adk reads.",
    "stops at about 200 levels with *recursion limit exceeded*.",
    '{"eval_set_id": "trips", "eval_cases": [], "tree": ' + "[" * 201 + "]" * 201 + "}",
)
BAD_CHARACTER = _syntax(
    "bad-character",
    "A string contains half of a surrogate pair.",
    "reads only UTF-8, which cannot contain half of a surrogate pair. Python's `json` accepts such a string.",
    '{"eval_set_id": "\\ud800", "eval_cases": []}',
)
NOT_UTF_8 = _syntax(
    "not-utf-8",
    "The file has bytes that are not UTF-8.",
    "reads only UTF-8. Perhaps an older Windows program saved the file. In that program, save the file as UTF-8.",
    '{"eval_set_id": "Caf\udce9", "eval_cases": []}',
    "Replaces the byte with its Windows-1252 character.",
)
WRONG_ENCODING = _syntax(
    "wrong-encoding",
    "The file is UTF-16 or UTF-32.",
    "reads only UTF-8. Save the file as UTF-8. In Windows Notepad choose *UTF-8*, because its *Unicode* is UTF-16.",
    (b"\xff\xfe" + _GOOD_TEXT.encode("utf-16-le")).decode("utf-8", "surrogateescape"),
    "Writes the file as UTF-8. If the file has a byte order mark, evaltui keeps the encoding.",
)
BYTE_ORDER_MARK = _syntax(
    "byte-order-mark",
    "The file begins with a byte order mark.",
    "reads the mark as a character before the first value.",
    "\ufeff" + _GOOD_TEXT,
    fix="Deletes the mark.",
)


_RULES = {rule.code: rule for rule in tuple(vars().values()) if isinstance(rule, Rule)}
"""The rules by code. A fault has the code of its rule."""


def diagnostic_of(fault: SyntaxFault) -> Diagnostic:
    """The diagnostic of a fault."""
    # Without edits, because splices repair invalid JSON.
    fix = Fix(fault.splice.title, fault.splice.safe, ()) if fault.splice is not None else None
    rule = _RULES[fault.code]
    return Diagnostic(rule.code, rule.severity, fault.message, "", fix=fix)


VERY_DEEP = 900
"""A level so deep that many parsers fail before it."""


def may_be_bad(source: bytes) -> bool:
    """Whether a JSON text may have bytes that are not UTF-8, or half of a surrogate pair."""
    return b"\\ud" in source or b"\\uD" in source or invalid_utf8(source) is not None


def _bad_text(node: Node, literal: bytes, reader: str) -> Diagnostic | None:
    """The diagnostic of a string that `reader` cannot read; None for other strings.

    `literal` is the text of `node` or of its key.
    """
    if not may_be_bad(literal):  # as nearly all strings
        return None
    is_key, pointer = literal is node.key, node.pointer()
    if faults := not_utf_8(literal, None):
        count = f"; {len(faults) - 1} more in this text" if len(faults) > 1 else ""
        splices = [fault.splice for fault in faults if fault.splice is not None]
        fix = None
        # A byte may have no character in Windows-1252.
        if len(splices) == len(faults):
            title = splices[0].title if len(splices) == 1 else "Replace the bytes with their characters"
            text = spliced(literal, splices)
            name = decode(text) if is_key else ""
            edit = Rename(pointer, name) if is_key else Set(pointer, text)
            is_taken = is_key and node.parent is not None and node.parent.member(name) is not None
            fix = None if is_taken else Fix(title, False, (edit,))
        return NOT_UTF_8.at(pointer, f"{faults[0].message}{count}", at_key=is_key, fix=fix)
    if any("\ud800" <= character <= "\udfff" for character in decode(literal)):
        message = f"the {'key' if is_key else 'text'} has half of a surrogate pair, so {reader} rejects the file"
        return BAD_CHARACTER.at(pointer, message, at_key=is_key)
    return None


_LEVELS = 190
"""The number of levels to look through."""
# Deeper values may be too deep themselves: pydantic's parser stops at about 200 levels.
_FEW = 3
"""The number of levels to descend in very deep values."""


def _bad_texts(node: Node, reader: str, depth: int = 0, is_reachable: bool = True) -> Iterator[Diagnostic]:
    """A diagnostic for each key and string with bytes that are not UTF-8, or with half of a surrogate pair."""
    for literal in (node.key, node.source() if node.kind == "string" else b""):
        if (diagnostic := _bad_text(node, literal, reader)) is not None:
            yield diagnostic if is_reachable else replace(diagnostic, fix=None)
    if node.items and depth < _LEVELS and may_be_bad(node.source()):
        # No pointer reaches a value below a duplicate key.
        times = Counter(item.name for item in node.items) if node.kind == "object" else {}
        for item in node.items:
            yield from _bad_texts(item, reader, depth + 1, is_reachable and times.get(item.name, 1) == 1)


def unreadable_values(root: Node, error: str, reader: str) -> list[Diagnostic]:
    """The diagnostics of a JSON text that the parser of `reader` refuses with this error, at the innermost values."""
    if bad_texts := list(_bad_texts(root, reader)):
        return bad_texts
    import pydantic_core

    def is_unreadable(node: Node) -> bool:
        try:
            pydantic_core.from_json(node.source())
        except ValueError:
            return True
        return False

    node = root
    # In very deep values, each level takes long to parse.
    for _ in range(_FEW if is_deep(root.source(), most=VERY_DEEP) else _LEVELS):
        below = next(filter(is_unreadable, node.items), None)
        if below is None:
            break
        node = below
    if "recursion" in error:
        message = f"the value is nested deeper than {reader} reads (about 200 levels)"
        return [TOO_DEEP.at(node.pointer(), message)]
    return [NOT_JSON.at(node.pointer(), f"{reader} cannot read this: {error}")]


def encoding_diagnostics(document: Document, reader: str = "google-adk") -> list[Diagnostic]:
    """The diagnostics of an encoding that `reader` cannot read."""
    if document.encoding == "utf-8-sig":
        message = f"the file begins with a byte order mark, which {reader} rejects"
        return [BYTE_ORDER_MARK.at("", message, fix=Fix("Delete the mark", True, ()))]
    if document.encoding != "utf-8":
        return [WRONG_ENCODING.at("", f"the file is {document.encoding.upper()}, but {reader} reads only UTF-8")]
    return []


def syntax_diagnostics(document: Document) -> list[Diagnostic]:
    """The diagnostics of a document that is not valid JSON, in the order of the text."""
    body = document.body()
    faults = syntax_faults(body)
    places = text_ranges_of(body, {(fault.start, fault.end) for fault in faults} | {(0, 0)})
    encoding = [replace(diagnostic, place=places[0, 0]) for diagnostic in encoding_diagnostics(document)]
    return [*encoding, *(replace(diagnostic_of(fault), place=places[fault.start, fault.end]) for fault in faults)]


def repair(document: Document, codes: Container[str]) -> tuple[Document, list[str]]:
    """Apply the safe fixes of the rules with these codes; returns the document and the codes of the fixes.

    The result is the same document if there is nothing to fix. Fixing a byte order mark deletes it.
    """
    body, fixed = document.body(), list[str]()
    if document.root is None:
        body, fixed = apply_safe_fixes(body, codes=codes)
    if document.encoding == "utf-8-sig" and BYTE_ORDER_MARK.code in codes:
        return Document(body, document.path), [BYTE_ORDER_MARK.code, *fixed]
    return (Document(encode_file(body, document.encoding), document.path), fixed) if fixed else (document, [])
