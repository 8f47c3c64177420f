"""Contents and their parts (google.genai `Content`, `Part`); the payload decides the kind of a part."""

from __future__ import annotations

import base64
import binascii
from typing import NamedTuple

from evaltui.document.node import Node
from evaltui.evalset.keys import filled, items_of, text_of
from evaltui.evalset.part_descriptions import PAYLOADS, describe_payload, sized


class PartView(NamedTuple):
    """One part of a content; `node` is its object."""

    node: Node

    @property
    def kind(self) -> str:
        """text, thought, signature, empty, or the snake_case name of its payload."""
        payload = next((name for name in PAYLOADS if filled(self.node, name) is not None), None)
        if payload:
            return payload
        if filled(self.node, "text") is None:
            return "signature" if filled(self.node, "thought_signature") else "empty"
        if filled(self.node, "thought_signature") and not self.text:
            return "signature"
        thought = filled(self.node, "thought")
        return "thought" if thought is not None and thought.source() == b"true" else "text"

    @property
    def payloads(self) -> list[Node]:
        """All payloads of the part, text included. google-genai writes only one."""
        found = (filled(self.node, name) for name in ("text", *PAYLOADS))
        return [payload for payload in found if payload is not None]

    @property
    def is_text(self) -> bool:
        """Whether the part is edited as text."""
        return self.kind in ("text", "thought")

    @property
    def holds_text(self) -> bool:
        """Whether the part has a text; a signature may come with an empty one."""
        return self.is_text or (self.kind == "signature" and filled(self.node, "text") is not None)

    @property
    def text(self) -> str:
        """The text of the part, "" without one."""
        return text_of(self.node, "text")

    def describe(self) -> str:
        """A part other than text in a few words: `image/png 1.9 MB`, `function call book_flight`."""
        kind = self.kind
        payload = filled(self.node, kind)
        if kind == "signature":
            return f"thought signature {sized(len(text_of(self.node, 'thought_signature')) * 3 // 4)}"
        if self.is_text:
            return f"{kind} of {sized(len(self.text.encode('utf-8', 'surrogatepass')))}: {self.text[:200]}"
        if kind == "empty":
            return "empty part"
        size = _data_length(payload) if kind == "inline_data" else 0
        return describe_payload(kind, lambda name: text_of(payload, name), size)


def parts_of(content: Node | None) -> list[PartView]:
    """The parts of a content object, in order."""
    return [PartView(node) for node in items_of(content, "parts") if node.kind == "object"]


def plain_text(content: Node | None) -> str:
    """The texts of a content, joined line by line as in google-adk (`get_text_from_content`)."""
    return "\n".join(part.text for part in parts_of(content) if part.text)


def _data_length(payload: Node | None) -> int:
    data = text_of(payload, "data")
    if len(data) > 4096:
        return len(data) * 3 // 4
    try:
        return len(base64.b64decode(data + "==", altchars=b"-_"))
    except (binascii.Error, ValueError):
        return len(data)
