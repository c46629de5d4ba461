import os
from pathlib import Path

import pytest
import spacy

from spacy_deid import install_extensions

install_extensions()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of real annotated documents, which do not travel with the project."""
    default = Path(__file__).parents[2] / "shared" / "data"
    path = Path(os.environ.get("SPACY_DEID_DATA", default))
    if not path.is_dir():
        pytest.skip("the real documents (SPACY_DEID_DATA) are not on this machine")
    return path


@pytest.fixture
def nlp():
    return spacy.blank("en")
