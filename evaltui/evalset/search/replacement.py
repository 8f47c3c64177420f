"""Find and replace in the texts, names, ids and free values of cases."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from threading import Lock

from evaltui.document.edits import Edit, Rename, Set
from evaltui.document.errors import EditError, PointerError
from evaltui.document.node import Node
from evaltui.document.pointer import join
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.keys import member
from evaltui.evalset.search.replaceable_values import KINDS, ReplaceableValue, TextMatch, apply_matches
from evaltui.evalset.titles import field_title
from evaltui.printable import one_line

_spelt_plainly = re.compile(r"[ !#-.0-\[\]-~]+").fullmatch
"""Matches a text without quotes, slashes and backslashes: JSON spells it unchanged, unless with Unicode escapes."""
_JOINTS = ".@/:'-"
"""Characters that can stand inside a word, but neither begin nor end it: `call-1`, `3.5`, `ann@example.com`."""
_LONGEST = 40
"""The most characters that a change is extended to each side; a longer word is data."""
_word_tail = re.compile(rf"[\w{_JOINTS}]*\Z").search
_word_head = re.compile(rf"[\w{_JOINTS}]*").match
_is_in_word = re.compile(rf"[\w{_JOINTS}]").match


@dataclass(frozen=True, slots=True)
class Replacement:
    """A text or expression to find, and its replacement."""

    find: str
    replace: str = ""
    is_regex: bool = False
    ignores_case: bool = True
    kinds: frozenset[str] = frozenset(KINDS)

    def may_be_in(self, sources: Sequence[bytes], process: RegexProcess | None = None) -> list[bool]:
        """Whether each case, given its JSON text, may have hits; the other cases need no parsing.

        With a regular expression it waits for the process of `process`, and raises `EditError` with a sentence if the
        expression is invalid or takes too long.
        """
        if self.is_regex:
            return (process or RegexProcess()).search(self.find, self.ignores_case, self.replace, sources)[0]
        # JSON may spell other texts with escapes, so each case must be read.
        if not _spelt_plainly(self.find):
            return [True] * len(sources)
        fold = bytes.lower if self.ignores_case else bytes
        needle = fold(self.find.encode())
        return [b"\\u" in source or needle in fold(source) for source in sources]

    def matches(
        self, texts: Sequence[str], words: Sequence[bool], process: RegexProcess | None = None
    ) -> list[list[TextMatch]]:
        """The matches in each text; texts marked in `words` match only whole. Waits and raises like `may_be_in`."""
        if self.is_regex:
            process = process or RegexProcess()
            return process.search(self.find, self.ignores_case, self.replace, texts=texts, words=words)[1]
        pattern = re.compile(re.escape(self.find), re.IGNORECASE if self.ignores_case else 0)
        matches_by_text = (
            filter(None, [pattern.fullmatch(text)]) if is_word else pattern.finditer(text)
            for text, is_word in zip(texts, words, strict=True)
        )
        return [[(*match.span(), self.replace) for match in matches] for matches in matches_by_text]


def hits_among(values: Sequence[ReplaceableValue], matches: Sequence[Sequence[TextMatch]]) -> list[ReplaceableValue]:
    """The values with matches whose text really changes."""
    hits = []
    for value, listed in zip(values, matches, strict=True):
        text = value.text if listed else ""
        if changes := tuple(match for match in listed if text[match[0] : match[1]] != match[2]):
            hits.append(replace(value, matches=changes))
    return hits


# --- the revision ----------------------------------------------------------------------------------------------------


def replacing(
    case_file: CaseFile, replacement: Replacement, hits: Sequence[ReplaceableValue], left_out: int = 0
) -> Revision:
    """The revision for all `hits`; `left_out` more were deselected. Raises `EditError` if there are no hits."""
    if not hits:
        raise EditError("nothing to replace")
    values = [hit for hit in hits if not hit.is_key]
    edits: list[Edit] = [Set(_pointer_of(case_file, node), hit.source) for hit in values for node in hit.nodes]
    # Keys last, because the pointers above use the old keys.
    edits += _renames(case_file, [hit for hit in hits if hit.is_key])
    places = f"{len(hits):,} place{'s' * (len(hits) != 1)}"
    remarks = [f"{left_out:,} left out" if left_out else "", said_of_types(hits), _repeated_id(case_file, hits)]
    find, replace = one_line(replacement.find, 30), one_line(replacement.replace, 30) or "nothing"
    return Revision(f"replace {find} with {replace} in {places}", edits, " · ".join(filter(None, remarks)))


def said_of_types(hits: Sequence[ReplaceableValue]) -> str:
    """A clause about numbers, booleans and nulls that change type: `2 numbers become text`; "" for none."""
    counts = Counter((hit.type, hit.becomes) for hit in hits if hit.becomes != hit.type)
    return ", ".join(
        f"{count:,} {old}{'s' * (count > 1)} become{'s' * (count == 1)} {new}" for (old, new), count in counts.items()
    )


def _pointer_of(case_file: CaseFile, node: Node) -> str:
    """The pointer of a node; raises `EditError` if a key on the way is a duplicate in its object."""
    for inner in (node, *node.ancestors()):
        if inner.parent is not None and inner.key:
            try:
                inner.parent.step(inner.name, "")
            except PointerError as error:
                what = f'The key "{one_line(inner.name, 40)}" is a duplicate in its object'
                raise EditError(f"{what}: {field_title(case_file, inner)}. Leave this hit out.") from error
    return node.pointer()


def _renames(case_file: CaseFile, hits: Sequence[ReplaceableValue]) -> list[Edit]:
    new_names: dict[Node, dict[Node, str]] = {}
    for hit in hits:
        node = hit.nodes[0]
        if node.parent is not None:
            new_names.setdefault(node.parent, {})[node] = hit.after
    edits: list[Edit] = []
    # Inner keys first, so that outer keys still have their old names in pointers.
    for container in sorted(new_names, key=lambda container: -sum(1 for _ in container.ancestors())):
        names = new_names[container]
        counts = Counter(names.get(item, item.name) for item in container.items)
        for node, name in names.items():
            if counts[name] > 1:
                where = field_title(case_file, node)
                raise EditError(f'The key "{one_line(name, 40)}" would be a duplicate: {where}. Leave one hit out.')
        around = _pointer_of(case_file, next(iter(names))).rpartition("/")[0]
        pairs = [(node.name, name) for node, name in names.items()]
        present = {item.name for item in container.items}
        edits += [Rename(f"{around}{join(old)}", new) for old, new in _in_free_order(pairs, present)]
    return edits


def _in_free_order(pairs: list[tuple[str, str]], present: set[str]) -> Iterator[tuple[str, str]]:
    """The renames in an order in which no new key exists yet; in a cycle, one key gets a temporary name."""
    pending = list(pairs)
    while pending:
        free = next((pair for pair in pending if pair[1] not in present), None)
        if free is None:
            old, new = pending.pop()
            aside = old
            while aside in present:
                aside += "_"
            pending.append((aside, new))
            free = old, aside
        else:
            pending.remove(free)
        yield free
        present ^= set(free)


def _repeated_id(case_file: CaseFile, hits: Sequence[ReplaceableValue]) -> str:
    """A clause about case ids that become duplicates, because google-adk refuses to run such a set."""
    new_ids = {hit.nodes[0]: hit.after for hit in hits if hit.kind == "ids"}
    nodes = [member(case, case_file.format.case_id) for case in case_file.cases] if new_ids else []
    if not any(node in new_ids for node in nodes):
        return ""
    counts = Counter(new_ids.get(node, node.text()) for node in nodes if node is not None)
    repeated = next((text for text, count in counts.items() if count > 1 and text in new_ids.values()), None)
    if repeated is None:
        return ""
    return f"duplicate id: {counts[repeated]} cases are now called {one_line(repeated, 30)}"


# --- changes of whole words ------------------------------------------------------------------------------------------


def word_changes(text: str, matches: Iterable[TextMatch]) -> list[TextMatch]:
    """The matches, each extended to whole words: `4712 → 9912` although only `47` became `99`.

    Matches in one word make one change.
    """
    groups: list[tuple[int, int, list[TextMatch]]] = []
    for match in matches:
        start, end, _ = match
        # The match may begin or end between words: there it is not extended.
        if start == len(text) or _is_in_word(text, start):
            tail = _word_tail(text[max(0, start - _LONGEST) : start])
            start -= len(tail[0].lstrip(_JOINTS)) if tail else 0
        if not end or _is_in_word(text, end - 1):
            head = _word_head(text, end, end + _LONGEST)
            end += len(head[0].rstrip(_JOINTS)) if head else 0
        if groups and start < groups[-1][1]:
            first, last_end, group = groups.pop()
            group.append(match)  # in place: thousands of matches may be in one word
            groups.append((first, max(last_end, end), group))
        else:
            groups.append((start, end, [match]))
    return [(start, end, apply_matches(text, group, start, end)) for start, end, group in groups]


# --- regular expressions: a process runs them, which can be killed, because nobody knows what they cost ---------------

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
