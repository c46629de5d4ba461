"""Numbers of patients, records, customers, invoices, students and the like.

Nothing in their digits tells them, only their names: "MRN: 1234567", "n° de dossier
4711". Names come in eight languages; the weaker a name, the more a value must look
like a code.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...registries import registry
from ..base import (
    Anchored,
    Hit,
    PatternRecognizer,
    Recognizer,
    drop_covered,
    has_digits,
    hit,
)
from .labelled import JOIN, Name, Names, plain, shown

# Names that are always followed by a number.
_STRONG = """mrn mrns mr# medical_record medical_records medical_record_number medical_record_no medical_record_id medrec med_rec
hospital_number hospital_no chart_number chart_no patient_id patient_ids patient_no patient_number patient_identifier patient_account patient_file
patientid pt_id pat_id pat_no nhc UHID unit_number encounter_id encounter_number visit_number visit_id admission_number admission_id
episode_number specimen_id specimen_number specimen_no sample_id sample_number sample_no accession accession_number accession_no
lab_id lab_number lab_no lab_ref lab_reference laboratory_number laboratory_no test_id test_number rx rx_number rx_no prescription_number prescription_no
study_id subject_id subject_number participant_id participant_number enrollment_number enrolment_number student_id student_ids student_no student_number
pupil_id pupil_number matriculation_number candidate_number candidate_id exam_number roll_number roll_no admit_card index_number applicant_id
employee_id employee_ids employee_no employee_number emp_id emp_no staff_id staff_no staff_number personnel_number personnel_no payroll_number payroll_no payroll_id
worker_id badge_number badge_no badge_id service_number member_id member_ids member_no member_number membership_id membership_number membership_no subscriber_id
subscriber_number policy_number policy_no policy_id policy_numbers insurance_policy insurance_policy_number group_number group_id beneficiary_id beneficiary_number plan_id
certificate_number certificate_no claim_id customer_id customer_ids customer_no customer_number customer_reference customer_ref client_id client_no
client_number client_reference client_ref consumer_number loyalty_number loyalty_card frequent_flyer frequent_flyer_number guest_id user_id userid
invoice_number invoice_no invoice_id invoice_numbers invoice_ref inv_no receipt_number receipt_no receipt_id bill_number bill_no order_number order_no order_id
order_ids order_numbers order_ref order_reference purchase_order po_number po_no P.O._number sales_order work_order job_number booking_number booking_reference booking_ref booking_id
booking_code reservation_number reservation_code reservation_id confirmation_number confirmation_code confirmation_no confirmation_id pnr record_locator ticket_number ticket_no
ticket_id e-ticket_number tracking_number tracking_no tracking_id tracking_code consignment_number shipment_number shipment_id parcel_number waybill awb waybill_number
delivery_number contract_number contract_no contract_id agreement_number agreement_no subscription_id subscription_number transaction_id transaction_number transaction_reference
txn_id payment_id payment_reference payment_ref quote_number quote_id quotation_number serial_number serial_no serial_nos device_id device_serial implant_serial warranty_number
donor_id donor_number inmate_number inmate_id prisoner_number prisoner_id offender_id detainee_number booking_no meter_number utility_account
service_request incident_number incident_id request_id request_number support_ticket voucher_number registration_id rma rma_number reference_number reference_no reference_id reference_code
ref_no ref_number ref_id kundennummer kunden-nr kundennr kunden-id rechnungsnummer rechnungs-nr rechnungsnr rechnung_nr bestellnummer bestell-nr
bestellnr auftragsnummer auftrags-nr patientennummer patienten-nr patienten-id fallnummer fall-nr mitgliedsnummer mitglieds-nr mitgliedernummer personalnummer personal-nr
mitarbeiternummer mitarbeiter-nr matrikelnummer matrikel-nr matrikelnr immatrikulationsnummer vertragsnummer vertrags-nr policennummer policen-nr versicherungsscheinnummer
versicherungsschein-nr versicherungsschein probennummer proben-nr labornummer labor-nr auftragsnr aufnahmenummer aufnahme-nr krankenaktennummer behandlungsnummer
vorgangsnummer buchungsnummer buchungs-nr sendungsnummer lieferscheinnummer belegnummer seriennummer zählernummer schülernummer teilnehmernummer referenznummer
dienstnummer ausweisnummer_mitarbeiter ipp iep numéro_client numéro_patient numéro_étudiant numéro_d'étudiant n°_étudiant n°_client n°_patient numéro_adhérent
n°_adhérent n°_contrat n°_facture n°_dossier n°_commande n°_police n°_de_série matricule matricule_étudiant réf._client réf_client référence_client référence_dossier référence_patient
numero_de_historia historia_clínica historia_clinica nº_historia nº_historia_clínica nhc. num_historia cipa id_paciente id_cliente id_empleado id_paziente
codice_paziente codice_cliente codice_studente id_del_paciente expediente_médico código_de_cliente código_cliente matrícula_del_alumno cartella_clinica matricola numero_matricola
numero_cliente numero_paziente numero_fattura numero_ordine numero_polizza numero_pratica numero_contratto fattura_n polizza_n klantnummer klantnr klant-id
factuurnummer factuurnr bestelnummer ordernummer patiëntnummer patientnummer patiënt-id polisnummer lidmaatschapsnummer lidnummer studentnummer personeelsnummer
medewerkersnummer dossiernummer contractnummer klantcode leerlingnummer número_do_cliente número_do_pedido número_do_paciente número_do_processo_clínico processo_clínico prontuário
número_do_prontuário matrícula_do_aluno nota_fiscal apólice número_da_apólice número_da_fatura kundnummer fakturanummer ordrenummer ordernr fakturanr
kundenummer medlemsnummer journalnummer ansattnummer asiakasnumero laskunumero tilausnumero potilasnumero numer_klienta nr_klienta numer_faktury nr_faktury numer_zamówienia
nr_zamówienia numer_polisy nr_polisy numer_pacjenta nr_albumu numer_albumu číslo_faktury číslo_objednávky číslo_pacienta číslo_smlouvy
номер_договора номер_заказа номер_полиса номер_пациента номер_клиента номер_счёта-фактуры номер_карты_пациента номер_медицинской_карты номер_медкарты номер_истории_болезни
история_болезни истории_болезни медицинская_карта медицинской_карты амбулаторная_карта амбулаторной_карты студенческий_билет студенческого_билета зачетная_книжка
зачётная_книжка зачетной_книжки табельный_номер табельного_номера табельный номер_студенческого_билета номер_сотрудника номер_накладной договор_№ заказ_№ полис_№ код_клиента
код_пациента ид_клиента ид_пациента
colegiado colegiada nº_colegiado nº_de_colegiado n.º_colegiado nºcol nº_col n.º_col n°_col num._colegiado número_de_colegiado número_colegiado numero_de_colegiado no._colegiado
gmc gmc_number gmc_no nmc_pin nmc_number ahpra ahpra_number medical_license medical_licence medical_license_number medical_licence_number physician_id provider_id
provider_number prescriber_number registration_number_gmc lanr bsnr arztnummer arzt-nr betriebsstättennummer adeli n°_adeli n°_rpps numéro_rpps numéro_adeli
numéro_d'ordre big-nummer big-registratie agb-code crm-sp crm-rj cédula_profesional ced._prof. nhc_nº nº_nhc episodio_nº nº_episodio número_de_episodio"""
# Names that often stand next to other numbers: they need a sign, a code or a long number.
_WEAK = """patient episode episodio épisode chart record specimen sample encounter admission laboratory lab prescription subject participant student
pupil candidate applicant employee staff personnel worker badge member membership subscriber policy insurance customer client consumer
invoice receipt order booking reservation confirmation ticket tracking shipment parcel contract agreement subscription transaction quote
quotation serial device donor inmate prisoner detainee offender incident reference ref rechnung bestellung auftrag kunde kundin mitarbeiter
mitglied versicherung police vertrag vorgang sendung probe referenz facture commande dossier dossier_médical dossier_patient contrat étudiant étudiante
adhérent référence réf échantillon factura pedido póliza paciente cliente historia empleado alumno expediente contrato muestra referencia
fattura ordine polizza paziente studente dipendente contratto pratica campione factuur bestelling polis klant fatura encomenda apólice
aluno utente contrato amostra faktura order_nr заказ договор полис пациент клиент накладная студент сотрудник карта_№ счет-фактура"""
# Nouns that Romance and Slavonic languages name after the word for number.
_NOUNS = """client cliente dossier dossier_médical patient paciente paziente facture factura fattura fatura commande pedido ordine encomenda
contrat contrato contratto police póliza poliza polizza apólice étudiant étudiante estudiante studente aluno alumno élève employé empleado dipendente funcionário
adhérent socio sócio afiliado asegurado abonado membre miembro membro série serie série réservation reserva prenotazione suivi seguimiento
spedizione rastreio référence referencia riferimento referência historia historia_clínica historia_clinica expediente pratica cartella cartella_clinica
processo processo_clínico prontuário matricule matrícula matricola échantillon muestra campione amostra prélèvement admission ingreso ricovero
séjour passage sinistre siniestro sinistro colis envío transacción transaction transazione transação abonnement"""
_BEFORE_NOUNS = """numéro_de numéro_du numéro_d' numéro n°_de n°_du n°_d' n° nº_de nº_do nº_da nº n.º_de n.º_do n.º n._de num._de num_de núm._de núm. número_de
número_del número_de_la número_do número_da numero_de numero_del numero_di numero_della numero_dell' código_de code id_de id_del id_do"""

