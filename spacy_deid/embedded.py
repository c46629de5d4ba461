"""Pipelines that are shipped inside the package."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import spacy
from spacy.language import Language

from .registries import pipes_of

if TYPE_CHECKING:
    from .patterns.base import Recognizer
    from .patterns.user_lists import Entries
    from .risk.profiles import Profile

DEFAULT_PIPELINE = "en_deid_sm"
ROOT = Path(__file__).parent / "pipelines"


def load_pipeline(
    name: str = DEFAULT_PIPELINE,
    *,
    allow: Entries = (),
    deny: Entries = (),
    types: Iterable[str] = (),
    threshold: float | None = None,
    profile: str | Path | Profile | None = None,
    patterns: Iterable[Recognizer] = (),
    **kwargs: Any,
) -> Language:
    """Load an embedded pipeline by name, or anything `spacy.load` can load, and give it
    a user's orders.

    name (str): Name of an embedded pipeline, installed package or path.
    allow, deny, types, threshold, profile, patterns: See `give_orders`.
    **kwargs: Arguments of `spacy.load`.
    RETURNS (Language): The loaded pipeline.
    RAISES (OSError): If there is no such pipeline.
    RAISES (ValueError): If an order makes no sense.
    """
    embedded = ROOT / name
    # A bare name only: `./en_deid_sm` and absolute paths are the user's own.
    own = Path(name).name == name and (embedded / "meta.json").exists()
    nlp = spacy.load(embedded if own else name, **kwargs)
    # The limit guards the memory of parsers; long documents are the rule here (0.3 GB for
    # a million characters), and cutting them would lose the links between their parts.
    nlp.max_length = sys.maxsize
    give_orders(
        nlp, allow=allow, deny=deny, types=types, threshold=threshold,
        profile=profile, patterns=patterns,
    )  # fmt: skip
    return nlp


def give_orders(
    nlp: Language,
    *,
    allow: Entries = (),
    deny: Entries = (),
    types: Iterable[str] = (),
    threshold: float | None = None,
    profile: str | Path | Profile | None = None,
    patterns: Iterable[Recognizer] = (),
) -> None:
    """Give a pipeline a user's orders: those of its config that are not named stay.

    nlp (Language): The pipeline.
    allow, deny (Union[str, Path, Iterable]): Phrases that are never masked and terms that
        always are, or files of them, beside those of its first `pii_gazetteer`; a
        pipeline without one gets one that finds nothing else.
    types (Iterable[str]): Types and subtypes that are masked at all.
    threshold (Optional[float]): Risk from which an entity is masked.
    profile (Union[str, Path, Profile, None]): Name of a profile, a file, or a profile.
    patterns (Iterable[Recognizer]): Patterns of one's own, see `spacy_deid.pattern`.
    RAISES (ValueError): If an order makes no sense.
    """
    patterns = [*patterns]
    if allow or deny or patterns:
        pipe = first_pipe(nlp, "pii_gazetteer") or _add_lists(nlp)
        pipe.add_to_lists(allow=allow, deny=deny)
        for pattern in patterns:
            pipe.add_pattern(pattern)
    scorer = first_pipe(nlp, "risk_scorer")
    pipe = scorer or first_pipe(nlp, "pseudonymizer")
    if threshold is not None:
        if scorer is None:
            raise ValueError("threshold needs a risk_scorer, and the pipeline has none")
        scorer.mask_from(threshold)
    for name, order in (("types", types or None), ("profile", profile)):
        if order is not None and pipe is None:
            needed = "a risk_scorer or a pseudonymizer"
            raise ValueError(f"{name} needs {needed}, and the pipeline has none")
        if order is not None:
            setattr(pipe, name, order)


def first_pipe(nlp: Language, factory: str) -> Any:
    """The first component of a factory, or None."""
    name = next(iter(pipes_of(nlp, factory)), None)
    return None if name is None else nlp.get_pipe(name)


def _add_lists(nlp: Language) -> Any:
    """A gazetteer that knows what is allowed and denied alone, behind all detectors."""
    defaults = nlp.get_factory_meta("pii_gazetteer").default_config or {}
    patterns = dict.fromkeys(defaults["patterns"])
    config = {"patterns": patterns, "terms": None, "propagate": None}
    before = next(iter(pipes_of(nlp, "risk_scorer", "pseudonymizer")), None)
    return nlp.add_pipe("pii_gazetteer", before=before, config=config)
