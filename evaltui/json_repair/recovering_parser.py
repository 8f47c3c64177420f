"""The recovering parser: it logs each fault and continues as if the intended text stood there.

It keeps its own stack, so only memory limits the depth.
"""

from __future__ import annotations

import re
from json import JSONDecodeError

from evaltui.document.scanner import NUMBER, POSSESSIVE, STRING_START, after_blanks, scan_value
from evaltui.json_repair.blanks_and_comments import BlanksAndComments
from evaltui.json_repair.faults import FaultLog, Splice
from evaltui.json_repair.scalars import Scalars

_CLOSING = {"{": "}", "[": "]"}
_nothing_more = re.compile(r"[ \t\r\n]*+\Z").match
_MOST = 200  # brackets that a fix writes


class Brackets:
    """The stack of open brackets, with their offsets."""

    def __init__(self, text: str, faults: FaultLog) -> None:
        self._text, self._faults = text, faults
        self._open: list[tuple[str, int]] = []
        self._counts = {"{": 0, "[": 0}

    @property
    def depth(self) -> int:
        """The number of open brackets."""
        return len(self._open)

    @property
    def is_object(self) -> bool:
        """Whether the innermost open bracket is the bracket of an object."""
        return bool(self._open) and self._open[-1][0] == "{"

    def open(self, mark: str, offset: int) -> None:
        """Push the bracket at `offset`, or one that is missing there."""
        self._open.append((mark, offset))
        self._counts[mark] += 1

    @property
    def closing(self) -> str:
        """The mark that closes the innermost bracket."""
        return _CLOSING[self._open[-1][0]]

    @property
    def all_closing(self) -> str:
        """The marks that close all open brackets, the innermost first."""
        return "".join(_CLOSING[mark] for mark, _ in reversed(self._open))

    def close(self, start: int, end: int) -> int:
        """Pop the bracket that the bracket at `start` closes; `end` is the end of the value before it.

        Returns the offset of the popped bracket.
        A bracket of the wrong kind closes an outer bracket, or it is a mistake for the right kind.
        """
        mark = self._text[start]
        if mark != self.closing:
            opening = "{" if mark == "}" else "["
            # The outermost bracket counts only if the text ends here: otherwise the rest would lie outside the JSON.
            is_outermost = self._counts[opening] == 1 and self._open[0][0] == opening
            if self._counts[opening] and (not is_outermost or _nothing_more(self._text, start + 1)):
                self.close_inner(mark, start, end)
            else:
                closing = self.closing
                message = f"{mark} cannot close {self._named_bracket()}; expected {closing}"
                splice = Splice(start, start + 1, closing.encode(), f"Write {closing}", False)
                self._faults.add("wrong-bracket", message, start, start + 1, splice)
        return self._pop()

    def close_inner(self, closing: str, start: int, end: int, comma: str = "") -> None:
        """Pop the brackets up to one that `closing` closes: they are not closed before what stands at `start`.

        A fix writes them at `end`, with `comma` behind.
        """
        bracket, mark = self._named_bracket(), self._text[start]
        missing: list[str] = []
        while closing != self.closing:
            missing += [self.closing] if len(missing) <= _MOST else []
            self._pop()
        item = mark if mark in "}]" else {'"': "this key", ",": "this comma"}.get(mark, f"this {mark}")
        message = f"{missing[0]} is missing before {item}: {bracket} is not closed"
        self._faults.add("unclosed-bracket", message, start, start + 1, _write_brackets(missing, end, comma))

    @property
    def closing_outside(self) -> str:
        """The mark that closes the nearest bracket of the other kind around the innermost one; "" if there is none."""
        other = "[" if self.is_object else "{"
        return _CLOSING[other] if self._counts[other] else ""

    def close_all(self, end: int | None) -> None:
        """Log the brackets that are open at the end of the text; a fix writes them at `end`."""
        size, count = len(self._text), len(self._open)
        missing = [_CLOSING[mark] for mark, _ in reversed(self._open[-_MOST - 1 :])]
        message = f"the file ends, but {self._named_bracket()} "
        outer = f"and {count - 1:,} bracket{'s' * (count > 2)} around it are not closed"
        message += outer if count > 1 else "is not closed"
        splice = None if end is None else _write_brackets(missing, end)
        self._faults.add("unclosed-bracket", message, size, size, splice)

    def _named_bracket(self) -> str:
        mark, offset = self._open[-1]
        return f"the {mark} of {self._faults.line_of(offset)}"

    def _pop(self) -> int:
        mark, offset = self._open.pop()
        self._counts[mark] -= 1
        return offset


