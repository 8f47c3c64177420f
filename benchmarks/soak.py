"""`python -m benchmarks.soak [MINUTES]`: changes a file each second, and prints the resources of editor and watch.

Memory is the current resident set (RSS), not its peak. Growth is reported: 20 MB more than after the first minute, or
one file descriptor or thread more.
"""

import json
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.followed_sources import FollowedFolder
from benchmarks.large_set import FIRST_CASE
from benchmarks.processes import evaltui, fresh_environment
from benchmarks.pty_session import PtySession

_CASES = 1_000
_MINUTES = 30.0
_SETTLED = 60.0
"""Seconds after which a program has loaded all its modules."""
_BURSTS = 10
_IN_A_BURST = 6
# Python's pool adds a thread only when all are busy: without bursts it gains its last one in any later minute.
_MOST_MB = 20.0


class _Held(NamedTuple):
    """Memory, descriptors and threads of a process."""

    mb: float
    descriptors: int
    threads: int


def held_by(pid: int) -> _Held:
    """Resident memory, descriptors and threads of a process, read from Linux's /proc."""
    status = Path(f"/proc/{pid}/status").read_text()
    fields = dict(line.split(":", 1) for line in status.splitlines())
    descriptors = len(list(Path(f"/proc/{pid}/fd").iterdir()))
    return _Held(int(fields["VmRSS"].split()[0]) / 1024, descriptors, int(fields["Threads"]))


def main() -> int:
    """Exit code: 1 if something grew."""
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else _MINUTES
    folder = FollowedFolder(_CASES, "soak")
    with fresh_environment() as env:
        watch = subprocess.Popen(
            evaltui("watch", folder.set, "-r", folder.recording),
            env=env,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        with PtySession(evaltui("edit", folder.set, "-r", folder.recording), env, (140, 40)) as session:
            session.wait_for(FIRST_CASE, 60)
            grew = _soak(folder, session, {"editor": session.pid, "watch": watch.pid}, 60 * minutes)
        watch.kill()
        watch.wait()
    return int(grew)


def _soak(folder: FollowedFolder, session: PtySession, pids: dict[str, int], seconds: float) -> bool:
    """Change files quickly first, then one each second. Print the resources each minute, and whether they grew."""
    changes, minute = _changes(folder), 0
    for _ in range(_BURSTS):
        for _ in range(_IN_A_BURST):
            next(changes)()
            time.sleep(0.1)
        session.settle()
    began = time.monotonic()
    first: dict[str, _Held] = {}
    last: dict[str, _Held] = {}
    for number, change in enumerate(changes, 1):
        change()
        while time.monotonic() < began + number:
            session.settle(0.05, 5)
            time.sleep(0.05)
        passed = time.monotonic() - began
        if passed >= _SETTLED * (minute + 1) or passed >= seconds:
            minute += 1
            last = {name: held_by(pid) for name, pid in pids.items()}
            first = first or last
            told = "   ".join(
                f"{name} {h.mb:6.1f} MB {h.descriptors} fds {h.threads} threads" for name, h in last.items()
            )
            print(f"{passed / 60:5.1f} min, {number} changes   {told}", flush=True)
        if passed >= seconds:
            break
    grew = [name for name in pids if _grew(name, first[name], last[name])]
    return bool(grew)


def _grew(name: str, first: _Held, last: _Held) -> bool:
    more = _Held(*(now - before for now, before in zip(last, first, strict=True)))
    is_more = more.mb > _MOST_MB or more.descriptors > 0 or more.threads > 0
    verdict = "GREW" if is_more else "as it was"
    print(f"{name}: {more.mb:+.1f} MB, {more.descriptors:+} descriptors, {more.threads:+} threads: {verdict}")
    return is_more


def _changes(folder: FollowedFolder) -> Iterator[Callable[[], object]]:
    """Endless changes of all kinds. After every second change, all files are valid."""
    chance = random.Random(14)
    states = [folder.half, folder.others, folder.one_worse]
    while True:
        yield folder.put(folder.recording, chance.choice(states))
        threshold = chance.random()
        yield folder.put(folder.config, json.dumps({"criteria": {"response_match_score": threshold}}).encode())
        text = folder.set.read_bytes()
        yield folder.put(folder.set, text.replace(b"Travel desk", b"Travel Desk") if chance.random() < 0.5 else text)
        yield lambda: folder.recording.write_bytes(folder.half[: len(folder.half) // 3])
        yield lambda: folder.recording.write_bytes(folder.half)
        yield lambda: folder.config.unlink(missing_ok=True)


if __name__ == "__main__":
    sys.exit(main())
