"""The six operations of JSON Patch."""

from typing import Any


def add(path: str, value: Any) -> dict[str, Any]:
    return {"op": "add", "path": path, "value": value}


def replace(path: str, value: Any) -> dict[str, Any]:
    return {"op": "replace", "path": path, "value": value}


def holds(path: str, value: Any) -> dict[str, Any]:
    return {"op": "test", "path": path, "value": value}


def remove(path: str) -> dict[str, Any]:
    return {"op": "remove", "path": path}


def move(origin: str, path: str) -> dict[str, Any]:
    return {"op": "move", "from": origin, "path": path}


def copy(origin: str, path: str) -> dict[str, Any]:
    return {"op": "copy", "from": origin, "path": path}
