import pytest

from spacy_deid.patterns.money.finance import make_finance_patterns

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
FOUND += [
    # Two next to each other stay two.
    "<<4111 1111 1111 1111|CARD>> <<5500 0000 0000 0004|CARD>>",
    "<<DE89 3704 0044 0532 0130 00|IBAN>> <<GB82 WEST 1234 5698 7654 32|IBAN>>",
    # Every scheme, compact and in groups.
    "<<3566002020360505|CARD>>, <<30569309025904|CARD>>, <<3056 930902 5904|CARD>>",
    "<<6011-1111-1111-1117|CARD>> <<2223 0031 2200 3222|CARD>> <<6205500000000000004|CARD>>",
    "<<2200 7700 0000 0002|CARD>> <<3782 822463 10005|CARD>> <<4222222222222|CARD>>",
    "Doe,<<5401450821089035|CARD>>,12/27",
    "my card number is <<4111.1111.1111.1111|CARD>>, thanks",
    # Typing errors next to a name.
    "card number <<4111 1111 1111 1112|CARD>>",
    "IBAN: <<DE89 3704 0044 0532 0130 01|IBAN>>",
    "IBAN <<DE89 3704 0044 0532 0130|IBAN>>",
    # Of which only some digits are shown.
    "<<**** **** **** 1234|CARD>>, <<xxxx-xxxx-xxxx-4242|CARD>>, Visa <<****4242|CARD>>",
    "<<411111******1111|CARD>> and the card ending in <<1234|CARD>>",
    "account <<XXXXXX7788|ACCOUNT>>",
    "<<5647-0167-4769|CARD>>\n<<6585 2430 4666 6471|CARD>>",
    "<<PH16 2895 7683 7558 9969|IBAN>> is mine, <<TH973226559043|IBAN>> too",
    "please block <<6762.0391.9557|CARD>>",
    "<<4111 11** **** 1111|CARD>>, <<4111-****-****-1111|CARD>>",
    "<<addr_test1vz2fxv2umyhttkxyxp8x0dlpdt3k6cwng5pxj3jhsydzerspjrlsz|CRYPTO>>",
    # Written in many ways.
    "iban:<<de89370400440532013000|IBAN>>",
    "IBAN<<DE89370400440532013000|IBAN>>",
    "<<GB82-WEST-1234-5698-7654-32|IBAN>>",
    "<<IT 60 X 05428 11101 000000123456|IBAN>>",
    "<<DE89370400440532013000|IBAN>>, <<DEUTDEFF|BIC>>",
    "wire to <<CHASUS33|BIC>> please; swift: <<deutdeff|BIC>>",
    "routing number <<021000021|ACCOUNT>> account <<123456789012|ACCOUNT>>",
    "BSB <<062-000|ACCOUNT>>, <<01-0902-0068389-00|ACCOUNT>>",
    "Kontonummer: <<532013000|ACCOUNT>>, BLZ <<37040044|ACCOUNT>>",
    "CLABE <<032180000118359719|ACCOUNT>>, IFSC <<HDFC0001234|ACCOUNT>>",
    "номер счета <<40817810099910004312|ACCOUNT>>",
    "<<bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a|CRYPTO>>",
    "my wallet is <<1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb|CRYPTO>>",
]
NOT_FOUND = [
    "KINGSLEY v. THE UNITED KINGDOM and OBERSCHLICK",
    "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNb",
    "ca17a8d610dea4457f4f89cf1ab9f88e",
    "DE89 3704 0044 0532",
    "timestamp 1700000000000 and 20240131123059",
    "ISBN 978-3-16-148410-0, EAN 4006381333931",
    "561052.1510707611",
    "47750cb4-fbfd-4d04-96dc-c6001563450a",
    "IMEI 356938035643809",
    "****",
    "#### 2024 report",
    "an account of 100000 words",
    "+4917012345678901",
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
