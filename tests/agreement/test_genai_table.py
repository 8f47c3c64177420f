"""The table of models is that of google-genai and agentplatform."""

from evaltui.evalset.schema import genai_models
from tests.agreement.genai_table import table_of_packages, table_text


def test_the_stored_table_is_that_of_the_packages(agents_cli_python: str) -> None:
    assert genai_models.TABLE_FILE.read_text("utf-8") == table_text(table_of_packages(agents_cli_python))
