import html
from urllib.parse import quote

import pytest

from spacy_deid.patterns.contact.emails import make_email_patterns

FOUND = [
    "<<a@b.org|EMAIL>>,<<c@d.com|EMAIL>>;<<e@f.net|EMAIL>>/<<g@h.de|EMAIL>>|<<i@j.org|EMAIL>>",
    "<<k@l.org|EMAIL>>><<m@n.org|EMAIL>>\t<<o@p.org|EMAIL>>\n<<q@r.org|EMAIL>>",
    "Anna < <<anna@x.org|EMAIL>>>, mailto:<<bob@x.org|EMAIL>>?subject=x",
    "to='<<anna@x.org|EMAIL>>' \"<<bob@x.org|EMAIL>>\"",
    '<<"john doe"@x.org|EMAIL>> <<u@[192.168.0.1]|EMAIL>> <<root@localhost|EMAIL>>',
    "<<user@xn--bcher-kva.example|EMAIL>> <<用户@例子.中国|EMAIL>>",
    "<<a.b@host.internal|EMAIL>>. <<anna@example.COM|EMAIL>>",
    # What follows without a blank is not part of the host.
    "<<a@b.org|EMAIL>>Tel 3, <<a@b.org|EMAIL>>.Please call, <<a@b.org|EMAIL>>-<<c@d.com|EMAIL>>",
    "<<john.doe at example dot co dot uk|EMAIL>>",
    "<<name AT host DOT com|EMAIL>>, <<nameATgmailDOTcom|EMAIL>>",
    "<<foo_at_bar_dot_com|EMAIL>>, <<foo (a) bar.com|EMAIL>>",
    "<<john -at- x -dot- com|EMAIL>>; <<name@host[.]com|EMAIL>>",
    "<<ana arroba gmail punto com|EMAIL>>",
    "e-mail: <<anna at example.org|EMAIL>>",
    "<<anna.k @ example.org|EMAIL>>",
]
NOT_FOUND = [
    "look at example.org, we met at 5 dot",
    "Hope to get them at some point in the future",
    "in 2006. At some point in May",
    "npm WARN package@9.4.7.8 is old",
    "a@b and @handle",
]
TWO = ("anna.k@example.org", "bob@mail.example.com")


@pytest.mark.parametrize("marked", FOUND)
def test_found(check_hits, marked):
    check_hits(make_email_patterns(), marked)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_not_found(check_hits, text):
    check_hits(make_email_patterns(), text)


@pytest.mark.parametrize(
    "gap", [",", ";", "/", "|", "\n", "\t", "\u200b", "\u2060", " "]
)
def test_two_stay_two(gap):
    text = gap.join(TWO)
    hits = list(make_email_patterns()(text))
    assert [text[h.start : h.end] for h in hits] == list(TWO)


@pytest.mark.parametrize("hidden", ["\u200b", "\u00ad", "\u2060"])
def test_invisible_characters_hide_nothing(hidden):
    address = hidden.join(TWO[0])
    hits = list(make_email_patterns()(f"to {address}."))
    assert [(h.start, h.end) for h in hits] == [(3, 3 + len(address))]


@pytest.mark.parametrize(
    "encode",
    [
        lambda s: s.replace("@", "&#64;"),
        lambda s: s.replace("@", "&commat;").replace(".", "&period;"),
        lambda s: "".join(f"&#{ord(c)};" for c in s),
        lambda s: "".join(f"&#x{ord(c):x};" for c in s),
        lambda s: quote(s, safe=""),
    ],
)
def test_encoded(encode):
    value = encode(TWO[0])
    text = f"write to {value} today"
    assert TWO[0] in html.unescape(text) or "%40" in text
    (hit,) = make_email_patterns()(text)
    assert text[hit.start : hit.end].rstrip(";") == value.rstrip(";")
    assert "disguised" in hit.reason
