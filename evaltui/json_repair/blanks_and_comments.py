"""The gaps between values: blanks, and the comments, marks and other space characters that JSON forbids there."""

from __future__ import annotations

import re

from evaltui.json_repair.faults import FaultKind, FaultLog, ForwardSearch, Splice

_blanks = re.compile(r"[ \t\r\n]*").match
_line_comment = re.compile(r"(?://|#)[^\r\n]*").match
_newline = re.compile(r"[ \t]*\r?\n").match
_BLANKS = " \t"

_WITHOUT_WIDTH = ("\u200b", "\u200c", "\u200d", "\u2060", "\ufeff")
_WITH_WIDTH = ("\u00a0", "\u0085", "\u3000", "\u1680", "\u202f", "\u205f", *map(chr, range(0x2000, 0x200B)), "\u2028")
_ODD = {
    **{blank.encode().decode("latin-1"): b"" for blank in _WITHOUT_WIDTH},
    **{blank.encode().decode("latin-1"): b" " for blank in (*_WITH_WIDTH, "\u2029", "\x0b", "\x0c")},
}
"""The UTF-8 bytes of space characters that JSON does not allow, and their replacements."""
_odd_blanks = re.compile(f"(?:{'|'.join(map(re.escape, _ODD))})+").match
_odd_blank = re.compile("|".join(map(re.escape, _ODD)))

_conflict_mark = re.compile(r"(<<<<<<<|\|\|\|\|\|\|\||=======|>>>>>>>)(?=[ \r\n]|\Z)[^\n]*").match
_conflict_end = re.compile(r"^>>>>>>>(?=[ \r\n]|\Z)", re.MULTILINE).search
_other_version = re.compile(r"^(?:\|\|\|\|\|\|\||=======)(?=[ \r\n]|\Z)", re.MULTILINE).search
_fence = re.compile(r"```[\w-]*[ \t]*(?=\r?\n|\Z)", re.ASCII).match

_STARTS = frozenset("/#<|=>`\x0b\x0c" + "".join(odd[0] for odd in _ODD))


class BlanksAndComments:
    """Skips the gaps between values, and logs everything in them that JSON does not allow."""

    def __init__(self, text: str, faults: FaultLog) -> None:
        self._text, self._faults = text, faults
        self._comment_end = ForwardSearch(lambda at: text.find("*/", at))
        self._conflict_end = ForwardSearch(lambda at: _start(_conflict_end(text, at)))
        self._other_version = ForwardSearch(lambda at: _start(_other_version(text, at)))
        self._conflict_until = -1
        """The end of the merge conflict whose first version is being read."""

    def skip(self, at: int, *, outside: bool) -> int:
        """The offset of the next token from `at` on. `outside`: no bracket is open."""
        while True:
            found = _blanks(self._text, at)
            at = found.end() if found else at
            if self._text[at : at + 1] not in _STARTS:
                return at
            behind = self._behind(at, outside=outside)
            if behind == at:
                return at
            at = behind

    def _behind(self, at: int, *, outside: bool) -> int:
        """The offset after the comment, mark or odd blank at `at`; `at` if there is none."""
        text = self._text
        if text.startswith(("//", "#"), at):
            found = _line_comment(text, at)
            return self._comment(at, found.end() if found else at, outside=outside)
        if text.startswith("/*", at):
            return self._block_comment(at)
        begins_line = at == 0 or text[at - 1] == "\n"
        if begins_line and (mark := _conflict_mark(text, at)):
            return self._conflict(mark)
        if begins_line and outside and (fence := _fence(text, at)):
            return self._code_fence(at, fence.end())
        odd = _odd_blanks(text, at)
        return self._odd_blanks(at, odd.end()) if odd else at

    # --- comments ----------------------------------------------------------------------------------------------

    def _block_comment(self, at: int) -> int:
        end = self._comment_end(at + 2)
        if end >= 0:
            return self._comment(at, end + 2, outside=True)
        self._faults.add(FaultKind.COMMENT, "the comment has no end (*/)", at, len(self._text))
        return len(self._text)

    def _comment(self, at: int, end: int, *, outside: bool) -> int:
        # A string that begins with # or // and has lost its opening quote looks like a comment, too.
        is_behind_text = at > 0 and self._text[at - 1] in "\"'"
        eats_all = end == len(self._text) and not outside
        splice = Splice(*self._with_blanks(at, end), b"", "Delete the comment", not (is_behind_text or eats_all))
        self._faults.add(FaultKind.COMMENT, "JSON has no comments", at, end, splice)
        return end

    def _with_blanks(self, at: int, end: int) -> tuple[int, int]:
        """The range to delete with a comment: also the blanks before it, or its whole line if it is alone there."""
        newline = _newline(self._text, end)
        if newline is None and end < len(self._text):
            return at, end
        start = at
        while start > 0 and self._text[start - 1] in _BLANKS:
            start -= 1
        is_alone = start == 0 or self._text[start - 1] == "\n"
        return (start, newline.end()) if is_alone and newline else (start, end)

    # --- marks of other programs ---------------------------------------------------------------------------------

    def _conflict(self, mark: re.Match[str]) -> int:
        """Read the first version of a merge conflict and skip the others."""
        at, end = mark.start(), mark.end()
        if at <= self._conflict_until:
            return self._conflict_until
        other, last = self._other_version(end), self._conflict_end(end)
        if mark[1] == "<<<<<<<" and 0 <= other < last:
            self._conflict_until = self._faults.line_end(last)
            said = "git merge conflict: choose one version and delete the marks"
            self._faults.add(FaultKind.CONFLICT_MARKS, said, at, self._conflict_until)
        else:
            said = f"{mark[1]} is left over from a git merge conflict"
            self._faults.add(FaultKind.CONFLICT_MARKS, said, at, end)
        return end

    def _code_fence(self, at: int, end: int) -> int:
        newline = _newline(self._text, end)
        splice = Splice(at, newline.end() if newline else end, b"", "Delete the line", True)
        self._faults.add(FaultKind.CODE_FENCE, "JSON does not allow the ``` of a Markdown code block", at, end, splice)
        return end

    # --- blanks --------------------------------------------------------------------------------------------------

    def _odd_blanks(self, at: int, end: int) -> int:
        if at == 0 and self._text.startswith("\xef\xbb\xbf"):
            splice = Splice(0, 3, b"", "Delete the mark", True)
            said = "the file begins with a byte order mark, which google-adk rejects"
            self._faults.add(FaultKind.BYTE_ORDER_MARK, said, 0, 3, splice)
            return 3
        blanks = self._text[at:end]
        meant = _odd_blank.sub(lambda found: _ODD[found[0]].decode(), blanks).encode()
        codes = dict.fromkeys(f"U+{ord(blank):04X}" for blank in blanks.encode("latin-1").decode())
        said = f"JSON does not allow this space character ({', '.join(codes)})"
        title = "Write a space" if meant else "Delete the character"
        self._faults.add(FaultKind.ODD_BLANK, said, at, end, Splice(at, end, meant, title, True))
        return end


def _start(found: re.Match[str] | None) -> int:
    return found.start() if found else -1
