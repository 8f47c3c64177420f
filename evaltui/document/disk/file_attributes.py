"""Owner, mode, access lists and extended attributes of a file, copied to the file that replaces it."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

_OF_THE_CONTENT = {"security.ima", "security.evm"}
"""Signatures of a file's bytes; they do not fit other bytes."""


def carry_over(source: Path, before: os.stat_result, target: Path) -> list[str]:
    """Copy the attributes of `source`, whose status is `before`, to `target`; returns a clause for each one lost.

    A lost attribute never fails a save: containers without root, FUSE and SMB refuse to set an owner or a mode even
    if the file already has it.
    """
    remarks = [*_carry_owner(before, target), *_carry_extended(source, target)]
    mode = stat.S_IMODE(before.st_mode)
    with contextlib.suppress(OSError):
        target.chmod(mode)  # last: setting an owner clears bits, setting an access list changes the group's
    now = stat.S_IMODE(target.stat().st_mode)
    return remarks + ([f"its mode could not be kept: {now:03o} instead of {mode:03o}"] if now != mode else [])


def _carry_owner(before: os.stat_result, target: Path) -> list[str]:
    if not hasattr(os, "chown"):
        return []
    now = target.stat()
    if (now.st_uid, now.st_gid) != (before.st_uid, before.st_gid):
        try:
            os.chown(target, before.st_uid, before.st_gid)
        except OSError:
            with contextlib.suppress(OSError):
                os.chown(target, -1, before.st_gid)
        now = target.stat()
    lost = [
        name
        for name, kept in [("owner", now.st_uid == before.st_uid), ("group", now.st_gid == before.st_gid)]
        if not kept
    ]
    return [f"its {' and '.join(lost)} could not be kept"] if lost else []


def _carry_extended(source: Path, target: Path) -> list[str]:
    """Copy extended attributes, which include access lists. Python supports them on Linux only."""
    if not hasattr(os, "listxattr"):
        return []
    wanted, present = _extended(source), _extended(target)
    lost = []
    for name in {**present, **wanted}:
        if wanted.get(name) == present.get(name):
            continue
        try:
            if name in wanted:
                os.setxattr(target, name, wanted[name])
            else:  # a default access list of the folder
                os.removexattr(target, name)
        except OSError:
            lost.append(_plain_name(name))
    return [f"some attributes could not be kept: {', '.join(sorted(lost))}"] if lost else []


def _plain_name(name: str) -> str:
    return "its access list" if "acl" in name else name


def _extended(path: Path) -> dict[str, bytes]:
    found: dict[str, bytes] = {}
    with contextlib.suppress(OSError):
        for name in os.listxattr(path):
            if name not in _OF_THE_CONTENT:
                with contextlib.suppress(OSError):
                    found[name] = os.getxattr(path, name)
    return found
