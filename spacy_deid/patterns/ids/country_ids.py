"""Numbers by which states know people: a table of forms, checks and names.

One row for each kind of number. It has a country (the first two letters of `name`,
`EU` for what several share), the subtype of its hits, a title for the reason, its
form, the module of python-stdnum or the function of `checks` that validates it, the
words that name it and the score of a valid number that no word names (0 where the name is
needed, since every tenth number of digits passes a check digit).

In `words`, `_` stands for a blank, a hyphen, an underscore or nothing; words in
capitals must be in capitals in the text too. The words of `COMMON` name all kinds of
one subtype.
"""

from __future__ import annotations

from typing import NamedTuple

N, T, H, P, D, A = (
    "NATIONAL_ID", "TAX_ID", "HEALTH_ID", "PASSPORT", "DRIVER_LICENCE", "ACCOUNT"
)  # fmt: skip


class Kind(NamedTuple):
    """One kind of number.

    name (str): Detail for the source of a hit; begins with the country.
    subtype (str): Subtype of the hit.
    title (str): What it is, in plain words.
    form (str): Regex of its form, without boundaries.
    check (str): What validates it: a module of python-stdnum, a function of `checks`
        with a leading dot, or "".
    words (str): Names, separated by blanks.
    alone (float): Score of a valid number without its name; 0 if the name is needed.
    loose (float): Score of its form where the check fails and no word names it.
    """

    name: str
    subtype: str
    title: str
    form: str
    check: str = ""
    words: str = ""
    alone: float = 0.0
    loose: float = 0.0


COMMON = {
    N: """national_id national_ids national_identity national_identity_number national_identification
national_identification_number national_number national_identity_card identity_card identity_number identity_no identity_document identity_code
id_card id_number id_no id_nr identification_number identification_no identification_code personal_id
personal_identification personal_identification_number personal_identity personal_identity_number personal_identity_code
personal_number personal_code citizen_id citizen_number citizen_card citizenship_number civil_registration civil_registration_number
civil_id social_security social_security_number social_security_numbers social_security_no social_insurance social_insurance_number resident_id
resident_identity residence_permit resident_registration ausweis ausweisnummer ausweis-nr personalausweis
personalausweisnummer personalausweis-nr identitätskarte identitätsnummer aufenthaltstitel carte_d'identité carte_nationale_d'identité
carte_nationale pièce_d'identité titre_de_séjour numéro_d'identité documento_de_identidad documento_nacional documento_nacional_de_identidad documento_identidad cédula
cedula cédula_de_identidad cédula_de_ciudadanía carta_d'identità carta_di_identità documento_d'identità identiteitskaart
identiteitsbewijs identiteitskaartnummer bilhete_de_identidade cartão_de_cidadão documento_de_identificação documento_de_identidade
carteira_de_identidade identitetskort personbevis удостоверение_личности паспорт_гражданина dowód_osobisty dowodu_osobistego
dowód osobní_průkaz občanský_průkaz občiansky_preukaz személyi_igazolvány buletin carte_de_identitate лична_карта osobna_iskaznica nin""",
    T: """tax_id tax_ids tax_number tax_no tax_identification tax_identification_number tax_reference tax_reference_number tax_file_number
taxpayer taxpayer_id taxpayer_identification taxpayer_identification_number taxpayer_number taxpayer_reference tin tin_number vat
vat_no vat_number vat_id vat_reg vat_registration vat_registration_number gst_number steuer-id steuerid steuernummer steuer-nr
steueridentifikationsnummer steuer-identifikationsnummer steuerliche_identifikationsnummer ust-id ust-idnr umsatzsteuer-id umsatzsteuer-identifikationsnummer
numéro_fiscal identifiant_fiscal référence_fiscale n°_fiscal tva numéro_de_tva número_fiscal número_de_identificación_fiscal identificación_fiscal
numero_fiscale codice_fiscale partita_iva fiscaal_nummer belastingnummer btw-nummer btw-id número_de_contribuinte contribuinte
identificação_fiscal инн momsnummer skattenummer""",
    H: """health_id health_number health_no health_card health_card_number healthcare_number health_insurance health_insurance_number health_insurance_id health_insurance_card health_plan
health_plan_number health_plan_beneficiary health_plan_beneficiary_number health_identifier insurance_id insurance_number insurance_no insurance_member insurance_member_id insurance_member_number insurance_card_number medical_insurance medical_insurance_number medicaid medicaid_id medicaid_number
medicare medicare_number medicare_id medicare_card ehic insurance_card krankenversicherung krankenversicherungsnummer krankenversichertennummer versichertennummer
versicherten-nr versichertennr versicherungsnummer krankenkasse gesundheitskarte carte_vitale assurance_maladie numéro_d'assuré tarjeta_sanitaria tarjeta_sanitaria_individual
número_de_afiliación nº_de_afiliación número_de_asegurado tessera_sanitaria zorgpas zorgverzekering polisnummer_zorgverzekering
cartão_de_saúde cartão_nacional_de_saúde número_de_utente utente полис_омс омс полис_обязательного""",
    P: """passport passports passport_no passport_number passport_numbers passport_num passport_nr passport_id passport_book passport_card travel_document travel_document_number reisepass
reisepassnummer reisepass-nr passnummer pass-nr passeport passeports pasaporte pasaportes passaporto passaporte paspoort paspoortnummer
passnr passnummer pas_nummer paszport paszportu paszportem cestovní_pas cestovný_pas útlevél útlevélszám pașaport pașaportul паспорт паспорта
паспортом паспорту загранпаспорт загранпаспорта διαβατήριο διαβατηρίου pasaport putovnica potni_list pas_nr vegabréf pase_no""",
    D: """driver's_license driver's_licence driver's_licenses driver_license driver_licence drivers_license drivers_licence driver_license_number drivers'_license
driving_licence driving_license driving_licence_number driver's_license_number driver's_lic driver's_permit
DL DLN dl_number dl_no operator's_license license_number licence_number license_no licence_no license_num license_# dvla
dvla_number führerschein führerscheinnummer führerschein-nr permis_de_conduire permis permiso_de_conducir permiso_de_conducción
carnet_de_conducir licencia_de_conducir licencia_de_conducción patente patente_di_guida rijbewijs rijbewijsnummer carta_de_condução carteira_de_motorista
carteira_de_habilitação cnh habilitação водительское_удостоверение водительского_удостоверения водительские_права körkort körkortsnummer førerkort kørekort ajokortti
prawo_jazdy prawa_jazdy řidičský_průkaz vodičský_preukaz vezetői_engedély permis_de_conducere""",
}  # fmt: skip

