"""Which pipelines are installed, and which one is for a document's language."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import spacy
from spacy.language import Language

from ..embedded import ROOT
from ..text.languages import language_of

# As `--model`: each document by the pipeline of its language.
AUTO = "auto"
# Languages of pipelines for texts in any.
_ANY = ("xx", "mul")


class Installed(NamedTuple):
    """A pipeline that can be loaded by its name.

    description (str): What its meta.json says.
    """

    name: str
    lang: str
    version: str
    description: str


def installed_pipelines() -> Iterator[Installed]:
    """Pipelines with a pseudonymizer, the embedded ones first."""
    places = {path.name: path for path in sorted(ROOT.iterdir())}
    for name in sorted(spacy.util.get_installed_models()):
        places.setdefault(name, spacy.util.get_package_path(name))
    for name, place in places.items():
        path = place / "meta.json"
        meta = json.loads(path.read_text("utf8")) if path.exists() else {}
        if "pseudonymizer" in meta.get("pipeline", ()):
            told = meta.get("description", "")
            yield Installed(name, meta["lang"], meta["version"], told)


# Pipelines of other languages beside one; gone with it.
_others: WeakKeyDictionary[Language, dict[str, Language | None]] = WeakKeyDictionary()


@dataclass
class Pipelines:
    """The pipeline of a run, and for `AUTO` those of other languages.

    load (Optional[Callable]): Gives a pipeline by its name; None to have one for all.
    """

    nlp: Language
    load: Callable[[str], Language] | None = None

    def foreign(self, text: str) -> str:
        """The language of a text, if it is another one than the pipeline's and surely."""
        if self.nlp.lang in _ANY:
            return ""
        language = language_of(text)
        return "" if language == self.nlp.lang else language

    def of(self, language: str) -> Language | None:
        """The pipeline for a language that `foreign` gave, None if there is none."""
        if not language or self.load is None:
            return self.nlp
        if language not in (others := _others.setdefault(self.nlp, {})):
            names = (p.name for p in installed_pipelines() if p.lang == language)
            name = next(names, None)
            others[language] = None if name is None else self.load(name)
        return others[language]
