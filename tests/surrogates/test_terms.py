from spacy_deid.data import word_lists
from spacy_deid.surrogates.term_rows import row_of

VAGUE = word_lists("lang/en/vague")


def test_illnesses_of_no_list_become_any_illness(replace):
    """And those told by capitals others that are."""
    keys = [str(n).encode() for n in range(20)]
    made = {replace([("Desmoid", "DEM", "DISEASE")], key)[0] for key in keys}
    kinds = {row_of(new)[0].kind for new in made}
    assert len(kinds) > 3 and "" not in kinds
    short = {replace([("LGMD", "DEM", "DISEASE")], key)[0] for key in keys}
    assert short <= set(VAGUE["ailments_short"]) and len(short) > 3
