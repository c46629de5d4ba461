import pytest

from spacy_deid.patterns.contact.usernames import make_username_patterns

FOUND = [
    "<<@bob_smith|USERNAME>> hi <<@x|USERNAME>>.",
    "username: <<jdoe99|USERNAME>>",
    "login=<<anna.k|USERNAME>>",
    "see <<u/foo_bar|USERNAME>>",
    "Skype: live:<<anna.k|USERNAME>>, Discord <<anna_k#1234|USERNAME>>",
    "My GitHub username is <<octocat|USERNAME>>. I am <<anna_k99|USERNAME>> on Instagram",
    "<<@bob@mastodon.social|USERNAME>>, follow <<@bob.smith|USERNAME>>.",
    "Accepted password for <<anna|USERNAME>> from 10.0.0.1 port 22",
    "logged in as <<jdoe|USERNAME>>. Benutzername: <<annak|USERNAME>>",
    "/home/<<anna|USERNAME>>/x C:\\Users\\<<Bob|USERNAME>>\\y uid=1000(<<carl|USERNAME>>)",
    "ssh <<anna|USERNAME>>@host1; Hello <<nicole16|USERNAME>>, welcome",
    "postgres://<<anna|USERNAME>>:<<pw123|PASSWORD>>@db",
    "\n[12:30] <+<<anna_k|USERNAME>>> try again",
    "password: <<Hunter2!|PASSWORD>>",
    "my password is <<s3cr3t!|PASSWORD>>",
    "api_key=<<sk-abcdefghijklmnopqrst1234|PASSWORD>>",
    "<<AKIAIOSFODNN7EXAMPLE|PASSWORD>>",
]
NOT_FOUND = [
    "the user is happy with his password policy",
    "mail bob@example.org",
    "a @ b",
    "@property\ndef x(self):\n    pass",
    "@app.route('/x')\n@Override, import '@angular/core'",
    "difficult to handle: Robert wrote; new nickname: Utah's",
    "username is already taken; the user logged in; login page",
    "see you @5pm; my Twitter is down",
    "User: sure, thanks",
    "<b>bold</b> and <item> next",
    "the secret garden, a token of love",
]


@pytest.mark.parametrize("marked", FOUND)
def test_found(check, marked):
    check("username", marked)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_not_found(check, text):
    check("username", text)


def test_without_secrets():
    recognize = make_username_patterns(secrets=False)
    assert [h.subtype for h in recognize("user: bob, password: Hunter2!")] == [
        "USERNAME"
    ]


def test_without_handles():
    assert not list(make_username_patterns(handles=False)("hi @bob_smith"))