_K = Kind
KINDS = (
    # North America
    _K("US_SSN", N, "United States social security number", r"[0-9]{3}([- .]|\s-\s)[0-9]{2}\1[0-9]{4}|[0-9]{9}", "us.ssn", "ssn ssns ssn_no ssn_number soc_sec SS ss# ss_no ss_number soc._sec. social social_sec social_security social_security_no social_security_number social_security_numbers social_security_card itin tax_id taxpayer_id taxpayer_identification_number", 0.85, 0.6),
    _K("US_ITIN", T, "United States taxpayer number (ITIN)", r"9[0-9]{2}([- ]?)[5-9][0-9]\1[0-9]{4}", "us.itin", "itin itins", 0.7),
    _K("US_ATIN", T, "United States adoption taxpayer number", r"9[0-9]{2}-?93-?[0-9]{4}", "us.atin", "atin"),
    _K("US_PTIN", T, "United States tax preparer number", r"P[0-9]{8}", "us.ptin", "ptin"),
    _K("US_EIN", T, "United States employer number (EIN)", r"[0-9]{2}[- ]?[0-9]{7}", "us.ein", "ein eins EIN_number fein employer_id employer_identification employer_identification_number federal_tax federal_tax_id"),
    _K("US_MBI", H, "Medicare number of the United States", r"[1-9][AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9][0-9](?:-?)[AC-HJKMNP-RT-Y][AC-HJKMNP-RT-Y0-9][0-9](?:-?)[AC-HJKMNP-RT-Y]{2}[0-9]{2}", "", "mbi mbis medicare_beneficiary medicare_beneficiary_identifier", 0.75),
    _K("US_HICN", H, "former Medicare number of the United States", r"[0-9]{3}-?[0-9]{2}-?[0-9]{4}-?[A-Z][0-9]?", "", "hicn health_insurance_claim health_insurance_claim_number medicare_claim", 0.7),
    _K("US_NPI", H, "United States provider number (NPI)", r"[12][0-9]{9}", ".npi", "npi npi_number npis national_provider national_provider_identifier"),
    _K("US_DEA", H, "United States prescriber number (DEA)", r"[A-HJ-NPR-UX][A-Z9][0-9]{7}", ".dea", "dea dea_number dea_no dea_registration"),
    _K("US_PASSPORT", P, "United States passport", r"[A-Z]?[0-9]{8,9}"),
    _K("US_ALIEN", N, "United States alien number", r"A(?:#|-| )?[0-9]{3}-?[0-9]{3}-?[0-9]{2,3}", "", "alien_number alien_registration alien_registration_number uscis uscis_number a-number"),
    _K("US_DOD", N, "United States defence number", r"[0-9]{10}", "", "dod_id edipi dod_number"),
    _K("CA_SIN", N, "Canadian social insurance number", r"[0-9]{3}([ -]?)[0-9]{3}\1[0-9]{3}", "ca.sin", "SIN sin_number sin_no social_insurance social_insurance_number assurance_sociale numéro_d'assurance_sociale NAS"),
    _K("CA_BN", T, "Canadian business number", r"[0-9]{9}(?: ?R[CMPT] ?[0-9]{4})?", "ca.bn", "business_number BN"),
    _K("CA_BC_PHN", H, "health number of British Columbia", r"9[0-9]{3} ?[0-9]{3} ?[0-9]{3}", "ca.bc_phn", "phn personal_health_number bc_services_card carecard"),
    _K("CA_OHIP", H, "health card of Ontario", r"[1-9][0-9]{3}([ -]?)[0-9]{3}\1[0-9]{3}(?:[ -]?[A-Z]{2})?", ".ohip", "ohip ontario_health_card health_card hcn"),
    _K("CA_RAMQ", H, "health card of Quebec", r"[A-Z]{4}[ -]?[0-9]{2}[0156][0-9][ -]?[0-3][0-9]{3}(?![ -][0-9]{4})", ".ramq", "ramq nam numéro_d'assurance_maladie carte_soleil", 0.6),
    _K("CA_PASSPORT", P, "Canadian passport", r"[A-Z]{2}[0-9]{6}|[A-Z][0-9]{6}[A-Z]{2}"),
    _K("CA_LICENCE", D, "Canadian driver's licence", r"[A-Z][0-9]{4}-?[0-9]{5}-?[0-9]{5}|[A-Z][0-9]{4}-?[0-9]{6}-?[0-9]{2}|[0-9]{6}-?[0-9]{3}|[0-9]{7,8}|[A-Z]{5}[0-9]{9}"),
    # British Isles
    _K("GB_NINO", N, "British national insurance number", r"(?!BG|GB|KN|NK|NT|TN)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z](?:(?:[ -]?[0-9]{2}){3})[ -]?[A-D]", "", "nino national_insurance national_insurance_number national_insurance_no national_id id_number ni_number ni_no NI n.i. n.i._number", 0.85),
    _K("GB_NINO_ANY", N, "British national insurance number", r"[A-Z]{2}(?:[ -]?[0-9]{2}){3}[ -]?[A-Z]", "", "nino national_insurance national_insurance_number national_id id_number ni_number ni_no NI"),
    _K("GB_NHS", H, "NHS number", r"[0-9]{3}([ -]?)[0-9]{3}\1[0-9]{4}", "gb.nhs", "nhs nhs_number nhs_no nhs_num national_health_service health_and_care_number"),
    _K("GB_CHI", H, "Scottish health number (CHI)", r"[0-3][0-9][01][0-9]{3} ?[0-9]{4}", "gb.nhs", "CHI chi_number community_health_index"),
    _K("GB_UTR", T, "British taxpayer reference (UTR)", r"[0-9]{5} ?[0-9]{5}K?", "gb.utr", "utr unique_taxpayer unique_taxpayer_reference self_assessment"),
    _K("GB_VAT", T, "British VAT number", r"(?:GB ?)?[0-9]{3} ?[0-9]{4} ?[0-9]{2}(?: ?[0-9]{3})?|(?:GB)?(?:GD|HA)[0-9]{3}", "gb.vat"),
    _K("GB_LICENCE", D, "British driving licence", r"[A-Z9]{5} ?[0-9][0156][0-9][0-3][0-9][0-9] ?[A-Z9]{2}[0-9][A-Z]{2}(?: ?[0-9]{2})?", "", "", 0.85),
    _K("GB_UPN", N, "British pupil number", r"[A-HJ-NP-RT-Z][0-9]{11}[A-HJ-NP-RT-Z0-9]", "gb.upn", "upn pupil_number unique_pupil_number", 0.7),
    _K("GB_PASSPORT", P, "British passport", r"[0-9]{9}"),
    _K("IE_PPS", N, "Irish personal public service number", r"[0-9]{7} ?[A-W][A-IW]?", "ie.pps", "pps ppsn pps_no pps_number personal_public_service personal_public_service_number", 0.75),
    _K("IE_PASSPORT", P, "Irish passport", r"[A-Z]{2}[0-9]{7}|[A-Z][0-9]{8}"),
    _K("IE_LICENCE", D, "Irish driving licence", r"[0-9]{3}[ -]?[0-9]{3}[ -]?[0-9]{3}"),
    _K("IE_IHI", H, "Irish health identifier", r"[0-9]{10}|[0-9]{18}", "", "ihi individual_health_identifier"),
    # Oceania
    _K("AU_TFN", T, "Australian tax file number", r"[0-9]{3} ?[0-9]{3} ?[0-9]{2,3}", "au.tfn", "tfn tax_file tax_file_number"),
    _K("AU_ABN", T, "Australian business number", r"[0-9]{2} ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}", "au.abn", "abn australian_business_number"),
    _K("AU_MEDICARE", H, "Australian Medicare number", r"[2-6][0-9]{3}([ -]?)[0-9]{5}\1[0-9](?:[ /-]?[0-9])?", ".au_medicare", "medicare medicare_card medicare_no medicare_number"),
    _K("AU_IHI", H, "Australian health identifier", r"80036(?: ?[0-9]){11}", "luhn", "ihi health_identifier individual_healthcare_identifier", 0.8),
    _K("AU_CRN", N, "Australian customer reference number", r"[0-9]{3} ?[0-9]{3} ?[0-9]{3}[A-Z]", "", "crn centrelink", 0.0),
    _K("AU_PASSPORT", P, "Australian passport", r"[A-Z]{1,2}[0-9]{7}"),
    _K("AU_LICENCE", D, "Australian driver's licence", r"[0-9]{8,10}|[0-9]{4}[A-Z]{2}|[0-9]{3} [0-9]{3} [0-9]{3}|[A-Z][0-9]{5}"),
    _K("NZ_IRD", T, "New Zealand tax number (IRD)", r"[0-9]{2,3}[- ]?[0-9]{3}[- ]?[0-9]{3}", "nz.ird", "ird ird_number inland_revenue"),
    _K("NZ_NHI", H, "New Zealand health number (NHI)", r"[A-HJ-NP-Z]{3}[0-9]{4}|[A-HJ-NP-Z]{3}[0-9]{2}[A-HJ-NP-Z]{2}", ".nhi", "nhi nhi_number national_health_index"),
    _K("NZ_PASSPORT", P, "New Zealand passport", r"[A-Z]{2}[0-9]{6}"),
    _K("NZ_LICENCE", D, "New Zealand driver licence", r"[A-Z]{2}[0-9]{6}"),
    # German-speaking countries
    _K("DE_IDNR", T, "German tax number", r"[1-9][0-9] ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}", "de.idnr", "idnr idnr. steuer-id steuerid steuer-idnr steuer identifikationsnummer steuerliche_identifikationsnummer"),
    _K("DE_STNR", T, "German local tax number", r"[0-9]{2,3}[ /][0-9]{3,4}[ /][0-9]{4,5}|[0-9]{10,11}|[0-9]{13}", "de.stnr", "st.-nr. stnr steuernummer steuer-nr"),
    _K("DE_RVNR", N, "German pension insurance number", r"[0-9]{2} ?[0-3][0-9][01][0-9]{3} ?[A-Z] ?[0-9]{3}", ".rvnr", "rentenversicherung rentenversicherungsnummer sozialversicherung sozialversicherungsnummer sozialversicherungs-nr sozialversicherungsnr rvnr svnr sv-nummer sv-nr versicherungsnummer pension_insurance", 0.8),
    _K("DE_KVNR", H, "German health insurance number", r"[A-Z] ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}", ".kvnr", "kvnr kv-nummer kv-nr", 0.0),
    _K("DE_PERSO", N, "German identity card", r"[CFGHJKLMNPRTVWXYZ][0-9CFGHJKLMNPRTVWXYZ]{8}[0-9]?D?", "", ""),
    _K("DE_PASSPORT", P, "German passport", r"[CFGHJK][0-9CFGHJKLMNPRTVWXYZ]{8}[0-9]?"),
    _K("DE_LICENCE", D, "German driving licence", r"[A-Z][0-9A-Z]{2}[0-9A-Z]{6}[0-9][0-9A-Z]"),
    _K("AT_VNR", N, "Austrian social security number", r"[1-9][0-9]{3}[ -]?[0-3][0-9][01][0-9][0-9]{2}", "at.vnr", "svnr sv-nr sv-nummer sozialversicherung sozialversicherungsnummer sozialversicherungs-nr versicherungsnummer vsnr SV vnr"),
    _K("AT_TIN", T, "Austrian tax number", r"[0-9]{2}-?[0-9]{3}/?[0-9]{4}", "at.tin", "abgabenkonto abgabenkontonummer steuernummer"),
    _K("AT_PASSPORT", P, "Austrian passport", r"[A-Z]{1,2} ?[0-9]{7}"),
    _K("AT_LICENCE", D, "Austrian driving licence", r"[0-9]{8}"),
    _K("CH_AHV", N, "Swiss social security number", r"756[. ]?[0-9]{4}[. ]?[0-9]{4}[. ]?[0-9]{2}", "ch.ssn", "ahv ahv-nummer ahv-nr ahvn13 avs numéro_avs n°_avs numero_avs oasi", 0.9),
    _K("CH_UID", T, "Swiss business number", r"CHE[- ]?[0-9]{3}[. ]?[0-9]{3}[. ]?[0-9]{3}(?: (?:MWST|TVA|IVA))?", ".che", "mwst-nr mwst uid-nr", 0.8),
    _K("CH_CARD", H, "Swiss health insurance card", r"80756[0-9]{15}", "", "versichertenkarte carte_d'assuré", 0.85),
    _K("CH_PASSPORT", P, "Swiss passport", r"[A-Z][0-9A-Z][0-9]{6}"),
    _K("CH_LICENCE", D, "Swiss driving licence", r"[0-9]{12}|[0-9]{8}"),
    # Benelux and France
    _K("FR_NIR", N, "French social security number", r"[1-478] ?[0-9]{2} ?(?:0[1-9]|1[0-2]|[2-9][0-9]) ?(?:[0-9]{2}|2[AB]) ?[0-9]{3} ?[0-9]{3}(?: ?[0-9]{2})?", "fr.nir", "NIR sécurité_sociale securite_sociale sécu numéro_de_sécurité_sociale n°_de_sécurité_sociale numéro_de_sécu n°_sécu insee", 0.85),
    _K("FR_NIF", T, "French tax number", r"[0-3][0-9] ?[0-9]{2} ?[0-9]{3} ?[0-9]{3} ?[0-9]{3}", "fr.nif", "SPI nif fiscal fiscale"),
    _K("FR_SIRET", T, "French business number", r"[0-9]{3} ?[0-9]{3} ?[0-9]{3}(?: ?[0-9]{5})?", ".siret", "siren siret n°_siret n°_siren rcs"),
    _K("FR_CNI", N, "French identity card", r"[0-9]{12}|[0-9A-Z]{9}", "", "cni"),
    _K("FR_INE", N, "French student number", r"[0-9]{10}[A-Z]|[0-9]{9}[A-Z]{2}|[0-9]{10}[0-9][A-Z]", "", "INE ine_number numéro_ine", 0.0),
    _K("FR_PASSPORT", P, "French passport", r"[0-9]{2}[A-Z]{2}[0-9]{5}"),
    _K("FR_LICENCE", D, "French driving licence", r"[0-9]{12}|[0-9]{2}[A-Z]{2}[0-9]{5}"),
    _K("FR_RPPS", H, "French practitioner number", r"[0-9]{11}", "luhn", "rpps"),
    _K("BE_NN", N, "Belgian national number", r"[0-9]{2}[. ]?[0-9]{2}[. ]?[0-3][0-9][- ]?[0-9]{3}[. -]?[0-9]{2}", "be.ssn", "rijksregister rijksregisternummer registre_national numéro_national numéro_de_registre_national nn nrn insz niss inss rrn", 0.8),
    _K("BE_EID", N, "Belgian identity card", r"[0-9]{3}-?[0-9]{7}-?[0-9]{2}", "be.eid", "eid identiteitskaart", 0.75),
    _K("BE_VAT", T, "Belgian enterprise number", r"(?:BE ?)?[01][0-9]{3}\.?[0-9]{3}\.?[0-9]{3}", "be.vat", "ondernemingsnummer numéro_d'entreprise btw tva"),
    _K("BE_PASSPORT", P, "Belgian passport", r"[A-Z]{2}[0-9]{6}"),
    _K("BE_LICENCE", D, "Belgian driving licence", r"[0-9]{10}"),
    _K("NL_BSN", N, "Dutch citizen service number", r"[0-9]{4}([. ])[0-9]{2}\1[0-9]{3}|[0-9]{3}([. ])[0-9]{3}\2[0-9]{3}|[0-9]{8,9}", "nl.bsn", "bsn bsn-nummer burgerservicenummer burger_service_nummer sofinummer sofi-nummer citizen_service"),
    _K("NL_BTW", T, "Dutch VAT number", r"(?:NL ?)?[0-9]{9} ?B ?[0-9]{2}", "nl.btw", "btw btw-nummer", 0.8),
    _K("NL_PASSPORT", P, "Dutch passport or identity card", r"[A-NP-Z]{2}[A-NP-Z0-9]{6}[0-9]", "nl.identiteitskaartnummer"),
    _K("NL_LICENCE", D, "Dutch driving licence", r"[0-9]{10}"),
    _K("NL_UZOVI", H, "Dutch insured person", r"[0-9]{8,10}", "", "verzekerdennummer zorgpasnummer"),
    _K("LU_MATRICULE", N, "Luxembourgish national number", r"(?:18|19|20)[0-9]{2} ?[01][0-9][0-3][0-9] ?[0-9]{3} ?[0-9]{2}", "", "matricule matricule_national cns"),
    # South
    _K("ES_DNI", N, "Spanish identity number", r"[0-9]{8}[ -]{0,2}[A-HJ-NP-TV-Za-hj-np-tv-z]|[0-9]{1,2}\.[0-9]{3}\.[0-9]{3}[ -]{0,2}[A-HJ-NP-TV-Z]", "es.dni", "dni nif d.n.i. n.i.f. dni/nif", 0.85),
    _K("ES_NIE", N, "Spanish foreigner's number", r"[XYZxyz][ -]?[0-9]{7}[ -]?[A-HJ-NP-TV-Za-hj-np-tv-z]", "es.nie", "NIE n.i.e. extranjero", 0.85),
    _K("ES_CIF", T, "Spanish company tax number", r"[ABCDEFGHJNPQRSUVW][ -]?[0-9]{7}[ -]?[0-9A-J]", "es.cif", "cif nif c.i.f.", 0.0),
    _K("ES_NUSS", H, "Spanish social security number", r"[0-9]{2}[ /-]?[0-9]{7,8}[ /-]?[0-9]{2}", ".nuss", "nuss nass naf seguridad_social número_de_la_seguridad_social número_de_seguridad_social nº_seguridad_social número_de_afiliación nº_de_afiliación n.s.s. nº_ss afiliación"),
    _K("ES_CIP", H, "Spanish health card", r"[A-Z]{4}[ -]?[0-9]{10,12}|[A-Z]{2}[0-9]{6,14}", "", "CIP cip-sns cipa tarjeta_sanitaria tsi", 0.0),
    _K("ES_PASSPORT", P, "Spanish passport", r"[A-Z]{3}[0-9]{6}[A-Z]?"),
    _K("ES_LICENCE", D, "Spanish driving licence", r"[0-9]{8}-?[A-Z]"),
    _K("PT_NIF", T, "Portuguese tax number", r"[1-35689][0-9]{2} ?[0-9]{3} ?[0-9]{3}", "pt.nif", "nif nipc contribuinte n.º_contribuinte fiscal número_de_contribuinte"),
    _K("PT_CC", N, "Portuguese citizen card", r"[0-9]{8} ?[0-9] ?[A-Z0-9]{2}[0-9]", "pt.cc", "cartão_de_cidadão cartao_de_cidadao cc bilhete_de_identidade", 0.8),
    _K("PT_SNS", H, "Portuguese health number", r"[0-9]{3} ?[0-9]{3} ?[0-9]{3}", "", "sns utente número_de_utente nº_utente"),
    _K("PT_NISS", N, "Portuguese social security number", r"[12][0-9]{10}", ".pt_niss", "niss segurança_social número_de_segurança_social"),
    _K("PT_PASSPORT", P, "Portuguese passport", r"[A-Z]{1,2}[0-9]{6}"),
    _K("PT_LICENCE", D, "Portuguese driving licence", r"[A-Z]{1,2}-?[0-9]{5,7}(?: ?[0-9])?"),
    _K("IT_CODICE_FISCALE", N, "Italian tax code", r"[A-Z]{6} ?[0-9LMNP-V]{2} ?[ABCDEHLMPRST] ?[0-9LMNP-V]{2} ?[A-Z][0-9LMNP-V]{3} ?[A-Z]|[a-z]{6}[0-9]{2}[abcdehlmprst][0-9]{2}[a-z][0-9]{3}[a-z]", "it.codicefiscale", "codice_fiscale c.f. fiscal_code CF cod._fisc. cod.fisc.", 0.9),
    _K("IT_IVA", T, "Italian VAT number", r"(?:IT ?)?[0-9]{11}", "it.iva", "partita_iva p._iva p.iva piva p.i."),
    _K("IT_CIE", N, "Italian identity card", r"[A-Z]{2}[0-9]{5}[A-Z]{2}|[A-Z]{2} ?[0-9]{7}", "", "carta_d'identità cie carta_identità", 0.0),
    _K("IT_TESSERA", H, "Italian health card", r"80380[0-9]{15}", "", "tessera_sanitaria teamm", 0.85),
    _K("IT_PASSPORT", P, "Italian passport", r"[A-Z]{2}[0-9]{7}"),
    _K("IT_LICENCE", D, "Italian driving licence", r"[A-Z]{2}[0-9]{7}[A-Z]|U1[0-9A-Z]{7}[A-Z]"),
    _K("GR_AMKA", N, "Greek social security number", r"[0-3][0-9][01][0-9]{8}", "gr.amka", "amka αμκα α.μ.κ.α."),
    _K("GR_AFM", T, "Greek tax number", r"[0-9]{9}", "gr.vat", "afm αφμ α.φ.μ."),
    _K("GR_ID", N, "Greek identity card", r"[A-ZΑ-Ω]{1,2}[ -]?[0-9]{6}", "", "ταυτότητα αδτ α.δ.τ. adt δελτίο_ταυτότητας"),
    _K("GR_PASSPORT", P, "Greek passport", r"[A-ZΑ-Ω]{2} ?[0-9]{7}"),
    _K("CY_TIC", T, "Cypriot tax number", r"[0-9]{8}[A-Z]", "cy.vat", "tic φπα"),
    _K("MT_ID", N, "Maltese identity card", r"[0-9]{3,7}[MGAPLHBZ]", "", ""),
    # North
    _K("SE_PERSONNUMMER", N, "Swedish personal number", r"(?:19|20)?[0-9]{6}[-+]?[0-9]{4}", "se.personnummer", "personnummer personnr person_nr pnr p.nr samordningsnummer personal_identity personal_number", 0.75),
    _K("SE_ORGNR", T, "Swedish organisation number", r"[0-9]{6}-?[0-9]{4}", "se.orgnr", "organisationsnummer org.nr orgnr org-nr"),
    _K("SE_PASSPORT", P, "Swedish passport", r"[0-9]{8}|[A-Z]{2}[0-9]{6}"),
    _K("SE_LICENCE", D, "Swedish driving licence", r"[0-9]{6}-?[0-9]{4}"),
    _K("NO_FODSELSNUMMER", N, "Norwegian birth number", r"[0-9]{6} ?[0-9]{5}", "no.fodselsnummer", "fødselsnummer fodselsnummer fødselsnr personnummer fnr d-nummer personnr"),
    _K("NO_PASSPORT", P, "Norwegian passport", r"[0-9]{8}|[A-Z]{3}[0-9]{5}"),
    _K("NO_LICENCE", D, "Norwegian driving licence", r"[0-9]{2} ?[0-9]{2} ?[0-9]{6} ?[0-9]|[0-9]{11}"),
    _K("NO_ORGNR", T, "Norwegian organisation number", r"[89][0-9]{2} ?[0-9]{3} ?[0-9]{3}(?: ?MVA)?", ".no_org", "organisasjonsnummer org.nr orgnr mva"),
    _K("DK_CPR", N, "Danish personal number", r"[0-3][0-9][01][0-9][0-9]{2}[- ]?[0-9]{4}", ".cpr", "cpr cpr-nummer cpr-nr cprnr cpr.nr personnummer", 0.6),
    _K("DK_CVR", T, "Danish business number", r"[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[0-9]{2}", "dk.cvr", "cvr cvr-nr cvr-nummer"),
    _K("DK_PASSPORT", P, "Danish passport", r"[0-9]{9}"),
    _K("DK_LICENCE", D, "Danish driving licence", r"[0-9]{8}"),
    _K("FI_HETU", N, "Finnish personal code", r"[0-3][0-9][01][0-9][0-9]{2}[-+A-FU-Y][0-9]{3}[0-9A-FHJ-NPR-Y]", "fi.hetu", "hetu henkilötunnus henkilötunnukseni sotu personbeteckning", 0.9),
    _K("FI_YTUNNUS", T, "Finnish business number", r"[0-9]{7}-[0-9]", "fi.ytunnus", "y-tunnus fo-nummer", 0.5),
    _K("FI_PASSPORT", P, "Finnish passport", r"[A-Z]{2}[0-9]{7}"),
    _K("FI_LICENCE", D, "Finnish driving licence", r"[0-9]{6}[-+A][0-9]{3}[0-9A-Y]"),
    _K("IS_KENNITALA", N, "Icelandic personal number", r"[0-7][0-9][01][0-9][0-9]{2}-?[0-9]{4}", "is_.kennitala", "kennitala kt. kt", 0.6),
    _K("EE_IK", N, "Estonian personal code", r"[1-8][0-9]{2}[01][0-9][0-3][0-9]{5}", "ee.ik", "isikukood isikukoodi ik"),
    _K("EE_PASSPORT", P, "Estonian passport", r"[A-Z]{1,2}[0-9]{7}"),
    _K("LV_PK", N, "Latvian personal code", r"(?:[0-3][0-9][01][0-9]{3}|32[0-9]{4})-?[0-9]{5}", ".lv_pk", "personas_kods p.k.", 0.6),
    _K("LV_PASSPORT", P, "Latvian passport", r"[A-Z]{2}[0-9]{7}"),
    _K("LT_ASMENS", N, "Lithuanian personal code", r"[3-6][0-9]{2}[01][0-9][0-3][0-9]{5}", "lt.asmens", "asmens_kodas asmens_kodo a.k."),
    _K("LT_PASSPORT", P, "Lithuanian passport", r"[0-9]{8}"),
    # East
    _K("PL_PESEL", N, "Polish personal number", r"[0-9]{11}", "pl.pesel", "pesel pesel-u peselu nr_pesel"),
    _K("PL_NIP", T, "Polish tax number", r"[0-9]{3}-?[0-9]{3}-?[0-9]{2}-?[0-9]{2}|[0-9]{3}-[0-9]{2}-[0-9]{2}-[0-9]{3}", "pl.nip", "nip numer_identyfikacji_podatkowej"),
    _K("PL_REGON", T, "Polish business number", r"[0-9]{9}(?:[0-9]{5})?", "pl.regon", "regon"),
    _K("PL_DOWOD", N, "Polish identity card", r"[A-Z]{3} ?[0-9]{6}", ".pl_id", "dowód dowodu dowodem dowód_osobisty dowodu_osobistego seria_i_numer", 0.0),
    _K("PL_PASSPORT", P, "Polish passport", r"[A-Z]{2} ?[0-9]{7}", ""),
    _K("PL_LICENCE", D, "Polish driving licence", r"[0-9]{5}/[0-9]{2}/[0-9]{4}"),
    _K("CZ_RC", N, "Czech birth number", r"[0-9]{2}[0-8][0-9][0-3][0-9]/?[0-9]{3,4}", "cz.rc", "rodné_číslo rodné_č. rč r.č. rodneho_cisla rodného_čísla rodne_cislo birth_number", 0.6),
    _K("CZ_DIC", T, "Czech tax number", r"CZ[0-9]{8,10}", "cz.dic", "dič dic", 0.75),
    _K("CZ_OP", N, "Czech identity card", r"[0-9]{9}|[0-9]{6} ?[A-Z]{2} ?[0-9]{2}", "", "občanský_průkaz občanského_průkazu číslo_op"),
    _K("CZ_PASSPORT", P, "Czech passport", r"[0-9]{8}"),
    _K("CZ_LICENCE", D, "Czech driving licence", r"[A-Z]{2} ?[0-9]{6}"),
    _K("SK_RC", N, "Slovak birth number", r"[0-9]{2}[0-8][0-9][0-3][0-9]/?[0-9]{3,4}", "sk.rc", "rodné_číslo rodného_čísla rodne_cislo", 0.0),
    _K("SK_OP", N, "Slovak identity card", r"[A-Z]{2} ?[0-9]{6}", "", "občiansky_preukaz občianskeho_preukazu"),
    _K("SK_PASSPORT", P, "Slovak passport", r"[A-Z0-9]{2}[0-9]{7}"),
    _K("HU_TAJ", H, "Hungarian social security number (TAJ)", r"[0-9]{3}([ -]?)[0-9]{3}\1[0-9]{3}", ".taj", "taj taj-szám tajszám társadalombiztosítási"),
    _K("HU_ANUM", T, "Hungarian tax number", r"8[0-9]{9}|[0-9]{8}-[0-9]-[0-9]{2}", ".hu_tax", "adóazonosító adóazonosító_jel adószám", 0.0),
    _K("HU_SZEMELYI", N, "Hungarian personal number", r"[1-8][- ]?[0-9]{6}[- ]?[0-9]{4}", ".hu_personal", "személyi_szám személyi_azonosító személyi_azonosító_jel"),
    _K("HU_CARD", N, "Hungarian identity card", r"[0-9]{6} ?[A-Z]{2}", "", "személyi_igazolvány személyi_igazolványszám személyi"),
    _K("HU_PASSPORT", P, "Hungarian passport", r"[A-Z]{2} ?[0-9]{6,7}"),
    _K("HU_LICENCE", D, "Hungarian driving licence", r"[A-Z]{2} ?[0-9]{6}"),
    _K("RO_CNP", N, "Romanian personal number", r"[1-9][0-9]{2}[01][0-9][0-3][0-9]{7}", "ro.cnp", "cnp c.n.p. cod_numeric cod_numeric_personal"),
    _K("RO_CUI", T, "Romanian fiscal number", r"(?:RO ?)?[0-9]{6,10}", "ro.cui", "CUI CIF cod_fiscal"),
    _K("RO_CI", N, "Romanian identity card", r"[A-Z]{2} ?(?:nr\.? ?)?[0-9]{6}", "", "carte_de_identitate seria buletin"),
    _K("RO_PASSPORT", P, "Romanian passport", r"[0-9]{8,9}"),
    _K("RO_LICENCE", D, "Romanian driving licence", r"[A-Z][0-9]{8}[A-Z]"),
    _K("BG_EGN", N, "Bulgarian civil number", r"[0-9]{2}[0-5][0-9][0-3][0-9]{5}", "bg.egn", "egn егн единен_граждански_номер"),
    _K("BG_LNC", N, "Bulgarian foreigner's number", r"[0-9]{10}", "bg.pnf", "lnch лнч"),
    _K("BG_PASSPORT", P, "Bulgarian passport", r"[0-9]{9}"),
    _K("HR_OIB", N, "Croatian personal number", r"[0-9]{11}", "hr.oib", "oib osobni_identifikacijski_broj"),
    _K("HR_PASSPORT", P, "Croatian passport", r"[0-9]{9}"),
    _K("SI_EMSO", N, "Slovenian personal number", r"[0-3][0-9][01][0-9][09][0-9]{2}[0-9]{6}", "si.emso", "emšo emso"),
    _K("SI_TAX", T, "Slovenian tax number", r"(?:SI ?)?[0-9]{8}", "si.ddv", "davčna davčna_številka id_za_ddv"),
    _K("RS_JMBG", N, "personal number of former Yugoslavia", r"[0-3][0-9][01][0-9][09][0-9]{2}[0-9]{6}", "si.emso", "jmbg јмбг ембг MB matični_broj"),
    _K("RS_PIB", T, "Serbian tax number", r"[0-9]{9}", "rs.pib", "pib пиб"),
    _K("MK_EDB", T, "tax number of North Macedonia", r"(?:MK ?)?[0-9]{13}", "mk.edb", "едб edb"),
    _K("AL_NID", N, "Albanian identity number", r"[A-Z][0-9]{8}[A-Z]", "", "nid nipt numri_personal"),
    _K("MD_IDNP", N, "Moldovan personal number", r"[0-9]{13}", "md.idno", "idnp idno"),
    _K("RU_SNILS", N, "Russian insurance number", r"[0-9]{3}-[0-9]{3}-[0-9]{3}[ -][0-9]{2}|[0-9]{11}", ".snils", "снилс snils страховой_номер", 0.8),
    _K("RU_INN", T, "Russian tax number", r"[0-9]{12}|[0-9]{10}", "ru.inn", "инн inn"),
    _K("RU_OGRN", T, "Russian registration number", r"[0-9]{13}|[0-9]{15}", "ru.ogrn", "огрн огрнип ogrn"),
    _K("RU_OMS", H, "Russian health policy", r"[0-9]{4} ?[0-9]{4} ?[0-9]{4} ?[0-9]{4}", "", "омс полис_омс полис медицинский_полис енп"),
    _K("RU_PASSPORT", P, "Russian passport", r"[0-9]{2}\s?[0-9]{2}\s?(?:№\s?)?[0-9]{6}|[0-9]{2}\s?№?\s?[0-9]{7}", "", "серия серия_и_номер"),
    _K("RU_LICENCE", D, "Russian driving licence", r"[0-9]{2}\s?(?:[0-9]{2}|[А-Я]{2})\s?№?\s?[0-9]{6}", "", "в/у"),
    _K("UA_RNTRC", T, "Ukrainian taxpayer number", r"[0-9]{10}", "ua.rntrc", "рнокпп рнтрц rnokpp ідентифікаційний_код іпн податковий_номер ідентифікаційний_номер"),
    _K("UA_PASSPORT", P, "Ukrainian passport", r"[A-ZА-ЯІЇЄ]{2} ?№? ?[0-9]{6}|[0-9]{9}"),
    _K("UA_EDRPOU", T, "Ukrainian business number", r"[0-9]{8}", "ua.edrpou", "єдрпоу edrpou"),
    _K("BY_ID", N, "Belarusian personal number", r"[1-6][0-9]{6}[ABCHKEM][0-9]{3}(?:PB|BA|BI)[0-9]", "", "идентификационный_номер личный_номер", 0.85),
    _K("KZ_IIN", N, "Kazakh personal number", r"[0-9]{2}[01][0-9][0-3][0-9][0-6][0-9]{5}", ".iin", "иин iin жсн"),
    _K("TR_TCKIMLIK", N, "Turkish identity number", r"[1-9][0-9]{10}", "tr.tckimlik", "kimlik tc_kimlik t.c._kimlik tckn tc_no t.c. kimlik_no tc_kimlik_no turkish_id TC"),
    _K("TR_VKN", T, "Turkish tax number", r"[0-9]{10}", "tr.vkn", "vkn vergi vergi_kimlik vergi_no vergi_numarası"),
    _K("TR_PASSPORT", P, "Turkish passport", r"[A-Z][0-9]{8}"),
    _K("TR_LICENCE", D, "Turkish driving licence", r"[0-9]{6}", "", "ehliyet sürücü_belgesi"),
    _K("GE_ID", N, "Georgian personal number", r"[0-9]{11}", "", "პირადი_ნომერი"),
    # Middle East and Africa
    _K("IL_IDNR", N, "Israeli identity number", r"[0-9]-?[0-9]{7}-?[0-9]", "il.idnr", "teudat_zehut zehut mispar_zehut תעודת_זהות ת.ז. ת״ז מספר_זהות"),
    _K("IL_PASSPORT", P, "Israeli passport", r"[0-9]{7,8}", "", "דרכון"),
    _K("AE_EID", N, "Emirates identity number", r"784([ -]?)[0-9]{4}\1[0-9]{7}\1[0-9]", "luhn", "emirates_id eid", 0.9),
    _K("SA_NID", N, "Saudi identity number", r"[12][0-9]{9}", "luhn", "iqama saudi_id هوية رقم_الهوية"),
    _K("EG_NID", N, "Egyptian national number", r"[23][0-9]{2}[01][0-9][0-3][0-9]{8}", "", "الرقم_القومي رقم_قومي"),
    _K("ZA_IDNR", N, "South African identity number", r"[0-9]{6} ?[0-9]{4} ?[01][0-9] ?[0-9]", "za.idnr", "rsa_id south_african_id"),
    _K("ZA_TIN", T, "South African tax number", r"[01239][0-9]{3}/?[0-9]{3}/?[0-9]{3}", "za.tin", "SARS tax_reference"),
    _K("ZA_PASSPORT", P, "South African passport", r"[ADMT][0-9]{8}"),
    _K("NG_NIN", N, "Nigerian identity number", r"[0-9]{11}", "", "nin NIN bvn"),
    _K("KE_PIN", T, "Kenyan tax number", r"[AP][0-9]{9}[A-Z]", "ke.pin", "kra kra_pin PIN", 0.7),
    _K("KE_ID", N, "Kenyan identity card", r"[0-9]{7,8}", "", "huduma"),
    _K("GH_CARD", N, "Ghanaian identity card", r"GHA-[0-9]{9}-[0-9]", "", "ghana_card", 0.9),
    _K("MA_CIN", N, "Moroccan identity card", r"[A-Z]{1,2}[0-9]{5,6}", "", "CIN cnie"),
    # Asia
    _K("IN_AADHAAR", N, "Aadhaar number", r"[2-9][0-9]{3}([ -]?)[0-9]{4}\1[0-9]{4}", "in_.aadhaar", "aadhaar aadhar adhar aadhaar_no aadhaar_number uidai"),
    _K("IN_PAN", T, "Indian tax number (PAN)", r"[A-Z]{3}[ABCFGHLJPTK][A-Z][0-9]{4}[A-Z]", "in_.pan", "PAN pan_card pan_number pan_no permanent_account permanent_account_number", 0.8),
    _K("IN_EPIC", N, "Indian voter card", r"[A-Z]{3}[0-9]{7}", "in_.epic", "voter_id EPIC voter_card voter's_id voter"),
    _K("IN_GSTIN", T, "Indian goods and services tax number", r"[0-3][0-9][A-Z]{5}[0-9]{4}[A-Z][0-9A-Z]Z[0-9A-Z]", "in_.gstin", "gstin gst", 0.85),
    _K("IN_ABHA", H, "Indian health account", r"[0-9]{2}-[0-9]{4}-[0-9]{4}-[0-9]{4}", "", "abha health_id", 0.7),
    _K("IN_PASSPORT", P, "Indian passport", r"[A-PR-WY] ?[1-9][0-9] ?[0-9]{4}[1-9]"),
    _K("IN_LICENCE", D, "Indian driving licence", r"[A-Z]{2}[ -]?[0-9]{2}[ -]?(?:19|20)[0-9]{2}[ -]?[0-9]{7}", "", "", 0.75),
    _K("PK_CNIC", N, "Pakistani identity card", r"[1-7][0-9]{4}-[0-9]{7}-[0-9]|[1-7][0-9]{12}", "", "cnic nadra", 0.8),
    _K("BD_NID", N, "Bangladeshi identity number", r"[0-9]{10}|[0-9]{13}|[0-9]{17}", "", "nid"),
    _K("LK_NIC", N, "Sri Lankan identity card", r"[0-9]{9}[VvXx]|[0-9]{12}", "", "NIC nic_no", 0.0),
    _K("CN_RIC", N, "Chinese resident identity card", r"[1-9][0-9]{5}(?:18|19|20)[0-9]{2}[01][0-9][0-3][0-9]{4}[0-9Xx]", "cn.ric", "身份证 居民身份证 身份證 公民身份号码 身份证号 身份证号码 resident_identity_card", 0.85),
    _K("CN_USCC", T, "Chinese credit code", r"[0-9A-HJ-NPQRTUWXY]{2}[0-9]{6}[0-9A-HJ-NPQRTUWXY]{10}", "cn.uscc", "uscc 统一社会信用代码", 0.0),
    _K("CN_PASSPORT", P, "Chinese passport", r"[EGDSP][A-Z]?[0-9]{7,8}", "", "护照 护照号 护照号码"),
    _K("HK_HKID", N, "Hong Kong identity card", r"[A-Z]{1,2}[0-9]{6} ?\(?[0-9A]\)?", ".hkid", "hkid hong_kong_identity 香港身份證", 0.7),
    _K("TW_ID", N, "Taiwanese identity number", r"[A-Z][1289][0-9]{8}", ".tw_id", "身分證 身分證字號 taiwan_id", 0.6),
    _K("JP_MYNUMBER", N, "Japanese individual number", r"[0-9]{4}([ -]?)[0-9]{4}\1[0-9]{4}", "jp.in_", "my_number mynumber マイナンバー 個人番号 kojin_bango"),
    _K("JP_PASSPORT", P, "Japanese passport", r"[A-Z]{2}[0-9]{7}", "", "旅券 旅券番号 パスポート パスポート番号"),
    _K("JP_LICENCE", D, "Japanese driving licence", r"[0-9]{12}", "", "運転免許 運転免許証 免許証番号"),
    _K("JP_HEALTH", H, "Japanese insurance card", r"[0-9]{8}", "", "保険者番号 被保険者番号 健康保険証"),
    _K("KR_RRN", N, "Korean resident number", r"[0-9]{2}[01][0-9][0-3][0-9]-?[1-8][0-9]{6}", "kr.rrn", "resident_registration resident_registration_number rrn 주민등록번호 주민번호 외국인등록번호", 0.7),
    _K("KR_PASSPORT", P, "Korean passport", r"[MSRGD][0-9]{3}[A-Z0-9][0-9]{4}", "", "여권 여권번호"),
    _K("KR_LICENCE", D, "Korean driving licence", r"[0-9]{2}-[0-9]{2}-[0-9]{6}-[0-9]{2}", "", "운전면허 운전면허번호 면허번호", 0.75),
    _K("KR_BRN", T, "Korean business number", r"[0-9]{3}-[0-9]{2}-[0-9]{5}", "kr.brn", "사업자등록번호 business_registration"),
    _K("SG_NRIC", N, "Singaporean identity number", r"[STFGMstfgm][0-9]{7}[A-Za-z]", ".nric", "nric FIN fin_number nric_no", 0.75),
    _K("SG_PASSPORT", P, "Singaporean passport", r"[KE][0-9]{7}[A-Z]"),
    _K("MY_NRIC", N, "Malaysian identity card", r"[0-9]{2}[01][0-9][0-3][0-9]-[0-9]{2}-[0-9]{4}|[0-9]{12}", "my.nric", "nric mykad IC ic_number ic_no kad_pengenalan", 0.75),
    _K("MY_PASSPORT", P, "Malaysian passport", r"[AHK][0-9]{8}"),
    _K("ID_NIK", N, "Indonesian identity number", r"[0-9]{16}", "id.nik", "nik ktp nomor_induk"),
    _K("ID_NPWP", T, "Indonesian tax number", r"[0-9]{2}\.?[0-9]{3}\.?[0-9]{3}\.?[0-9]-?[0-9]{3}\.?[0-9]{3}", "", "npwp", 0.0),
    _K("TH_PIN", N, "Thai identity number", r"[1-8]-?[0-9]{4}-?[0-9]{5}-?[0-9]{2}-?[0-9]", "th.pin", "thai_id บัตรประชาชน เลขประจำตัวประชาชน", 0.75),
    _K("VN_CCCD", N, "Vietnamese identity number", r"0[0-9]{11}|[0-9]{9}", "", "cccd cmnd căn_cước"),
    _K("VN_MST", T, "Vietnamese tax number", r"[0-9]{10}(?:-[0-9]{3})?", "vn.mst", "mst mã_số_thuế"),
    _K("PH_SSS", N, "Philippine social security number", r"[0-9]{2}-[0-9]{7}-[0-9]|[0-9]{4}-[0-9]{7}-[0-9]", "", "SSS sss_number umid CRN", 0.0),
    _K("PH_PHILHEALTH", H, "Philippine health number", r"[0-9]{2}-[0-9]{9}-[0-9]", "", "philhealth", 0.6),
    _K("PH_TIN", T, "Philippine tax number", r"[0-9]{3}-[0-9]{3}-[0-9]{3}(?:-[0-9]{3,5})?"),
    # Latin America
    _K("MX_CURP", N, "Mexican population code", r"[A-Z]{4}[0-9]{6}[HMX][A-Z]{5}[0-9A-Z][0-9]", "mx.curp", "curp", 0.9),
    _K("MX_RFC", T, "Mexican tax number", r"[A-ZÑ&]{3,4}-?[0-9]{6}-?[0-9A-Z]{3}", "mx.rfc", "rfc", 0.7),
    _K("MX_NSS", H, "Mexican social security number", r"[0-9]{11}", "luhn", "NSS imss número_de_seguridad_social seguro_social"),
    _K("MX_INE", N, "Mexican voter card", r"[A-Z]{6}[0-9]{8}[HM][0-9]{3}", "", "INE clave_de_elector", 0.85),
    _K("MX_PASSPORT", P, "Mexican passport", r"[A-Z][0-9]{8}"),
    _K("BR_CPF", N, "Brazilian personal tax number", r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}|[0-9]{9}-?[0-9]{2}", "br.cpf", "cpf c.p.f. cpf/mf", 0.9),
    _K("BR_CNPJ", T, "Brazilian company number", r"[0-9]{2}\.[0-9]{3}\.[0-9]{3}/[0-9]{4}-[0-9]{2}|[0-9]{14}", "br.cnpj", "cnpj c.n.p.j.", 0.8),
    _K("BR_RG", N, "Brazilian identity card", r"[0-9]{1,2}\.?[0-9]{3}\.?[0-9]{3}-?[0-9Xx]|(?:MG|SP)-?[0-9]{2}\.?[0-9]{3}\.?[0-9]{3}", "", "RG r.g. carteira_de_identidade registro_geral"),
    _K("BR_CNS", H, "Brazilian health card", r"[1-2789][0-9]{2} ?[0-9]{4} ?[0-9]{4} ?[0-9]{4}", ".cns", "CNS cartão_sus SUS cartão_nacional_de_saúde"),
    _K("BR_PIS", N, "Brazilian worker number", r"[0-9]{3}\.[0-9]{5}\.[0-9]{2}-[0-9]|[0-9]{11}", ".pis", "PIS pasep pis/pasep NIS", 0.75),
    _K("BR_CNH", D, "Brazilian driving licence", r"[0-9]{11}", "", "cnh"),
    _K("BR_TITULO", N, "Brazilian voter number", r"[0-9]{4} ?[0-9]{4} ?[0-9]{4}", "", "título_de_eleitor titulo_eleitoral"),
    _K("BR_PASSPORT", P, "Brazilian passport", r"[A-Z]{2}[0-9]{6}"),
    _K("AR_DNI", N, "Argentinian identity number", r"[0-9]{1,2}\.?[0-9]{3}\.?[0-9]{3}", "ar.dni", "dni d.n.i. documento documento_nacional"),
    _K("AR_CUIT", T, "Argentinian tax number", r"(?:20|23|24|25|26|27|30|33|34)-?[0-9]{8}-?[0-9]", "ar.cuit", "cuit cuil c.u.i.t. c.u.i.l.", 0.7),
    _K("AR_PASSPORT", P, "Argentinian passport", r"[A-Z]{3}[0-9]{6}"),
    _K("CL_RUT", N, "Chilean national number", r"[0-9]{1,2}\.?[0-9]{3}\.?[0-9]{3}-[0-9Kk]", "cl.rut", "RUT RUN r.u.t. r.u.n. rut_no rut_nº", 0.7),
    _K("CL_PASSPORT", P, "Chilean passport", r"[A-Z][0-9]{8}|[A-Z][0-9]{6}"),
    _K("CO_CEDULA", N, "Colombian identity card", r"[0-9]{1,3}(?:\.[0-9]{3}){2,3}|[0-9]{6,10}", "", "cédula cedula cédula_de_ciudadanía C.C. CC tarjeta_de_identidad"),
    _K("CO_NIT", T, "Colombian tax number", r"[0-9]{3}\.?[0-9]{3}\.?[0-9]{3}-?[0-9]", "co.nit", "NIT"),
    _K("CO_PASSPORT", P, "Colombian passport", r"[A-Z]{2}[0-9]{6}"),
    _K("PE_DNI", N, "Peruvian identity number", r"[0-9]{8}(?:-?[0-9A-K])?", "", "dni CUI"),
    _K("PE_RUC", T, "Peruvian tax number", r"[12][0-9]{10}", "pe.ruc", "ruc"),
    _K("EC_CI", N, "Ecuadorian identity card", r"[0-2][0-9]{8}-?[0-9]", "ec.ci", "cédula cedula CI c.i."),
    _K("VE_RIF", T, "Venezuelan tax number", r"[VEJPG]-?[0-9]{8}-?[0-9]", "ve.rif", "RIF", 0.7),
    _K("VE_CI", N, "Venezuelan identity card", r"[VE]-? ?[0-9]{1,2}\.?[0-9]{3}\.?[0-9]{3}", "", "cédula c.i. CI"),
    _K("UY_CI", N, "Uruguayan identity card", r"[0-9]\.?[0-9]{3}\.?[0-9]{3}-[0-9]", ".uy_ci", "cédula CI c.i.", 0.6),
    _K("UY_RUT", T, "Uruguayan tax number", r"[0-9]{12}", "uy.rut", "RUT"),
    _K("PY_RUC", T, "Paraguayan tax number", r"[0-9]{6,8}-[0-9]", "py.ruc", "ruc"),
    _K("BO_CI", N, "Bolivian identity card", r"[0-9]{5,8}(?:-[0-9A-Z]{2})?", "", "c.i. CI"),
    _K("CR_CPF", N, "Costa Rican identity card", r"[1-9]-?[0-9]{4}-?[0-9]{4}", "cr.cpf", "cédula"),
    _K("DO_CEDULA", N, "Dominican identity card", r"[0-9]{3}-?[0-9]{7}-?[0-9]", "do.cedula", "cédula cedula", 0.7),
    _K("GT_NIT", T, "Guatemalan tax number", r"[0-9]{6,8}-[0-9K]", "gt.nit", "NIT"),
    _K("CU_NI", N, "Cuban identity number", r"[0-9]{11}", "cu.ni", "carné_de_identidad carnet_de_identidad CI"),
    # Shared by many
    _K("EU_VAT", T, "European VAT number", r"(?:ATU|BE|BG|CY|CZ|DE|DK|EE|EL|ES|FI|FR|HR|HU|IE|IT|LT|LU|LV|MT|NL|PL|PT|RO|SE|SI|SK)[ -]?[0-9A-Z]{0,2}[ -]?[0-9]{2,3}[ .]?[0-9]{3}[ .]?[0-9]{2,6}(?:B[0-9]{2}|[A-Z]{1,2})?", "eu.vat", "vat btw tva mwst ust-id ust-idnr ust-id-nr. IVA NIF DPH PVM ALV moms", 0.6),
    _K("EU_EHIC", H, "European health insurance card", r"80[0-9]{3}[0-9]{15}", "", "ehic european_health_insurance", 0.75),
)  # fmt: skip

