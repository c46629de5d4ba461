from functools import cache

import pytest


@pytest.fixture(scope="session")
def encoders(tmp_path_factory):
    """Gives folders of tiny encoders by their kind, made when they are asked for."""
    for package in ("torch", "transformers", "spacy_transformers"):
        pytest.importorskip(package, reason="encoders of the hub need torch")
    from .tiny_encoders import save

    return cache(lambda kind: save(kind, tmp_path_factory.mktemp(kind)))
