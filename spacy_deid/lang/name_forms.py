"""How the names of a text may be spelt elsewhere in it, by language.

A language that declines names, or has other endings, brings a file `name_forms.py` with
a subclass in `FORMS`; what it leaves out is as for any language.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec


class NameForms:
    """Other forms of masked names: what to look for, and how a surrogate is put there."""

    # Whether the language declines names, and this package knows how.
    declined = False
    # Last letters of names that take an apostrophe alone ("Daniels' house").
    bare_possessives: tuple[str, ...] = ()

    def is_title(self, word: str) -> bool:
        """Whether a word of a person's name is a title in any case ("господину")."""
        return False

    def is_word(self, word: str) -> bool:
        """Whether a word in small letters is a form of one that is no name."""
        return False

    def of_word(self, word: str) -> frozenset[str]:
        """All forms of one word of a person's name, in small letters."""
        return frozenset()

    def of_phrase(self, text: str) -> Mapping[str, str]:
        """Forms of the name of a place or an organisation by case."""
        return {}

    def of_term(self, text: str) -> set[str]:
        """Forms of a term in small letters, such as an occupation."""
        return set()

    def in_same_case(self, new: str, old: str, before: str, person: bool) -> str:
        """A new text, given in the nominative, in the case of an old one."""
        return new

    def in_case_of(self, new: str, found: str, of: str, before: str) -> str:
        """A new name, given in the case of `of`, in that of `found`."""
        return new

    def possessive(self, ending: str, name: str) -> str:
        """The ending of "Williams' house" behind another name."""
        return ending

    def romanised(self, word: str) -> str:
        """One key for the spellings of a name in plain Latin letters."""
        return word


_ANY = NameForms()
# What the name before an apostrophe alone ends in, in English and in German.
SIBILANT_ENDS = tuple("sxzß")
# Names whose English plural ends in "es".
SIBILANTS = ("s", "x", "z", "ch", "sh")


@cache
def name_forms(lang: str) -> NameForms:
    """The forms of a language."""
    module = f"{__package__}.{lang[:2]}.name_forms"
    if not lang[:2].isalpha() or find_spec(f"{__package__}.{lang[:2]}") is None:
        return _ANY
    return importlib.import_module(module).FORMS if find_spec(module) else _ANY


def plural_ending(name: str) -> str:
    """What makes a plural of a name: "the Smiths", "the Joneses"."""
    return "es" if name.lower().endswith(SIBILANTS) else "s"


def possessive(ending: str, name: str) -> str:
    """The English ending of "Williams' house" behind another name: "Baker's house".

    ending (str): An apostrophe, with "s" or without.
    name (str): The new name.
    RETURNS (str): With "s" if the name asks for it.
    """
    if len(ending) != 1 or not name[-1:].isalpha():
        return ending
    if name[-1].lower() in SIBILANT_ENDS:
        return ending
    return ending + ("S" if len(name) > 1 and name.isupper() else "s")