def _write_brackets(missing: list[str], end: int, comma: str = "") -> Splice | None:
    if len(missing) > _MOST:
        return None
    brackets = "".join(missing) + comma
    words = brackets if len(brackets) < 10 else f"the {len(brackets)} brackets"
    return Splice(end, end, brackets.encode(), f"Write {words} here", False)


_STRING = STRING_START + '"'
_SCALAR = rf"(?:{_STRING}|-?{NUMBER}|true|false|null|NaN|-?Infinity)"
_B = r"[ \t\r\n]*+"
_healthy_items = re.compile(rf"(?:{_B}{_SCALAR}{_B},)*{POSSESSIVE}").match
_healthy_members = re.compile(rf"(?:{_B}{_STRING}{_B}:{_B}{_SCALAR}{_B},)*{POSSESSIVE}").match

_key_with_colon = re.compile(rf'"[^"\\\x00-\x1f]*+(?:\\.[^"\\\x00-\x1f]*+)*{POSSESSIVE}"[ \t\r\n]*+[:=]').match
_commas = re.compile(r"(?:,[ \t\r\n]*+)*,").match
_only_brackets = re.compile(r"[ \t\r\n\]}]*+\Z").match
_begins_value = re.compile(r"[\"{\[0-9A-Za-z_$+.'`\x80-\xff-]").match
_strings_and_brackets = re.compile(rf'{STRING_START}"?|[{{}}\[\]]').finditer
_begins_no_text = re.compile(r"[{\[0-9-]|true|false|null|None|True|False").match

# The depths at which whole values are tried with the fast C scanner. Below 2, one call would take long and hold the
# interpreter lock, so other threads would wait. Each depth may scan the text once more: their number bounds the time.
_FROM, _TO = 2, 12
# The budget for failed scans, in lengths of the text: `JSONDecodeError` counts the lines before the error.
_FAILURES = 200
# How many characters ahead the bracket is sought that closes an item, and the budget for all such searches, in lengths
# of the text.
_AHEAD, _SEARCHES = 1_000_000, 2
# The most open brackets that are compared with the closing ones ahead.
_DEEPEST = 50


