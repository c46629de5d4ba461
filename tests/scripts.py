"""Scripts of the repository as modules."""

import importlib.util
import sys


def load_script(path):
    spec = importlib.util.spec_from_file_location(f"script_{path.stem}", path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # As classes of data look it up.
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module
