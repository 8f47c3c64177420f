"""Find and replace in the texts, names, ids and free values of cases."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evaltui.document.edits import Edit, Rename, Set, json_text
from evaltui.document.errors import EditError
from evaltui.document.node import Node
from evaltui.document.pointer import join
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.keys import member
from evaltui.evalset.search.regex_process import RegexProcess
from evaltui.evalset.search.replaceable_values import KINDS, ReplaceableValue
from evaltui.evalset.search.whole_words import TextMatch, apply_matches
from evaltui.evalset.titles import field_title
from evaltui.printable import one_line

_WORDS = {"true": "boolean", "false": "boolean", "null": "null"}
_is_number = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?").fullmatch
"""Matches a number in JSON spelling."""
_spelt_plainly = re.compile(r"[ !#-.0-\[\]-~]+").fullmatch
"""Matches a text without quotes, slashes and backslashes: JSON spells it unchanged, unless with Unicode escapes."""


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
            return (process or RegexProcess()).holding(self.find, self.ignores_case, self.replace, sources)
        return [self._may_be_in(source) for source in sources]

    def _may_be_in(self, source: bytes) -> bool:
        if not _spelt_plainly(self.find) or b"\\u" in source:
            return True
        needle = self.find.encode()
        return needle.lower() in source.lower() if self.ignores_case else needle in source

    def matches(
        self, texts: Sequence[str], words: Sequence[bool], process: RegexProcess | None = None
    ) -> list[list[TextMatch]]:
        """The matches in each text; texts marked in `words` match only whole. Waits and raises like `may_be_in`."""
        if self.is_regex:
            return (process or RegexProcess()).matches(self.find, self.ignores_case, self.replace, texts, words)
        pattern = re.compile(re.escape(self.find), re.IGNORECASE if self.ignores_case else 0)
        return [self._plain_matches(pattern, text, is_word) for text, is_word in zip(texts, words, strict=True)]

    def _plain_matches(self, pattern: re.Pattern[str], text: str, is_word: bool) -> list[TextMatch]:
        found = filter(None, [pattern.fullmatch(text)]) if is_word else pattern.finditer(text)
        return [TextMatch(*each.span(), self.replace) for each in found]


@dataclass(frozen=True, slots=True)
class Hit:
    """A place whose text, spelling or key changes."""

    place: ReplaceableValue
    before: str
    matches: tuple[TextMatch, ...]

    @property
    def after(self) -> str:
        """The text, spelling or key after the replacement."""
        return apply_matches(self.before, self.matches)

    @property
    def becomes(self) -> str:
        """The type after the replacement: key, text, number, boolean or null. Any other spelling becomes a text."""
        if self.place.type in ("key", "text"):
            return self.place.type
        return _WORDS.get(self.after) or ("number" if _is_number(self.after) else "text")

    @property
    def changes_type(self) -> bool:
        """Whether a number, boolean or null changes its type."""
        return self.becomes != self.place.type

    @property
    def source(self) -> bytes:
        """The new value as JSON text; a number keeps its typed spelling."""
        return json_text(self.after) if self.becomes in ("key", "text") else self.after.encode("ascii")


def hits_among(places: Sequence[ReplaceableValue], matches: Sequence[Sequence[TextMatch]]) -> list[Hit]:
    """The places with matches whose text really changes."""
    hits = []
    for place, found in zip(places, matches, strict=True):
        if found:
            text = place.text
            changed = tuple(match for match in found if text[match.start : match.end] != match.new)
            hits += [Hit(place, text, changed)] if changed else []
    return hits


def replacing(eval_set: CaseFile, wanted: Replacement, hits: Sequence[Hit], left_out: int = 0) -> Revision:
    """The revision for all `hits`; `left_out` more were deselected. Raises `EditError` if there are no hits."""
    if not hits:
        raise EditError("nothing to replace")
    known = {case: case.pointer() for case in eval_set.cases[:1]}
    known |= {case: f"{at.rpartition('/')[0]}/{n}" for at in known.values() for n, case in enumerate(eval_set.cases)}
    pointers = _Pointers(eval_set, known)
    renamed = [hit for hit in hits if hit.place.is_key]
    edits: list[Edit] = [
        Set(pointers.of(node), hit.source) for hit in hits if not hit.place.is_key for node in hit.place.nodes
    ]
    edits += _renames(eval_set, renamed, pointers)  # last, because the pointers above use the old keys
    places = f"{len(hits):,} place{'s' * (len(hits) != 1)}"
    remarks = [f"{left_out:,} left out" if left_out else "", said_of_types(hits), _repeated(eval_set, hits)]
    label = f"replace {one_line(wanted.find, 30)} with {one_line(wanted.replace, 30) or 'nothing'} in {places}"
    return Revision(label, edits, " · ".join(filter(None, remarks)))


def said_of_types(hits: Sequence[Hit]) -> str:
    """A clause about numbers, booleans and nulls that change type: `2 numbers become text`; "" for none."""
    turned = Counter((hit.place.type, hit.becomes) for hit in hits if hit.changes_type)
    said = (f"{n:,} {was}{'s' * (n > 1)} become{'s' * (n == 1)} {now}" for (was, now), n in turned.items())
    return ", ".join(said)


class _Pointers:
    """Pointers of many nodes; the `known` ones end the climb, so thousands of siblings are not searched."""

    def __init__(self, eval_set: CaseFile, known: dict[Node, str]) -> None:
        self._eval_set = eval_set
        self._known = known
        self._twice: dict[Node, set[str]] = {}

    def of(self, node: Node) -> str:
        """The pointer of a node; raises `EditError` if a key on the way is a duplicate in its object."""
        tokens: list[str | int] = []
        at = node
        while at not in self._known and at.parent is not None:
            tokens.append(at.name if at.parent.kind == "object" else at.index())
            if at.parent.kind == "object" and at.name in self._keys_twice(at.parent):
                where = field_title(self._eval_set, at)
                name = one_line(at.name, 40)
                raise EditError(f'The key "{name}" is a duplicate in its object: {where}. Leave this hit out.')
            at = at.parent
        return self._known.get(at, "") + join(*reversed(tokens))

    def _keys_twice(self, container: Node) -> set[str]:
        if container not in self._twice:
            counts = Counter(item.name for item in container.items)
            self._twice[container] = {name for name, count in counts.items() if count > 1}
        return self._twice[container]


def _renames(eval_set: CaseFile, hits: Sequence[Hit], pointers: _Pointers) -> list[Edit]:
    """The renames of keys, inner keys first, so that outer keys still have their old names in pointers."""
    new_names: dict[Node, dict[Node, str]] = {}
    for hit in hits:
        node = hit.place.nodes[0]
        if node.parent is not None:
            new_names.setdefault(node.parent, {})[node] = hit.after
    inner_first = sorted(new_names, key=lambda container: -sum(1 for _ in container.ancestors()))
    edits: list[Edit] = []
    for container in inner_first:
        _refuse_shared_keys(eval_set, container, new_names[container])
        first = next(iter(new_names[container]))
        around = pointers.of(first).rpartition("/")[0]
        pairs = [(node.name, new) for node, new in new_names[container].items()]
        present = {item.name for item in container.items}
        edits += [Rename(f"{around}{join(old)}", new) for old, new in _in_free_order(pairs, present)]
    return edits


def _refuse_shared_keys(eval_set: CaseFile, container: Node, new_names: dict[Node, str]) -> None:
    counts = Counter(new_names.get(item, item.name) for item in container.items)
    for node, name in new_names.items():
        if counts[name] > 1:
            where = field_title(eval_set, node)
            raise EditError(f'The key "{one_line(name, 40)}" would be a duplicate: {where}. Leave one hit out.')


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


def _repeated(eval_set: CaseFile, hits: Sequence[Hit]) -> str:
    """A clause about case ids that become duplicates, because google-adk refuses to run such a set."""
    new = {hit.place.nodes[0]: hit.after for hit in hits if hit.place.kind == "ids"}
    name = "eval_case_id" if eval_set.is_dataset else "eval_id"
    named = [member(case, name) for case in eval_set.cases] if new else []
    if not any(node in new for node in named):
        return ""
    after = Counter(new.get(node, node.text()) for node in named if node is not None)
    twice = [text for text, count in after.items() if count > 1 and text in new.values()]
    return f"duplicate id: {after[twice[0]]} cases are now called {one_line(twice[0], 30)}" if twice else ""
