"""A user's own identifiers: what they look like, the words around them, their check."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property
from importlib import import_module
from typing import Any

from ..registries import registry
from ..schema import SEMANTIC_TYPES
from .base import Hit, PatternRecognizer
from .ids.checks import is_valid
from .user_lists import DENY_SOURCE

NAME = "spacy_deid.regex_patterns.v1"
Check = str | Callable[[str], Any] | None


@registry.deid_patterns(NAME)
@dataclass(frozen=True)
class OwnPattern(PatternRecognizer):
    """Identifiers of a user's own: a function of a text that yields hits.

    label (str): Semantic type.
    subtype (str): Kind of identifier, any name.
    regex (Union[str, List[str]]): What they look like: regular expressions, on a text in
        which digits of other scripts, odd blanks and hidden characters are plain. A group
        `(?P<value>...)` is the identifier, if it is not all that fits.
    terms (List[str]): Or what they are, in any case.
    context (List[str]): Words of which one has to be near.
    window (int): Characters before and behind that count as near.
    check (Union[str, Callable, None]): Whether a value is valid: a function, or the name
        of a module of python-stdnum ("luhn", "us.ssn").
    score (float): Confidence, from 0 to 1.
    score_alone (Optional[float]): Confidence where no word of the context is near; null:
        it is not found there.
    always (bool): Whether hits are masked whatever is judged, like terms of `deny`.
    ignore_case (bool): Whether the case of letters in `regex` does not matter.
    RAISES (ValueError): If a setting makes no sense.
    """

    label: str
    subtype: str = ""
    regex: str | Sequence[str] = ()
    terms: Sequence[str] = ()
    context: Sequence[str] = ()
    window: int = 40
    check: Check = None
    score: float = 0.9
    score_alone: float | None = None
    always: bool = False
    ignore_case: bool = False
    # Module and name of what was decorated, by which it is found again.
    place: tuple[str, str] = field(default=("", ""), init=False)

    def __post_init__(self) -> None:
        if self.label not in SEMANTIC_TYPES:
            raise ValueError(f"label should be one of {', '.join(SEMANTIC_TYPES)}")
        if not (self._regexes or any(self.terms)):
            raise ValueError(
                f"pattern {self.subtype or self.label}: no regex, no terms"
            )
        if self._pattern.match(""):
            raise ValueError(f"pattern {self.subtype or self.label}: it fits no text")

    @property
    def _regexes(self) -> list[str]:
        return [self.regex] if isinstance(self.regex, str) else [*self.regex]

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        terms = sorted(map(re.escape, self.terms), key=len, reverse=True)
        listed = [rf"(?i:(?<!\w)(?:{'|'.join(terms)})(?!\w))"] if terms else []
        parts = [f"(?:{part})" for part in (*self._regexes, *listed)]
        flags = re.IGNORECASE if self.ignore_case else 0
        try:
            return re.compile("|".join(parts), flags)
        except re.error as error:
            raise ValueError(
                f"pattern {self.subtype or self.label}: no regular expression: {error}"
            ) from None

    @cached_property
    def _context(self) -> re.Pattern[str] | None:
        words = "|".join(map(re.escape, self.context))
        return re.compile(rf"(?i)(?<!\w)(?:{words})(?!\w)") if words else None

    def find(self, text: str) -> Iterator[Hit]:  # type: ignore[override]
        """The hits in a normalised text."""
        for match in self._pattern.finditer(text):
            start, end = match.span("value" if "value" in match.groupdict() else 0)
            near = self._near(text, start, end)
            score = self.score if near or self._context is None else self.score_alone
            if start >= end or score is None or not self._passes(text[start:end]):
                continue
            reason = "a pattern of your own" + (f"; near '{near}'" if near else "")
            name = f"pattern:{self.subtype or self.label}"
            source = DENY_SOURCE if self.always else name
            yield Hit(start, end, self.label, self.subtype, score, source, reason)

    def _near(self, text: str, start: int, end: int) -> str:
        """A word of the context that is near; "" if there is none."""
        if self._context is None:
            return ""
        left = text[max(0, start - self.window) : start]
        right = text[end : end + self.window]
        found = self._context.search(left) or self._context.search(right)
        return found[0].lower() if found else ""

    def _passes(self, value: str) -> bool:
        if callable(self.check):
            return bool(self.check(value))
        return is_valid(self.check or "", value)

    def config(self) -> dict[str, Any]:
        """The block of a config that makes this pattern.

        RAISES (ValueError): If its check is a function that has no name.
        """
        if self.place[1]:
            return {"@deid_patterns": self.place[1]}
        if callable(self.check):
            raise ValueError("a check that is a function: use the decorator `pattern`")
        settings = {k: v for k, v in asdict(self).items() if k != "place"}
        return {"@deid_patterns": NAME, **settings}

    def __reduce__(self) -> tuple:
        if self.place[0]:
            # The name of a decorated function is that of its pattern.
            return _decorated, self.place
        return OwnPattern, tuple(getattr(self, f.name) for f in fields(self) if f.init)


def _decorated(module: str, name: str) -> OwnPattern:
    import_module(module)
    made: OwnPattern = registry.deid_patterns.get(name)()
    return made


def pattern(
    label: str, subtype: str = "", **settings: Any
) -> Callable[[Callable[[str], Any]], OwnPattern]:
    """Decorate a function that checks values: it becomes a pattern, registered under its
    name.

        @spacy_deid.pattern("CODE", "STAFF_NUMBER", regex=r"ST-[0-9]{6}")
        def staff_number(value):
            return int(value[3:]) % 7 == 0

        nlp.get_pipe("pii_gazetteer").add_pattern(staff_number)

    label, subtype, **settings: See `OwnPattern`.
    RETURNS (Callable): The decorator.
    """

    def decorate(check: Callable[[str], Any]) -> OwnPattern:
        if not callable(check):
            raise TypeError(
                "spacy_deid.pattern(...) decorates a function; a pattern without one is "
                "spacy_deid.patterns.own.OwnPattern(label, subtype, regex)"
            )
        name = check.__name__
        made = OwnPattern(label, subtype, check=check, **settings)
        object.__setattr__(made, "place", (check.__module__, name))
        registry.deid_patterns.register(name, func=lambda: made)
        return made

    return decorate


def read_pattern(written: str) -> OwnPattern:
    """A pattern as it is written on the command line: TYPE:SUBTYPE=REGEX or TYPE=REGEX.
    It is always masked.

    RAISES (ValueError): If it is none.
    """
    kind, sign, regex = written.partition("=")
    if not sign or not regex:
        raise ValueError("should be like CODE:STAFF_NUMBER=ST-[0-9]{6}")
    label, _, subtype = kind.partition(":")
    return OwnPattern(label, subtype, regex, always=True)
