"""English names: the possessive ending follows the new name."""

from ..name_forms import NameForms, possessive


class English(NameForms):
    """See `NameForms`."""

    bare_possessives = tuple("sSxXzZ")

    def possessive(self, ending: str, name: str) -> str:
        return possessive(ending, name)


FORMS = English()
