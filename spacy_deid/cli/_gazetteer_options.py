"""Options that the commands which make a file of terms share, and what they do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spacy.language import Language

from ..embedded import load_pipeline
from ..gazetteers.wikidata.values import (
    CITIZENSHIP,
    NameFilter,
    Origin,
    Property,
    Value,
    load_properties,
    manifest_path,
    parse_languages,
    write_terms,
)
from ..lang.base import pack_of
from ._errors import CliError, say, shown
from ._options import split
from ._write import check_file


@dataclass(frozen=True)
class TermOptions:
    """The shared options."""

    languages: str = "en"
    properties: str | None = None
    exclude: str = ""
    aliases: bool = True
    min_count: int = 1
    drop_names: str | None = None
    countries: bool = True

    def check(self, path: Path) -> Terms:
        """Check the options and the file of terms before hours are spent on them.

        RAISES (CliError): If one does not fit.
        """
        if path.suffix != ".jsonl":
            raise CliError(f"{path}: the file of terms has to be a .jsonl file")
        check_file(path)
        left_out = split(self.exclude)
        with shown(ValueError, at="--languages"):
            codes = parse_languages(self.languages)
        with shown(ValueError, at="--properties"):
            chosen = _load_properties(self.properties, left_out)
        nlp = None
        if self.drop_names:
            try:
                nlp = load_pipeline(self.drop_names)
                with shown(ValueError, at="--drop-names"):
                    NameFilter(nlp, codes)
            except OSError as error:
                problem = "no such pipeline; install it, or give its folder"
                raise CliError(f"--drop-names {self.drop_names}: {problem}") from error
        countries = self.countries and CITIZENSHIP not in left_out
        shared = (self.aliases, self.min_count, nlp, countries)
        return Terms(path, chosen, codes, left_out, *shared)


@dataclass(frozen=True)
class Terms:
    """What is to be written.

    path (Path): The file of terms.
    properties (list[Property]): Properties to get, without those left out.
    languages (tuple[str, ...]): Languages, the preferred one first.
    exclude (tuple[str, ...]): Properties left out.
    drop_names (Language): Pipeline that finds names, or None.
    """

    path: Path
    properties: list[Property]
    languages: tuple[str, ...]
    exclude: tuple[str, ...]
    aliases: bool
    min_count: int
    drop_names: Language | None
    countries: bool

    def write(self, values: Iterable[Value], origin: Origin) -> dict[str, Any]:
        """Write the file of terms and its manifest, which is given back, and say what
        is in them."""
        known = _country_terms(self.languages) if self.countries else None
        # The fields are called as its arguments.
        report = write_terms(values, manifest=origin, country_terms=known, **vars(self))
        labels = report["counts"]["label"].items()
        kinds = ", ".join(f"{label} {n:,}" for label, n in labels) or "none"
        say(f"{report['terms']:,} terms ({kinds}) in {self.path}")
        say(f"Counts and filters: {manifest_path(self.path)}")
        return report


def _country_terms(languages: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Countries and nationalities by language; English and French have lists below."""
    packs = {code: pack_of(code) for code in languages if code != "en"}
    with shown(ImportError, at="--languages"):
        return {code: p.country_terms for code, p in packs.items() if p is not None}


def _load_properties(properties: str | None, exclude: Iterable[str]) -> list[Property]:
    if properties is not None and Path(properties).is_file():
        return load_properties(properties, exclude=exclude)
    ids = split(properties) if properties is not None else None
    return load_properties(ids=ids, exclude=exclude)
