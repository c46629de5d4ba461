import pytest

from spacy_deid.registries import registry


@pytest.fixture(scope="session")
def make():
    """Makes a family, found through the entry points as a config would."""

    def make(family, **settings):
        registered = f"spacy_deid.{family}_patterns.v1"
        return registry.deid_patterns.get(registered)(**settings)

    return make
