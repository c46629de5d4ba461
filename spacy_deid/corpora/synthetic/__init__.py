"""Synthetic documents of many kinds, labelled by construction.

Complete sets of personal data are woven into documents by a grammar of templates
(`templates/*/*.txt`), then roughened as real text is: lower case, ALL CAPS names,
typing errors, missing punctuation, hard line breaks. Paper 5 (section 3.2) does this
with a language model; a grammar needs none, is reproducible and knows every offset.
"""

from .external import make_person_records
from .records import LANGUAGES, generate

__all__ = ["LANGUAGES", "generate", "make_person_records"]
