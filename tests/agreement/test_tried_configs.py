"""google-adk accepts the configs that a trial writes, and its evaluators the criteria in them."""

from pathlib import Path
from random import Random

from evaltui.document.document import Document
from tests.agreement.oracle import objections
from tests.runs.config_steps import try_steps

_EACH = 20


def tried(data: bytes, name: str) -> list[bytes]:
    """A config with the criteria of random trials."""
    found = []
    for seed in range(_EACH):
        document = Document(data, Path("test_config.json"))
        try_steps(document, Random(f"{name} {seed}"), 1 + seed)
        found.append(document.to_bytes())
    return found


def test_google_adk_accepts_the_configs_that_are_written(adk_python: str, shared_folder: Path) -> None:
    paths = sorted((shared_folder / "corpus").glob("*_eval_config__*.json"))
    texts = [path.read_bytes() for path in paths]
    for kind in ("config", "criteria"):
        refused = objections(adk_python, kind, texts)
        files = [
            file
            for path, data, said in zip(paths, texts, refused, strict=True)
            if not said and Document(data).root is not None
            for file in tried(data, path.name)
        ]
        assert len(files) > 10 * _EACH
        said = objections(adk_python, kind, files)
        assert [each for each in zip(said, files, strict=True) if each[0]] == []
