"""Pipelines that are shipped inside the package."""

from __future__ import annotations

from pathlib import Path

import spacy
from spacy.language import Language

DEFAULT_PIPELINE = "en_deid_sm"
ROOT = Path(__file__).parent / "pipelines"


def load_pipeline(name: str = DEFAULT_PIPELINE, **kwargs) -> Language:
    """Load an embedded pipeline by name, or anything `spacy.load` can load.

    name (str): Name of an embedded pipeline, installed package or path.
    **kwargs: Arguments of `spacy.load`.
    RETURNS (Language): The loaded pipeline.
    RAISES (OSError): If there is no such pipeline.
    """
    embedded = ROOT / name
    # A bare name only: `./en_deid_sm` and absolute paths are the user's own.
    if Path(name).name == name and (embedded / "meta.json").exists():
        return spacy.load(embedded, **kwargs)
    return spacy.load(name, **kwargs)
