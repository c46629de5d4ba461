"""Registries of the package, created on spaCy's own registry at import."""

from typing import Any

import catalogue
from spacy.util import registry as _registry

# Any: type checkers cannot know of registries added at run time.
registry: Any = _registry

# Configs refer to these as `@deid_patterns = "..."`; users advertise their own
# functions through entry points of the group `spacy_deid_patterns`, and so on.
NAMES = (
    "deid_patterns",  # () -> Recognizer, spacy_deid/patterns
    "deid_gazetteers",  # () -> iterable of Term, spacy_deid/gazetteers
    "deid_indicators",  # () -> Indicator, spacy_deid/risk
    "deid_language_models",  # () -> MaskedLM, spacy_deid/models/masked_lm.py
    "deid_classifiers",  # () -> Classifier, spacy_deid/risk/classifiers.py
    "deid_search",  # () -> SearchBackend, spacy_deid/risk/search
    "deid_combinations",  # () -> Combination, spacy_deid/risk/combinations.py
    "deid_weightings",  # () -> Weighting of words, spacy_deid/evaluation/privacy.py
    "deid_strategies",  # () -> replacement strategy, spacy_deid/surrogates
    "deid_languages",  # () -> LanguagePack by language code, spacy_deid/lang
    "deid_surrogates",  # () -> surrogate generator, spacy_deid/surrogates
    "deid_policies",  # () -> replacement policy, spacy_deid/surrogates/strategies/policies.py
)

for _name in NAMES:
    if not hasattr(registry, _name):
        setattr(registry, _name, catalogue.create("spacy", _name, entry_points=True))

# spacy-transformers' own, which makes it anew when it is imported: functions get there
# by entry points alone.
if not hasattr(registry, "span_getters"):
    registry.span_getters = catalogue.create("spacy", "span_getters", entry_points=True)

__all__ = ["NAMES", "registry"]
