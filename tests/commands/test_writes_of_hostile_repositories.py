"""A clone of somebody else in which files and folders are links to the home folder: no command writes there."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from evaltui.document.disk.temporary_file import TemporaryFile
from tests.commands.conftest import ADD, Done, Evaltui
from tests.commands.runs import ACTUAL, EXPECTED, GREETING, case, eval_set, result, turn, write
from tests.commands.sessions import BOOKED

SET, TRACE, LINKED = "trips.evalset.json", "run.json", "linked.evalset.json"
SIDECAR = f"{SET}.review.jsonl"
FORCE = "; name that file itself, or use --force\n"
RUN, CONVERT = ("run", SET, "-r", TRACE), ("convert", SET, "--to", "evaluation-dataset")
RECORD = ("record", "chats.json")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    home = tmp_path / "home"
    (home / ".ssh").mkdir(parents=True)
    (home / ".bashrc").write_text("export A=1\n")
    write(home / "set.json", eval_set(EXPECTED, GREETING))
    return home


@pytest.fixture(autouse=True)
def clone(home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a good set, and links of all kinds."""
    clone = tmp_path / "clone"
    write(clone / SET, eval_set(EXPECTED, GREETING, case("nothing", turn("Say something"))))
    write(clone / TRACE, result(ACTUAL, GREETING, case("nothing", turn("Say something", "Something."))))
    write(clone / "chats.json", [BOOKED.value])
    (clone / "patch.json").write_bytes(ADD)
    (clone / ".git" / "hooks").mkdir(parents=True)
    for ending in ("json", "xml", "md", "txt"):
        (home / f"old.{ending}").write_text("mine\n")
        (clone / f"link.{ending}").symlink_to(f"../home/old.{ending}")
        (clone / f"new.{ending}").symlink_to(f"../home/new.{ending}")
    (clone / "bash.json").symlink_to("../home/.bashrc")
    (clone / "hook.json").symlink_to(".git/hooks/post-checkout")
    (clone / "trips-dataset.json").symlink_to("../home/.bashrc")
    (clone / SIDECAR).symlink_to("../home/.bashrc")
    (clone / LINKED).symlink_to("../home/set.json")
    (clone / "sub").symlink_to("../home/.ssh")
    monkeypatch.chdir(clone)
    return clone


@pytest.fixture
def unchanged(home: Path, clone: Path) -> Iterator[None]:
    def seen() -> dict[Path, bytes]:
        return {path: path.read_bytes() if path.is_file() else b"" for top in (home, clone) for path in top.rglob("*")}

    before = seen()
    yield
    assert seen() == before


OUTPUTS = [
    *(
        (*RUN, "-o", f"{name}.{ending}")
        for name in ("link", "new", "sub/new")
        for ending in ("json", "xml", "md", "txt")
    ),
    (*RUN, "-o", "hook.json"),
    (*RUN, "-o", "good.json", "-o", "link.md"),
    (*RUN, "--save-baseline", "link.json"),
    (*RUN, "--save-baseline", "sub/base.json"),
    ("watch", SET, "-r", TRACE, "-o", "link.json"),
    ("patch", SET, "patch.json", "-o", "link.json"),
    ("patch", SET, "patch.json", "-o", "sub/new.json"),
    (*CONVERT, "-o", "link.json"),
    (*CONVERT, "-o", "sub/new.json"),
    (*RECORD, "-o", "sub/new.evalset.json"),
]


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("arguments", OUTPUTS, ids=" ".join)
def test_no_output_follows_a_link_out(evaltui: Evaltui, arguments: tuple[str, ...]) -> None:
    """Without an option for that, which the sentence names."""
    done = evaltui(*arguments)
    assert (done.code, done.out) == (2, b"")
    assert ": cannot be saved: a link leads to /" in done.err
    assert done.err.endswith(FORCE)


IN_PLACE = [
    ("patch", LINKED, "patch.json"),
    ("accept", LINKED, "-r", TRACE, "--case", "book_flight"),
    ("accept", SET, "-r", TRACE, "--case", "book_flight", "--note", "$(touch x)"),
    (*RECORD, "--into", LINKED),
    (*CONVERT, "--force"),
    (*CONVERT, "-o", "sub/", "--force"),
    (*CONVERT, "-o", "folder/new/", "--force"),
]


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize("arguments", IN_PLACE, ids=" ".join)
def test_no_file_that_a_command_chose_follows_a_link_out(
    evaltui: Evaltui, clone: Path, arguments: tuple[str, ...]
) -> None:
    (clone / "folder").symlink_to("../home")
    done = evaltui(*arguments)
    assert done.code == 2
    assert "a link leads to /" in done.err
    assert done.err.endswith(("; name that file itself\n", "; delete the link\n"))
    (clone / "folder").unlink()


