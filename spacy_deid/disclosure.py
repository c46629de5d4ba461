"""What an output may say of a decision without giving originals away.

Risks, probabilities and scores are functions of the original text and of public models:
who tries candidates for a masked name until the figures agree has found it. So outputs
have bands, and reasons without figures; the audit alone has both as they are.
"""

from __future__ import annotations

import re
from pathlib import Path

from .label_schemes import TABLE
from .schema import DIRECT, NO_MASK, PROPERTY_SUBTYPES, QUASI

BANDS = ("low", "medium", "high")
_BANDS_OF = {NO_MASK: "low", QUASI: "medium", DIRECT: "high"}
# Subtypes that name a kind. Any other of a listed term is the term's own id.
_KINDS = frozenset(
    {*PROPERTY_SUBTYPES.values(), "REGION"}
    | {target[1] for labels in TABLE.values() for target in labels.values() if target}
)
_IN_BRACKETS = re.compile(r"\s*[(\[][^()\[\]]*\d[^()\[\]]*[)\]]")
# Detectors whose details name no term and no list.
_NAMELESS = ("pattern", "ner", "propagation")
LISTED = "a listed term"


def band(risk: float | None) -> str | None:
    """A risk or score in words.

    risk (Optional[float]): From 0 to 1.
    RETURNS (Optional[str]): "low", "medium" or "high", a third of the range each; None
        for None.
    """
    return None if risk is None else BANDS[min(int(3 * risk), 2)]


def middle(risk: float | None) -> float | None:
    """The middle of the band of a risk or score, where a number is expected."""
    return as_number(band(risk))


def as_number(name: str | None) -> float | None:
    """The middle of a band."""
    return None if name is None else round((BANDS.index(name) + 0.5) / 3, 3)


def told_risk(decision: str, risk: float | None) -> str | None:
    """The risk of a span in words: those of its decision and no more, as the band of its
    neighbours' risks would tell what the name between them is.

    decision (str): Identifier type.
    risk (Optional[float]): From 0 to 1.
    RETURNS (Optional[str]): "low", "medium" or "high"; None where nobody judged.
    """
    return None if risk is None else _BANDS_OF[decision]


def magnitude(count: float | None) -> int | None:
    """A number of people as the power of ten below it, at least 1."""
    return None if count is None else 10 ** (len(str(int(count))) - 1)


def without_figures(reason: str) -> str:
    """A reason without its figures: those in brackets go with them, other clauses with
    figures go as a whole.

    reason (str): Clauses with "; " between.
    RETURNS (str): What is left, perhaps nothing.
    """
    clauses = _IN_BRACKETS.sub("", reason).split("; ")
    return "; ".join(c for c in clauses if not any(map(str.isdecimal, c)))


def shown_subtype(subtype: str, source: str) -> str:
    """The subtype of a masked span, unless it is the id of a term.

    subtype (str): Of the span.
    source (str): What found it, `detector:detail`.
    RETURNS (str): "" for an id.
    """
    known = source.partition(":")[0] in ("pattern", "ner") or subtype in _KINDS
    return subtype if known else ""


def shown_source(source: str) -> str:
    """What found a masked span, without the property or the list that a term is of."""
    detector = source.partition(":")[0]
    return source if detector in _NAMELESS else detector


def shown_finding(reason: str, source: str) -> str:
    """Why a masked span was found, without what the entry of a term says."""
    return LISTED if source.partition(":")[0] == "term" else without_figures(reason)


PACKAGE = Path(__file__).parent


def describe(error: BaseException) -> str:
    """Type of an error and the innermost line of this package it came through, without
    the message: messages may quote the document."""
    place = ""
    trace = error.__traceback__
    while trace is not None:
        path = Path(trace.tb_frame.f_code.co_filename)
        if PACKAGE in path.parents:
            name = path.relative_to(PACKAGE.parent).as_posix()
            place = f" at {name}:{trace.tb_lineno}"
        trace = trace.tb_next
    return f"{type(error).__name__}{place}"
