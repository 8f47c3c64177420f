"""The other writer of the tests: a process that writes words into a file, in the ways in which programs do.

`python two_writers.py FILE`, then a line `MODE WORD` each; it answers with a line when the word was written.
"""

import json
import os
import sys
from pathlib import Path


def with_word(path: Path, word: str) -> bytes:
    """The file with one more case, read as it is now; one that is being written is read again."""
    while True:
        try:
            root = json.loads(path.read_bytes())
        except (FileNotFoundError, ValueError):
            continue
        root["eval_cases"].append({"eval_id": word, "conversation": []})
        return json.dumps(root, indent=2).encode()


def replace(path: Path, data: bytes) -> None:
    new = path.with_name("theirs.new")
    new.write_bytes(data)
    new.replace(path)


def write_in_place(path: Path, data: bytes) -> None:
    with path.open("wb", buffering=0) as file:
        half = len(data) // 2
        file.write(data[:half])
        file.write(data[half:])


def take_away_and_write(path: Path, data: bytes) -> None:
    path.unlink(missing_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT, 0o644)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.truncate()


MODES = {"replace": replace, "in_place": write_in_place, "anew": take_away_and_write}


def main() -> None:
    path = Path(sys.argv[1])
    for line in sys.stdin:
        mode, word = line.split()
        MODES[mode](path, with_word(path, word))
        print(word, flush=True)


if __name__ == "__main__":
    main()
