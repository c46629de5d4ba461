import pytest

from spacy_deid.patterns.contact.tlds import all_tlds, strong_tlds
from spacy_deid.patterns.contact.urls import make_url_patterns

FOUND = [
    "see <<https://example.org/a?b=c#d|URL>>). (<<http://example.org/wiki/A_(b)|URL>>)",
    "<<https://a.org|URL>><<https://b.org|URL>>",
    "<<https://a.org/x|URL>>,<<https://b.org|URL>>;<<ftp://c.org|URL>> '<<https://d.org|URL>>'",
    "<<https://web.archive.org/web/2020/https://example.org/x|URL>>",
    "<<http://u:p@[2001:db8::1]:8080/x|URL>> <<https://x.org/?u=https://y.org&a[]=1|URL>>",
    "<<hxxp://evil[.]com/x|URL>> <<hxxps[:]//a(.)b[.]org|URL>> <<evil[.]com|DOMAIN>>",
    "<<s3://bucket/key|URL>> <<file:///etc/passwd|URL>> <<sftp://h/x|URL>>",
    "<<https://a.org|URL>>'s site, [x](<<https://a.org/b|URL>>), <<WWW.X.ORG|URL>>!",
    "<<bücher.de|DOMAIN>>, <<xn--bcher-kva.example|DOMAIN>>, <<пример.рф|DOMAIN>>",
    "<<localhost:8080/x|URL>> <<git@github.com:me/it.git|URL>>",
    "Ask <<Amazon.com|DOMAIN>> or <<EXAMPLE.COM|DOMAIN>>.",
    "visit <<rossi.it|DOMAIN>>, <<kowalski.pl|DOMAIN>>; domain=<<smith.biz|DOMAIN>>",
    "<<example.com:8080/a?b|URL>> or <<x.com|DOMAIN>>:443, <<mail.example.com|DOMAIN>>[10.0.0.1]",
    "at <<example.com|DOMAIN>>.Next we",
    "<<a.com|DOMAIN>>\u200b<<b.com|DOMAIN>>",
]
NOT_FOUND = [
    "report.py index.html e.g. node.js end.Next i.e. this, file.tar.gz",
    "it was.it is",
    "user.name self.name df.info() os.path (Main.java:624)",
    "www.hello",
    "mail anna@example",
]


@pytest.mark.parametrize("marked", FOUND)
def test_found(check_hits, marked):
    check_hits(make_url_patterns(), marked)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_not_found(check_hits, text):
    check_hits(make_url_patterns(), text)


def test_without_domains():
    assert not list(make_url_patterns(domains=False)("visit example.com"))


def test_every_top_level_domain():
    recognize = make_url_patterns()
    for tld in sorted(all_tlds()):
        text = f"Our website is www.smith-jones.{tld} now."
        (hit,) = recognize(text)
        assert text[hit.start : hit.end] == f"www.smith-jones.{tld}"


def test_strong_are_known():
    assert strong_tlds() < all_tlds()
