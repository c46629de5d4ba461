import pytest

FOUND = [
    "<<10.0.0.0/8|IP>> <<fe80::1%eth0|IP>> <<2001:db8::/32|IP>> <<64:ff9b::192.0.2.33|IP>>",
    "IP <<10.0.0.1|IP>>-<<10.0.0.9|IP>>; 12:00:01,<<192.168.0.9|IP>>,GET; <<8.8.8.8|IP>>",
    "[client <<2001:db8:1:2:3:4:5:6|IP>>:12984] http://[<<2001:db8::1|IP>>]:80",
    "<<01:23:45:67:89:ab:cd:ef|MAC>>, MAC <<001B44113AB7|MAC>>, <<192.168.001.001|IP>>",
    "from <<192.168.0.1|IP>>:8080 and <<10.0.0.255|IP>>.",
    "<<2001:db8::1|IP>>, <<fe80::1ff:fe23:4567:890a|IP>> [<<::1|IP>>]",
    "<<2001:0db8:85a3:0000:0000:8a2e:0370:7334|IP>> <<::ffff:192.0.2.1|IP>>",
    "<<00:1B:44:11:3A:B7|MAC>> <<00-1b-44-11-3a-b7|MAC>>, <<001b.4411.3ab7|MAC>>",
]
NOT_FOUND = [
    "1.2.3.4 Scope\nsection 10.2.3.4, Chrome/120.0.0.0, lib-1.2.3.40.jar",
    "use 7.5.20.8-rc1 or 4.9.7.1; upgraded from 10.2.3.4",
    "1:: and 10::1 and 12:30:45:10",
    "<<10.0.0.0/8|IP>> <<fe80::1%eth0|IP>> <<2001:db8::/32|IP>> <<64:ff9b::192.0.2.33|IP>>",
    "IP <<10.0.0.1|IP>>-<<10.0.0.9|IP>>; 12:00:01,<<192.168.0.9|IP>>,GET; <<8.8.8.8|IP>>",
    "[client <<2001:db8:1:2:3:4:5:6|IP>>:12984] http://[<<2001:db8::1|IP>>]:80",
    "<<01:23:45:67:89:ab:cd:ef|MAC>>, MAC <<001B44113AB7|MAC>>, <<192.168.001.001|IP>>",
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
