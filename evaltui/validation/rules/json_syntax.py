"""Text that is no JSON, or JSON that google-adk's parser does not read: the rules, the diagnostics, the repair."""

from __future__ import annotations

from collections.abc import Container

from evaltui.document.document import Document
from evaltui.document.positions import text_ranges_of
from evaltui.json_repair.faults import SyntaxFault
from evaltui.json_repair.repair import apply_safe_fixes, syntax_faults
from evaltui.validation.locations import Located
from evaltui.validation.rule import Diagnostic, Example, Fix, Rule

_PARSER = "google-adk reads a file with `EvalSet.model_validate_json`, whose parser (jiter) "
_GOOD_TEXT = '{"eval_set_id": "trips", "eval_cases": []}'
_GOOD = Example("text", _GOOD_TEXT)  # in examples, a surrogate stands for a byte that is not UTF-8 (PEP 383)


def _syntax(code: str, summary: str, why: str, bad: str, fix: str = "", good: Example = _GOOD) -> Rule:
    return Rule(code, summary, _PARSER + why, Example("text", bad), good, fix, "error", "syntax")


NOT_JSON = _syntax(
    "not-json",
    "Something stands where JSON does not allow it.",
    "stops at the first error; nothing of the file is read. This rule stands for what has no rule of its own.",
    '{"eval_set_id": "trips", "eval_cases": [...]}',
)
EMPTY_FILE = _syntax(
    "empty-file",
    "The file is empty, or holds nothing but blanks.",
    "ends with *EOF while parsing a value*. A new eval set is written by `evaltui edit NAME.evalset.json`.",
    "\n",
)

# --- commas and colons ---------------------------------------------------------------------------------------

TRAILING_COMMA = _syntax(
    "trailing-comma",
    "A comma stands behind the last item.",
    "says *trailing comma*: JSON has commas between items only, unlike Python and JavaScript.",
    '{"eval_set_id": "trips", "eval_cases": [],}',
    "Removes the comma.",
)
EXTRA_COMMA = _syntax(
    "extra-comma",
    "A comma stands where an item was expected.",
    "takes no empty items. In an object the comma is surely one too many; in a list an item may have been lost.",
    '{"eval_set_id": "trips",, "eval_cases": []}',
    "Removes the comma; safe in an object only.",
)
MISSING_COMMA = _syntax(
    "missing-comma",
    "Between two items there is no comma.",
    "stops at the second item.",
    '{"eval_set_id": "trips"\n "eval_cases": []}',
    "Puts a comma behind the first item; safe before a key, and between brackets of a list.",
)
MISSING_COLON = _syntax(
    "missing-colon",
    "Between a key and its value there is no colon.",
    "stops behind the key. `=` and `=>` are other languages' colons.",
    '{"eval_set_id" = "trips", "eval_cases": []}',
    "Writes a colon; safe where nothing else can be meant.",
)
MISSING_VALUE = _syntax(
    "missing-value",
    "A key has no value.",
    "stops behind the key or its colon.",
    '{"eval_set_id": "trips", "name": , "eval_cases": []}',
    "Writes null.",
)
MISSING_KEY = _syntax(
    "missing-key",
    "A value stands in an object without a key.",
    "takes nothing but a key in double quotes there.",
    '{"eval_set_id": "trips", [], "eval_cases": []}',
)

# --- texts, keys and values ----------------------------------------------------------------------------------

