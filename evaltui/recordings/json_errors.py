"""What is wrong with a text that should be JSON, and where."""

from __future__ import annotations

COMMA_EXPECTED = "a comma or the closing bracket is expected here"
_IN_WORDS = {
    "Expecting value": "a value is expected here",
    "Expecting ',' delimiter": COMMA_EXPECTED,
    "Expecting ':' delimiter": "a colon is expected here",
    "Expecting property name enclosed in double quotes": "a key in double quotes is expected here",
    "Illegal trailing comma before end of object": "there is a comma too many here",
    "Illegal trailing comma before end of array": "there is a comma too many here",
    "Unterminated string starting at": "this text has no closing quote",
    "Invalid control character at": "a control character must be written as an escape",
    "Invalid \\escape": "this backslash begins no known escape",
    "Invalid \\uXXXX escape": "four hexadecimal digits are expected behind \\u",
}


class JsonTextError(ValueError):
    """The text is no JSON; lines and columns count from 1."""

    def __init__(self, message: str, line: int, column: int, *, may_go_on: bool = False) -> None:
        super().__init__(message)
        self.message, self.line, self.column = message, line, column
        self.may_go_on = may_go_on
        """Whether it may be right with what follows."""


class TextLimitError(JsonTextError):
    """The text is more than is read."""


def in_words(message: str) -> str:
    """What Python's parser says, in words for people."""
    return _IN_WORDS.get(message, message)


def behind(line: int, column: int, text: str) -> tuple[int, int]:
    """The line and column behind a text that begins at these."""
    lines = text.count("\n")
    return line + lines, len(text) - text.rfind("\n") if lines else column + len(text)
