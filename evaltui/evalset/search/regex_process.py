"""Runs regular expressions of unknown cost in a process that can be killed.

The process gets texts, and returns the matches and their replacements. A caller that waits too long, or no longer
needs the result, kills it.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from threading import Lock

from evaltui.document.errors import EditError

SECONDS = 5.0
"""The longest time for an expression, compiling included, over all texts."""

# Python's `re` holds the interpreter lock while it matches, so a catastrophic expression would freeze the app even
# from a thread. Compiling can be as slow: 1,000 characters can take more than a second. So nothing compiles an
# expression outside of this program.
_PROGRAM = """
import json, re, sys
pattern, ignoring, template, sources, texts, words = json.load(sys.stdin)

def refuse(what, error):
    place = getattr(error, "pos", None)
    at = f" at character {place + 1}" if place is not None else ""
    json.dump(f"{what}: {getattr(error, 'msg', error)}{at}", sys.stdout)
    sys.exit()

try:
    compiled = re.compile(pattern, re.IGNORECASE if ignoring else 0)
except (re.error, OverflowError, RecursionError) as error:
    refuse("invalid regular expression", error)
names = {number: f"?P<{name}>" for name, number in compiled.groupindex.items()}
same_groups = "".join(f"({names.get(number, '')})" for number in range(1, compiled.groups + 1))
try:
    re.sub(same_groups, template, "")  # the pattern itself may take minutes, even on nothing
except (re.error, IndexError) as error:
    refuse("invalid replacement", error)

spelt = {None: "null", True: "true", False: "false"}
numbers = {"parse_int": str, "parse_float": str, "parse_constant": str}

def strings(source):
    try:
        pending = [json.loads(source, object_pairs_hook=lambda pairs: [*map(list, pairs)], **numbers)]
    except RecursionError:  # a deep source: its brackets, commas and colons have no values
        token = r'"(?:[^"\\\\]|\\\\.)*"|[^][{}:," \\t\\r\\n]+'
        pending = [json.loads(each, **numbers) for each in re.findall(token, source)]
    while pending:
        at = pending.pop()
        if isinstance(at, list):
            pending += at
        else:
            yield at if isinstance(at, str) else spelt.get(at, "")

def holds(source):
    try:
        return any(map(compiled.search, strings(source)))
    except ValueError:
        return True

def found(text, is_word):
    matches = filter(None, [compiled.fullmatch(text)]) if is_word else compiled.finditer(text)
    return [[*match.span(), match.expand(template)] for match in matches]

json.dump([[holds(source) for source in sources], [*map(found, texts, words)]], sys.stdout)
"""


TextMatch = tuple[int, int, str]
"""The start and the end of a range of a text, and its replacement."""


class RegexProcess:
    """Runs the process for one search. Any thread may end it; the waiting thread then gets an `EditError`."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._running: subprocess.Popen[bytes] | None = None
        self._is_ended = False

    def end(self) -> None:
        """Kill the process, and start no other: the result is no longer needed."""
        with self._lock:
            self._is_ended = True
            if self._running is not None:
                self._running.kill()

    def search(
        self,
        pattern: str,
        ignoring_case: bool,
        template: str,
        sources: Sequence[bytes] = (),
        *,
        texts: Sequence[str] = (),
        words: Sequence[bool] = (),
    ) -> tuple[list[bool], list[list[TextMatch]]]:
        """Whether each JSON text in `sources` has a string, key, number or word that matches; the matches in `texts`.

        The texts marked in `words` match only as a whole. Raises `EditError` with a sentence if the expression or
        template is invalid, or takes too long.
        """
        decoded = [source.decode("utf-8", "surrogateescape") for source in sources]
        values = [pattern, ignoring_case, template, decoded, list(texts), list(words)]
        try:
            with self._lock:  # so that `end` either comes first or finds the process
                if self._is_ended:
                    raise EditError("the search was cancelled")
                command = [sys.executable, "-I", "-S", "-W", "ignore", "-c", _PROGRAM]
                process = self._running = subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
                )
            with process:
                try:
                    output, _ = process.communicate(json.dumps(values).encode(), SECONDS)
                finally:
                    process.kill()  # no effect if the process has ended already
        except subprocess.TimeoutExpired as error:
            raise EditError(f"this expression takes longer than {SECONDS:g} seconds; try a simpler one") from error
        except OSError as error:
            raise EditError("this expression could not be tested") from error
        if process.returncode:
            raise EditError("the search was cancelled" if self._is_ended else "this expression could not be tested")
        answer = json.loads(output)
        if isinstance(answer, str):
            raise EditError(answer)
        holds, lists = answer
        return holds, [[(start, end, new) for start, end, new in matches] for matches in lists]
