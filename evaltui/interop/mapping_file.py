"""The file of `--mapping`: resource names of CX Agent Studio by short names, in JSON or YAML.

    {"app": "projects/P/locations/L/apps/A",
     "tools": {"find_flights": "6f1c", "search": {"toolset": "web", "toolId": "search"}},
     "agents": {"billing": "projects/P/locations/L/apps/A/agents/81d0"},
     "expectations": {"polite": "projects/P/locations/L/apps/A/evaluationExpectations/2b"}}

All members are optional. An id stands for a resource of the app, and a short name that the file lacks for one of the
same id. The app alone, `{"app": "projects/…"}`, thus names all tools and agents. A short name may also stand beside
`app` with its full resource name, whose collection (`/tools/`, `/agents/` …) tells its kind.
"""

from __future__ import annotations

from collections.abc import Iterator
from difflib import get_close_matches

from evaltui.document.document import Document
from evaltui.document.node import Node
from evaltui.document.yaml_root import begins_like_json
from evaltui.interop.format_type import ConversionError
from evaltui.interop.resource_names import Collection, Resource, ResourceNames, ToolsetTool
from evaltui.interop.source_documents import read_yaml, why_invalid
from evaltui.json_repair.repair import other_encoding
from evaltui.printable import printable

_COLLECTIONS: dict[str, Collection] = {
    "tools": "tools",
    "agents": "agents",
    "expectations": "evaluationExpectations",
}
"""The segment of a resource name by the member of the mapping."""


def read_mapping(body: bytes) -> ResourceNames:
    """Read a mapping. Raises `ConversionError` with a sentence."""
    document = Document(body)
    root = document.root  # JSON may have tabs, YAML may not
    if root is None:
        try:
            root = read_yaml(document.body())
        except ConversionError:
            # YAML is a superset of JSON, so its sentence about broken JSON would mislead.
            if begins_like_json(document.body()) or other_encoding(body) is not None:
                raise ConversionError(why_invalid(document, "-")) from None
            raise
    if root.kind != "object":
        raise ConversionError('a mapping must be an object such as {"app": "projects/P/locations/L/apps/A"}')
    node = root.member("app")
    app = node.text().strip("/") if node is not None else ""
    if node is not None and node.kind != "null" and not (app.startswith("projects/") and "/apps/" in app):
        raise ConversionError('"app" in the mapping must be a name such as "projects/P/locations/L/apps/A"')
    tools: dict[str, Resource] = {}
    names: dict[str, dict[str, str]] = {"agents": {}, "expectations": {}}
    for member, node in _resources_in(root):
        # Tools of toolsets have no resource name: they are named by the toolset and an id.
        toolset, tool = node.member("toolset"), node.member("toolId") or node.member("tool_id")
        if member != "tools":
            names[member][node.name] = _full_name(app, node, _COLLECTIONS[member], node.text())
        elif node.kind == "object" and toolset is not None and tool is not None and tool.text():
            tools[node.name] = ToolsetTool(_full_name(app, node, "toolsets", toolset.text()), tool.text())
        else:
            tools[node.name] = _full_name(app, node, "tools", node.text())
    return ResourceNames(app, tools, names["agents"], names["expectations"])


def _resources_in(root: Node) -> Iterator[tuple[str, Node]]:
    """The resources of a mapping, each with the member that its kind belongs to."""
    for item in root.items:
        if item.name in _COLLECTIONS:
            if item.kind not in ("object", "null"):
                raise ConversionError(
                    f"{_quoted(item)} in the mapping must be an object with a resource name for each short name"
                )
            yield from ((item.name, resource) for resource in item.items)
        elif item.kind == "object" and item.member("toolset") is None:
            similar = get_close_matches(item.name, _COLLECTIONS, 1)  # such as "tools" for "tool"
            advice = f'write "{similar[0]}"' if similar else 'use "app", "tools", "agents" or "expectations"'
            raise ConversionError(f"a mapping has no key {_quoted(item)}; {advice}")
        elif item.name != "app":
            yield _member_of(item), item


def _full_name(app: str, node: Node, collection: str, text: str) -> str:
    if text.startswith("projects/"):
        return text
    if not text:
        raise ConversionError(f"the mapping has no resource name for {_quoted(node)}")
    if not app:
        raise ConversionError(f'the mapping has only an id for {_quoted(node)}. Add "app" to the mapping')
    return f"{app}/{text}" if text.startswith(f"{collection}/") else f"{app}/{collection}/{text}"


def _member_of(node: Node) -> str:
    """The collection of a short name beside `app`, found by its resource name."""
    if node.member("toolset") is not None:
        return "tools"
    for member, collection in _COLLECTIONS.items():
        if f"/{collection}/" in node.text():
            return member
    kinds = ", ".join(f"/{collection}/" for collection in _COLLECTIONS.values())
    raise ConversionError(f"the resource name of {_quoted(node)} in the mapping must contain one of {kinds}")


def _quoted(node: Node) -> str:
    return f'"{printable(node.name)}"'
