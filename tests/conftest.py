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


@pytest.fixture(scope="session", autouse=True)
def start_without_torch():
    """Programs that tests start see no torch, as in an install of the core: thinc loads
    it wherever it finds it, which takes longer than most of these programs.

    A test that wants it sets another PYTHONPATH. Nothing changes in this process.
    """
    folders = [str(Path(__file__).parent / "without_torch")]
    before = os.environ.get("PYTHONPATH")
    with pytest.MonkeyPatch.context() as patch:
        path = os.pathsep.join([*folders, *([before] if before else [])])
        patch.setenv("PYTHONPATH", path)
        yield


@pytest.fixture
def nlp():
    return spacy.blank("en")
