"""A write stays among the files of the repository, whatever link stands on its way, and whenever that came there."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest

from evaltui.document.disk.file_place import find_place, why_outside
from evaltui.document.disk.file_replacement import fingerprint_on_disk, save_file
from evaltui.document.disk.temporary_file import TemporaryFile, remove_leftovers
from evaltui.document.errors import ChangedOnDiskError, LeadsOutsideError, SaveError
from tests.document.conftest import CHANGED, SOURCE
from tests.document.helpers import changed

OURS = b"export A=1\n"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder with private files."""
    home = tmp_path / "home"
    for name in (".bashrc", ".ssh/config", ".config/other.json"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(OURS)
    return home


@pytest.fixture
def clone(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository, which is the working directory."""
    clone = tmp_path / "clone"
    (clone / "sets").mkdir(parents=True)
    (clone / ".git" / "hooks").mkdir(parents=True)
    (clone / "set.json").write_bytes(SOURCE)
    monkeypatch.chdir(clone)
    return clone


@pytest.fixture(autouse=True)
def _nothing_outside_changes(home: Path) -> Iterator[None]:
    before = tree(home)
    yield
    assert tree(home) == before


def tree(folder: Path) -> dict[str, tuple[int, bytes]]:
    """All that is in a folder, with its mode and its bytes."""
    return {
        str(path.relative_to(folder)): (path.stat().st_mode, path.read_bytes() if path.is_file() else b"")
        for path in folder.rglob("*")
    }


def link(name: str, target: str) -> Callable[[], Path]:
    def make() -> Path:
        path = Path(name)
        path.parent.mkdir(exist_ok=True)
        path.symlink_to(target)
        return path

    return make


def in_linked_folder(folder: str, target: str, name: str) -> Callable[[], Path]:
    def make() -> Path:
        Path(folder).symlink_to(target)
        return Path(folder, name)

    return make


def through_two_links() -> Path:
    Path("sets/first").symlink_to("../second")
    Path("second").symlink_to("../home/.bashrc")
    return Path("sets/first")


def through_a_nested_repository() -> Path:
    """A target that is a repository itself is not the repository of the link."""
    Path("../home/.git").mkdir()
    Path("sub").symlink_to("../home")
    return Path("sub/.bashrc")


OUT = [
    link("a.json", "../home/.bashrc"),
    link("a.json", "../home/new.json"),
    link("sets/a.json", "../../home/.bashrc"),
    link("a.json", ".git/hooks/post-checkout"),
    link("a.json", ".git"),
    in_linked_folder("sub", "../home/.ssh", "config"),
    in_linked_folder("sub", "../home/.ssh", "new.json"),
    in_linked_folder("sub", "..", "home/.bashrc"),
    in_linked_folder("sub", ".git/hooks", "post-checkout"),
    in_linked_folder("sub", "/", "etc/evaltui.json"),
    through_two_links,
]


@pytest.mark.parametrize("make", OUT)
def test_no_link_leads_out_of_the_repository(clone: Path, make: Callable[[], Path]) -> None:
    path, before = make(), tree(clone / ".git")
    for name in (path, clone / path):
        assert why_outside(name) is not None
        with pytest.raises(LeadsOutsideError, match="cannot be saved: a link leads to"):
            save_file(name, [CHANGED], None)
        with pytest.raises(LeadsOutsideError):
            save_file(name, [CHANGED], None, makes_folders=True)
        with pytest.raises(LeadsOutsideError):
            fingerprint_on_disk(name)
        assert remove_leftovers(name) == []
    assert tree(clone / ".git") == before


def test_no_folder_is_made_where_a_link_leads(clone: Path) -> None:
    for path in (link("a.json", "../home/none/new.json")(), in_linked_folder("sub", "../home/none", "new.json")()):
        with pytest.raises(SaveError, match="no such file or directory"):
            save_file(path, [CHANGED], None, makes_folders=True)


def test_a_repository_that_a_link_leads_to_is_another(clone: Path, home: Path) -> None:
    path = through_a_nested_repository()
    with pytest.raises(LeadsOutsideError):
        save_file(path, [CHANGED], None)
    (home / ".git").rmdir()


def test_the_sentence_names_the_file_and_its_repository(clone: Path, home: Path) -> None:
    (clone / "a.json").symlink_to(home / ".bashrc")
    with pytest.raises(LeadsOutsideError) as caught:
        save_file(Path("a.json"), [CHANGED], None)
    reason = f"a link leads to {home / '.bashrc'}, which is not among the files of {clone}"
    assert str(caught.value) == f"a.json: cannot be saved: {reason}; name that file itself"


STAY = [
    link("a.json", "set.json"),
    link("sets/a.json", "../set.json"),
    link("sets/a.json", "../../clone/set.json"),
    in_linked_folder("sub", ".", "set.json"),
    in_linked_folder("sub", "sets/..", "set.json"),
]


@pytest.mark.parametrize("make", STAY)
def test_a_link_within_the_repository_is_followed_and_stays(clone: Path, make: Callable[[], Path]) -> None:
    path = make()
    changed(path).save()
    assert (clone / "set.json").read_bytes() == CHANGED
    assert path.is_symlink() or path.parent.is_symlink()


def test_absolute_links_within_the_repository_are_followed(clone: Path) -> None:
    (clone / "a.json").symlink_to(clone / "sets" / "new.json")
    save_file(clone / "a.json", [CHANGED], None)
    assert (clone / "sets" / "new.json").read_bytes() == CHANGED


@pytest.mark.parametrize("mark", ["folder", "file"])
def test_a_worktree_is_a_repository_of_its_own(clone: Path, mark: str) -> None:
    inner = clone / "inner"
    inner.mkdir()
    (inner / ".git").mkdir() if mark == "folder" else (inner / ".git").write_text("gitdir: ../.git/worktrees/inner\n")
    (inner / "a.json").symlink_to("../set.json")
    with pytest.raises(LeadsOutsideError):
        save_file(inner / "a.json", [CHANGED], fingerprint_on_disk(clone / "set.json"))
    assert (clone / "set.json").read_bytes() == SOURCE


def test_without_a_repository_a_file_stays_in_its_folder(clone: Path, home: Path) -> None:
    (clone / ".git" / "hooks").rmdir(), (clone / ".git").rmdir()
    (clone / "sets" / "a.json").symlink_to("../set.json")
    (clone / "sets" / "b.json").symlink_to("c.json")
    (clone / "sub").symlink_to(home / ".ssh")
    for name in ("sets/a.json", "sub/config"):
        with pytest.raises(LeadsOutsideError):
            save_file(Path(name), [CHANGED], fingerprint_on_disk(clone / "set.json"))
    save_file(Path("sets/b.json"), [CHANGED], None)
    assert (clone / "sets" / "c.json").read_bytes() == CHANGED


@pytest.mark.parametrize("working", ["clone", "clone/sets", ".", "/"])
def test_without_a_repository_a_folder_stays_in_its_folder_wherever_evaltui_is_started(
    clone: Path, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, working: str
) -> None:
    (clone / ".git" / "hooks").rmdir(), (clone / ".git").rmdir()
    (clone / "out").symlink_to("../home")
    (clone / "sets" / "up").symlink_to("..")
    (clone / "in").symlink_to("sets")
    monkeypatch.chdir(tmp_path / working)
    for name in ("out/new.json", "out/.ssh/config", "sets/up/new.json"):
        for path in (clone / name, Path(os.path.relpath(clone / name))):
            with pytest.raises(LeadsOutsideError):
                save_file(path, [CHANGED], None)
    save_file(clone / "in" / "new.json", [CHANGED], None)
    assert (clone / "sets" / "new.json").read_bytes() == CHANGED


def test_links_to_folders_in_and_above_the_home_folder_are_of_the_user_and_the_machine(
    clone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as /tmp of macOS, a home folder on another disk, or ~/work."""
    for folder in (tmp_path, tmp_path.parent):
        (folder / "way").symlink_to(clone)
        monkeypatch.setenv("HOME", str(tmp_path))
        changed(folder / "way" / "set.json").save()
        assert (clone / "set.json").read_bytes() == CHANGED
        (clone / "set.json").write_bytes(SOURCE)
        monkeypatch.setenv("HOME", str(clone))
        (folder / "way").unlink()


def test_whoever_says_so_writes_outside(clone: Path, tmp_path: Path) -> None:
    (clone / "a.json").symlink_to(tmp_path / "out.json")
    save_file(Path("a.json"), [CHANGED], None, leaves=True)
    assert (tmp_path / "out.json").read_bytes() == CHANGED
    assert (clone / "a.json").is_symlink()


def test_loops_end(clone: Path) -> None:
    (clone / "a").symlink_to("b")
    (clone / "b").symlink_to("a")
    for name in ("a", "a/set.json"):
        with pytest.raises(SaveError, match="too many levels of symbolic links"):
            save_file(Path(name), [CHANGED], None)


def test_missing_folders_are_made_where_they_are_wanted(clone: Path) -> None:
    save_file(Path("one/two/../three/new.json"), [CHANGED], None, makes_folders=True)
    assert (clone / "one" / "three" / "new.json").read_bytes() == CHANGED


def test_no_handle_stays_open(clone: Path, home: Path) -> None:
    def handles() -> int:
        return len(list(Path("/dev/fd").iterdir()))

    (clone / "sub").symlink_to(home)
    before = handles()
    changed(clone / "set.json").save()
    assert why_outside(Path("sub/x")) is not None
    for name in ("none/x", "set.json/x", "/"):
        with pytest.raises(OSError, match="directory"), find_place(Path(name)):
            pass
    assert handles() == before


# --- the moment of writing -----------------------------------------------------------------------------------------


def at_the_write(monkeypatch: pytest.MonkeyPatch, act: Callable[[TemporaryFile], object]) -> None:
    """Another program acts after all looks of a save, just before it writes."""
    write = TemporaryFile.write

    def write_then(self: TemporaryFile, pieces: Iterator[bytes]) -> None:
        act(self)
        write(self, pieces)

    monkeypatch.setattr(TemporaryFile, "write", write_then)


def test_a_link_in_place_of_the_file_is_put_back(clone: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    document, path = changed(clone / "set.json"), clone / "set.json"
    at_the_write(monkeypatch, lambda _: (path.unlink(), path.symlink_to(home / ".bashrc")))
    with pytest.raises(ChangedOnDiskError):
        document.save()
    assert path.readlink() == home / ".bashrc"


def test_a_link_in_place_of_a_new_file_stays(clone: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = clone / "new.json"
    at_the_write(monkeypatch, lambda _: path.symlink_to(home / ".bashrc"))
    with pytest.raises(ChangedOnDiskError, match="another program created this file meanwhile"):
        save_file(path, [CHANGED], None)
    assert path.readlink() == home / ".bashrc"


def test_a_link_in_place_of_the_temporary_file_is_refused(
    clone: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exchange(temporary: TemporaryFile) -> None:
        (clone / temporary.entry.name).unlink()
        (clone / temporary.entry.name).symlink_to(home / ".bashrc")

    document = changed(clone / "set.json")
    at_the_write(monkeypatch, exchange)
    with pytest.raises(SaveError, match="too many levels of symbolic links"):
        document.save()
    assert [path.name for path in clone.iterdir() if path.is_file()] == ["set.json"]


def test_a_link_in_place_of_a_folder_leads_nowhere(clone: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder is held open, so the file is where its folder is now."""
    (home / "sets").mkdir()

    def exchange(_: TemporaryFile) -> None:
        (clone / "sets").rename(clone / "moved")
        (clone / "sets").symlink_to(home / "sets")

    at_the_write(monkeypatch, exchange)
    save_file(clone / "sets" / "new.json", [CHANGED], None)
    assert (clone / "moved" / "new.json").read_bytes() == CHANGED
    (home / "sets").rmdir()


def test_a_folder_that_becomes_a_link_on_the_way_is_looked_at_as_one(
    clone: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_file = os.open

    def exchanged_before(name: str, *arguments: int, **named: int) -> int:
        if name == "sets":
            (clone / "sets").rmdir()
            (clone / "sets").symlink_to(home)
            monkeypatch.undo()
        return open_file(name, *arguments, **named)

    monkeypatch.setattr(os, "open", exchanged_before)
    with pytest.raises(LeadsOutsideError):
        save_file(clone / "sets" / ".bashrc", [CHANGED], None)


def test_links_lead_where_the_system_says(clone: Path) -> None:
    """Trees of folders and links at random: the place of a file is its real path, and the bounds hold for that."""
    random = Random(36)
    names = ["a", "b", "c"]
    places = [f"{one}/{other}" for one in names for other in names]
    for name in names:
        Path(name).mkdir()
    for number in range(300):
        changed_place = Path(random.choice(places))
        if changed_place.is_symlink():
            changed_place.unlink()
        elif changed_place.is_dir():
            changed_place.rmdir()
        if number % 3:
            start = random.choice(["../" * random.randint(0, 4), "./", f"{clone}/"])
            changed_place.symlink_to(start + random.choice([*names, *places, "..", "."]))
        else:
            changed_place.mkdir()
        path = Path(random.choice(places), random.choice([*names, *places, "../x"]), "file")
        real = Path(os.path.realpath(path))
        try:
            with find_place(path, leaves=True) as place:
                assert place.path == real
                assert os.path.samestat(os.fstat(place.folder), real.parent.stat())
        except OSError:
            assert not real.parent.is_dir()
        else:
            assert why_outside(path) is not None or real.is_relative_to(clone)
