"""Install wheels into a new virtual environment and use the pipeline by its name.

    python assets/check_package.py packages en_deid_sm OUTPUT

What the wheels need comes from the package index; of the two wheels nothing does. Exits
with an error if the pipeline does not load or leaves a name in a sentence; else the new
sentence and the versions installed are in OUTPUT.
"""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

USE = """
import sys
import spacy

nlp = spacy.load(sys.argv[1])
text = "Mr John Smith was born in Leeds on 3 May 1961; write to j.smith@example.org."
doc = nlp(text)
print(doc._.deid_text)
assert doc.spans["pii"], "nothing was found"
for original in ("Smith", "3 May 1961", "j.smith@example.org"):
    assert original not in doc._.deid_text, "an original is left"
"""


def main(folder: Path, name: str, output: Path) -> int:
    with tempfile.TemporaryDirectory() as work:
        venv.create(work, with_pip=True)
        python = Path(work) / ("Scripts" if os.name == "nt" else "bin") / "python"
        command = [str(python), "-m", "pip", "install", "-q", "--find-links"]
        subprocess.run([*command, str(folder), name], check=True)
        script = Path(work) / "use.py"
        script.write_text(USE, "utf-8")
        command = [str(python), str(script), name]
        done = subprocess.run(
            command, cwd=work, check=False, text=True, stdout=subprocess.PIPE
        )
        print(done.stdout)
        if done.returncode:
            return done.returncode
        frozen = subprocess.run(
            [str(python), "-m", "pip", "list", "--format=freeze"],
            check=True,
            text=True,
            stdout=subprocess.PIPE,
        )
        output.write_text(f"{done.stdout}\n{frozen.stdout}", "utf-8")
        return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), sys.argv[2], Path(sys.argv[3])))
