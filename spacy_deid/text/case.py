"""Letter case of a new text beside the one that it replaces."""

from __future__ import annotations


def match_case(new: str, old: str) -> str:
    """Give `new` the letter case of `old`: ALL CAPS, lower case or its own.

    new (str): Text as it is written in a list.
    old (str): Text whose case is kept.
    RETURNS (str): `new`, perhaps in another case.
    """
    if not old or old.lower() == old.upper():
        return new
    if old.isupper():
        # One capital letter says nothing: "A" may begin any title.
        return new.upper() if sum(ch.isalpha() for ch in old) > 1 else new
    if old.islower():
        return new.lower()
    return new


def like_first(new: str, old: str) -> str:
    """As `match_case`, with a capital first if `old` has one."""
    if old[:1].isupper() and not old.isupper():
        return new[:1].upper() + new[1:]
    return match_case(new, old)
