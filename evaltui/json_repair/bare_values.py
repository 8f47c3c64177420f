"""Values and keys without quotes: literals and numbers of other languages, bare strings and keys."""

from __future__ import annotations

import re

from evaltui.document.possessive import POSSESSIVE
from evaltui.document.scanner import NUMBER
from evaltui.json_repair.faults import FaultKind, FaultLog, Splice
from evaltui.json_repair.quoted_texts import in_double_quotes

_run = re.compile(rf"(?:[^ \t\r\n,:\[\]{{}}\"'/#=;]|/(?![/*]))*{POSSESSIVE}").match
_healthy = re.compile(rf"-?{NUMBER}|true|false|null|NaN|-?Infinity").fullmatch
_phrase = re.compile(rf"(?:[^,\[\]{{}}\"\r\n/]|/(?![/*])|(?<=:)//)*{POSSESSIVE}").match
_ahead_of_colon = re.compile(r"[ \t\r\n]*(?::|=>?(?!=))").match
_name = re.compile(r"[A-Za-z_$][\w$-]*|[0-9]+", re.ASCII).fullmatch
_has_word = re.compile(r"[0-9A-Za-z\x80-\xff]").search

_LITERALS = {
    **{"true": "true", "false": "false", "null": "null", "none": "null"},
    **{"undefined": "null", "nil": "null", "nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"},
    **{"infinity": "Infinity", "-infinity": "-Infinity"},
}
_CERTAIN = ("true", "false", "null", "none")

_plus = re.compile(rf"\+({NUMBER}|Infinity|NaN)").fullmatch
_zeros = re.compile(r"([-+]?)0[0-9_]+((?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)").fullmatch
_point = re.compile(r"([-+]?)([0-9]*)\.([0-9]*)((?:[eE][-+]?[0-9]+)?)").fullmatch
_other_base = re.compile(r"([-+]?)(0[xX][0-9a-fA-F]{1,40}|0[oO][0-7]{1,40}|0[bB][01]{1,80})").fullmatch
_underscores = re.compile(r"([-+]?)((?:0|[1-9][0-9]*)(?:_[0-9]+)+(?:\.[0-9]+)?)").fullmatch
_no_number = re.compile(r"[-+]+(?:[0-9.][0-9.eE]*)?|[0-9]+(?:\.[0-9]*)?[eE][-+]?").fullmatch


class BareValues:
    """Finds the end of each value or key without quotes, and logs its fix."""

    def __init__(self, text: str, faults: FaultLog) -> None:
        self._text, self._faults = text, faults

    def run_end(self, at: int) -> int:
        """The offset after the run of characters at `at` that may be one word or number."""
        found = _run(self._text, at)
        return found.end() if found else at

    def is_key(self, at: int) -> bool:
        """Whether a word at `at` is followed by a colon or an equals sign."""
        end = self.run_end(at)
        return end > at and _ahead_of_colon(self._text, end) is not None

    def key_end(self, at: int) -> int:
        """The offset after a key without quotes; logs the fault."""
        end = self.run_end(at)
        key = self._text[at:end]
        splice = Splice(at, end, f'"{key}"'.encode("latin-1"), "Put the key in quotes", bool(_name(key)))
        if "\\" in key or not key.isprintable():
            splice = Splice(at, end, in_double_quotes(key).encode("latin-1"), splice.title, False)
        said = f"the key {self._faults.shown(at, end)} needs double quotes"
        self._faults.add(FaultKind.UNQUOTED_KEY, said, at, end, splice)
        return end

    def value_end(self, at: int) -> int:
        """The offset after a value without quotes; always greater than `at`."""
        end = self.run_end(at)
        run = self._text[at:end]
        if _healthy(run):
            return end
        literal = _LITERALS.get(run.casefold()) if len(run) < 12 else None
        if literal is not None:
            title = f"Write {literal}"
            splice = Splice(at, end, literal.encode(), title, run.casefold() in _CERTAIN)
            self._faults.add(FaultKind.FOREIGN_LITERAL, f"{run} is not valid JSON; write {literal}", at, end, splice)
            return end
        meant = _number_meant(run)
        if meant is None:
            return self._text_end(at)
        number, is_certain = meant
        fix = Splice(at, end, number.encode(), f"Write {number[:20]}", is_certain) if number else None
        said = f"{self._faults.shown(at, end)} is not a JSON number"
        self._faults.add(FaultKind.BAD_NUMBER, said, at, end, fix)
        return end

    def _text_end(self, at: int) -> int:
        """The offset after a string without quotes, or after text that is no value at all."""
        found = _phrase(self._text, at)
        end = at + len(found[0].rstrip(" \t")) if found else at
        end = max(end, at + 1)
        shown = self._faults.shown(at, end)
        if _has_word(self._text, at, end):
            splice = Splice(at, end, in_double_quotes(self._text[at:end]).encode("latin-1"), "Put it in quotes", False)
            self._faults.add(FaultKind.UNQUOTED_TEXT, f"{shown} needs double quotes", at, end, splice, doubt=True)
        else:
            self._faults.add(FaultKind.NOT_JSON, f"{shown} is not allowed here", at, end, doubt=True)
        return end


def _number_meant(run: str) -> tuple[str, bool] | None:
    """The number that `run` stands for, in JSON form, and whether that is certain.

    The number is "" if it is unknown. The result is None if `run` is not a number.
    """
    if len(run) > 400 or not run:
        return None
    if found := _plus(run):
        return found[1], True
    if found := _other_base(run):
        return _signed(found[1], str(int(found[2], 0))), True
    if found := _underscores(run):
        return _signed(found[1], found[2].replace("_", "")), True
    if found := _zeros(run):
        digits = run.lstrip("-+").split(".")[0].split("e")[0].split("E")[0].replace("_", "").lstrip("0") or "0"
        return _signed(found[1], digits + found[2]), False
    if (found := _point(run)) and (found[2] or found[3]):
        whole = found[2].lstrip("0") or "0"
        return _signed(found[1], f"{whole}.{found[3] or '0'}{found[4]}"), whole == (found[2] or "0")
    return ("", False) if _no_number(run) else None


def _signed(sign: str, number: str) -> str:
    return "-" + number if sign == "-" else number