def test_fixes_follow_no_link_out(evaltui: Evaltui, home: Path) -> None:
    bad = write(home / "set.json", {"eval_set_id": "a", "eval_cases": [{"evalId": "a", "eval_id": "a"}]}).read_bytes()
    for name in (LINKED, "."):
        done = evaltui("validate", "--fix", name)
        assert (home / "set.json").read_bytes() == bad
        assert done.code == 2, "there was something to fix"
        assert "a link leads to /" in done.err


def test_a_sidecar_in_a_linked_folder_is_refused(evaltui: Evaltui, clone: Path, home: Path) -> None:
    (home / ".ssh" / SET).write_bytes((clone / SET).read_bytes())
    done = evaltui("accept", f"sub/{SET}", "-r", TRACE, "--case", "book_flight", "--note", "x")
    assert (done.code, (home / ".ssh" / f"{SET}.review.jsonl").exists()) == (2, False)


FORCED = [
    ((*RUN, "-o", "link.json"), "old.json"),
    ((*RUN, "-o", "new.md"), "new.md"),
    ((*RUN, "--save-baseline", "sub/base.json"), ".ssh/base.json"),
    (("patch", SET, "patch.json", "-o", "link.json"), "old.json"),
    ((*CONVERT, "-o", "link.json"), "old.json"),
    ((*RECORD, "-o", "sub/new.evalset.json"), ".ssh/new.evalset.json"),
]


@pytest.mark.parametrize(("arguments", "written"), FORCED)
def test_force_writes_where_a_named_link_leads(
    evaltui: Evaltui, home: Path, arguments: tuple[str, ...], written: str
) -> None:
    assert evaltui(*arguments, "--force").code in (0, 1)
    assert (home / written).read_bytes().startswith((b"{", b"# ", b"#"))


def test_links_within_the_repository_are_followed(evaltui: Evaltui, clone: Path) -> None:
    (clone / "reports").mkdir()
    for name in ("a.json", "a.md"):
        (clone / name).symlink_to(f"reports/{name}")
    (clone / SIDECAR).unlink()
    (clone / SIDECAR).symlink_to("reports/decisions.jsonl")
    assert evaltui(*RUN, "-o", "a.json", "--save-baseline", "a.md").code in (0, 1)
    assert evaltui("accept", SET, "-r", TRACE, "--fills", "--note", "yes").code == 0
    assert sorted(path.name for path in (clone / "reports").iterdir()) == ["a.json", "a.md", "decisions.jsonl"]


# --- what another program writes meanwhile --------------------------------------------------------------------------


THEIRS = b"theirs\n"


def with_another_program(monkeypatch: pytest.MonkeyPatch, act: Callable[[], object]) -> None:
    """Another program acts after all checks of a command, just before it writes its last file."""
    write_pieces = TemporaryFile.write

    def act_and_write(self: TemporaryFile, pieces: Iterator[bytes]) -> None:
        act()
        write_pieces(self, pieces)

    monkeypatch.setattr(TemporaryFile, "write", act_and_write)


def assert_theirs_stays(done: Done, path: Path) -> None:
    assert (done.code, path.read_bytes()) == (2, THEIRS)
    assert "another program" in done.err
    assert "nothing was written" in done.err


NEW = [
    ((*RUN, "-o", "out.json"), "out.json"),
    ((*RUN, "--save-baseline", "out.json"), "out.json"),
    (("patch", SET, "patch.json", "-o", "out.json"), "out.json"),
    ((*CONVERT, "-o", "out.json"), "out.json"),
    ((*CONVERT, "-o", "out.json", "--force"), "out.json"),
    ((*RECORD, "-o", "out.evalset.json"), "out.evalset.json"),
]


@pytest.mark.parametrize(("arguments", "name"), NEW)
def test_a_file_that_comes_to_be_meanwhile_stays(
    evaltui: Evaltui, clone: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], name: str
) -> None:
    with_another_program(monkeypatch, lambda: (clone / name).write_bytes(THEIRS))
    assert_theirs_stays(evaltui(*arguments), clone / name)


@pytest.mark.parametrize(("arguments", "name"), [each for each in NEW if each[0][0] not in ("record",)])
def test_a_file_that_changes_meanwhile_stays(
    evaltui: Evaltui, clone: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], name: str
) -> None:
    (clone / name).write_bytes(b"old\n")
    with_another_program(monkeypatch, lambda: (clone / name).write_bytes(THEIRS))
    forced = ("--force",) if arguments[0] == "convert" and "--force" not in arguments else ()
    assert_theirs_stays(evaltui(*arguments, *forced), clone / name)


def test_a_link_that_comes_meanwhile_is_not_followed(
    evaltui: Evaltui, clone: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_another_program(monkeypatch, lambda: (clone / "out.json").symlink_to(home / ".bashrc"))
    assert evaltui(*RUN, "-o", "out.json").code == 2
    assert (home / ".bashrc").read_text() == "export A=1\n"
