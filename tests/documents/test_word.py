import io
import re
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.documents.pieces import DocumentError, LeakError, Tools, join
from spacy_deid.documents.word import WordDocument

docx = pytest.importorskip("docx")
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def parts(data):
    """Text of the parts of a file, by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {
            name: file.read(name).decode("utf-8", "replace") for name in file.namelist()
        }


def with_parts(data, **new):
    """The same file with other or further parts; functions change what is there."""
    old, out = parts(data), io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as file, zipfile.ZipFile(out, "w") as copy:
        for name, change in new.items():
            path = (
                name.replace("__", "/").replace("_xml", ".xml").replace("_bin", ".bin")
            )
            old[path] = change(old[path]) if callable(change) else change
        for path, text in old.items():
            raw = (
                file.read(path) if path not in file.namelist() or "media" in path else 0
            )
            copy.writestr(path, raw or text)
    return out.getvalue()


def make(xml, **extra):
    """A document that Word has made, with other paragraphs in it."""
    document = docx.Document()
    out = io.BytesIO()
    document.save(out)

    def body(old):
        return re.sub(r"<w:body>", lambda m: m[0] + xml, old)

    return with_parts(out.getvalue(), word__document_xml=body, **extra)


def rewritten(document):
    """The parts of a file in which nothing is replaced."""
    return parts(document.write([[] for _ in document.pieces], Tools([], str)))


def p(*runs):
    return f"<w:p>{''.join(runs)}</w:p>"


def r(text, properties=""):
    return (
        f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'
    )


def test_a_document_of_libreoffice(write, rich):
    old, new = write("docx", rich["docx"])
    assert old.startswith(
        "Report on Robert Murray\nDear Robert Murray of Leeds,\nyour meeting with Ann Lee "
        "is settled with Robert Murray.\nWrite to the office"
    )
    assert "\n\nName\tRobert Murray\nTown\tLeeds\n\ninner Ann Lee\n\nAfter the" in old
    for text in (
        "\n\nBoxed Ann Lee\n\n",
        "\n\nRobert Murray, personnel file\n\n",
        "\n\nCase 28045/02, page 1\n\n",
        "Ann Lee said so.\n\nRobert Murray agrees.\n\n",
        "\n\nCanary Box Title\n\nann.canary@leeds.example\n\nhttps://www.example.org/help",
    ):
        assert text in old
    found = parts(new)
    # What is text stays unless it is found; all that is none is gone.
    canaries = [
        w for text in found.values() for w in re.findall(r"(?i).?canary ?\w*", text)
    ]
    assert sorted(canaries) == ['"Canary Box', ".canary"]
    names = "Robert|Murray|Ann|Lee\\b|Leeds|28045|12345678"
    for name, text in found.items():
        assert not re.search(names, text), name
    assert not [n for n in found if "docProps" in n or "media" in n or "custom" in n]


def test_what_it_looks_like_stays(write, rich):
    new = write("docx", rich["docx"])[1]
    document = docx.Document(io.BytesIO(new))
    assert document.paragraphs[0].style.name == "Heading 1"
    runs = [(run.text, run.bold, run.italic) for run in document.paragraphs[1].runs]
    assert ("[X]", True, None) in runs
    assert document.tables[0].cell(0, 1).text == "[X]"
    assert document.tables[0].cell(1, 1).tables[0].cell(0, 0).text == "inner [X]"
    assert document.sections[0].header.paragraphs[0].text == "[X], personnel file"
    comment = next(iter(document.comments))
    assert (comment.author, comment.text) == ("Author 1", "[X] agrees.")
    assert comment.timestamp is None
    assert document.core_properties.author in ("", "python-docx")


def test_what_is_left_out_is_named(rich):
    assert WordDocument(rich["docx"]).notes == [
        "left out: deleted passages 1, links to files and programs 1, pictures 1, sets "
        "of properties (author, title ...) 3"
    ]
    kept = WordDocument(rich["docx"], keep_images=True)
    assert kept.notes[1] == "kept as they are: pictures 1"
    found = rewritten(kept)
    assert "word/media/image1.png" in found
    assert "Canary Picture Text" in join(kept.pieces).text


def test_changes_are_accepted(text):
    who = 'w:id="1" w:author="Canary" w:date="2024-01-01T00:00:00Z"'
    cell = "<w:tc><w:p><w:r><w:t>{}</w:t></w:r></w:p></w:tc>"
    xml = p(
        r("a "),
        f"<w:ins {who}>{r('new ')}<w:del {who}><w:r><w:delText>Canary</w:delText></w:r></w:del></w:ins>",
        f"<w:moveFrom {who}>{r('Canary ')}</w:moveFrom><w:moveTo {who}>{r('moved ')}</w:moveTo>",
        r("b", f"<w:b/><w:rPrChange {who}><w:rPr><w:i/></w:rPr></w:rPrChange>"),
    )
    xml += f"<w:tbl><w:tr><w:trPr><w:del {who}/></w:trPr>{cell.format('Canary')}</w:tr>"
    xml += f"<w:tr><w:trPr><w:ins {who}/></w:trPr>{cell.format('kept')}</w:tr></w:tbl>"
    row = f"<w:tr><w:trPr><w:del {who}/></w:trPr>{cell.format('Canary')}</w:tr>"
    data = make(f"{xml}<w:tbl>{row}</w:tbl>")
    assert text("docx", data) == "a new moved b\n\nkept"
    document = WordDocument(data)
    new = rewritten(document)
    assert "Canary" not in new["word/document.xml"]
    assert new["word/document.xml"].count("<w:tbl>") == 1
    assert "deleted passages 4" in document.notes[0]


FIELD = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'


def field(code, shown):
    begin, middle, end = (FIELD.format(k) for k in ("begin", "separate", "end"))
    code = f"<w:r><w:instrText>{code}</w:instrText></w:r>"
    return begin + code + middle + r(shown) + end


def test_fields_show_what_they_showed():
    xml = p(
        '<w:bookmarkStart w:id="0" w:name="Ann_Lee"/><w:bookmarkEnd w:id="0"/>',
        field(' HYPERLINK "mailto:canary@x.org" ', "mail"),
        field(" AUTHOR ", "Ann Lee"),
        field(" PAGE ", "1"),
        field(" REF Ann_Lee \\h ", "there"),
        '<w:fldSimple w:instr=" FILENAME Canary ">' + r("file") + "</w:fldSimple>",
        '<w:hyperlink w:anchor="Ann_Lee" w:tooltip="Canary">'
        + r("up")
        + "</w:hyperlink>",
    )
    document = WordDocument(make(xml))
    assert join(document.pieces).text == "mailAnn Lee1therefileup"
    body = rewritten(document)["word/document.xml"]
    assert "anary" not in body
    assert 'w:name="place1"' in body
    assert 'w:anchor="place1"' in body
    assert re.findall("instrText[^>]*>([^<]+)", body) == [" PAGE ", " REF place1 \\h "]
    assert "fields 3" in document.notes[0]


def test_wrappers_and_data_for_programs():
    xml = (
        '<w:sdt><w:sdtPr><w:alias w:val="Canary"/><w:tag w:val="Canary"/></w:sdtPr>'
        f"<w:sdtContent>{p(r('controlled'))}</w:sdtContent></w:sdt>"
        + p('<w:smartTag w:uri="x" w:element="Canary">' + r("tagged") + "</w:smartTag>")
        + p(
            '<w:permStart w:id="1" w:ed="canary@x.org"/>',
            r("open"),
            "<w:object>Canary</w:object>",
        )
        + p(
            "<w:r><w:t>a</w:t><w:noBreakHyphen/><w:t>b</w:t><w:softHyphen/><w:t>c</w:t></w:r>"
        )
        + p(
            "<w:r><w:pict><x:y xmlns:x='urn:x' x:z='Canary'>Canary</x:y></w:pict></w:r><!-- Canary -->"
        )
    )
    settings = (
        f'<w:settings {W}><w:docVars><w:docVar w:name="Canary" w:val="Canary"/></w:docVars>'
        '<w:evenAndOddHeaders/><w:mailMerge><w:query w:val="Canary"/></w:mailMerge></w:settings>'
    )
    document = WordDocument(make(xml, word__settings_xml=settings))
    text = join(document.pieces).text
    assert text == "controlled\ntagged\nopen[embedded object]\na-bc"
    new = rewritten(document)
    assert not [name for name, part in new.items() if "anary" in part]
    assert "evenAndOddHeaders" in new["word/settings.xml"]
    assert not [name for name in new if "customXml" in name or "thumbnail" in name]


def test_a_hyphen_within_what_is_masked(write):
    xml = p(
        "<w:r><w:t>call 555</w:t><w:noBreakHyphen/><w:t>0142</w:t><w:br/><w:t>now</w:t></w:r>"
    )
    old, new = write("docx", make(xml), "555-0142")
    assert old == "call 555-0142\nnow"
    document = docx.Document(io.BytesIO(new))
    assert document.paragraphs[0].text == "call [X]\nnow"


A = "http://schemas.openxmlformats.org/drawingml/2006"
DRAWING = (
    '<w:r><w:drawing><wp:inline xmlns:wp="' + A + '/wordprocessingDrawing">'
    '<wp:docPr id="7" name="Canary" descr="{}"/><a:graphic xmlns:a="' + A + '/main">'
    '<a:graphicData uri="{}">{}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>'
)


def test_drawings(text):
    shape = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape"
    pic = f'<p:pic xmlns:p="{A}/picture"><p:blipFill/></p:pic>'
    boxed = f"<w:txbxContent>{p(r('in a box'))}</w:txbxContent>{pic}"
    vml = (
        '<w:r><w:pict><v:shape xmlns:v="urn:schemas-microsoft-com:vml" alt="Canary" '
        'ID="Canary"><v:textpath string="DRAFT of Ann Lee"/></v:shape></w:pict></w:r>'
    )
    xml = p(r("a "), DRAWING.format("Canary", f"{A}/chart", ""))
    xml += p(r("b "), DRAWING.format("Canary", "urn:other", ""))
    xml += p(r("c "), DRAWING.format("Canary", f"{A}/picture", pic))
    xml += p(r("d "), DRAWING.format("alt text", shape, boxed), r("!"), vml)
    document = WordDocument(make(xml))
    assert join(document.pieces).text == (
        "a [chart]\nb [embedded object]\nc [picture]\nd !\n\nin a box\n\nalt text\n\n"
        "DRAFT of Ann Lee"
    )
    body = rewritten(document)
    assert "Canary" not in body["word/document.xml"]
    for note in ("charts 1", "embedded objects 1", "pictures 2"):
        assert note in document.notes[0]


def test_a_masked_name_in_the_name_of_a_style():
    style = '<w:style w:type="paragraph" w:styleId="x"><w:name w:val="Ann Lee letter"/></w:style>'
    data = make(
        p(r("Ann Lee")),
        word__styles_xml=lambda old: old.replace("</w:styles>", style + "</w:styles>"),
    )
    document = WordDocument(data)
    edits = [[] for _ in document.pieces]
    with pytest.raises(LeakError, match="name of a style") as error:
        document.write(edits, Tools([("Ann Lee", "PERSON")], str))
    assert "Ann" not in str(error.value)


def test_what_cannot_be_read(rich):
    def strict(old):
        return old.replace(
            "http://schemas.openxmlformats.org/wordprocessingml/2006/main",
            "http://purl.oclc.org/ooxml/wordprocessingml/main",
        )

    cut = rich["docx"][:5000]
    broken = with_parts(rich["docx"], word__footnotes_xml="<w:footnotes")
    for data, problem in (
        (b"", "damaged"),
        (cut, "damaged"),
        (b"Ann Lee", "^it is damaged, or no .docx file$"),
        (b"\xd0\xcf\x11\xe0Ann", "^it is encrypted, or an old .doc file"),
        (with_parts(rich["docx"], word__document_xml=strict), "'strict'"),
        (broken, "a part of it is no XML"),
    ):
        with pytest.raises(DocumentError, match=problem):
            WordDocument(data)


@given(st.data())
@settings(max_examples=8, deadline=None)
def test_runs_anywhere(write, text, data):
    """Borders of runs within a text hide no part of a name, and all formats stay."""
    words = "Dear Ann Lee, Robert Murray of Leeds & co. met Ann Lee."
    cuts = sorted(data.draw(st.sets(st.integers(1, len(words) - 1), max_size=20)))
    style = st.sampled_from(["", "<w:b/>", "<w:i/>"])
    kinds = [data.draw(style) for _ in range(len(cuts) + 1)]
    bits = [words[a:b] for a, b in zip([0, *cuts], [*cuts, len(words)])]
    runs = [r(bit.replace("&", "&amp;"), kind) for bit, kind in zip(bits, kinds)]
    old, new = write("docx", make(p(*runs)))
    assert old == words
    assert text("docx", new) == "Dear [X], [X] of [X] & co. met [X]."
    body = parts(new)["word/document.xml"]
    assert not re.search("Ann|Lee|Robert|Murray|Leeds", body)
    assert re.findall("<w:[bi]/>", body) == [kind for kind in kinds if kind]
