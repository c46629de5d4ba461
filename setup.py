"""All is said in setup.cfg but the long description: README without its links into the
repository, which lead nowhere on the page of a package index."""

import re
from pathlib import Path

from setuptools import setup

README = Path(__file__).with_name("README.md").read_text(encoding="utf8")
INSIDE = r"\[([^\]]+)\]\((?!https?://)[^)]*\)"

setup(long_description=re.sub(INSIDE, r"\1", README))
