"""Find and replace: two text boxes, the search options, and the list of hits with old and new text."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import TypeVar

from textual import events, getters, on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Static

from evaltui.document.errors import DocumentError
from evaltui.document.node import Node
from evaltui.evalset.case_file import CaseFile
from evaltui.evalset.editing.revision import Revision
from evaltui.evalset.search.replaceable_values import KINDS, ReplaceableValue, values_in
from evaltui.evalset.search.replacement import RegexProcess, Replacement, hits_among, replacing, said_of_types
from evaltui.printable import printable
from evaltui.tui.commands import bindings, key_of
from evaltui.tui.panes.keys_bar import KeysBar
from evaltui.tui.panes.replace_hits import HitsList
from evaltui.tui.widgets.line_input import LineInput

_SLICE, _REGEX_SLICE = 10, 1000
"""Number of cases searched between two looks at the keyboard, and per call of the regex process."""
_NOTHING_TYPED = "Type what to find."
_KINDS_A_ROW = 5
_MOST_USEFUL_FIRST = (0, 2, 1, 3)
"""The order in which the texts about the search get room: the switches, then the kinds, then explanations."""
_OTHER_LINES = 8
"""The lines of two text boxes, a border, three lines of hits, the summary and the keys."""
_MANY = 2000
"""Most hits for which the cases are counted."""

_Result = TypeVar("_Result")


class ReplaceBox(LineInput):
    """A text box of this screen."""

    async def on_key(self, event: events.Key) -> None:
        """Move the focus at once."""
        # Keys of the same burst, which would end up in this box, belong to the focused one.
        steps = {"tab": 1, "enter": 1, "shift+tab": -1}
        focused = self.screen.focused
        if focused is not self and focused is not None:
            focused.post_message(events.Key(event.key, event.character))
        elif event.key in steps:
            screen = self.screen
            assert isinstance(screen, ReplaceScreen)
            screen.go_to_next(steps[event.key])
        else:
            return
        event.stop()
        event.prevent_default()


async def _result_of(search: Callable[..., _Result], *args: object, is_regex: bool) -> _Result:
    """The result of a search; for a regular expression, a thread waits for another process."""
    if not is_regex:
        await asyncio.sleep(0)  # keys act between two slices
        return search(*args)
    process = RegexProcess()
    try:
        return await asyncio.to_thread(search, *args, process)
    finally:
        # A cancelled thread would wait on for the process, and saving needs threads of the same pool.
        process.end()


class ReplaceScreen(ModalScreen[Revision]):
    """Returns the revision that replaces the hits; None if cancelled."""

    BINDINGS = bindings("replace")

    _find = getters.query_one("#find", LineInput)
    _by = getters.query_one("#by", LineInput)
    hits_list = getters.query_one(HitsList)
    _options = getters.query_one("#options", Static)
    _summary = getters.query_one("#summary", Static)
    _keys = getters.query_one(KeysBar)

    def __init__(self, eval_set: CaseFile, scopes: Mapping[str, Sequence[Node]]) -> None:
        """`scopes` are the cases to search, by name; the first scope is the initial one."""
        super().__init__()
        self._eval_set = eval_set
        self._scopes = dict(scopes)
        self._scope = next(iter(scopes))
        self._wanted = Replacement("")
        self._searched: Replacement | None = None
        """The search whose hits the list shows; None during a search."""
        self._failed: Replacement | None = None
        """The search that failed; the summary says why."""

    def compose(self) -> ComposeResult:
        """Text boxes, options, hits, summary and keys."""
        for label, name in ((" Find", "find"), (" Replace", "by")):
            yield Horizontal(Static(label, markup=False), ReplaceBox(id=name), classes="asked")
        yield Static(id="options", markup=False)
        yield HitsList(self._eval_set)
        yield Static(id="summary", markup=False)
        useless = "replace.scope" if len(self._scopes) < 2 else ""
        yield KeysBar(lambda command: "" if command.id == useless else command.title, "replace")

    def on_mount(self) -> None:
        """Give the focus to the first text box."""
        self._show_options()
        self._find.focus()

    def on_descendant_focus(self, _: events.DescendantFocus) -> None:
        """Show the keys of the boxes or of the list."""
        self._keys.show_place("hits" if self.focused is self.hits_list else "replace")
        self._show_options()

    # --- what to look for ----------------------------------------------------------------------------------

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._look_for(replace(self._wanted, find=self._find.value, replace=self._by.value))

    def toggle_regex(self) -> None:
        """Switch between plain text and regular expression."""
        self._look_for(replace(self._wanted, is_regex=not self._wanted.is_regex))

    def toggle_case(self) -> None:
        """Match or ignore upper and lower case."""
        self._look_for(replace(self._wanted, ignores_case=not self._wanted.ignores_case))

    def toggle_kind(self, number: int) -> None:
        """Include or leave out a kind of values."""
        self._look_for(replace(self._wanted, kinds=self._wanted.kinds ^ {KINDS[number]}))

    def next_scope(self) -> None:
        """Change to the next scope."""
        names = list(self._scopes)
        self._scope = names[(names.index(self._scope) + 1) % len(names)]
        self._searched = None
        self._look_for(self._wanted)

    def _look_for(self, replacement: Replacement) -> None:
        if replacement == self._searched:
            return
        self._wanted, self._searched = replacement, None
        self._show_options()
        self._collect(replacement)

    def _show_options(self) -> None:
        replacement = self._wanted
        keys = [key_of(f"hits.kind_{number}") for number in range(1, len(KINDS) + 1)]
        kinds = [
            f"{key} {'[x]' if kind in replacement.kinds else '[ ]'} {kind}"
            for key, kind in zip(keys, KINDS, strict=True)
        ]
        how = f"{key_of('replace.regex')} {'regular expression' if replacement.is_regex else 'plain text'}"
        case = f"{key_of('replace.case')} {'ignore case' if replacement.ignores_case else 'match case'}"
        where = f"in {len(self._scopes[self._scope]):,} {self._scope}"
        if len(self._scopes) > 1:
            where = f"{key_of('replace.scope')} {where}"
        way = "" if self.focused is self.hits_list else f", from the list below ({key_of('replace.next')})"
        switched = f"Searched fields: {keys[0]} to {keys[-1]} turn each on or off{way}"
        not_searched = (
            f"Not searched: rubrics, descriptions, intermediate responses. To find these, press {key_of('list.find')}."
        )
        rows = "  ".join(kinds[:_KINDS_A_ROW]) + "\n" + "  ".join(kinds[_KINDS_A_ROW:])
        texts = (f"{how} · {case} · {where}", switched, rows, not_searched)
        # The hits need the room more than all texts do.
        width, room = max(2, self.size.width - 2), self.size.height - _OTHER_LINES
        heights = accumulate(len(Content(texts[number]).wrap(width)) for number in _MOST_USEFUL_FIRST)
        fitting = _MOST_USEFUL_FIRST[: sum(height <= room for height in heights)]
        self._options.display = bool(fitting)
        self._options.update(Content("\n".join(texts[number] for number in sorted(fitting))))

    def on_resize(self) -> None:
        """Show as much about the search as the new size has room for."""
        if self.is_mounted:
            self._show_options()

    # --- the hits ------------------------------------------------------------------------------------------

    @work(exclusive=True, group="hits")
    async def _collect(self, replacement: Replacement) -> None:
        hits: list[ReplaceableValue] = []
        try:
            if replacement.find:
                self._say("searching …")
                # Threads get only texts, because reading a node changes it.
                cases, is_regex = self._scopes[self._scope], replacement.is_regex
                sources = [case.source() for case in cases]
                may_match = await _result_of(replacement.may_be_in, sources, is_regex=is_regex)
                cases = [case for case, holds in zip(cases, may_match, strict=True) if holds]
                step = _REGEX_SLICE if is_regex else _SLICE
                for start in range(0, len(cases), step):
                    values = values_in(self._eval_set, cases[start : start + step], replacement.kinds)
                    texts, words = [value.text for value in values], [value.is_word for value in values]
                    matches = await _result_of(replacement.matches, texts, words, is_regex=is_regex)
                    hits += hits_among(values, matches)
        except DocumentError as error:
            self.hits_list.show([])
            self._say(str(error))
            self._failed = replacement
            return
        self._searched = replacement
        self.hits_list.show(hits)
        self._summarise()

    @on(HitsList.LeftOut)
    def _summarise(self) -> None:
        count, left_out = len(self.hits_list.hits), len(self.hits_list.left_out)
        summary = f"{count:,} hit{'s' * (count != 1)}" if self._wanted.find else _NOTHING_TYPED
        if count:
            cases = len({self._eval_set.enclosing(hit.nodes[0], "case") for hit in self.hits_list.hits[:_MANY]})
            summary += f" in {cases:,} case{'s' * (cases != 1)}" if count <= _MANY else ""
        summary += f", {left_out:,} left out" if left_out else ""
        types = said_of_types(self.hits_list.chosen) if count <= _MANY else ""
        self._say(f"{summary} · {types}" if types else summary)

    def _say(self, text: str) -> None:
        self._summary.update(Content(f" {printable(text)}"))

    # --- done ----------------------------------------------------------------------------------------------

    def go_to_next(self, step: int) -> None:
        """Go to the next or previous box, or to the list."""
        stops = [self._find, self._by, self.hits_list]
        index = next((number for number, stop in enumerate(stops) if stop is self.focused), 0)
        self.set_focus(stops[(index + step) % len(stops)], scroll_visible=False)

    def apply(self) -> None:
        """Replace the hits that are not left out."""
        typed = replace(self._wanted, find=self._find.value, replace=self._by.value)
        if typed == self._failed:
            return  # the summary already says why the search failed
        if not typed.find:
            self._say(_NOTHING_TYPED)
            return
        if typed != self._searched or not self.is_current:
            self._say("Still searching for hits.")
            return
        try:
            hits = self.hits_list.chosen
            self.dismiss(replacing(self._eval_set, typed, hits, len(self.hits_list.left_out)))
        except DocumentError as error:
            self._say(str(error))

    def cancel(self) -> None:
        """Change nothing."""
        self.dismiss(None)
