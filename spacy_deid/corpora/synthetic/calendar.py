"""Numbers and dates as the languages of the synthetic corpus write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

from ...data import facts
from ...text.numbers import ordinal_suffix

_CODE = re.compile(r"%(-?)([a-zA-Z])")


def settings(lang: str) -> Mapping[str, Any]:
    """Words, formats and shares of a language (`data/lang/CODE/synthetic.json`)."""
    return facts(f"lang/{lang}/synthetic")


def ordinal(n: int) -> str:
    """An English ordinal number in figures: "22nd"."""
    return f"{n}{ordinal_suffix(n)}"


def write_date(day: date, form: str, lang: str = "en") -> str:
    """A date in a format."""
    words = settings(lang)
    month, weekday = words["months"][day.month - 1], words["days"][day.weekday()]
    own = {"o": ordinal(day.day), "B": month, "b": month[:3], "A": weekday}
    own["a"] = weekday[: words["day_letters"]]

    def write(match: re.Match[str]) -> str:
        bare, code = match.groups()
        text = own.get(code) or day.strftime(f"%{code}")
        return text.lstrip("0") if bare else text

    return _CODE.sub(write, form)
