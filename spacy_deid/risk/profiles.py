"""Profiles: tables of what is forced, what is never masked and how it is replaced.

A table (`data/profiles/NAME.tsv`, or a file of one's own) has a row for a type and a
subtype, `*` for any. The first row that fits a span, its condition `when` included,
decides: `DIRECT` or `QUASI` force at least that, `never` leaves it in clear, `judge` asks
the risk scorer. `strategy` replaces it in another way than the pipeline does; `what` says
in plain words what the row is about.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ..data import ROOT, facts, read_table, table
from ..patterns.tables import Patterns
from ..registries import registry
from ..schema import DIRECT, QUASI, SEMANTIC_TYPES
from ..text.calendars import weekday_index
from ..text.countries import index
from ..text.dates import is_finer_than_year, years_in
from ..text.names import fold
from ..text.numbers import DECADES, read_numbers
from .known_direct import ALWAYS_DIRECT

NEVER, JUDGE, ANY = "never", "judge", "*"
# The category of the oldest under HIPAA, and the age that nobody has reached.
OLDEST, IMPOSSIBLE = 90, 131


class Row(NamedTuple):
    """A row of a profile; see the module."""

    type: str
    subtype: str
    when: str
    decision: str
    strategy: str
    what: str

    def fits(self, label: str, subtype: str, text: str) -> bool:
        """Whether the row is about a span."""
        about = self.type in (ANY, label) and self.subtype in (ANY, subtype)
        return about and (not self.when or CONDITIONS[self.when](text))


_JUDGED = Row(ANY, ANY, "", JUDGE, "", "what no row is about")


@dataclass(frozen=True)
class Profile:
    """A table of orders.

    name (str): Its name.
    rows (Sequence[Row]): Its rows; what none fits is judged.
    RAISES (ValueError): If a row is none.
    """

    name: str
    rows: tuple[Row, ...]

    def __post_init__(self) -> None:
        allowed = {
            "type": (ANY, *SEMANTIC_TYPES),
            "when": ("", *CONDITIONS),
            "decision": (DIRECT, QUASI, NEVER, JUDGE),
        }
        for n, row in enumerate(self.rows, 1):
            for column, values in allowed.items():
                if (value := getattr(row, column)) not in values:
                    known = f"one of {', '.join(filter(None, values))}"
                    problem = f"{column} '{value}' should be {known}"
                    raise ValueError(f"profile {self.name}, row {n}: {problem}")
            if not row.subtype:
                raise ValueError(f"profile {self.name}, row {n}: has no subtype (or *)")
            names = (row.strategy, f"spacy_deid.{row.strategy}.v1")
            if row.strategy and not any(x in registry.deid_strategies for x in names):
                problem = f"profile {self.name}, row {n}: no strategy '{row.strategy}'"
                raise ValueError(problem)

    def row_for(self, label: str, subtype: str, text: str) -> Row:
        """The row that decides about a span.

        label (str): Its semantic type.
        subtype (str): Its subtype, or "".
        text (str): Its text.
        RETURNS (Row): The first that fits.
        """
        return next((r for r in self.rows if r.fits(label, subtype, text)), _JUDGED)

    def to_json(self) -> dict[str, Any]:
        """What is saved of it."""
        return {"name": self.name, "rows": [list(row) for row in self.rows]}


def profile_names() -> list[str]:
    """Names of the package's own profiles and of those that are registered."""
    own = (path.stem for path in (ROOT / "profiles").glob("*.tsv"))
    registered = set(registry.deid_profiles.get_all()) - {"spacy_deid.profile.v1"}
    return [*sorted(own), *sorted(registered)]


@registry.deid_profiles("spacy_deid.profile.v1")
def make_profile(name: str = "default", path: str | None = None) -> Profile:
    """A profile of the package, or of a file.

    name (str): One of the package's: `default`, `hipaa_safe_harbor`, `court`,
        `contacts`, `everything`; or what that of the file is called.
    path (Optional[str]): Table of one's own, with the columns of `data/profiles`.
    RETURNS (Profile): The profile.
    RAISES (ValueError): If there is none of this name, or a row is none.
    """
    if path is None and not (ROOT / "profiles" / f"{name}.tsv").is_file():
        problem = f"no profile '{name}': use one of {', '.join(profile_names())}"
        raise ValueError(problem)
    rows: Sequence[dict[str, str]]
    if path is None:
        rows = table(f"profiles/{name}")
    else:
        name = name if name != "default" else Path(path).stem
        try:
            rows = read_table(Path(path))
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or "is not UTF-8 text"
            raise ValueError(f"profile {path}: {reason}") from None
    if missing := [c for c in Row._fields if not rows or c not in rows[0]]:
        raise ValueError(f"profile {path or name}: has no column {', '.join(missing)}")
    return Profile(name, tuple(Row(*(row[c] for c in Row._fields)) for row in rows))


