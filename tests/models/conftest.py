import pytest


class _Encoders(dict):
    """Folders of tiny encoders by their kind, made when they are asked for."""

    def __init__(self, make_folder):
        super().__init__()
        from . import tiny_encoders

        self.module, self.make_folder = tiny_encoders, make_folder

    def __missing__(self, kind):
        self[kind] = self.module.save(kind, self.make_folder(kind))
        return self[kind]


@pytest.fixture(scope="session")
def encoders(tmp_path_factory):
    for package in ("torch", "transformers", "spacy_transformers"):
        pytest.importorskip(package, reason="encoders of the hub need torch")
    return _Encoders(tmp_path_factory.mktemp)
