"""Install wheels into a new virtual environment and use the pipeline by its name.

    python assets/check_package.py packages en_deid_sm OUTPUT

What the wheels need comes from the package index; of the two wheels nothing does. Exits
with an error if the pipeline does not load or leaves an identifier in the sample of its
language; else the new text and the versions installed are in OUTPUT.
"""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
SAMPLES = {"en": HERE / "samples" / "letter.txt"}
# What no pipeline may leave, however small its recognizer is.
ORIGINALS = {
    "en": ("Delphine Vasseur", "Wiśniewski", "27 February", "Kwabena"),
    "de": ("h.brandstetter@example.org", "DE02 1203", "0761 2034567", "5. Februar"),
    "es": (
        "rosario.etxeberria@",
        "ES91 2100",
        "954 123 456",
        "2 de mayo",
        "14/08/1958",
    ),
    "fr": ("solange.kerbrat@", "FR76 3000", "02 98 12 34 56", "2 mai", "14/08/1958"),
    "it": ("rosaria.bevilacqua@", "IT60 X054", "049 123", "2 maggio", "14/08/1958"),
    "ru": ("v.kuzmina@example.org", "+7 4852 73-88-11", "17 апреля", "20 апреля"),
}
USE = """
import sys
import spacy

nlp = spacy.load(sys.argv[1])
nlp.get_pipe("pseudonymizer").mask = "all"
with open(sys.argv[2], encoding="utf8") as file:
    doc = nlp(file.read())
print(doc._.deid_text)
assert doc.spans["pii"], "nothing was found"
left = [original for original in sys.argv[3:] if original in doc._.deid_text]
assert not left, f"originals are left: {left}"
"""


def main(folder: Path, name: str, output: Path) -> int:
    lang = name.partition("_")[0]
    sample = SAMPLES.get(lang, HERE / "languages" / f"{lang}.txt")
    # What lies beside this environment is not there for a user.
    env = {**os.environ, "PYTHONPATH": "", "PYTHONIOENCODING": "utf-8"}
    with tempfile.TemporaryDirectory() as work:
        venv.create(work, with_pip=True)
        python = Path(work) / ("Scripts" if os.name == "nt" else "bin") / "python"
        command = [str(python), "-m", "pip", "install", "-q", "--find-links"]
        subprocess.run([*command, str(folder), name], check=True, env=env)
        script = Path(work) / "use.py"
        script.write_text(USE, "utf-8")
        command = [str(python), str(script), name, str(sample), *ORIGINALS[lang]]
        done = subprocess.run(
            command,
            cwd=work,
            check=False,
            text=True,
            encoding="utf-8",
            stdout=subprocess.PIPE,
            env=env,
        )
        print(done.stdout)
        if done.returncode:
            return done.returncode
        frozen = subprocess.run(
            [str(python), "-m", "pip", "list", "--format=freeze"],
            check=True,
            text=True,
            env=env,
            stdout=subprocess.PIPE,
        )
        output.write_text(f"{done.stdout}\n{frozen.stdout}", "utf-8")
        return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), sys.argv[2], Path(sys.argv[3])))