_VALUE = re.compile(
    # Short blocks of digits with blanks between them.
    r"(?:(?:[A-ZА-Я]{1,4} )?[0-9]{2,4}(?: (?:[0-9]{3,6}|[0-9]{2}(?! [A-Za-z]))(?![\w/:-]|[.,][0-9])){1,4}"
    # Letters before the digits, in one block or several.
    r"|(?=[A-Za-zА-Я./_#-]{0,14}[0-9]|[A-ZА-Я]{1,4} [0-9])"
    r"(?:[A-ZА-Я]{1,4} (?=[0-9])|[A-Za-zА-Я]{1,6}(?=[0-9#-]))?[A-Za-z0-9]{1,36}(?:[./_#-]{1,2}[A-Za-z0-9]{1,24}){0,8}"
    r")(?![\w@]|[./:-][0-9A-Za-z])"
)
_DATE = re.compile(
    r"(?:0?[1-9]|[12][0-9]|3[01])([./-])(?:0?[1-9]|[12][0-9]|3[01])\1(?:[0-9]{2}){1,2}"
    r"|(?:19|20)[0-9]{2}([./-])[0-9]{1,2}\2[0-9]{1,2}(?:T.*)?|[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?"
    r"|[0-9]+(?:st|nd|rd|th|s|am|pm|x)",
    re.I,
)
_YEARS = re.compile(r"(?:19|20)[0-9]{2}[/-](?:[0-9]{2}|(?:19|20)[0-9]{2})")
# Record numbers of hospitals may look like it.
_SHORT_DATE = re.compile(r"[0-9]{2}-[0-9]{2}-[0-9]{2}")
_YEAR = re.compile(r"(?:19|20)[0-9]{2}")
_AMOUNT = re.compile(
    r"\s?(?:%|€|\$|£|(?:euros?|eur|usd|gbp|dollars?|pounds?|years?|months?|days?|hours?|times|people|persons?|mg|kg"
    r"|ml|items?|units?|pages?|jahre|ans|años|anni)\b)|[.,][0-9]",
    re.I,
)
_MARKED = re.compile(
    r"[:#=№°º|]|\b(?:no|nos|nr|nrs|num|nums|number|numbers|nbr|id|ids|code|codes|ref|reference"
    r"|nummer|nummern|num[eé]ros?|n[uú]meros?|номер|номера|код)\b"
)
_FILLED = re.compile(r"[^\W\d_]")
_LAST_FOUR = re.compile(r"\b(?:end|last|final)", re.I)
# What business and hospital software writes before its numbers.
_PREFIXES = """INV ORD PO SO CUST CLI CLT EMP STU STUD PAT MRN POL CLM REF RMA TKT RES BKG CNF CONF TRX TXN SMP SPC LAB ACC ADM
RX MEM MBR GRP QUO RCPT SHP TRK SR INC REQ WO CN DN BILL PID EID SID CID UID MBR HOSP RG BST KD"""
_PREFIXED = Anchored(
    rf"(?:{'|'.join(sorted(_PREFIXES.split(), key=len, reverse=True))})[-#_]{{1,2}}"
    r"(?=[A-Z0-9-]{0,12}[0-9]{3})[A-Z0-9]{2,16}(?:[-/][A-Z0-9]{1,14}){0,4}"
    r"(?![\w@]|[-/][A-Za-z0-9])",
    _PREFIXES,
)


