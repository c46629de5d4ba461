import pytest

FOUND = [
    "from <<192.168.0.1|IP>>:8080 and <<10.0.0.255|IP>>.",
    "<<2001:db8::1|IP>>, <<fe80::1ff:fe23:4567:890a|IP>> [<<::1|IP>>]",
    "<<2001:0db8:85a3:0000:0000:8a2e:0370:7334|IP>> <<::ffff:192.0.2.1|IP>>",
    "<<00:1B:44:11:3A:B7|MAC>> <<00-1b-44-11-3a-b7|MAC>>, <<001b.4411.3ab7|MAC>>",
]
NOT_FOUND = [
    "version 1.2.3.4 and v10.2.3.4",
    "1.2.3.4.5 and 256.1.1.1",
    "at 12:30:45 on std::vector a::b :: ::",
    "ratio 1:2:3",
]


@pytest.mark.parametrize("marked", FOUND)
def test_found(check, marked):
    check("network", marked)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_not_found(check, text):
    check("network", text)