SINGLE_QUOTES = _syntax(
    "single-quotes",
    "A text or key stands in single quotes or backticks.",
    "knows double quotes only. Python prints a dict this way; `json.dumps` prints JSON.",
    '{\'eval_set_id\': "trips", "eval_cases": []}',
    "Writes double quotes; safe where the text surely ends at the next quote.",
)
SMART_QUOTES = _syntax(
    "smart-quotes",
    "A text or key stands in typographic quotes.",
    "knows straight double quotes only. Word processors and chats put in the others; inside a text they are fine.",
    '{"eval_set_id": “trips”, "eval_cases": []}',
    "Writes straight quotes; safe where the text surely ends at the next quote.",
)
UNQUOTED_KEY = _syntax(
    "unquoted-key",
    "A key stands without quotes.",
    "takes keys in double quotes only, unlike JavaScript.",
    '{eval_set_id: "trips", "eval_cases": []}',
    "Writes the key in double quotes.",
)
UNQUOTED_TEXT = _syntax(
    "unquoted-text",
    "A text stands without quotes.",
    "takes a bare word for a value only if it is true, false, null, NaN, Infinity or a number.",
    '{"eval_set_id": trips, "eval_cases": []}',
    "Writes it in double quotes.",
)
FOREIGN_LITERAL = _syntax(
    "foreign-literal",
    "A value is spelt as in another language: True, False, None, undefined.",
    "knows of words only true, false and null, in small letters, and NaN and Infinity.",
    '{"eval_set_id": "trips", "name": None, "eval_cases": []}',
    "Writes JSON's word for it; not safe for undefined, which JSON does not have.",
)
BAD_NUMBER = _syntax(
    "bad-number",
    "A number is written as JSON does not allow: +1, 007, .5, 5., 0x1F or 1_000.",
    "takes neither a plus sign in front nor zeros, wants digits on both sides of the point, and decimal ones.",
    '{"eval_set_id": "trips", "eval_cases": [], "creation_timestamp": +1.5}',
    "Writes the same number as JSON has it; not safe for leading zeros, which may be an octal number or an id.",
)
UNCLOSED_STRING = _syntax(
    "unclosed-string",
    "A text has no closing quote on its line.",
    "says *control character (\\u0000-\\u001F) found while parsing a string* at the end of the line.",
    '{"eval_set_id": "trips,\n "eval_cases": []}',
    "Closes the text at the end of its line, before a comma.",
)
UNESCAPED_QUOTE = _syntax(
    "unescaped-quote",
    "A double quote inside a text ends it too early.",
    'takes the text to end there; inside a text a double quote is written `\\"`.',
    '{"eval_set_id": "my "best" trips", "eval_cases": []}',
    "Puts a backslash before the quotes inside.",
)
CONTROL_CHARACTER = _syntax(
    "control-character",
    "A line break, a tab or another control character stands in a text as itself.",
    "wants them as escapes: `\\n`, `\\t`, `\\u001b`.",
    '{"eval_set_id": "trips\tto Rome", "eval_cases": []}',
    "Writes the escape; not safe for line breaks, where a closing quote may be missing instead.",
)
BAD_ESCAPE = _syntax(
    "bad-escape",
    "A backslash in a text begins no escape that JSON knows.",
    'knows `\\"` `\\\\` `\\/` `\\b` `\\f` `\\n` `\\r` `\\t` and `\\u` with four hexadecimal digits.',
    '{"eval_set_id": "trips to L\\\'Aquila", "eval_cases": []}',
    "Writes what was meant; not safe where that may be a backslash, as in a path or a regular expression.",
)

# --- brackets and what surrounds the JSON ----------------------------------------------------------------------

UNCLOSED_BRACKET = _syntax(
    "unclosed-bracket",
    "A bracket is never closed.",
    "reads to the end and misses the closing bracket. The file may have been cut off: look at its end first.",
    '{"eval_set_id": "trips", "eval_cases": []',
    "Writes the missing brackets.",
)
WRONG_BRACKET = _syntax(
    "wrong-bracket",
    "A closing bracket does not fit the one that is open.",
    "takes ] for lists and } for objects.",
    '{"eval_set_id": "trips", "eval_cases": [}}',
    "Writes the bracket that fits.",
)
STRAY_TEXT = _syntax(
    "stray-text",
    "Something stands behind the end of the JSON.",
    "says *trailing characters*. Often a bracket closes too early, or one is left over.",
    '{"eval_set_id": "trips", "eval_cases": []}}',
    "Removes brackets that are left over.",
)
SEVERAL_DOCUMENTS = _syntax(
    "several-documents",
    "Several JSON values stand one after the other, as in a JSON Lines file.",
    "takes one value a file. Cases go into the list `eval_cases` of one eval set.",
    '{"eval_set_id": "trips", "eval_cases": []}\n{"eval_set_id": "hotels", "eval_cases": []}',
)
COMMENT = _syntax(
    "comment",
    "There is a comment.",
    "knows no comments; neither `//`, `/* */` nor `#`. An eval set has a `description` for them.",
    '{"eval_set_id": "trips", // my trips\n "eval_cases": []}',
    "Removes the comment.",
)
CONFLICT_MARKS = _syntax(
    "conflict-marks",
    "git has left the marks of a merge conflict.",
    "takes them for text. Choose one of the versions between `<<<<<<<` and `>>>>>>>` and delete the other and the "
    "marks; what is between is looked at only then.",
    '{"eval_set_id": "trips",\n<<<<<<< HEAD\n "name": "Trips",\n=======\n "name": "My trips",\n>>>>>>> other\n'
    ' "eval_cases": []}',
)
CODE_FENCE = _syntax(
    "code-fence",
    "The JSON stands between the ``` of a chat or a Markdown page.",
    "takes them for text.",
    '```json\n{"eval_set_id": "trips", "eval_cases": []}\n```',
    "Removes the lines with ```.",
)

