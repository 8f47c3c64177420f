"""Find and replace in the texts, names, arguments and ids of cases."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from evaltui.document import Edit, EditError, Node, Set, json_text
from evaltui.document.pointer import join
from evaltui.evalset import regex_process
from evaltui.evalset.content import parts_of
from evaltui.evalset.eval_set import EvalCase, EvalSet, Invocation
from evaltui.evalset.keys import filled, member
from evaltui.evalset.revision import Revision
from evaltui.printable import one_line

KINDS = ("user text", "responses", "tool names", "arguments", "ids")
"""Where can be replaced: what the user says, expected responses, names of tools, texts in arguments, ids."""

_spelt_plainly = re.compile(r"[ !#-.0-\[\]-~]+").fullmatch
"""Texts that JSON spells as they are (neither quotes, slashes nor backslashes), unless with \\u escapes."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to look for, and what to put in its place."""

    find: str
    replace: str = ""
    is_regex: bool = False
    ignores_case: bool = True
    kinds: frozenset[str] = frozenset(KINDS)

    def check(self) -> None:
        """Raise `EditError` with a sentence for an expression that is none."""
        if self.is_regex:
            regex_process.checked(self.find, self.replace)

    def may_be_in(self, sources: Sequence[bytes]) -> list[bool]:
        """Which cases, given their source, may hold hits: the others need not be unfolded. Raises as `check`.

        With a regular expression it waits for another process.
        """
        self.check()
        if self.is_regex:
            return regex_process.holding(self.find, self.ignores_case, sources)
        return [self._may_be_in(source) for source in sources]

    def _may_be_in(self, source: bytes) -> bool:
        if not _spelt_plainly(self.find) or b"\\u" in source:
            return True
        needle = self.find.encode()
        return needle.lower() in source.lower() if self.ignores_case else needle in source

    def applied(self, texts: Sequence[str]) -> list[str]:
        """What becomes of each text. Raises `EditError` for an expression that takes too long."""
        if self.is_regex:
            return regex_process.substituted(self.find, self.ignores_case, self.replace, texts)
        pattern = re.compile(re.escape(self.find), re.IGNORECASE if self.ignores_case else 0)
        return [pattern.sub(lambda _: self.replace, text) for text in texts]


@dataclass(frozen=True, slots=True)
class Place:
    """A text that can be replaced, with all nodes that must stay the same: a call's id and its answer's are one."""

    kind: str
    nodes: tuple[Node, ...]

    @property
    def text(self) -> str:
        """The text there."""
        return self.nodes[0].text()


@dataclass(frozen=True, slots=True)
class Hit:
    """A place whose text becomes another."""

    place: Place
    before: str
    after: str


def places_of(case: Node) -> Iterator[Place]:
    """All texts of a case that can be replaced, in order."""
    yield from _strings("ids", member(case, "eval_id"))
    scenario = filled(case, "conversation_scenario")
    for name in ("starting_prompt", "conversation_plan"):
        yield from _strings("user text", member(scenario, name))
    for turn in EvalCase(case).invocations:
        yield from _strings("ids", member(turn, "invocation_id"))
        yield from _texts("user text", filled(turn, "user_content"))
        yield from _calls(turn)
        yield from _texts("responses", filled(turn, "final_response"))


def _strings(kind: str, *nodes: Node | None) -> Iterator[Place]:
    """One place for all those nodes that hold the text of the first."""
    texts = [node for node in nodes if node is not None and node.kind == "string"]
    if texts:
        first = texts[0].text()
        yield Place(kind, tuple(node for node in texts if node.text() == first))


def _texts(kind: str, content: Node | None) -> Iterator[Place]:
    for part in parts_of(content):
        if part.is_text:
            yield from _strings(kind, member(part.node, "text"))


def _calls(turn: Node) -> Iterator[Place]:
    uses = Invocation(turn).tool_uses
    for use in uses.calls:
        for kind, name in (("tool names", "name"), ("ids", "id")):
            yield from _strings(kind, member(use.node, name), member(use.response, name))
        pending = [use.args] if use.args is not None else []
        while pending:
            at = pending.pop()
            pending += reversed(at.items)
            yield from _strings("arguments", at)
    for orphan in uses.orphans:
        yield from _strings("tool names", member(orphan, "name"))
        yield from _strings("ids", member(orphan, "id"))


def places_in(cases: Iterable[Node], wanted: Wanted) -> list[Place]:
    """The texts of the wanted kinds in some cases, in order."""
    return [place for case in cases for place in places_of(case) if place.kind in wanted.kinds]


def hits_among(places: Sequence[Place], afters: Sequence[str]) -> list[Hit]:
    """The places whose text becomes another one of `afters`."""
    changed = ((place, place.text, after) for place, after in zip(places, afters, strict=True))
    return [Hit(place, before, after) for place, before, after in changed if before != after]


def replacing(eval_set: EvalSet, wanted: Wanted, hits: Sequence[Hit], left_out: int = 0) -> Revision:
    """The revision that does all `hits`; `left_out` more were found and not wanted. Raises `EditError` for none."""
    if not hits:
        raise EditError("there is nothing to replace")
    known = {case: case.pointer() for case in eval_set.cases[:1]}
    known |= {case: f"{at.rpartition('/')[0]}/{n}" for at in known.values() for n, case in enumerate(eval_set.cases)}
    edits: list[Edit] = [Set(_pointer(node, known), json_text(hit.after)) for hit in hits for node in hit.place.nodes]
    places = f"{len(hits):,} place{'s' * (len(hits) != 1)}"
    remarks = [f"{left_out:,} left out" if left_out else "", _repeated(eval_set, hits)]
    label = f"replace {one_line(wanted.find, 30)} by {one_line(wanted.replace, 30) or 'nothing'} in {places}"
    return Revision(label, edits, " · ".join(filter(None, remarks)))


def _pointer(node: Node, known: dict[Node, str]) -> str:
    """The pointer of a node below one of the `known` ones, which need not be looked for among thousands."""
    tokens: list[str | int] = []
    at = node
    while at not in known and at.parent is not None:
        tokens.append(at.name if at.parent.kind == "object" else at.index())
        at = at.parent
    return known.get(at, "") + join(*reversed(tokens))


def _repeated(eval_set: EvalSet, hits: Sequence[Hit]) -> str:
    """Which ids of cases come to stand twice; google-adk refuses to run such a set."""
    new = {hit.place.nodes[0]: hit.after for hit in hits if hit.place.kind == "ids"}
    named = [member(case, "eval_id") for case in eval_set.cases] if new else []
    if not any(node in new for node in named):
        return ""
    after = Counter(new.get(node, node.text()) for node in named if node is not None)
    twice = [text for text, count in after.items() if count > 1 and text in new.values()]
    return f"the id {one_line(twice[0], 30)} now stands {after[twice[0]]} times" if twice else ""