def get_profile(profile: str | Path | Profile | None) -> Profile | None:
    """A profile by what a user calls it.

    profile (Union[str, Path, Profile, None]): A name of the package's own, a file
        (.tsv), a registered name, or a profile.
    RETURNS (Optional[Profile]): The profile; None for None.
    RAISES (ValueError): If there is none.
    """
    if profile is None or isinstance(profile, Profile):
        return profile
    name = str(profile)
    if name.endswith(".tsv"):
        return make_profile(path=name)
    if name in registry.deid_profiles.get_all():
        return registry.deid_profiles.get(name)()
    return make_profile(name)


def from_json(saved: dict[str, Any]) -> Profile:
    """A profile that was saved."""
    return Profile(saved["name"], tuple(Row(*row) for row in saved["rows"]))


# --- conditions ---

P = Patterns("conditions", parts={"nineties": DECADES[-1]})


def oldest_year() -> int:
    """A year of birth that tells an age over 89 today."""
    return datetime.date.today().year - OLDEST


def _over_89(text: str) -> bool:
    numbers = read_numbers(text)
    old = any(OLDEST <= n < IMPOSSIBLE for n in numbers)
    said = P.years_old.search(text) or (len(numbers) == 1 and P.bare.fullmatch(text))
    return bool(P.decade.search(text) or (old and said))


def _is_zip(text: str) -> bool:
    return P.zip.fullmatch(text) is not None


def _is_years(text: str) -> bool:
    """Years and nothing finer, none of which tells an age over 89."""
    years = years_in(text)
    rest = re.sub(r"\d{4}s?", " ", text.replace("'", ""))
    plain = not any(map(str.isalnum, P.with_years.sub(" ", rest)))
    return bool(years) and plain and years[0] > oldest_year()


def _is_duration(text: str) -> bool:
    """How long something takes, with no date in it."""
    words = re.findall(r"[^\W\d_]+", text.lower())
    dated = years_in(text) or is_finer_than_year(text)
    dated = dated or any(w in weekday_index() for w in words if len(w) > 3)
    return not dated and not _units().isdisjoint(words)


@cache
def _units() -> frozenset[str]:
    """Units of time in any language."""
    rows = table("time_units")
    forms = (f"{r['one']} {r['few']} {r['others']}".lower() for r in rows)
    return frozenset(" ".join(forms).split())


def _is_state(text: str) -> bool:
    """A state of the United States, a country or a continent."""
    names, letters = _states()
    written, key = text.strip(" ,"), re.sub("^the ", "", fold(text.strip(" ,.")))
    return key in names or key in index().by_name or written.replace(".", "") in letters


@cache
def _states() -> tuple[frozenset[str], frozenset[str]]:
    """Names of states and continents, folded, and the letters that stand for states."""
    rows = table("us_states")
    continents = facts("lang/en/generalize")["continents"]
    letters = (r[c].replace(".", "") for r in rows for c in ("code", "short") if r[c])
    names = (*(row["name"] for row in rows), *continents)
    return frozenset(map(fold, names)), frozenset(letters)


# What `when` may ask of a span's text.
CONDITIONS: dict[str, Callable[[str], bool]] = {
    "over_89": _over_89,
    "called_over_89": lambda text: bool(P.aged.search(text)) and _over_89(text),
    "zip": _is_zip,
    "named_zip": lambda text: _is_zip(text) and "zip" in text.lower(),
    "years": _is_years,
    "duration": _is_duration,
    "state": _is_state,
}


@cache
def known_types() -> frozenset[str]:
    """All types and subtypes of the package."""
    names: Iterable[str] = (
        *SEMANTIC_TYPES,
        *ALWAYS_DIRECT,
        *(row["subtype"] for row in table("patterns/identifiers")),
        *(row["subtype"] for row in table("patterns/forms")),
        *(row["subtype"] for row in table("label_schemes")),
        *(n for row in table("surrogate_kinds") for n in row["subtypes"].split()),
    )
    return frozenset(filter(None, names))