# --- characters and bytes ------------------------------------------------------------------------------------

ODD_BLANK = _syntax(
    "odd-blank",
    "A blank that JSON does not know stands between the values.",
    "takes space, tab and line break only; a no-break space or one without width looks alike or cannot be seen at all.",
    '{"eval_set_id": "trips",\u00a0"eval_cases": []}',
    "Writes a space, or nothing for one without width.",
)
TOO_DEEP = _syntax(
    "too-deep",
    "Values nest deeper than google-adk reads.",
    "gives up at about 200 levels with *recursion limit exceeded*.",
    '{"eval_set_id": "trips", "eval_cases": [], "tree": ' + "[" * 201 + "]" * 201 + "}",
)
BAD_CHARACTER = _syntax(
    "bad-character",
    "A text holds half a surrogate pair.",
    "takes UTF-8 only, in which half a pair cannot be written; Python's `json` lets it pass.",
    '{"eval_set_id": "\\ud800", "eval_cases": []}',
)
NOT_UTF_8 = _syntax(
    "not-utf-8",
    "There are bytes that are not UTF-8.",
    "takes UTF-8 only. An older Windows program may have saved the file: save it as UTF-8 there.",
    '{"eval_set_id": "Caf\udce9", "eval_cases": []}',
    "Takes the byte for the character of Windows-1252 that it stands for.",
)
WRONG_ENCODING = _syntax(
    "wrong-encoding",
    "The file is UTF-16 or UTF-32.",
    "takes UTF-8 only. Save the file as UTF-8; Windows' Notepad calls it so, and its *Unicode* is UTF-16.",
    (b"\xff\xfe" + _GOOD_TEXT.encode("utf-16-le")).decode("utf-8", "surrogateescape"),
    "Writes it as UTF-8 where no byte order mark makes it readable as it is.",
)
BYTE_ORDER_MARK = _syntax(
    "byte-order-mark",
    "The file begins with a byte order mark.",
    "takes it for a character before the first value.",
    "\ufeff" + _GOOD_TEXT,
    fix="Takes the mark out.",
)


_RULES = {rule.code: rule for rule in tuple(vars().values()) if isinstance(rule, Rule)}
"""The rules by code. Each kind of fault is explained by the rule of its code."""


def diagnostic_of(fault: SyntaxFault) -> Diagnostic:
    """The diagnostic of a fault; its fix has no edits, since text that is no JSON is repaired by splices."""
    fix = Fix(fault.splice.title, fault.splice.safe, ()) if fault.splice is not None else None
    rule = _RULES[fault.code]
    return Diagnostic(rule.code, rule.severity, fault.message, "", fix=fix)


def encoding_diagnostics(document: Document, reader: str = "google-adk") -> list[Diagnostic]:
    """The diagnostics of an encoding that google-adk, or another `reader`, does not read."""
    encoding = document.encoding
    if encoding.codec != "utf-8":
        said = f"the file is {encoding.codec.upper()}; {reader} reads UTF-8 only"
        return [WRONG_ENCODING.at("", said)]
    if encoding.mark:
        said = f"the file begins with a byte order mark, which {reader} rejects"
        return [BYTE_ORDER_MARK.at("", said, fix=Fix("Take the mark out", True, ()))]
    return []


def syntax_diagnostics(document: Document) -> list[Located]:
    """The diagnostics of a document that is no JSON, in the order of the text."""
    body = document.body()
    faults = syntax_faults(body)
    places = text_ranges_of(body, {(fault.start, fault.end) for fault in faults} | {(0, 0)})
    of_file = [Located(each, places[0, 0]) for each in encoding_diagnostics(document)]
    return [*of_file, *(Located(diagnostic_of(fault), places[fault.start, fault.end]) for fault in faults)]


def repair(document: Document, wanted: Container[str]) -> tuple[Document, list[str]]:
    """The document with the safe fixes of wanted rules applied, and their codes; itself if there are none.

    Fixing a byte order mark removes it.
    """
    body, fixed = document.body(), list[str]()
    if document.root is None:
        body, kinds = apply_safe_fixes(body, wanted=wanted)
        fixed = [kind.value for kind in kinds]
    encoding = document.encoding
    if encoding.mark and encoding.codec == "utf-8" and BYTE_ORDER_MARK.code in wanted:
        return Document(body, document.path), [BYTE_ORDER_MARK.code, *fixed]
    return (Document(encoding.to_file(body), document.path), fixed) if fixed else (document, [])
