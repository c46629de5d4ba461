"""What LibreOffice writes is read, and what is written it reads."""

import shutil
import subprocess

import pytest

pytest.importorskip("docx")
OFFICE = shutil.which("soffice")
pytestmark = pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not installed")


@pytest.fixture(scope="module")
def convert(tmp_path_factory):
    profile = tmp_path_factory.mktemp("profile").as_uri()

    def run(folder, kind, *files):
        base = [OFFICE, f"-env:UserInstallation={profile}", "--headless"]
        command = [*base, "--convert-to", kind, "--outdir", folder, *files]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        return folder

    return run


def test_there_and_back(convert, tmp_path, rich, write):
    source = tmp_path / "rich.fodt"
    source.write_bytes(rich["fodt"])
    convert(tmp_path, "docx:MS Word 2007 XML", source)
    made = {"docx": (tmp_path / "rich.docx").read_bytes(), "html": rich["html"]}
    outs = []
    for kind, data in made.items():
        outs.append(tmp_path / f"{kind}-out.{kind}")
        outs[-1].write_bytes(write(kind, data)[1])
    convert(tmp_path / "text", "txt:Text (encoded):UTF8", *outs)
    for out in outs:
        text = (tmp_path / "text" / out.with_suffix(".txt").name).read_text("utf-8-sig")
        assert "Dear [X] of [X],\nyour meeting with [X]" in text and "inner [X]" in text
        assert "help page" in text
        assert not any(n in text for n in ("Robert", "Murray", "Ann", "Leeds", "28045"))
