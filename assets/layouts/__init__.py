"""Layouts of published corpora, each read into records of our JSON lines.

A layout is a function of files and options, named in `prepare.tsv`. It yields records
with `doc_id`, `text` and, if they are annotated, `entity_mentions`, whose labels are the
publisher's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from . import annotated, tables, texts, tokens, treebanks

Layout = Callable[..., Iterator[dict[str, Any]]]

LAYOUTS: dict[str, Layout] = {
    "annotators": annotated.read_annotators,
    "brat": annotated.read_standoff,
    "csv_spans": annotated.read_csv_spans,
    "factrueval": annotated.read_factrueval,
    "nlupp": annotated.read_nlupp,
    "parserator": annotated.read_parserator,
    "pubtator": annotated.read_pubtator,
    "sgd": annotated.read_sgd,
    "smartdata": annotated.read_smartdata,
    "spacy": annotated.read_spacy,
    "stackoverflow": tokens.read_stackoverflow,
    "tokens": tokens.read_tokens,
    "gum": treebanks.read_gum,
    "treebank": treebanks.read_treebank,
    "words": treebanks.read_plain,
    "aci_bench": tables.read_aci_bench,
    "chinook": tables.read_chinook,
    "mts_dialog": tables.read_mts_dialog,
    "by_id": texts.read_by_id,
    "articles": texts.read_articles,
    "cnxml": texts.read_cnxml,
    "dc_code": texts.read_dc_code,
    "medquad": texts.read_medquad,
    "plain": texts.read_plain,
    "qmsum": texts.read_qmsum,
}
