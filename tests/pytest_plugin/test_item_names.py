"""Names of cases as tests."""

from evaltui.pytest.collected_sets import item_names

pytest_plugins = ["pytester"]


def test_an_id_is_the_name() -> None:
    assert item_names(["book", "refund a trip", "a/b"]) == ["book", "refund a trip", "a/b"]


def test_cases_with_one_id_are_numbered() -> None:
    assert item_names(["a", "b", "a"]) == ["a[1]", "b", "a[2]"]
    assert item_names(["a", "a[1]", "a", "a"]) == ["a[2]", "a[1]", "a[3]", "a[4]"]


def test_a_case_without_an_id_has_its_place() -> None:
    assert item_names(["", "a", ""]) == ["case_1", "a", "case_3"]
    assert item_names(["case_2", ""]) == ["case_2[1]", "case_2[2]"]


def test_a_name_is_safe_in_a_node_id() -> None:
    names = item_names(["a::b", "a\nb\x1b[31m", "\udcff", "%3A"])
    assert len(set(names)) == 4
    assert not any("::" in name or "\x1b" in name or "\n" in name for name in names)
    assert [name.encode() for name in names]


def test_no_runner_obeys_a_name() -> None:
    names = item_names(["##[group]x", "##vso[a]", "##teamcity[b]", "section_start:1:a", "::error::x"])
    assert names == ["##%5Bgroup]x", "##vso%5Ba]", "##teamcity%5Bb]", "section_start%3A1:a", "%3A%3Aerror%3A%3Ax"]
