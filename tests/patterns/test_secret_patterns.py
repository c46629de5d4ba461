import pytest

from spacy_deid.patterns.ids.secrets import make_secret_patterns

HEX = "0123456789abcdef" * 4
FOUND = [
    "password: <<Hunter2!|PASSWORD>>, pwd=<<abc123|PASSWORD>>; Passwort: <<geheim123|PASSWORD>>",
    'my password is <<s3cr3t|PASSWORD>>. {"password": "<<correct horse|PASSWORD>>"}',
    "DB_PASSWORD=<<xyz|PASSWORD>> <password><<hunter2|PASSWORD>></password>",
    "password for bob@example.org: <<Firm5441$|PASSWORD>>",
    "mysql --password <<hunter2|PASSWORD>>; curl -u anna:<<pw!4x|PASSWORD>> host",
    "postgres://anna:<<pw123|PASSWORD>>@db.example.org/x",
    "Authorization: Basic <<dXNlcjpwYXNzd29yZDEy|PASSWORD>>",
    "PIN: <<4821|PASSWORD>>, your verification code is <<482913|PASSWORD>>",
    f"<<AKIAIOSFODNN7EXAMPLE|PASSWORD>> <<ghp_{HEX[:36]}|PASSWORD>> <<dop_v1_{HEX}|PASSWORD>>",
    f"<<sk-proj-{HEX[:32]}|PASSWORD>> <<xoxb-{HEX[:20]}|PASSWORD>> <<hf_{HEX[:34]}|PASSWORD>>",
    "<<eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-def|PASSWORD>>",
    "<<-----BEGIN RSA PRIVATE KEY-----\nMIIEow\n-----END RSA PRIVATE KEY-----|PASSWORD>>",
    # Cut off in the middle.
    f"<<-----BEGIN PRIVATE KEY-----\n{HEX}|PASSWORD>>",
    "<<ABCDE-12345-FGHIJ-67890-KLMNO|PASSWORD>>",
    "seed phrase: <<apple banana cat dog eagle fish goat horse igloo jam kite lemon|PASSWORD>>",
]
NOT_FOUND = [
    "the secret garden, a token of love, token ring network",
    "his password policy; password is required; password incorrect",
    "Password: ********, secret: no",
    "the pin 3 of the chip",
    "sk-live is a prefix, eyJ too",
    "access token expired",
]


@pytest.mark.parametrize("marked", FOUND)
def test_found(check_hits, marked):
    check_hits(make_secret_patterns(), marked)


@pytest.mark.parametrize("text", NOT_FOUND)
def test_not_found(check_hits, text):
    check_hits(make_secret_patterns(), text)


def test_reasons_hold_no_secret():
    for h in make_secret_patterns()("password: Hunter2! token=abc123def456"):
        assert "unter" not in h.reason and "abc" not in h.reason
