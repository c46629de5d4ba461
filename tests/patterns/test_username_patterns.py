import pytest

from spacy_deid.patterns.usernames import make_username_patterns

FOUND = [
    "<<@bob_smith|USERNAME>> hi <<@x|USERNAME>>.",
    "username: <<jdoe99|USERNAME>>",
    "login=<<anna.k|USERNAME>>",
    "see <<u/foo_bar|USERNAME>>",
    "password: <<Hunter2!|PASSWORD>>",
    "my password is <<s3cr3t!|PASSWORD>>",
    "api_key=<<sk-abcdefghijklmnopqrst1234|PASSWORD>>",
    "<<AKIAIOSFODNN7EXAMPLE|PASSWORD>>",
]
NOT_FOUND = [
    "the user is happy with his password policy",
    "mail bob@example.org",
    "a @ b",
    "the secret garden, a token of love",
]


@pytest.mark.parametrize("marked", FOUND)
def test_found(check, marked):
    check("username", marked)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_not_found(check, text):
    check("username", text)


def test_without_handles():
    assert not list(make_username_patterns(handles=False)("hi @bob_smith"))
