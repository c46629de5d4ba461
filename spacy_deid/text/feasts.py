"""Days that are told by a name: each becomes another one of its row, near the new date."""

from __future__ import annotations

import datetime
import re
from collections.abc import Mapping, Sequence
from functools import cache, partial
from typing import NamedTuple

from ..data import has_own, table
from .case import as_matched, match_case
from .date_expressions import read_expression
from .date_parts import Context, Part, Shift, vocabulary

_LONGEST = 60


class _Feast(NamedTuple):
    """A day with a name, in all its forms."""

    row: str
    day: int
    forms: Sequence[str]


@cache
def _feasts(lang: str) -> tuple[re.Pattern[str], Mapping[str, tuple[_Feast, int]]]:
    """What finds their names, and each name's day and form."""
    found: dict[str, tuple[_Feast, int]] = {}
    for row in table(f"lang/{lang}/feasts") if has_own(lang, "feasts.tsv") else ():
        day = datetime.date.fromisoformat(f"2003-{row['day']}").timetuple().tm_yday
        for name in row["names"].split(","):
            feast = _Feast(row["row"], day, name.split("|"))
            for place, form in enumerate(feast.forms):
                found.setdefault(as_matched(form), (feast, place))
    names = "|".join(map(re.escape, sorted(found, key=len, reverse=True)))
    return re.compile(rf"(?<![^\W_])(?:{names or '(?!)'})(?![^\W_])", re.I), found


def read_feast(text: str, context: Context) -> list[Part] | None:
    """What moves in a text with the name of a day.

    text (str): "Allerheiligen", "Dienstag nach Fasnacht", "día de la Candelaria".
    context (Context): What the document tells.
    RETURNS (Optional[list]): As of `read_parts`; None if it has no such name, or other
        words than those around dates.
    """
    names, known = _feasts(context.lang)
    matches = list(names.finditer(text)) if len(text) <= _LONGEST else []
    rest = names.sub(lambda m: " " * len(m.group()), text)
    words = re.findall(r"[^\W\d_]+", rest.lower())
    beside = vocabulary(context.lang).facts.get("beside_feasts", "").split()
    may_stay = vocabulary(context.lang).may_stay
    others = [w for w in words if w not in beside]
    parts = read_expression(" ".join(others), context) if others else None
    if not matches or not (parts or all(may_stay(word) for word in others)):
        return None
    made = _parts(matches, known)
    # The words beside it, in their places.
    made += read_expression(_without(rest, beside), context) or ()
    return sorted(made, key=lambda part: part[:2])


def _without(text: str, words: Sequence[str]) -> str:
    """A text with some words blank."""
    return re.sub(
        r"[^\W\d_]+", lambda m: " " * len(m[0]) if m[0].lower() in words else m[0], text
    )


def _parts(
    matches: Sequence[re.Match[str]], known: Mapping[str, tuple[_Feast, int]]
) -> list[Part]:
    """The names as parts; of a text with several each becomes another one."""
    olds = [known[as_matched(match.group())] for match in matches]

    def render(which: int, shift: Shift) -> str:
        used = {feast.day for feast, _ in olds}
        new = ""
        for match, (old, place) in list(zip(matches, olds))[: which + 1]:
            day = (old.day + shift.days) % 365
            row = [
                f for f, _ in known.values() if f.row == old.row and f.day not in used
            ]
            near = min(row, key=lambda f: min((f.day - day) % 365, (day - f.day) % 365))
            used.add(near.day)
            new = match_case(near.forms[place], match.group())
        return new

    return [Part(*m.span(), "feast", partial(render, i)) for i, m in enumerate(matches)]
