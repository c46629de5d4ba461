import email
import re
from email import policy
from email.message import EmailMessage
from pathlib import Path

import pytest

from spacy_deid.documents.mail import MailDocument
from spacy_deid.documents.pieces import DocumentError, join

from ..cases import cases

BODY = "Dear Robert Murray,\nFrom here on it is Ann Lee é.\n"


def make(n=1, **headers):
    mail = EmailMessage()
    given = dict(cases(__file__, "headers of a mail"))
    given |= {"Message-ID": f"<{n}.canary@x.org>"}
    given |= {name.replace("_", "-"): value for name, value in headers.items()}
    for name, value in given.items():
        mail[name] = value.replace("\n", "")
    mail.set_content(BODY)
    mail.add_alternative("<p title='Ann Lee'>Ann <b>Lee</b></p>", subtype="html")
    mail.add_attachment(b"Canary", "application", "pdf", filename="CV_Ann_Lee.pdf")
    return mail


def parsed(data):
    return email.message_from_bytes(data, policy=policy.default)


def test_a_mail(write, text):
    mail = make()
    inner = EmailMessage()
    inner["From"], inner["X-Canary"] = "Ann Lee <ann@leeds.example>", "Canary"
    inner.set_content("Ann Lee again")
    mail.add_attachment(inner)
    pattern = "Ann Lee|Lee, Ann|ann@leeds.example|Robert Murray|canary@y.org"
    old, new = write("eml", mail.as_bytes(), pattern, mark="Böb")
    assert old.startswith(*cases(__file__, "beginning of a mail"))
    assert "Attached file: CV Ann Lee\n\nFrom: Ann Lee <ann@leeds.example>" in old
    out = parsed(new)
    assert [*out.keys()][:6] == "From To Date Subject Message-ID References".split()
    assert out["Subject"] == "Grüße an Böb"
    assert out["To"].addresses[0].display_name == "Böb"
    assert out["To"].addresses[0].addr_spec == "rob@x.org"
    first, second = out["References"].split()
    assert first != second == out["Message-ID"]
    assert re.fullmatch(r"<id\d+@mail\.invalid>", second)
    kinds = "multipart/mixed multipart/alternative text/plain text/html text/plain"
    kinds = [*kinds.split(), "message/rfc822", "text/plain"]
    assert [part.get_content_type() for part in out.walk()] == kinds
    parts = [p.get_content() for p in out.walk() if p.get_content_maintype() == "text"]
    assert parts == cases(__file__, "parts of a mail")
    decoded = str(out) + "".join(parts)
    assert not any(name in decoded for name in ("anary", "Ann", "leeds", "CV_"))
    (note,) = MailDocument(mail.as_bytes()).notes
    assert note == "left out: attached files (application/pdf) 1, headers 3"


def test_a_mailbox_is_one_document(write):
    raws = [make(n).as_bytes().replace(b"\nFrom here", b"\n>From here") for n in (1, 2)]
    data = b"".join(b"From canary Tue\n" + raw + b"\n" for raw in raws)
    old, new = write("mbox", data, "Ann Lee|Lee, Ann|Robert Murray")
    assert old.count("Dear Robert Murray,\nFrom here on") == 2
    start, *mails = new.split(b"From MAILER-DAEMON Thu Jan  1 00:00:00 1970\n")
    assert not start and len(mails) == 2
    for raw in mails:
        out = parsed(raw)
        assert out["From"].addresses[0].display_name == "[X]"
        body = out.get_body(["plain"]).get_content()
        assert body == "Dear [X],\n>From here on it is [X] é.\n"
    assert b"anary" not in new.replace(b"canary@y.org", b"")


def test_types_of_headers(write):
    def kinds(**headers):
        fields = join(MailDocument(make(**headers).as_bytes()).pieces).fields
        return [(f.label, f.subtype) for f in fields]

    person, address, none = ("PERSON", ""), ("CODE", "EMAIL"), ("", "")
    assert kinds(Cc="x@y.org")[:7] == [person, address, person, *[address] * 3, none]
    # Desks are no people.
    desks = "Customer Support <support@shop.example>, Acme <hello@acme.example>"
    assert kinds(To=desks, Cc="Will")[2:7] == [none, address, none, address, person]
    # A placeholder is no date and no address.
    new = write("eml", make().as_bytes(), "Tue, 03 Mar .*|ann@leeds.example", "[X]")[1]
    assert b'From: "Lee, Ann" <[X]>\n' in new and b"Date: [X]\n" in new


@pytest.mark.parametrize("raw, old, new", cases(__file__, "headers"))
def test_headers_of_all_kinds(write, raw, old, new):
    text, written = write("eml", raw.encode())
    assert text.startswith(old) and written.decode("ascii").startswith(new)
    if "Zoë" in raw:
        assert parsed(written)["From"].addresses[0].display_name == "Zoë [X]"
    if "\r" in raw:
        assert written.endswith(b"\r\n\r\n[X]\r\n")
        assert b"\n" not in written.replace(b"\r\n", b"")


def test_what_cannot_be_read():
    secret = b"From: a@b.c\nContent-Type: multipart/encrypted; boundary=x\n\n--x--\n"
    broken = b"From: a@b.c\nContent-Type: multipart/mixed\n\nhello\n"
    latin = b"From: a@b.c\nContent-Type: text/plain; charset=utf-8\n\nCaf\xe9\n"
    box = b"From x\nFrom: a@b.c\n\nFrom us\n\nFrom x\n" + latin
    for data, several, problem in (
        (secret, False, "^it is encrypted$"),
        (broken, False, "^its parts are damaged$"),
        (latin, False, "not in the encoding that it names"),
        (b"", False, "^it has no headers$"),
        (b"From: a@b.c\n\nhello", True, "it is no mailbox"),
        (box, True, "^mail 2: a part"),
    ):
        with pytest.raises(DocumentError, match=problem):
            MailDocument(data, several=several)


@pytest.mark.parametrize("name", ["letter.eml", "sent.mbox"])
def test_files_of_a_mail_program(write, name):
    """Written by s-nail 14.9: a mail as it goes out, and the folder of what was sent."""
    data, kind = (Path(__file__).parent / name).read_bytes(), name.rpartition(".")[2]
    names = "Rosalind Achterberg|Tom Pell|Jürgen Weißbach|Lindqvist"
    pattern = rf"{names}|[\w.]+@example\.org"
    old, new = write(kind, data, pattern, mark="Böb")
    assert "Subject: Visit of Jürgen Weißbach" in old and "ring 020 7946 0817" in old
    if kind == "mbox":
        start, new = new.split(b"\n", 1)
        assert start.startswith(b"From ")
    mail = parsed(new)
    assert mail["Subject"] == "Visit of Böb"
    assert "Böb of Harrow Lane" in mail.get_body().get_content()
    for part in mail.walk():
        told = str(part.items()) + ("" if part.is_multipart() else part.get_content())
        assert not re.search(pattern, told) and "list.txt" not in told
