"""The gaps between values: blanks, and the comments, marks and other space characters that JSON forbids there."""

from __future__ import annotations

import re

from evaltui.document.scanner import after_blanks
from evaltui.json_repair.faults import FaultLog, ForwardSearch, Splice

_line_comment = re.compile(r"(?://|#)[^\r\n]*").match
_newline = re.compile(r"[ \t]*\r?\n").match
_BLANKS = " \t"

# A replacement by a blank could add one to a word, so characters without width go.
_WITHOUT_WIDTH = ("\u200b", "\u200c", "\u200d", "\u2060", "\ufeff")
_WITH_WIDTH = ("\u00a0", "\u0085", "\u3000", "\u1680", "\u202f", "\u205f", *map(chr, range(0x2000, 0x200B)), "\u2028")
_ODD = {
    **{blank.encode().decode("latin-1"): b"" for blank in _WITHOUT_WIDTH},
    **{blank.encode().decode("latin-1"): b" " for blank in (*_WITH_WIDTH, "\u2029", "\x0b", "\x0c")},
}
"""The UTF-8 bytes of space characters that JSON does not allow, and their replacements."""
_odd_blanks = re.compile(f"(?:{'|'.join(map(re.escape, _ODD))})+").match
_odd_blank = re.compile("|".join(map(re.escape, _ODD)))

# A mark of git has seven signs, and at most a blank and a name behind them. Longer rows of these signs are none.
_conflict_mark = re.compile(r"(<<<<<<<|\|\|\|\|\|\|\||=======|>>>>>>>)(?=[ \r\n]|\Z)[^\n]*").match
_conflict_end = re.compile(r"^>>>>>>>(?=[ \r\n]|\Z)", re.MULTILINE).search
_other_version = re.compile(r"^(?:\|\|\|\|\|\|\||=======)(?=[ \r\n]|\Z)", re.MULTILINE).search
_fence = re.compile(r"```[\w-]*[ \t]*(?=\r?\n|\Z)", re.ASCII).match

_STARTS = frozenset("/#<|=>`\x0b\x0c" + "".join(odd[0] for odd in _ODD))


class BlanksAndComments:
    """Skips the gaps between values, and logs everything in them that JSON does not allow."""

    def __init__(self, text: str, faults: FaultLog) -> None:
        self._text, self._faults = text, faults
        self._comment_end = ForwardSearch(lambda offset: text.find("*/", offset))
        self._conflict_end = ForwardSearch(lambda offset: _start_of(_conflict_end(text, offset)))
        self._other_version = ForwardSearch(lambda offset: _start_of(_other_version(text, offset)))
        self._conflict_until = -1
        """The end of the merge conflict whose first version is being read."""

    def skip(self, offset: int, *, outside: bool) -> int:
        """The offset of the next token from `offset` on. `outside`: no bracket is open."""
        while True:
            offset = after_blanks(self._text, offset)
            if self._text[offset : offset + 1] not in _STARTS:
                return offset
            behind = self._skip_odd_text(offset, outside=outside)
            if behind == offset:
                return offset
            offset = behind

    def _skip_odd_text(self, start: int, *, outside: bool) -> int:
        """The offset after the comment, mark or odd blank at `start`; `start` if there is none."""
        text = self._text
        if text.startswith(("//", "#"), start):
            comment = _line_comment(text, start)
            return self._log_comment(start, comment.end() if comment else start, outside=outside)
        if text.startswith("/*", start):
            end = self._comment_end(start + 2)
            if end >= 0:
                return self._log_comment(start, end + 2, outside=True)
            # No fix: nobody knows where the comment was to end, and the rest of the file is in it.
            self._faults.add("comment", "the comment has no end (*/)", start, len(text))
            return len(text)
        begins_line = start == 0 or text[start - 1] == "\n"
        if begins_line and (mark := _conflict_mark(text, start)):
            return self._log_conflict(mark)
        # Within brackets, backquotes are the quotes of a text.
        if begins_line and outside and (fence := _fence(text, start)):
            newline = _newline(text, fence.end())
            splice = Splice(start, newline.end() if newline else fence.end(), b"", "Delete the line", True)
            message = "JSON does not allow the ``` of a Markdown code block"
            self._faults.add("code-fence", message, start, fence.end(), splice)
            return fence.end()
        odd = _odd_blanks(text, start)
        return self._log_odd_blanks(start, odd.end()) if odd else start

    # --- comments ----------------------------------------------------------------------------------------------

    def _log_comment(self, start: int, end: int, *, outside: bool) -> int:
        # A string that begins with # or // and has lost its opening quote looks like a comment, too.
        is_behind_text = start > 0 and self._text[start - 1] in "\"'"
        eats_all = end == len(self._text) and not outside
        splice = Splice(*self._with_blanks(start, end), b"", "Delete the comment", not (is_behind_text or eats_all))
        self._faults.add("comment", "JSON has no comments", start, end, splice)
        return end

    def _with_blanks(self, start: int, end: int) -> tuple[int, int]:
        """The range to delete with a comment: also the blanks before it, or its whole line if it is alone there."""
        newline = _newline(self._text, end)
        if newline is None and end < len(self._text):
            return start, end
        first = start
        while first > 0 and self._text[first - 1] in _BLANKS:
            first -= 1
        is_alone = first == 0 or self._text[first - 1] == "\n"
        return (first, newline.end()) if is_alone and newline else (first, end)

    # --- marks of other programs ---------------------------------------------------------------------------------

    def _log_conflict(self, mark: re.Match[str]) -> int:
        """Read the first version of a merge conflict and skip the others."""
        start, end = mark.start(), mark.end()
        if start <= self._conflict_until:
            return self._conflict_until
        second_version, last = self._other_version(end), self._conflict_end(end)
        if mark[1] == "<<<<<<<" and 0 <= second_version < last:
            # No fix: which version counts is for a person to decide. The first one is read, so that its faults show.
            self._conflict_until = self._faults.line_end(last)
            message = "git merge conflict: choose one version and delete the marks"
            self._faults.add("conflict-marks", message, start, self._conflict_until)
        else:
            message = f"{mark[1]} is left over from a git merge conflict"
            self._faults.add("conflict-marks", message, start, end)
        return end

    def _log_odd_blanks(self, start: int, end: int) -> int:
        if start == 0 and self._text.startswith("\xef\xbb\xbf"):
            splice = Splice(0, 3, b"", "Delete the mark", True)
            message = "the file begins with a byte order mark, which google-adk rejects"
            self._faults.add("byte-order-mark", message, 0, 3, splice)
            return 3
        blanks = self._text[start:end]
        replacement = _odd_blank.sub(lambda blank: _ODD[blank[0]].decode(), blanks).encode()
        codes = dict.fromkeys(f"U+{ord(blank):04X}" for blank in blanks.encode("latin-1").decode())
        message = f"JSON does not allow this space character ({', '.join(codes)})"
        title = "Write a space" if replacement else "Delete the character"
        self._faults.add("odd-blank", message, start, end, Splice(start, end, replacement, title, True))
        return end


def _start_of(match: re.Match[str] | None) -> int:
    return match.start() if match else -1