# Countries by their ISO code.
COUNTRIES = dict(
    item.split(" ", 1)
    for item in """
AD Andorra; AE United Arab Emirates; AF Afghanistan; AG Antigua & Barbuda; AI Anguilla; AL Albania;
AM Armenia; AO Angola; AQ Antarctica; AR Argentina; AS American Samoa; AT Austria; AU Australia; AW
Aruba; AX Åland Islands; AZ Azerbaijan; BA Bosnia & Herzegovina; BB Barbados; BD Bangladesh; BE
Belgium; BF Burkina Faso; BG Bulgaria; BH Bahrain; BI Burundi; BJ Benin; BL St. Barthélemy; BM
Bermuda; BN Brunei; BO Bolivia; BQ Caribbean Netherlands; BR Brazil; BS Bahamas; BT Bhutan; BV
Bouvet Island; BW Botswana; BY Belarus; BZ Belize; CA Canada; CC Cocos (Keeling) Islands; CD Congo -
Kinshasa; CF Central African Republic; CG Congo - Brazzaville; CH Switzerland; CI Côte d’Ivoire; CK
Cook Islands; CL Chile; CM Cameroon; CN China; CO Colombia; CR Costa Rica; CU Cuba; CV Cape Verde;
CW Curaçao; CX Christmas Island; CY Cyprus; CZ Czechia; DE Germany; DJ Djibouti; DK Denmark; DM
Dominica; DO Dominican Republic; DZ Algeria; EC Ecuador; EE Estonia; EG Egypt; EH Western Sahara; ER
Eritrea; ES Spain; ET Ethiopia; FI Finland; FJ Fiji; FK Falkland Islands; FM Micronesia; FO Faroe
Islands; FR France; GA Gabon; GB United Kingdom; GD Grenada; GE Georgia; GF French Guiana; GG
Guernsey; GH Ghana; GI Gibraltar; GL Greenland; GM Gambia; GN Guinea; GP Guadeloupe; GQ Equatorial
Guinea; GR Greece; GS South Georgia & South Sandwich Islands; GT Guatemala; GU Guam; GW Guinea-
Bissau; GY Guyana; HK Hong Kong SAR China; HM Heard & McDonald Islands; HN Honduras; HR Croatia; HT
Haiti; HU Hungary; ID Indonesia; IE Ireland; IL Israel; IM Isle of Man; IN India; IO British Indian
Ocean Territory; IQ Iraq; IR Iran; IS Iceland; IT Italy; JE Jersey; JM Jamaica; JO Jordan; JP Japan;
KE Kenya; KG Kyrgyzstan; KH Cambodia; KI Kiribati; KM Comoros; KN St. Kitts & Nevis; KP North Korea;
KR South Korea; KW Kuwait; KY Cayman Islands; KZ Kazakhstan; LA Laos; LB Lebanon; LC St. Lucia; LI
Liechtenstein; LK Sri Lanka; LR Liberia; LS Lesotho; LT Lithuania; LU Luxembourg; LV Latvia; LY
Libya; MA Morocco; MC Monaco; MD Moldova; ME Montenegro; MF St. Martin; MG Madagascar; MH Marshall
Islands; MK North Macedonia; ML Mali; MM Myanmar (Burma); MN Mongolia; MO Macao SAR China; MP
Northern Mariana Islands; MQ Martinique; MR Mauritania; MS Montserrat; MT Malta; MU Mauritius; MV
Maldives; MW Malawi; MX Mexico; MY Malaysia; MZ Mozambique; NA Namibia; NC New Caledonia; NE Niger;
NF Norfolk Island; NG Nigeria; NI Nicaragua; NL Netherlands; NO Norway; NP Nepal; NR Nauru; NU Niue;
NZ New Zealand; OM Oman; PA Panama; PE Peru; PF French Polynesia; PG Papua New Guinea; PH
Philippines; PK Pakistan; PL Poland; PM St. Pierre & Miquelon; PN Pitcairn Islands; PR Puerto Rico;
PS Palestinian Territories; PT Portugal; PW Palau; PY Paraguay; QA Qatar; RE Réunion; RO Romania; RS
Serbia; RU Russia; RW Rwanda; SA Saudi Arabia; SB Solomon Islands; SC Seychelles; SD Sudan; SE
Sweden; SG Singapore; SH St. Helena; SI Slovenia; SJ Svalbard & Jan Mayen; SK Slovakia; SL Sierra
Leone; SM San Marino; SN Senegal; SO Somalia; SR Suriname; SS South Sudan; ST São Tomé & Príncipe;
SV El Salvador; SX Sint Maarten; SY Syria; SZ Eswatini; TC Turks & Caicos Islands; TD Chad; TF
French Southern Territories; TG Togo; TH Thailand; TJ Tajikistan; TK Tokelau; TL Timor-Leste; TM
Turkmenistan; TN Tunisia; TO Tonga; TR Türkiye; TT Trinidad & Tobago; TV Tuvalu; TW Taiwan; TZ
Tanzania; UA Ukraine; UG Uganda; UM U.S. Outlying Islands; US United States; UY Uruguay; UZ
Uzbekistan; VA Vatican City; VC St. Vincent & Grenadines; VE Venezuela; VG British Virgin Islands;
VI U.S. Virgin Islands; VN Vietnam; VU Vanuatu; WF Wallis & Futuna; WS Samoa; XK Kosovo; YE Yemen;
YT Mayotte; ZA South Africa; ZM Zambia; ZW Zimbabwe
""".strip()
    .replace("\n", " ")
    .split("; ")
)

