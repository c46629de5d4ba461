"""A tokenizer that does not glue identifiers to their labels."""

from __future__ import annotations

import re
from collections.abc import Callable

import spacy
from spacy.language import Language
from spacy.tokenizer import Tokenizer
from spacy.util import (
    compile_infix_regex,
    compile_prefix_regex,
    compile_suffix_regex,
    registry,
)

# All quantifiers that another part could take characters from are bounded: a
# token of millions of characters takes linear time.
_EMAIL = r"[\w.+%'\-]{1,64}@(?:[^\W_][\w\-]{0,62}\.){1,9}[^\W\d_]{2,24}"
_SCHEME = r"[A-Za-z][A-Za-z0-9+.\-]{1,15}://"
_DOMAIN = r"(?:[^\W_][\w\-]{0,62}\.){1,9}[^\W\d_A-Z]{2,24}"

# What stays whole as it is. Narrower than spaCy's, which takes anything before an
# `@` as a user name: "E-mail:bob@example.org,tom@example.org" is one URL to it.
URL_MATCH = rf"^(?:{_SCHEME}[^\s<>\"]+|{_EMAIL}|{_DOMAIN}(?::[0-9]{{2,5}})?(?:[/?#][^\s<>\"]*)?)$"

# A comma between two numbers: what follows is no group of thousands and no fraction.
_BETWEEN = (
    r"(?:,(?=[0-9]{4}|[0-9]{1,3}[:/-]|[0-9]{1,3}(?:\.[0-9]{1,3}){3}(?![0-9.]))"
    r"|(?<=[0-9]{7}),(?=[0-9]))"
)

INFIXES = (
    # First, so that addresses inside a longer string are found whole.
    rf"(?<![\w.+%'\-]){_EMAIL}(?![\w\-])",
    rf"(?<![A-Za-z0-9+.\-]){_SCHEME}[^\s<>\"|,;()\[\]]+",
    # Some languages split numbers at slashes or colons.
    rf"(?<![\w/:.,])[0-9]{{1,12}}(?:(?!{_BETWEEN})[/:.,][0-9]{{1,12}}){{1,7}}(?![\w/])",
    rf"(?<=[0-9]){_BETWEEN}",
    r"[;=|]",
    # Values of a statement or of a form that was sent: "('Page','Joy'", "&town=Ayr".
    r"(?<=[,(=])'|'(?=[,);])",
    # Parts and fields of messages: "HOPE^WILL", "NM1*IL*1*HOPE*WILL~".
    # Folders of a path: "C:\\Users\\hope".
    r"\\|\^|(?<=[A-Z0-9*])[*~](?=[A-Z0-9*~])",
    r"&(?=\w[\w.\[\]\-]{0,40}=)",
    # The number of a party or a paragraph: "1.Rao".
    r"(?<=[0-9])\.(?=[A-Z][a-z])",
    r"(?<![0-9])[:,]|[:,](?![0-9])",
    r"[()\[\]{}<>\"“”„«»]",
)
# Emoticons that look like the end of a label and its value ("age:3", "grade:D") or
# like a number in brackets ("(8)") would be glued together again.
_GLUING = re.compile(r"[:;=][A-Za-z0-9]|[^\w.'’]*[0-9][^\w.'’]+|[^\w.'’]+[0-9]+[^\w]*")
# Runs of signs come off at once: spaCy takes one affix after another and looks at the
# whole rest each time.
PREFIXES = (r"[\W_]{64,}", r"[=|]")
SUFFIXES = (
    r"(?<!['\u2019][sS])(?:['\u2019][sS]){16,}",
    r"(?<![\W_])[\W_]{64,}",
    r"(?<=[A-Z0-9])~",
    r"[=|]",
)

# Finer still, where a dot after one letter or a number is as often the end of a sentence
# ("Sexo: H.", "23, 1D.", "seit 1928.") as that of an initial or ordinal number, and a
# number is written onto its label or another ("NHC-150679", "nº2", "1928–1931").
_LETTER = r"[^\W\d_]"
FINE_INFIXES = (
    rf"(?<={_LETTER})[-/–](?=[0-9])",
    rf"(?<=[0-9])[-/–](?={_LETTER})",
    rf"(?<=[0-9])\.(?={_LETTER})",
    r"(?<=[0-9])[–—](?=[0-9])",
    r"\.(?=\+[0-9])",
    r"(?<=[ºª°№])(?=\w)",
    rf"(?<={_LETTER})(?=[Nn][º°])",
)
FINE_SUFFIXES = (
    *(rf"(?<={before}{_LETTER})\." for before in (r"\b", "[0-9]", _LETTER)),
    r"(?<=[0-9]{3})\.",
    *(rf"(?<={_LETTER}{figures})\." for figures in ("[0-9]", "[0-9]{2}")),
    r"(?<=[-/:][0-9]{2})\.",
    # The dot of an abbreviation and that of its sentence.
    r"(?<=[^.]\.)\.",
    r"\.{3,}",
)
_DOTS = r"\.\.+"
_INITIAL = re.compile(rf"{_LETTER}\.")
# Languages whose tokenizer stays as coarse as spaCy's: pipelines trained so are about.
COARSE = frozenset({"en"})


@registry.tokenizers("spacy_deid.tokenizer.v1")
def create_tokenizer(fine: bool | None = None) -> Callable[[Language], Tokenizer]:
    """The language's own tokenizer, with further splits between labels and values:
    "DOB:12/03/1980", "id=123;name=Bob", "1980,Boston", "Smith(born". E-mail
    addresses, URLs, times, "18403/91" and "3,500" stay whole.

    fine (Optional[bool]): Also split one letter from the dot after it, and letters
        from digits at a hyphen, a slash, a dot or an ordinal sign ("H.", "1D.",
        "NHC-150679", "nº2"). By default in every language but English.
    RETURNS (Callable): Function of the nlp object, giving its tokenizer.
    """

    def tokenizer_factory(nlp: Language) -> Tokenizer:
        defaults = nlp.Defaults
        finer = nlp.lang not in COARSE if fine is None else fine
        prefixes = [*PREFIXES, *(defaults.prefixes or ())]
        suffixes = [*SUFFIXES, *(defaults.suffixes or ())]
        infixes = [*INFIXES, *(defaults.infixes or ())]
        if finer:
            suffixes = [*FINE_SUFFIXES, *(s for s in suffixes if s != _DOTS)]
            infixes[3:3] = FINE_INFIXES
        return Tokenizer(
            nlp.vocab,
            rules={
                text: rule
                for text, rule in defaults.tokenizer_exceptions.items()
                if not _GLUING.fullmatch(text)
                and not (finer and _INITIAL.fullmatch(text))
            },
            prefix_search=compile_prefix_regex(prefixes).search,
            suffix_search=compile_suffix_regex(suffixes).search,
            infix_finditer=compile_infix_regex(infixes).finditer,
            token_match=defaults.token_match,
            url_match=re.compile(URL_MATCH).match,
        )

    return tokenizer_factory


def blank_pipeline(lang: str) -> Language:
    """An empty pipeline with the package's tokenizer."""
    tokenizer = {"@tokenizers": "spacy_deid.tokenizer.v1"}
    return spacy.blank(lang, config={"nlp": {"tokenizer": tokenizer}})
