"""A copy of a database that SQLite may recover: the original is only read."""

from __future__ import annotations

import shutil
import tempfile
import weakref
from collections.abc import Sequence
from pathlib import Path

from evaltui.files.file_signature import Signature
from evaltui.interrupt import call_before_end


class DatabaseCopy:
    """A copy of a database and its log or journal, in a folder that is deleted with this object.

    The end of the process and Ctrl-C also delete it.
    """

    def __init__(self, files: Sequence[Path], state: Sequence[Signature]) -> None:
        """The database is the first of `files`; `state` are signatures from before. Raises `OSError`."""
        self.state = list(state)
        """Signatures of the originals: a copy is valid while they stay the same."""
        folder = Path(tempfile.mkdtemp(prefix="evaltui-"))
        call_before_end(weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True))
        for path in files:
            shutil.copyfile(path, folder / path.name)
        self.file = folder / files[0].name