# Driving licences of the United States, by state.
US_LICENCES = {
    "AL": r"[0-9]{7,8}", "AK": r"[0-9]{7}", "AZ": r"[A-Z][0-9]{8}|[0-9]{9}", "AR": r"9?[0-9]{8}",
    "CA": r"[A-Z][0-9]{7}", "CO": r"[0-9]{2}-?[0-9]{3}-?[0-9]{4}|[A-Z]{1,2}[0-9]{3,6}", "CT": r"[0-9]{9}",
    "DE": r"[0-9]{6,7}", "DC": r"[0-9]{7}|[0-9]{9}", "FL": r"[A-Z][0-9]{3}-?[0-9]{3}-?[0-9]{2}-?[0-9]{3}-?[0-9]",
    "GA": r"[0-9]{7,9}", "HI": r"[A-Z][0-9]{8}|[0-9]{9}", "ID": r"[A-Z]{2}[0-9]{6}[A-Z]|[0-9]{9}",
    "IL": r"[A-Z][0-9]{3}-?[0-9]{4}-?[0-9]{4}", "IN": r"[0-9]{4}-?[0-9]{2}-?[0-9]{4}|[A-Z][0-9]{9}",
    "IA": r"[0-9]{3}[A-Z]{2}[0-9]{4}|[0-9]{9}", "KS": r"K[0-9]{2}-?[0-9]{2}-?[0-9]{4}|[A-Z][0-9][A-Z][0-9][A-Z]",
    "KY": r"[A-Z][0-9]{2}-?[0-9]{3}-?[0-9]{3,4}", "LA": r"0?[0-9]{8,9}", "ME": r"[0-9]{7}[A-Z]?",
    "MD": r"[A-Z](?:-?[0-9]{3}){4}", "MA": r"S[A-Z]?[0-9]{7,8}|[0-9]{9}", "MI": r"[A-Z](?:[ -]?[0-9]{3}){4}",
    "MN": r"[A-Z](?:-?[0-9]{3}){4}", "MS": r"[0-9]{3}-?[0-9]{2}-?[0-9]{4}", "MO": r"[A-Z][0-9]{5,9}R?|[0-9]{8}[A-Z]{2}|[0-9]{9}[A-Z]?",
    "MT": r"[A-Z][0-9]{8}|[0-9]{13}", "NE": r"[A-HV][0-9]{6,8}", "NV": r"[0-9]{10}|[0-9]{12}|X[0-9]{8}",
    "NH": r"[0-9]{2}[A-Z]{3}[0-9]{5}|NH[A-Z][0-9]{8}", "NJ": r"[A-Z][0-9]{4}[ -]?[0-9]{5}[ -]?[0-9]{5}", "NM": r"[0-9]{8,9}",
    "NY": r"[0-9]{3} ?[0-9]{3} ?[0-9]{3}|[A-Z][0-9]{7}|[A-Z][0-9]{18}", "NC": r"[0-9]{6,12}", "ND": r"[A-Z]{3}-?[0-9]{2}-?[0-9]{4}",
    "OH": r"[A-Z]{2}[0-9]{6}", "OK": r"[A-Z]?[0-9]{9}", "OR": r"[A-Z]?[0-9]{6,8}", "PA": r"[0-9]{2} ?[0-9]{3} ?[0-9]{3}",
    "RI": r"[A-Z]?[0-9]{7}", "SC": r"[0-9]{6,11}", "SD": r"[0-9]{8}", "TN": r"[0-9]{8,9}", "TX": r"[0-9]{8}",
    "UT": r"[0-9]{7,10}", "VT": r"[0-9]{7}[0-9A]", "VA": r"[A-Z][0-9]{2}-?[0-9]{2}-?[0-9]{4}", "WA": r"WDL[0-9A-Z]{9}|[A-Z*]{5,7}[A-Z0-9*]{5}[0-9]{2}",
    "WV": r"[A-Z]{1,2}[0-9]{5,6}", "WI": r"[A-Z][0-9]{3}-?[0-9]{4}-?[0-9]{4}-?[0-9]{2}", "WY": r"[0-9]{6}-?[0-9]{3}",
}  # fmt: skip

# What stands next to a common name where no country's form is met: its shortest
# length, its fewest digits and its form.
_BLOCKS = r"(?:[A-Z]{1,4}[ ./-])?(?i:(?=[A-Z]{0,18}[0-9])[A-Z0-9]{2,24}(?:[./-][A-Z0-9]{1,12}){0,4}(?: [A-Z0-9]{0,3}[0-9]{2,5}[A-Z]{0,2}(?![\w]|[.:/-][0-9])){0,4}(?: [0-9](?=[,.;)\n]|$))?)"
GENERIC = {
    N: (6, 3, _BLOCKS),
    T: (7, 5, _BLOCKS),
    H: (6, 3, _BLOCKS),
    P: (6, 4, r"(?i:[A-ZА-Я]{0,3}[ -]?[0-9][A-Z0-9]{4,19}|[A-Z]{1,3}[0-9A-Z]{5,17})"),
    D: (5, 4, r"(?i:[A-Z]{0,6}[0-9*][A-Z0-9*]{1,17}(?:[ -][A-Z0-9]{0,4}[0-9][A-Z0-9]{0,12}){0,4})"),
}  # fmt: skip
