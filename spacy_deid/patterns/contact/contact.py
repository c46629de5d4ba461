"""E-mail addresses, web addresses, domains, telephone and fax numbers together."""

from __future__ import annotations

from collections.abc import Sequence

from ...registries import registry
from ..base import Recognizer
from ..separated import SeparatingRecognizer
from .emails import find_emails
from .phones import DEFAULT_COUNTRIES, PhoneFinder
from .urls import find_domains, find_urls


@registry.deid_patterns("spacy_deid.contact_patterns.v1")
def make_contact_patterns(
    countries: Sequence[str] = DEFAULT_COUNTRIES,
    phones: bool = True,
    domains: bool = True,
) -> Recognizer:
    """E-mail addresses, also spelled out, URLs, domains and telephone numbers.

    countries (Sequence[str]): ISO codes of the countries whose national telephone
        numbers are looked up; forms and international numbers are known from everywhere.
    phones (bool): Whether to find telephone numbers.
    domains (bool): Whether to find domains without protocol.
    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    RAISES (ValueError): If a country is unknown.
    """
    finders: list = [find_emails, find_urls, *([find_domains] if domains else [])]
    finders += [PhoneFinder(countries)] if phones else []
    return SeparatingRecognizer(*finders)
