"""Label schemes of other corpora and laws, mapped to and from the package's types.

`TABLE` is the one place where they meet. A label maps to a semantic type and a subtype
("" if the scheme does not say), or to None if no text of a personal kind answers to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from .registries import registry
from .schema import SEMANTIC_TYPES

if TYPE_CHECKING:
    from spacy.tokens import SpanGroup

TypeAndSubtype = tuple[str, str]

PERSON, CODE, LOC, ORG = ("PERSON", ""), ("CODE", ""), ("LOC", ""), ("ORG", "")
DEM, DATETIME, MISC = ("DEM", ""), ("DATETIME", ""), ("MISC", "")

# Scheme -> label -> type and subtype.
TABLE: dict[str, dict[str, TypeAndSubtype | None]] = {
    # Pilan et al. 2022, the types of this package.
    "tab": {label: (label, "") for label in SEMANTIC_TYPES},
    # Eder et al. 2022, table 1: German e-mails.
    "emails": {
        "FAMILY": ("PERSON", "FAMILY_NAME"),
        "FEMALE": ("PERSON", "GIVEN_NAME"),
        "MALE": ("PERSON", "GIVEN_NAME"),
        "ORG": ORG,
        "USER": ("CODE", "USERNAME"),
        "CITY": ("LOC", "CITY"),
        "ZIP": ("LOC", "POSTCODE"),
        "STREET": ("LOC", "ADDRESS"),
        "STREETNO": ("LOC", "ADDRESS"),
        "DATE": ("DATETIME", "DATE"),
        "PASS": ("CODE", "PASSWORD"),
        "UFID": CODE,
        "EMAIL": ("CODE", "EMAIL"),
        "PHONE": ("CODE", "PHONE"),
        "URL": ("CODE", "URL"),
    },
    # Algar 2024: student essays.
    "essays": {
        "NAME_STUDENT": PERSON,
        "EMAIL": ("CODE", "EMAIL"),
        "USERNAME": ("CODE", "USERNAME"),
        "ID_NUM": CODE,
        "PHONE_NUM": ("CODE", "PHONE"),
        "URL_PERSONAL": ("CODE", "URL"),
        "STREET_ADDRESS": ("LOC", "ADDRESS"),
    },
    # 45 CFR 164.514(b)(2)(i), letters (A) to (R).
    "hipaa": {
        "NAME": PERSON,
        "GEOGRAPHIC": LOC,
        "DATE": DATETIME,
        "PHONE": ("CODE", "PHONE"),
        "FAX": ("CODE", "PHONE"),
        "EMAIL": ("CODE", "EMAIL"),
        "SSN": ("CODE", "NATIONAL_ID"),
        "MEDICAL_RECORD": ("CODE", "RECORD_NUMBER"),
        "HEALTH_PLAN": ("CODE", "HEALTH_ID"),
        "ACCOUNT": ("CODE", "ACCOUNT"),
        "LICENSE": ("CODE", "DRIVER_LICENCE"),
        "VEHICLE": ("CODE", "PLATE"),
        "DEVICE": CODE,
        "URL": ("CODE", "URL"),
        "IP": ("CODE", "IP"),
        "BIOMETRIC": None,
        "PHOTO": None,
        "OTHER": CODE,
    },
    "ontonotes": {
        "PERSON": PERSON,
        "NORP": DEM,
        "FAC": LOC,
        "ORG": ORG,
        "GPE": LOC,
        "LOC": LOC,
        "PRODUCT": MISC,
        "EVENT": MISC,
        "WORK_OF_ART": MISC,
        "LAW": MISC,
        "LANGUAGE": ("DEM", "LANGUAGE"),
        "DATE": DATETIME,
        "TIME": ("DATETIME", "TIME"),
        "PERCENT": ("QUANTITY", "PERCENT"),
        "MONEY": ("QUANTITY", "MONEY"),
        "QUANTITY": ("QUANTITY", "MEASURE"),
        "ORDINAL": None,
        "CARDINAL": ("QUANTITY", "COUNT"),
    },
    # Marimon et al. 2019: the 29 types of the guideline; the last seven do not occur in
    # the published corpus.
    "meddocan": {
        "NOMBRE_SUJETO_ASISTENCIA": PERSON,
        "NOMBRE_PERSONAL_SANITARIO": PERSON,
        "FAMILIARES_SUJETO_ASISTENCIA": ("DEM", "FAMILY"),
        "SEXO_SUJETO_ASISTENCIA": ("DEM", "GENDER"),
        "EDAD_SUJETO_ASISTENCIA": ("DEM", "AGE"),
        "PROFESION": ("DEM", "OCCUPATION"),
        "OTROS_SUJETO_ASISTENCIA": MISC,
        "FECHAS": DATETIME,
        "CALLE": ("LOC", "ADDRESS"),
        "TERRITORIO": LOC,
        "PAIS": ("LOC", "COUNTRY"),
        "HOSPITAL": ("ORG", "HOSPITAL"),
        "CENTRO_SALUD": ("ORG", "HOSPITAL"),
        "INSTITUCION": ORG,
        "NUMERO_TELEFONO": ("CODE", "PHONE"),
        "NUMERO_FAX": ("CODE", "PHONE"),
        "CORREO_ELECTRONICO": ("CODE", "EMAIL"),
        "ID_SUJETO_ASISTENCIA": ("CODE", "RECORD_NUMBER"),
        "ID_CONTACTO_ASISTENCIAL": ("CODE", "CASE_NUMBER"),
        "ID_ASEGURAMIENTO": ("CODE", "HEALTH_ID"),
        "ID_TITULACION_PERSONAL_SANITARIO": CODE,
        "ID_EMPLEO_PERSONAL_SANITARIO": CODE,
        "NUMERO_BENEF_PLAN_SALUD": ("CODE", "HEALTH_ID"),
        "IDENTIF_VEHICULOS_NRSERIE_PLACAS": ("CODE", "PLATE"),
        "IDENTIF_DISPOSITIVOS_NRSERIE": CODE,
        "IDENTIF_BIOMETRICOS": CODE,
        "DIREC_PROT_INTERNET": ("CODE", "IP"),
        "URL_WEB": ("CODE", "URL"),
        "OTRO_NUMERO_IDENTIF": CODE,
    },
    "conll": {"PER": PERSON, "ORG": ORG, "LOC": LOC, "MISC": MISC},
    "btc": {"PER": PERSON, "ORG": ORG, "LOC": LOC},
    "wnut17": {
        "person": PERSON,
        "location": LOC,
        "corporation": ("ORG", "COMPANY"),
        "group": ORG,
        "product": MISC,
        "creative-work": MISC,
    },
    # A part ("Capote-Lesung") shows the name; a derivation of a place ("deutsch",
    # "Berliner") says where somebody comes from.
    "germeval2014": {
        "PER": PERSON,
        "PERderiv": MISC,
        "PERpart": PERSON,
        "ORG": ORG,
        "ORGderiv": MISC,
        "ORGpart": ORG,
        "LOC": LOC,
        "LOCderiv": ("DEM", "NATIONALITY"),
        "LOCpart": LOC,
        "OTH": MISC,
        "OTHderiv": MISC,
        "OTHpart": MISC,
    },
    "factrueval2016": {
        "Person": PERSON,
        "Org": ORG,
        "Location": LOC,
        "LocOrg": ("LOC", "COUNTRY"),
        "Facility": LOC,
        "Project": MISC,
    },
}

# Where the way back is no plain inversion of the table: a type as a whole ("*"), or a
# subtype, goes to this label, or to none.
BACK: dict[str, dict[TypeAndSubtype, str | None]] = {
    "emails": {
        ("PERSON", "*"): "FAMILY",
        ("LOC", "*"): None,
        ("LOC", "ADDRESS"): "STREET",
        ("LOC", "REGION"): None,
        ("LOC", "COUNTRY"): None,
        ("DATETIME", "*"): "DATE",
        ("CODE", "DOMAIN"): "URL",
    },
    "essays": {("LOC", "*"): None, ("CODE", "DOMAIN"): "URL_PERSONAL"},
    "hipaa": {
        # (B): what is smaller than a state.
        ("LOC", "COUNTRY"): None,
        # (C): all parts of a date but the year. Ages over 89 stand there too.
        ("DATETIME", "YEAR"): None,
        ("DATETIME", "DURATION"): None,
        ("DEM", "AGE"): "DATE",
        ("CODE", "*"): "OTHER",
        ("CODE", "MAC"): "DEVICE",
        ("CODE", "PHONE"): "PHONE",
        ("CODE", "VIN"): "VEHICLE",
        ("CODE", "IBAN"): "ACCOUNT",
        ("CODE", "CARD"): "ACCOUNT",
        ("CODE", "DOMAIN"): "URL",
    },
    "ontonotes": {
        ("LOC", "*"): "GPE",
        ("LOC", "ADDRESS"): "FAC",
        ("DEM", "*"): None,
        ("DEM", "NATIONALITY"): "NORP",
        ("DEM", "RELIGION"): "NORP",
        ("DEM", "ETHNICITY"): "NORP",
        ("DEM", "AGE"): "DATE",
        ("QUANTITY", "*"): "QUANTITY",
        # One type for four; the widest of them.
        ("MISC", "*"): "WORK_OF_ART",
    },
    "meddocan": {
        ("DEM", "*"): "OTROS_SUJETO_ASISTENCIA",
        ("DEM", "DISEASE"): None,
        ("CODE", "MAC"): "IDENTIF_DISPOSITIVOS_NRSERIE",
        ("PERSON", "*"): "NOMBRE_SUJETO_ASISTENCIA",
        ("CODE", "*"): "ID_SUJETO_ASISTENCIA",
        ("ORG", "HOSPITAL"): "HOSPITAL",
        ("CODE", "PHONE"): "NUMERO_TELEFONO",
        ("CODE", "VIN"): "IDENTIF_VEHICULOS_NRSERIE_PLACAS",
        ("CODE", "DOMAIN"): "URL_WEB",
    },
    "conll": {("DEM", "NATIONALITY"): "MISC", ("DEM", "RELIGION"): "MISC"},
    "wnut17": {("MISC", "*"): "product"},
    "germeval2014": {
        ("DEM", "*"): None,
        ("MISC", "*"): "OTH",
        ("PERSON", "*"): "PER",
        ("ORG", "*"): "ORG",
        ("LOC", "*"): "LOC",
    },
    "factrueval2016": {
        ("LOC", "*"): "Location",
        ("LOC", "COUNTRY"): "LocOrg",
        ("LOC", "CITY"): "LocOrg",
    },
}


@dataclass(frozen=True)
class LabelScheme:
    """The labels of a corpus and what they are among the package's types.

    name (str): Name of the scheme.
    labels (tuple[str, ...]): Its labels.
    forward (Mapping): Label -> (type, subtype) or None.
    backward (Mapping): (type, subtype) -> label or None; "*" for any other subtype.
    """

    name: str
    labels: tuple[str, ...]
    forward: Mapping[str, TypeAndSubtype | None] = field(repr=False, compare=False)
    backward: Mapping[TypeAndSubtype, str | None] = field(repr=False, compare=False)

    def to_tab(self, label: str) -> TypeAndSubtype | None:
        """What a label is among the package's types.

        label (str): A label of the scheme.
        RETURNS (Optional[tuple[str, str]]): Semantic type and subtype ("" if the
            scheme does not say), or None if it is no personal information in text.
        RAISES (ValueError): If the scheme has no such label.
        """
        try:
            return self.forward[label]
        except KeyError:
            raise ValueError(
                f"unknown label '{label}' in label scheme '{self.name}'; known are: "
                + ", ".join(self.labels)
            ) from None

    def from_tab(self, type: str, subtype: str = "") -> str | None:
        """The scheme's label for a type.

        type (str): Semantic type.
        subtype (str): Subtype; one that the scheme does not tell apart, a Wikidata
            QID included, is read as the type alone.
        RETURNS (Optional[str]): The label, or None if the scheme does not annotate it.
        RAISES (ValueError): If there is no such semantic type.
        """
        if type not in SEMANTIC_TYPES:
            raise ValueError(
                f"unknown semantic type '{type}' for label scheme '{self.name}'; "
                "known are: " + ", ".join(SEMANTIC_TYPES)
            )
        if (type, subtype) in self.backward:
            return self.backward[type, subtype]
        return self.backward.get((type, "*"))

    def translate(self, label: str, other: LabelScheme) -> str | None:
        """A label of this scheme in another one.

        label (str): A label of this scheme.
        other (LabelScheme): The other scheme.
        RETURNS (Optional[str]): Its label, or None if it annotates nothing of the kind.
        RAISES (ValueError): If this scheme has no such label.
        """
        target = self.to_tab(label)
        if self == other:
            return label
        return None if target is None else other.from_tab(*target)

    @property
    def covers(self) -> tuple[str, ...]:
        """Semantic types that the scheme annotates at all. In a corpus labelled with
        it, the others may stand anywhere without a mark: unknown, not absent."""
        types = {t[0] for t in self.forward.values() if t is not None}
        return tuple(t for t in SEMANTIC_TYPES if t in types)


@cache
def _backward(name: str) -> dict[TypeAndSubtype, str | None]:
    back: dict[TypeAndSubtype, str | None] = {}
    for label, target in TABLE[name].items():
        if target is not None:
            type_, subtype = target
            back.setdefault((type_, subtype or "*"), label)
    back.update(BACK.get(name, {}))
    return back


@registry.misc("spacy_deid.label_scheme.v1")
def make_label_scheme(name: str = "tab") -> LabelScheme:
    """A label scheme by name.

    name (str): One of `tab`, `emails`, `essays`, `hipaa`, `ontonotes`, `meddocan`,
        `conll`, `btc`, `wnut17`, `germeval2014`, `factrueval2016`.
    RETURNS (LabelScheme): The scheme.
    RAISES (ValueError): If there is no such scheme.
    """
    if name not in TABLE:
        raise ValueError(
            f"unknown label scheme '{name}'; known are: " + ", ".join(TABLE)
        )
    return LabelScheme(name, tuple(TABLE[name]), TABLE[name], _backward(name))


def gold_label(group: SpanGroup, i: int, scheme: LabelScheme) -> str | None:
    """Label of a gold span in any scheme.

    group (SpanGroup): Gold as `corpora.readers.make_gold_doc` writes it. Its attrs
        `scheme` and `native` hold the labels it was annotated with, `subtypes` what
        is known beyond the span's own label, a semantic type.
    i (int): Index of the span.
    scheme (LabelScheme): The scheme asked for.
    RETURNS (Optional[str]): The label it was annotated with if that is of this scheme;
        else what the table makes of it, or None if the scheme has no such label.
    """
    name, native = group.attrs.get("scheme"), group.attrs.get("native", ())
    # After a change by hand the lists no longer belong to the spans.
    if name in TABLE and len(native) == len(group):
        return make_label_scheme(name).translate(native[i], scheme)
    subtypes = group.attrs.get("subtypes", ())
    subtype = subtypes[i] if len(subtypes) == len(group) else ""
    return scheme.from_tab(group[i].label_, subtype)


def gold_labels(group: SpanGroup, scheme: LabelScheme) -> list[str | None]:
    """Labels of all spans of a gold group, see `gold_label`.

    group (SpanGroup): The group.
    scheme (LabelScheme): The scheme asked for.
    RETURNS (list[Optional[str]]): One label, or None, a span.
    """
    return [gold_label(group, i, scheme) for i in range(len(group))]
