"""What organisations and codes are, by their names and forms."""

from __future__ import annotations

import re

from ...data import facts
from ...text.names import LEGAL_FORMS, fold, strip_possessive
from ..base import Mention
from ..codes import kind_of_code
from ..organisations import alone_rows

_WORDS = facts("lang/en/generalize")
_ORGANISATION_OF = {
    word: noun
    for noun, row in reversed(_WORDS["organisations"].items())
    for word in row.split()
}


def organisation_kind(mention: Mention) -> str:
    """What an organisation is, as an English noun phrase; "" if its name does not say.

    mention (Mention): Mention of an organisation.
    RETURNS (str): For example "a hospital".
    """
    if mention.subtype in _WORDS["organisation_subtypes"]:
        return _WORDS["organisation_subtypes"][mention.subtype]
    key = re.sub(r"^the ", "", fold(strip_possessive(mention.text)))
    for noun, row in zip(_WORDS["alone"], alone_rows()):
        if key in row:
            return noun
    words = [w.strip(".,()") for w in key.split()]
    head = words[: words.index("of")] if "of" in words[1:] else words
    if words and words[-1].replace(".", "") in LEGAL_FORMS:
        law = any(_ORGANISATION_OF.get(w) == "a law firm" for w in words)
        return _ORGANISATION_OF.get(words[-1]) or ("a law firm" if law else "a company")
    for word in (*reversed(head), *words):
        if word in _ORGANISATION_OF:
            return _ORGANISATION_OF[word]
    company = "&" in words or any(w.replace(".", "") in LEGAL_FORMS for w in words[1:])
    return "a company" if company else ""


def code_kind(mention: Mention) -> str:
    """Kind of a code, a key of `codes` or "".

    mention (Mention): Mention of a code.
    RETURNS (str): By its subtype, else by its form.
    """
    subtype = mention.subtype
    if subtype in _WORDS["codes"]:
        return subtype
    for part, kind in _WORDS["code_parts"].items():
        if part in subtype:
            return kind
    found = kind_of_code(mention)
    return "NATIONAL_ID" if "_" in subtype and found not in _WORDS["codes"] else found
