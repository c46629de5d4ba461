from spacy_deid.patterns.money import crypto

from ..cases import cases

# From the specifications (BIP 173 and 350) and the sites of the projects.
VALID = cases(__file__, "valid")
FORMS = cases(__file__, "forms")


def test_checksums_and_encodings():
    for address, currency in VALID:
        assert crypto.identify(address) == (currency, True)
        i = len(address) // 2
        digit = next(c for c in "23456789" if c != address[i])
        found = crypto.identify(address[:i] + digit + address[i + 1 :])
        assert found is None or not found.valid, address
    for address, currency in FORMS:
        assert crypto.identify(address) == (currency, None)
    for text in (*cases(__file__, "others"), "G" + "A" * 55):
        assert crypto.identify(text) is None, text
    assert crypto.base58check("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa") is not None
    assert crypto.base58check("O0Il") is crypto.base58check("") is None
    assert set("O0Il").isdisjoint(crypto.BASE58)
    # The second is Bech32m.
    assert all(map(crypto.bech32_is_valid, ("A12UEL5L", "a1lqfn3a")))
    assert not any(map(crypto.bech32_is_valid, ("a12uel5m", "1qzzfhee", "x1b4n0q5v")))
