"""Whose a person's names in Russian text are: one people's if they may be, by the lists,
then by the letters of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .name_lists import (
    WITH_FATHERS,
    origin_of_father,
    people_by_letters,
    peoples_of_surname,
)

# How likely Russian a person is before the letters are read: one with a patronymic, a
# Russian given name or none; one whose given name only the dictionary knows.
AT_HOME, _RARE = 0.85, 0.4
# How surnames are declined that hardly any people from abroad has.
_HOMELY = ("ov", "sky", "ko")


class Clues(NamedTuple):
    """What a mention tells.

    given (Sequence[tuple[str, Sequence[str]]]): Given names and whose they are, nothing
        for those in no list.
    surname (str): The masculine or only form; "" for none.
    kind (str): How it is declined.
    known (bool): Whether the lists or the dictionary know a given name.
    noun (bool): Whether the surname alone is a word.
    fathers (Sequence[str]): Stems of the patronymics.
    particles (Sequence[str]): Whose the words before the surname are.
    """

    given: Sequence[tuple[str, Sequence[str]]]
    surname: str
    kind: str
    known: bool
    noun: bool
    fathers: Sequence[str]
    particles: Sequence[str]


def peoples_of(clues: Clues) -> tuple[str, str]:
    """Whose the given name and the surname are; "" is Russian."""
    names = [name for name, _ in clues.given]
    given = next(filter(None, (of for _, of in clues.given)), ())
    family = peoples_of_surname(clues.surname)
    if family:
        return _beside_known(clues, names, given, family)
    if not clues.surname:
        people = given[0] if given else _by_letters(clues, names, ())
        return people, people
    if clues.noun or (given == ("",) and clues.kind != "fixed"):
        return "", ""
    people = _by_letters(clues, [clues.surname, *names], given)
    return people if people in given or not given else given[0], people


def _beside_known(
    clues: Clues, names: Sequence[str], given: Sequence[str], family: Sequence[str]
) -> tuple[str, str]:
    """The same where it is known who bears the surname."""
    if given:
        shared = [of for of in given if of in family]
        return (shared or given)[0], (shared or family)[0]
    letters = _by_letters(clues._replace(kind=""), names, family) if names else None
    people = family[0] if letters is None else letters
    return people, people if people in family else family[0]


def _by_letters(clues: Clues, names: Sequence[str], among: Sequence[str]) -> str:
    """Whose a person is some of whose names are in no list, of some peoples or any."""
    if of := next(filter(None, map(origin_of_father, clues.fathers)), ""):
        return of
    among = among or clues.particles
    if clues.kind == "fixed" and "" in among:
        among = ()
    home = _at_home(clues, among, lone=len(names) < 2)
    neighbour = clues.known and (len(names) < 2 or clues.kind in _HOMELY)
    if not among and (clues.fathers or neighbour):
        # Most names that only the dictionary knows are of neighbours.
        among = WITH_FATHERS
    return people_by_letters([*names] or clues.fathers, home, clues.kind, among)


def _at_home(clues: Clues, among: Sequence[str], lone: bool) -> float:
    """How likely Russian a person is: a given name that neither lists nor dictionary know
    is hardly so beside a surname, nor is a surname that is not declined."""
    if clues.fathers or "" in among:
        return AT_HOME
    if among or clues.kind == "fixed":
        return 0.0
    return AT_HOME if lone else _RARE * clues.known
