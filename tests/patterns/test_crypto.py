from spacy_deid.patterns.money.crypto import (
    BASE58,
    base58check,
    bech32_is_valid,
    identify,
)

# From the specifications (BIP 173 and 350) and the sites of the projects.
VALID = [
    ("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa", "Bitcoin"),
    ("3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy", "Bitcoin or Litecoin"),
    ("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4", "Bitcoin"),
    ("BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4", "Bitcoin"),
    ("bc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqzk5jj0", "Bitcoin"),
    ("LaMT348PWRnrqeeWArpwQPbuanpXDZGEUz", "Litecoin"),
    ("rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh", "XRP"),
    ("DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L", "Dogecoin"),
    ("TJRabPrwbZy45sbavfcjinPJC18kjpRTv8", "TRON"),
    ("GAAZI4TCR3TY5OJHCTJC2A4QSY6CJWJH5IAJTGKIN2ER7LBNVKOCCWN7", "Stellar"),
    ("15oF4uVJwmo4TdGW7VfQxNLavjCXviqxT9S1MgbjMNHr6Sp5", "Polkadot"),
    ("tz1VSUr8wwNhLAzempoch5d6hLRiTh8Cjcjb", "Tezos"),
]
FORMS = [
    ("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "Ethereum"),
    ("0x52908400098527886e0f7030069857d2e4169ee7", "Ethereum"),
    (
        "44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A",
        "Monero",
    ),
    ("7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV", "Solana"),
]


def test_checksums():
    for address, currency in VALID:
        assert identify(address) == (currency, True)
        i = len(address) // 2
        digit = next(c for c in "23456789" if c != address[i])
        found = identify(address[:i] + digit + address[i + 1 :])
        assert found is None or not found.valid, address
    for address, currency in FORMS:
        assert identify(address) == (currency, None)


def test_other_strings():
    for text in (
        "",
        "bc1",
        "d41d8cd98f00b204e9800998ecf8427e",
        "da39a3ee5e6b4b0d3255bfef95601890afd80709",
        "abcdefghijkmnopqrstuvwxyzabcdefghijk",
        "G" + "A" * 55,
    ):
        assert identify(text) is None, text


def test_encodings():
    assert base58check("1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa") is not None
    assert base58check("O0Il") is None
    assert base58check("") is None
    assert set("O0Il").isdisjoint(BASE58)
    assert bech32_is_valid("A12UEL5L")
    assert bech32_is_valid("a1lqfn3a")  # Bech32m
    assert not bech32_is_valid("a12uel5m")
    assert not bech32_is_valid("1qzzfhee")
    assert not bech32_is_valid("x1b4n0q5v")
