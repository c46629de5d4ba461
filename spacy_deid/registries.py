"""Registries of the package, created on spaCy's own registry at import."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple, Protocol, TypeVar, cast

import catalogue
import srsly
from spacy.language import Language
from spacy.util import registry as _registry

from . import data

F = TypeVar("F", bound=Callable[..., Any])


class Registries(Protocol):
    """What type checkers may know of registries that are added at run time: those by
    which functions are registered leave the function's type as it is."""

    get: Any
    has: Any
    resolve: Any

    def __getattr__(self, name: str) -> Register: ...


class Register(Protocol):
    """One registry; `@registry.misc("name.v1")`."""

    __contains__: Any

    def __getattr__(self, name: str) -> Any: ...

    def __call__(self, name: str) -> Callable[[F], F]: ...


registry: Registries = cast(Any, _registry)

# Configs refer to these as `@deid_patterns = "..."`; users advertise their own
# functions through entry points of the group `spacy_deid_patterns`, and so on.
NAMES = (
    "deid_patterns",  # () -> Recognizer, spacy_deid/patterns
    "deid_gazetteers",  # () -> iterable of Term, spacy_deid/gazetteers
    "deid_indicators",  # () -> Indicator, spacy_deid/risk
    "deid_language_models",  # () -> MaskedLM, spacy_deid/models/masked_lm.py
    "deid_classifiers",  # () -> Classifier, spacy_deid/risk/classifiers.py
    "deid_profiles",  # () -> Profile, spacy_deid/risk/profiles.py
    "deid_search",  # () -> SearchBackend, spacy_deid/risk/search
    "deid_combinations",  # () -> Combination, spacy_deid/risk/combinations.py
    "deid_weightings",  # () -> Weighting of words, spacy_deid/evaluation/privacy.py
    "deid_strategies",  # () -> replacement strategy, spacy_deid/surrogates
    "deid_languages",  # () -> LanguagePack by language code, spacy_deid/lang
    "deid_surrogates",  # () -> surrogate generator, spacy_deid/surrogates
    "deid_policies",  # () -> replacement policy, spacy_deid/surrogates/strategies/policies.py
)


class OwnRegistry(catalogue.Registry):
    """A registry that knows the package's functions by their places, and imports one
    when it is asked for.

    They are no entry points, and what is registered stays here: others' registries go
    through all entry points of all packages, and through all that is registered.
    """

    def __init__(self, name: str) -> None:
        super().__init__(("spacy", name), entry_points=True)
        rows = data.table("registered")
        self.places = {r["name"]: r["place"] for r in rows if r["registry"] == name}
        self.functions: dict[str, Any] = {}

    def __contains__(self, name: str) -> bool:
        own = name in self.functions or name in self.places
        return own or super().__contains__(name)

    def register(self, name: str, *, func: Any = None) -> Callable:
        """Register a function, or decorate one."""

        def keep(function: Any) -> Any:
            self.functions[name] = function
            return function

        return keep if func is None else keep(func)

    def get(self, name: str) -> Any:
        """The function of a name.

        RAISES (RegistryError): If there is none.
        """
        if name not in self.functions and name in self.places:
            module, _, function = self.places[name].partition(":")
            self.functions[name] = getattr(import_module(module), function)
        return self.functions[name] if name in self.functions else super().get(name)

    def get_all(self) -> dict[str, Any]:
        """All functions by their names."""
        own = {name: self.get(name) for name in {**self.places, **self.functions}}
        return {**super().get_all(), **own}


for _name in NAMES:
    if not hasattr(registry, _name):
        setattr(registry, _name, OwnRegistry(_name))


class Remembering(catalogue.Registry):
    """A registry that goes through all that there is once, and again after something
    was registered in it."""

    known: dict[str, Any] | None = None

    def register(self, name: str, *, func: Any = None) -> Callable:
        """Register a function, or decorate one."""
        register = super().register(name)

        def keep(function: Any) -> Any:
            self.known = None
            return register(function)

        return keep if func is None else keep(func)

    def get_all(self) -> dict[str, Any]:
        """All functions by their names."""
        if self.known is None:
            self.known = super().get_all()
        return dict(self.known)


# What packs for srsly is looked up for each span group of each Doc, both when it leaves a
# process and when it arrives in another: nearly all the time of `nlp.pipe(n_process=2)`.
for _packers in (srsly.msgpack_encoders, srsly.msgpack_decoders):
    _packers.__class__ = Remembering

# spacy-transformers' own, which makes it anew when it is imported: functions get there
# by entry points alone.
if not hasattr(_registry, "span_getters"):
    getters = catalogue.create("spacy", "span_getters", entry_points=True)
    setattr(_registry, "span_getters", getters)  # noqa: B010


def pipes_of(nlp: Language, *factories: str) -> list[str]:
    """Names of a pipeline's components that some factories have made, in order."""
    return [n for n in nlp.pipe_names if nlp.get_pipe_meta(n).factory in factories]


class Made(NamedTuple):
    """Stands for the function that a block of a config makes."""

    block: dict[str, Any]


def pack(functions: Any, blocks: Any) -> Any:
    """What can be pickled for a function that a block has made, or for several by name:
    closures can't. What no block is known of stays."""
    if isinstance(functions, dict):
        blocks = blocks or {}
        return {name: pack(f, blocks.get(name)) for name, f in functions.items()}
    is_block = isinstance(blocks, dict) and any(key[:1] == "@" for key in blocks)
    return Made(blocks) if is_block and functions is not None else functions


def unpack(packed: Any) -> Any:
    """The reverse of `pack`."""
    if isinstance(packed, dict):
        return {name: unpack(value) for name, value in packed.items()}
    if isinstance(packed, Made):
        return registry.resolve({"made": packed.block})["made"]
    return packed


def registered_block(kind: str, function: Callable) -> dict[str, str] | None:
    """The block of a config that makes a local function; None if the function was made
    with settings, or is not local."""
    code = getattr(function, "__qualname__", "")
    if "<locals>" not in code or getattr(function, "__closure__", None):
        return None
    for name, maker in getattr(registry, kind).get_all().items():
        own = f"{maker.__qualname__}.<locals>."
        if maker.__module__ == function.__module__ and code.startswith(own):
            return {f"@{kind}": name}
    return None


__all__ = ["NAMES", "pack", "pipes_of", "registered_block", "registry", "unpack"]