_LABEL = re.compile(r"([A-Za-z]{2,7})[\s:#]")
_INNER = re.compile(r"([A-Za-z]{2,7})[-/](?=[0-9])")
_OTHERS = frozenset(
    "ssn tin itin ein iban bic swift vat dob tel phone fax cell mob mobile mrn nhs npi dea "
    "mbi pin vin imei ip mac sin nin nino pps pan cpf cnpj nif nie dni bsn pesel dl zip "
    "card visa amex email mail url passport licence license plate".split()
)


def _terms() -> list[str]:
    nouns = _NOUNS.split()
    named = [
        f"{mark}{noun}" if mark.endswith("'") else f"{mark}_{noun}"
        for mark in _BEFORE_NOUNS.split()
        for noun in nouns
        if not mark.endswith("'") or noun[0] in "aeiouéèêhâ"
    ]
    return [*_STRONG.split(), *named]


class _Records:
    """Finds values next to names of records."""

    def __init__(self) -> None:
        strong = _terms()
        self._strong = {plain(term) for term in strong}
        self._names = Names([*strong, *_WEAK.split()])

    def __call__(self, text: str) -> list[Hit]:
        if not has_digits(text):
            return []
        return drop_covered([*self._named(text), *_prefixed(text)])

    def _named(self, text: str) -> Iterator[Hit]:
        last = 0
        for name in self._names.next_to(text):
            start = name.value
            if start < last:
                continue
            while found := self._value(text, start, name):
                yield found
                last = found.end
                m = JOIN.match(text, last)
                if not m:
                    break
                start = m.end()

    def _value(self, text: str, start: int, name: Name) -> Hit | None:
        m = _VALUE.match(text, start)
        if m is None or _AMOUNT.match(text, m.end()):
            return None
        value = m[0]
        label = _LABEL.match(value)
        if label and label[1].lower() in _OTHERS:
            # "Applicant SSN 123": the name of another number.
            return None
        inner = _INNER.match(value)
        if inner and plain(inner[1]) in self._strong - {plain(name.term)}:
            # "CIPA: nhc-123456": the value begins after the name of another number.
            start += inner.end()
            value = value[inner.end() :]
        gap = name.gap.lower()
        strong = plain(name.term) in self._strong
        # "rx" may be the beginning of a longer code.
        if not gap and not (strong and value[0].isdigit()):
            return None
        if _DATE.fullmatch(value) and not (strong and _SHORT_DATE.fullmatch(value)):
            return None
        if _YEARS.fullmatch(value) and not strong:
            return None
        marked = bool(_MARKED.search(gap))
        score = _score(value, strong, marked, gap)
        if not score:
            return None
        what = "code" if any(map(str.isalpha, value)) else "number"
        sign = " and a word or sign for number" if marked else ""
        reason = f"{what} after '{shown(name.term)}'{sign}"
        return hit(start, m.end(), "CODE", "RECORD_NUMBER", score, reason=reason)


