"""German names: an apostrophe marks the genitive after a hiss alone."""

import re

from ..name_forms import NameForms, possessive

_E_FOR_UMLAUT = re.compile("(?<=[aou])e")


class German(NameForms):
    """See `NameForms`."""

    def possessive(self, ending: str, name: str) -> str:
        made = possessive(ending, name)
        return made if made == ending else made[1:]

    def romanised(self, word: str) -> str:
        # "mueller" for Müller.
        return _E_FOR_UMLAUT.sub("", word)


FORMS = German()
