"""Writes the table that is taken from another project: `python benchmarks/calendars.py`.

`calendars.tsv`: names of months and weekdays of the Unicode CLDR (by babel, which only
this script needs). Rows whose source is "use" were added by hand and stay.
"""

from __future__ import annotations

from typing import Any

from spacy_deid.data import ROOT, table

_STYLES = [(c, w) for w in ("wide", "abbreviated") for c in ("format", "stand-alone")]
# Short names of one letter or two in these languages are words of others, and Catalan
# months "d'abril" are two words.
_LEFT_OUT = frozenset(
    [("weekday", "et"), ("weekday", "lt"), ("weekday", "sk"), ("weekday", "ca")]
)
_HEADER = """\
# Names of months and weekdays, Monday first, in lower case and without full stops, a row
# for each style of a language; the first row has full names. Source "CLDR": Unicode CLDR,
# Unicode License v3, written by `python benchmarks/calendars.py`. Source "use": other
# spellings and cases, written for this project. MIT.
kind\tlang\tsource\tnames
"""


def calendars(locale: Any) -> str:
    """The table of names.

    locale (Callable): babel's class of locales.
    RETURNS (str): Text of `calendars.tsv`.
    """
    known = table("calendars")
    out = []
    for kind, attribute in (("month", "months"), ("weekday", "days")):
        for lang in dict.fromkeys(row["lang"] for row in known):
            own = [r for r in known if (r["kind"], r["lang"]) == (kind, lang)]
            rows: dict[str, str] = {}
            for context, width in sorted(_STYLES):
                names = getattr(locale(lang), attribute)[context][width]
                words = [names[k].lower().replace(".", "") for k in sorted(names)]
                skipped = width != "wide" and (kind, lang) in _LEFT_OUT
                if not skipped and not any(" " in w or "’" in w for w in words):
                    rows[" ".join(words).replace("ʼ", "'")] = "CLDR"
            rows = {r["names"]: r["source"] for r in own if r["names"] in rows} | rows
            rows |= {r["names"]: "use" for r in own if r["source"] == "use"}
            out += [f"{kind}\t{lang}\t{source}\t{n}\n" for n, source in rows.items()]
    return _HEADER + "".join(out)


if __name__ == "__main__":
    from babel import Locale

    (ROOT / "calendars.tsv").write_text(calendars(Locale), encoding="utf8")
