"""Owner, mode and extended attributes of a file outlive a save; what cannot is said, and the file is saved."""

import errno
import os
import stat
from pathlib import Path
from typing import Any

import pytest

from tests.document.conftest import CHANGED
from tests.document.helpers import changed, only_file_in


def failing(number: int) -> Any:
    def fail(*_arguments: object, **_named: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


def give_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the file seem to be somebody else's, which no test may need to be root for."""
    status, inode = os.fstat, path.stat().st_ino

    def of_somebody_else(handle: int) -> os.stat_result:
        found = status(handle)
        if found.st_ino != inode:
            return found
        return os.stat_result([*found[:4], found.st_uid + 1, found.st_gid + 1, *found[6:10]])

    monkeypatch.setattr(os, "fstat", of_somebody_else)


@pytest.fixture
def attributed(path: Path) -> Path:
    try:
        os.setxattr(path, "user.origin", b"trip desk")
    except (AttributeError, OSError):
        pytest.skip("no extended attributes here")
    return path


@pytest.mark.parametrize("number", [errno.EPERM, errno.EINVAL, errno.ENOTSUP, errno.ENOSYS])
def test_an_owner_that_cannot_be_set_is_said_and_the_file_saved(
    path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    document = changed(path)
    give_away(path, monkeypatch)
    monkeypatch.setattr(os, "chown", failing(number))
    assert "the file owner and group could not be kept" in document.save()
    assert (path.read_bytes(), only_file_in(path.parent)) == (CHANGED, "set.json")


@pytest.mark.parametrize("number", [errno.EPERM, errno.EINVAL, errno.ENOTSUP, errno.ENOSYS])
def test_a_mode_that_cannot_be_set_is_said_and_the_file_saved(
    path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    path.chmod(0o640)
    document = changed(path)
    monkeypatch.setattr(os, "chmod", failing(number))
    assert document.save() == ("the file mode could not be kept: 600 instead of 640",)
    assert path.read_bytes() == CHANGED


def test_an_owner_that_stays_is_not_set(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "chown", failing(errno.EINVAL))
    assert changed(path).save() == ()


def test_extended_attributes_stay(attributed: Path) -> None:
    assert changed(attributed).save() == ()
    assert os.getxattr(attributed, "user.origin") == b"trip desk"


def test_an_extended_attribute_that_cannot_be_set_is_said(attributed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "setxattr", failing(errno.ENOSPC))
    assert changed(attributed).save() == ("some file attributes could not be kept: user.origin",)
    assert attributed.read_bytes() == CHANGED


def test_an_access_list_stays(path: Path) -> None:
    entries = [(1, 6, 2**32 - 1), (2, 4, 12345), (4, 4, 2**32 - 1), (16, 6, 2**32 - 1), (32, 0, 2**32 - 1)]
    access = (2).to_bytes(4, "little") + b"".join(
        tag.to_bytes(2, "little") + rights.to_bytes(2, "little") + who.to_bytes(4, "little")
        for tag, rights, who in entries
    )
    try:
        os.setxattr(path, "system.posix_acl_access", access)
    except (AttributeError, OSError):
        pytest.skip("no access lists here")
    mode = stat.S_IMODE(path.stat().st_mode)
    assert changed(path).save() == ()
    assert os.getxattr(path, "system.posix_acl_access") == access
    assert stat.S_IMODE(path.stat().st_mode) == mode