def _score(value: str, strong: bool, marked: bool, gap: str) -> float:
    """How sure a value is, given the kind of its name; 0 if it is none."""
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    if digits + letters < 3 or (letters > 3 * digits + 6):
        return 0.0
    coded = letters > 0 or any(c in "-/_." for c in value)
    if _LAST_FOUR.search(gap) and digits == len(value) == 4:
        return 0.7
    if strong and (
        digits >= 4 or (digits >= 3 and (marked or coded)) or (coded and digits >= 2)
    ):
        return 0.9 if marked or digits >= 5 or coded else 0.75
    if strong and marked and digits >= 3:
        return 0.85
    if not strong and (_YEAR.fullmatch(value) or _is_range(value)):
        return 0.0
    if marked and (digits >= 4 or (coded and digits >= 2) or digits >= 3):
        return 0.85
    if _FILLED.search(gap):
        # "order of 100000", "members for 2024".
        return 0.6 if letters and digits >= 4 else 0.0
    if coded and digits >= 3 and value[0] not in "0." and (letters or digits >= 5):
        return 0.7
    return 0.6 if value.isdigit() and digits >= 6 else 0.0


def _is_range(value: str) -> bool:
    """Whether a value may be the bounds of a measure, as in "reference: 15-100"."""
    low, _, high = value.partition("-")
    short = low.isdigit() and high.isdigit() and len(value) < 9
    return short and int(low) < int(high) and low[0] != "0"


def _prefixed(text: str) -> Iterator[Hit]:
    for m in _PREFIXED.finditer(text):
        reason = "form of a number in business or hospital software, by its prefix"
        yield hit(*m.span(), "CODE", "RECORD_NUMBER", 0.7, reason=reason)


@registry.deid_patterns("spacy_deid.record_number_patterns.v1")
def make_record_number_patterns() -> Recognizer:
    """Numbers of patients, samples, students, employees, customers, invoices, orders,
    policies and the like, next to their names.

    RETURNS (Recognizer): Function of a text that yields hits without overlaps.
    """
    return PatternRecognizer(_Records())
