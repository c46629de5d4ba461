import pytest

from spacy_deid.patterns.finance import make_finance_patterns

FOUND = [
    "IBAN <<GB82 WEST 1234 5698 7654 32|IBAN>> and <<DE89370400440532013000|IBAN>>.",
    "<<DE89370400440532013000|IBAN>> <<GB82WEST12345698765432|IBAN>>",
    "SWIFT: <<DEUTDEFF500|BIC>>, BIC <<COBADEFF|BIC>>",
    "<<4111 1111 1111 1111|CARD>>, <<378282246310005|CARD>> <<4012888888881881|CARD>>",
    "card <<5555-5555-5555-4444|CARD>>.",
    "<<1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa|CRYPTO>>",
    "<<bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq|CRYPTO>>",
    "<<0x52908400098527886E0F7030069857D2E4169EE7|CRYPTO>>",
    "sort code <<12-34-56|ACCOUNT>>, account number <<12345678|ACCOUNT>>",
]
NOT_FOUND = [
    "4111 1111 1111 1112",
    "0000000000000000",
    "CUSTOMER DOCUMENT SWIMMING",
    "GB82 WEST 1234",
    "12-34-56",
    "commit 52908400098527886e0f7030069857d2e4169ee7",
]


@pytest.mark.parametrize("marked", FOUND)
def test_found(check, marked):
    check("finance", marked)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_not_found(check, text):
    check("finance", text)


def test_kinds():
    text = "DE89370400440532013000 4111111111111111"
    assert [h.subtype for h in make_finance_patterns(kinds=["card"])(text)] == ["CARD"]
    with pytest.raises(ValueError, match="gold"):
        make_finance_patterns(kinds=["gold"])


def test_numbers_broken_over_one_line_end():
    recognize = make_finance_patterns()

    def found(text):
        return [(h.subtype, text[h.start : h.end]) for h in recognize(text)]

    assert found("IBAN GB33 BUKB\n2020 1555 5555 55) within") == [
        ("IBAN", "GB33 BUKB\n2020 1555 5555 55")
    ]
    assert found("rent to DE89 3704 0044 0532\n0130 00. She") == [
        ("IBAN", "DE89 3704 0044 0532\n0130 00")
    ]
    assert found("my card 4111 1111\n1111 1111 today") == [
        ("CARD", "4111 1111\n1111 1111")
    ]
    assert not found("GB33 BUKB\n2020\n1555 5555 55")
    assert found("card ref 12\n4111 1111 1111 1111") == [
        ("CARD", "4111 1111 1111 1111")
    ]