class RecoveringParser:
    """Reads a text once from beginning to end, and logs all faults."""

    def __init__(self, text: str, faults: FaultLog) -> None:
        self._text, self._faults = text, faults
        self._text_end = len(text.rstrip(" \t\r\n"))
        self._gaps, self._brackets = BlanksAndComments(text, faults), Brackets(text, faults)
        self._scalars = Scalars(text, faults)
        self._scans_left, self._ahead_left = _FAILURES * len(text), _SEARCHES * len(text) + _AHEAD
        self._state = "value"
        """The expected token, as in document/scanner.py; `after` means that the document has ended."""
        self._at = 0
        self._end = 0
        """The offset after the last value, key or opening bracket."""
        self._start = 0
        """The offset of the last value."""
        self._comma = 0
        """The offset of the last comma."""
        self._is_second = False
        """Whether a second document is logged."""

    def read(self) -> None:
        """Log all faults; raises `EnoughError`."""
        text, size = self._text, len(self._text)
        while self._at < size:
            self._at = self._gaps.skip(self._at, outside=not self._brackets.depth)
            if self._at < size:
                self._read_token(text[self._at])
        if self._brackets.depth:
            can_end = self._state in ("comma", "key or end", "value or end")
            self._brackets.close_all(self._end if can_end else None)
        elif self._state == "value" and not self._is_second:
            content = "no value" if self._text_end else "only spaces and line breaks"
            message = f"the file has {content}" if text else "the file is empty"
            self._faults.add("empty-file", message, size, size)

    def _read_token(self, mark: str) -> None:
        if self._state == "after":
            self._read_after_document(mark)
        elif mark in "}]":
            self._close_bracket(mark)
        elif self._state == "comma":
            self._read_after_value(mark)
        elif self._state == "colon":
            self._read_after_key(mark)
        elif self._state.startswith("key"):
            self._read_key(mark)
        else:
            self._read_value(mark)

    # --- values --------------------------------------------------------------------------------------------------

    def _read_value(self, mark: str) -> None:
        self._start = self._at
        if mark in "{[":
            self._open_container(mark)
        elif self._state == "value" and self._is_outside(self._at):
            self._close_before(self._comma, "")
        elif mark == ",":
            self._read_comma_for_value()
        elif mark in ":=":
            self._skip_odd(self._at + 1, "a colon is not allowed here")
        else:
            self._end_value(self._scalars.end(self._at, is_key=False))

    def _open_container(self, mark: str) -> None:
        if (end := self._find_healthy_end()) is not None:
            self._end_value(end)
            return
        self._brackets.open(mark, self._at)
        self._at = self._end = self._at + 1
        self._state = "key or end" if mark == "{" else "value or end"
        self._pass_healthy()

    def _find_healthy_end(self) -> int | None:
        """The offset after the value, by the fast C scanner; None if it has a fault or was not scanned."""
        if not _FROM <= self._brackets.depth < _TO or self._scans_left < 0:
            return None
        try:
            return int(scan_value(self._text, self._at)[1])
        except (StopIteration, RecursionError):
            self._scans_left -= self._at
        except JSONDecodeError as error:
            self._scans_left -= error.pos
        return None

    def _pass_healthy(self) -> None:
        """Skip valid scalars with their keys and commas."""
        # By one regular expression, since a step for each token of a long list takes far longer.
        is_object = self._brackets.is_object
        items = (_healthy_members if is_object else _healthy_items)(self._text, self._at)
        if items and items.end() > self._at:
            self._at = items.end()
            self._comma = self._at - 1
            self._state = "key" if is_object else "value"

    def _end_value(self, end: int) -> None:
        self._go_on(end, "comma" if self._brackets.depth else "after")

    def _go_on(self, end: int, state: str) -> None:
        self._at = self._end = end
        self._state = state

    def _read_comma_for_value(self) -> None:
        if not self._brackets.depth:
            self._skip_odd(self._at + 1, "a comma is not allowed here")
        elif self._brackets.is_object:
            self._log_missing_value(" null")
            self._take_comma()
        elif self._state == "value or end" and self._is_outside(after_blanks(self._text, self._at + 1)):
            self._close_before(self._end, "")
            self._state = "comma"
        else:
            self._log_extra_comma()

    def _log_missing_value(self, written: str) -> None:
        splice = Splice(self._end, self._end, written.encode(), "Write null", False)
        message = "the key before this has no value"
        self._faults.add("missing-value", message, self._at, self._at + 1, splice)

    # --- what stands between values ---------------------------------------------------------------------------

    def _read_after_value(self, mark: str) -> None:
        is_object = self._brackets.is_object
        if mark == ",":
            self._take_comma()
        elif mark == ";":
            splice = Splice(self._at, self._at + 1, b",", "Write a comma", False)
            self._faults.add("missing-comma", "write a comma, not ;", self._at, self._at + 1, splice)
            self._take_comma()
        elif mark in ":=":
            self._skip_odd(self._at + 1, "a colon is not allowed here")
            self._state = "value"
        elif mark in "{[" and self._lacks_opening():
            self._open_before_value()
        elif self._is_outside(self._at):
            self._close_before(self._end, ",")
        elif not (self._scalars.is_key(self._at) if is_object else _begins_value(self._text, self._at)):
            self._skip_odd(max(self._scalars.run_end(self._at), self._at + 1))
        else:
            splice = Splice(self._end, self._end, b",", "Add a comma", self._is_comma_certain(mark))
            message = "a comma is missing before this item"
            doubt = self._text[self._end - 1] == '"' and not splice.safe
            self._faults.add("missing-comma", message, self._at, self._at + 1, splice, doubt=doubt)
            self._state = "key" if is_object else "value"
            self._comma = self._end

    def _is_outside(self, place: int) -> bool:
        """Whether the item at a place belongs outside the innermost bracket, which somebody forgot to close before it.

        So it is for a key in an array, and for a bracket in place of a key, if a bracket of the outer kind comes next.
        """
        if not self._brackets.is_object:
            key = _key_with_colon(self._text, place)
            fits_outside = key is not None and key[0].endswith(":")
        else:
            fits_outside = self._text.startswith(("{", "["), place)
        closing = self._brackets.closing_outside
        return fits_outside and closing != "" and self._closing_ahead(place) == closing

    def _closing_ahead(self, place: int) -> str:
        """The first closing bracket whose opening bracket stands before a place; "" if it is far or unknown."""
        depth, end = 0, place + min(_AHEAD, self._ahead_left)
        for token in _strings_and_brackets(self._text, place, end):
            mark = self._text[token.start()]
            depth += (mark in "{[") - (mark in "}]")
            if depth < 0:
                self._ahead_left -= token.end() - place
                return mark
        self._ahead_left -= end - place
        return ""

    def _close_before(self, end: int, comma: str) -> None:
        self._brackets.close_inner(self._brackets.closing_outside, self._at, end, comma)
        self._state = "key" if self._brackets.is_object else "value"

    def _lacks_opening(self) -> bool:
        """Whether a [ is missing before the last value, a value of an object: then all brackets match up to the end."""
        if not self._brackets.is_object or self._brackets.depth > _DEEPEST:
            return False
        expected, closing, opened = "]" + self._brackets.all_closing, "", ""
        end = self._at + min(_AHEAD, self._ahead_left)
        for token in _strings_and_brackets(self._text, self._at, end):
            mark = self._text[token.start()]
            if mark in "{[":
                opened += mark
            elif mark in "}]" and not opened:
                closing += mark
                if not expected.startswith(closing):
                    break
            elif mark == "}" or (mark == "]" and opened[-1] == "["):  # another ] may lack its [, too
                opened = opened[:-1]
        self._ahead_left -= end - self._at
        return closing == expected

    def _open_before_value(self) -> None:
        text, place = self._text, self._start
        while text[place - 1] in " \t\r\n":
            place -= 1
        blanks = text[place : self._start]
        # A list whose items are on lines of their own begins on the line of its key.
        place += len(blanks) - len(blanks.lstrip(" \t")) if "\n" in blanks else len(blanks)
        splice = Splice(place, place, b"[", "Write [ here", False)
        message = "[ is missing before this: the ] of its list follows"
        self._faults.add("wrong-bracket", message, self._start, self._start + 1, splice)
        self._brackets.open("[", self._start)

    def _is_comma_certain(self, mark: str) -> bool:
        text, end, start = self._text, self._end, self._at
        behind_bracket = text[end - 1] in "}]"
        if not self._brackets.is_object:
            return behind_bracket and mark in "{["
        if mark == '"':
            return (behind_bracket or end < start) and _key_with_colon(text, start) is not None
        return behind_bracket or "\n" in text[end:start]

    def _take_comma(self) -> None:
        self._comma = self._at
        self._at += 1
        self._state = "key" if self._brackets.is_object else "value"
        self._pass_healthy()

    def _log_extra_comma(self) -> None:
        commas = _commas(self._text, self._at)
        end = commas.end() if commas else self._at + 1
        is_object = self._brackets.is_object
        message = "extra comma" if is_object else "extra comma, or an item is missing"
        title = "Delete the comma" if end == self._at + 1 else "Delete these commas"
        self._faults.add("extra-comma", message, self._at, end, Splice(self._at, end, b"", title, is_object))
        self._at = end

    # --- keys --------------------------------------------------------------------------------------------------

    def _read_key(self, mark: str) -> None:
        if mark == ",":
            self._log_extra_comma()
        elif mark in "{[" and after_blanks(self._text, self._end) == self._comma and self._lacks_opening():
            self._open_before_value()
            self._state = "value"
        elif self._state == "key" and self._is_outside(self._at):
            self._close_before(self._comma, "")
        elif self._scalars.is_key(self._at):
            self._go_on(self._scalars.end(self._at, is_key=True), "colon")
        else:
            end = self._at + 1
            self._faults.add("missing-key", "a key in double quotes is expected here", self._at, end)
            self._at += mark in ":="
            self._state = "value"

    def _read_after_key(self, mark: str) -> None:
        text, start = self._text, self._at
        if mark == ":":
            self._go_on(start + 1, "value")
        elif mark == "=":
            end = start + 1 + text.startswith(">", start + 1)
            splice = Splice(start, end, b":", "Write a colon", True)
            self._faults.add("missing-colon", f"write a colon, not {text[start:end]}", start, end, splice)
            self._go_on(end, "value")
        elif mark == ",":
            self._log_missing_value(": null")
            self._take_comma()
        elif _begins_value(text, start):
            splice = Splice(self._end, self._end, b":", "Add a colon", bool(_begins_no_text(text, start)))
            message = "a colon is missing before this"
            self._faults.add("missing-colon", message, start, start + 1, splice, doubt=not splice.safe)
            self._state = "value"
        else:
            self._skip_odd(max(self._scalars.run_end(start), start + 1))

    def _skip_odd(self, end: int, message: str = "") -> None:
        message = message or f"{self._faults.excerpt(self._at, end)} is not allowed here"
        self._faults.add("not-json", message, self._at, end, doubt=True)
        self._at = end

    # --- ends --------------------------------------------------------------------------------------------------

    def _close_bracket(self, mark: str) -> None:
        brackets, start = self._brackets, self._at
        if not brackets.depth:
            self._skip_odd(start + 1, f"{mark} has no opening bracket")
            return
        is_behind_comma = self._state == "key" or (self._state == "value" and not brackets.is_object)
        if self._state == "colon":
            self._log_missing_value(": null")
        elif is_behind_comma and self._text[self._comma : self._comma + 1] == ",":
            splice = Splice(self._comma, self._comma + 1, b"", "Delete the comma", mark == brackets.closing)
            message = f"extra comma before {mark}"
            self._faults.add("trailing-comma", message, start, start + 1, splice)
        elif self._state == "value":
            self._log_missing_value(" null")
        if mark == "]" and self._state == "comma" and self._lacks_opening():
            self._open_before_value()
        self._start = brackets.close(start, self._end)
        self._end_value(start + 1)

    def _read_after_document(self, mark: str) -> None:
        text, start, end = self._text, self._at, self._text_end
        if mark == "," and start + 1 == end:
            splice = Splice(start, end, b"", "Delete the comma", True)
            self._faults.add("trailing-comma", "extra comma at the end", start, end, splice)
        elif mark in "{[":
            if not self._is_second:
                message = "a second JSON value begins here, but only one is read"
                self._faults.add("several-documents", message, start, start + 1)
            self._is_second = True
            self._state = "value"
            return
        elif mark in "}]" and _only_brackets(text, start):
            brackets = f"{mark} has" if end == start + 1 else "these brackets have"
            splice = Splice(start, end, b"", f"Delete {'it' if end == start + 1 else 'them'}", False)
            self._faults.add("stray-text", f"{brackets} no opening bracket", start, end, splice)
        else:
            message = "the JSON ends before this; a bracket may be wrong"
            self._faults.add("stray-text", message, start, end)
        self._at = len(text)
