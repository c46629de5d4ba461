import io
import re
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spacy_deid.documents.pieces import DocumentError, LeakError, Tools, join
from spacy_deid.documents.word import WordDocument

from ..cases import cases

docx = pytest.importorskip("docx")
W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
A = "http://schemas.openxmlformats.org/drawingml/2006"
DRAWING = (
    '<w:r><w:drawing><wp:inline xmlns:wp="' + A + '/wordprocessingDrawing">'
    '<wp:docPr id="7" name="Canary" descr="{}"/><a:graphic xmlns:a="' + A + '/main">'
    '<a:graphicData uri="{}">{}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>'
)


def parts(data):
    """Text of the parts of a file, by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {n: file.read(n).decode("utf-8", "replace") for n in file.namelist()}


def with_parts(data, **new):
    """The same file with other or further parts; functions change what is there."""
    out, old = io.BytesIO(), parts(data)
    new = {n.replace("__", "/").replace("_xml", ".xml"): t for n, t in new.items()}
    with zipfile.ZipFile(io.BytesIO(data)) as file, zipfile.ZipFile(out, "w") as copy:
        for path in [*file.namelist(), *(new.keys() - old.keys())]:
            change = new.get(path)
            if change is None:
                copy.writestr(path, file.read(path))
            else:
                copy.writestr(path, change(old[path]) if callable(change) else change)
    return out.getvalue()


def make(*xml, **extra):
    """A document that Word has made, with other paragraphs in it."""
    out = io.BytesIO()
    docx.Document().save(out)

    def body(old):
        return old.replace("<w:body>", "<w:body>" + "".join(xml))

    return with_parts(out.getvalue(), word__document_xml=body, **extra)


def rewritten(document):
    """The parts of a file in which nothing is replaced."""
    return parts(document.write([[] for _ in document.pieces], Tools([], str)))


def p(*runs):
    return f"<w:p>{''.join(runs)}</w:p>"


def r(text, style=""):
    text = f'<w:t xml:space="preserve">{text}</w:t>'
    return f"<w:r><w:rPr>{style}</w:rPr>{text}</w:r>"


def test_a_document_of_libreoffice(write, rich):
    old, new = write("docx", rich["docx"])
    for text in cases(__file__, "texts"):
        assert text in old
    assert old.startswith("Report on")
    found = parts(new)
    # What is text stays unless it is found; all that is none is gone.
    canaries = re.findall(r"(?i).?canary ?\w*", "\n".join(found.values()))
    assert sorted(canaries) == ['"Canary Box', ".canary"]
    names = "Robert|Murray|Ann|Lee\\b|Leeds|28045|12345678"
    for name, text in found.items():
        assert not re.search(names, text), name
        assert not re.search("docProps|media|custom", name)


def test_what_it_looks_like_stays(write, rich):
    document = docx.Document(io.BytesIO(write("docx", rich["docx"])[1]))
    heading, first = document.paragraphs[:2]
    assert heading.style.name == "Heading 1"
    assert ("[X]", True, None) in [(r.text, r.bold, r.italic) for r in first.runs]
    table = document.tables[0]
    assert table.cell(0, 1).text == "[X]"
    assert table.cell(1, 1).tables[0].cell(0, 0).text == "inner [X]"
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
    assert "word/media/image1.png" in rewritten(kept)
    assert "Canary Picture Text" in join(kept.pieces).text


def test_changes_are_accepted(text):
    who = 'w:id="1" w:author="Canary" w:date="2024-01-01T00:00:00Z"'

    def row(mark, word):
        cell = f"<w:tc><w:p><w:r><w:t>{word}</w:t></w:r></w:p></w:tc>"
        return f"<w:tr><w:trPr><w:{mark} {who}/></w:trPr>{cell}</w:tr>"

    deleted = f"<w:del {who}><w:r><w:delText>Canary</w:delText></w:r></w:del>"
    xml = p(
        r("a "),
        f"<w:ins {who}>{r('new ')}{deleted}</w:ins>",
        f"<w:moveFrom {who}>{r('Canary ')}</w:moveFrom><w:moveTo {who}>{r('moved ')}</w:moveTo>",
        r("b", f"<w:b/><w:rPrChange {who}><w:rPr><w:i/></w:rPr></w:rPrChange>"),
    )
    xml += f"<w:tbl>{row('del', 'Canary')}{row('ins', 'kept')}</w:tbl>"
    data = make(xml, f"<w:tbl>{row('del', 'Canary')}</w:tbl>")
    assert text("docx", data) == "a new moved b\n\nkept"
    document = WordDocument(data)
    new = rewritten(document)["word/document.xml"]
    assert "Canary" not in new and new.count("<w:tbl>") == 1
    assert "deleted passages 4" in document.notes[0]


def field(code, shown):
    kind = '<w:r><w:fldChar w:fldCharType="{}"/></w:r>'
    begin, middle, end = map(kind.format, ("begin", "separate", "end"))
    code = f"<w:r><w:instrText>{code}</w:instrText></w:r>"
    return begin + code + middle + r(shown) + end


def test_fields_show_what_they_showed():
    link = '<w:hyperlink w:anchor="Ann_Lee" w:tooltip="Canary">'
    xml = p(
        '<w:bookmarkStart w:id="0" w:name="Ann_Lee"/><w:bookmarkEnd w:id="0"/>',
        field(' HYPERLINK "mailto:canary@x.org" ', "mail"),
        field(" AUTHOR ", "Ann Lee"),
        field(" PAGE ", "1"),
        field(" REF Ann_Lee \\h ", "there"),
        f'<w:fldSimple w:instr=" FILENAME Canary ">{r("file")}</w:fldSimple>',
        f"{link}{r('up')}</w:hyperlink>",
    )
    document = WordDocument(make(xml))
    assert join(document.pieces).text == "mailAnn Lee1therefileup"
    body = rewritten(document)["word/document.xml"]
    assert "anary" not in body
    assert 'w:name="place1"' in body and 'w:anchor="place1"' in body
    assert re.findall("instrText[^>]*>([^<]+)", body) == [" PAGE ", " REF place1 \\h "]
    assert "fields 3" in document.notes[0]


def test_wrappers_and_data_for_programs():
    hyphens = "<w:t>a</w:t><w:noBreakHyphen/><w:t>b</w:t><w:softHyphen/><w:t>c</w:t>"
    picture = "<w:pict><x:y xmlns:x='urn:x' x:z='Canary'>Canary</x:y></w:pict>"
    thing = "<w:object>Canary</w:object>"
    xml = (
        '<w:sdt><w:sdtPr><w:alias w:val="Canary"/><w:tag w:val="Canary"/></w:sdtPr>',
        f"<w:sdtContent>{p(r('controlled'))}</w:sdtContent></w:sdt>",
        p(f'<w:smartTag w:uri="x" w:element="Canary">{r("tagged")}</w:smartTag>'),
        p(f'<w:permStart w:id="1" w:ed="canary@x.org"/>{r("open")}{thing}'),
        p(f"<w:r>{hyphens}</w:r>"),
        p(f"<w:r>{picture}</w:r><!-- Canary -->"),
    )
    settings = (
        f'<w:settings {W}><w:docVars><w:docVar w:name="Canary" w:val="Canary"/></w:docVars>'
        '<w:evenAndOddHeaders/><w:mailMerge><w:query w:val="Canary"/></w:mailMerge></w:settings>'
    )
    document = WordDocument(make(*xml, word__settings_xml=settings))
    text = join(document.pieces).text
    assert text == "controlled\ntagged\nopen[embedded object]\na-bc"
    new = rewritten(document)
    assert not [name for name, part in new.items() if "anary" in part]
    assert "evenAndOddHeaders" in new["word/settings.xml"]
    assert not [name for name in new if "customXml" in name or "thumbnail" in name]


def test_a_hyphen_within_what_is_masked(write):
    words = "<w:t>call 555</w:t><w:noBreakHyphen/><w:t>0142</w:t><w:br/><w:t>now</w:t>"
    old, new = write("docx", make(p(f"<w:r>{words}</w:r>")), "555-0142")
    assert old == "call 555-0142\nnow"
    (paragraph, *_) = docx.Document(io.BytesIO(new)).paragraphs
    assert paragraph.text == "call [X]\nnow"


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
    assert "Canary" not in rewritten(document)["word/document.xml"]
    for note in ("charts 1", "embedded objects 1", "pictures 2"):
        assert note in document.notes[0]


def test_a_masked_name_in_the_name_of_a_style():
    style = '<w:style w:type="paragraph" w:styleId="x"><w:name w:val="Ann Lee letter"/>'

    def more(old):
        return old.replace("</w:styles>", f"{style}</w:style></w:styles>")

    document = WordDocument(make(p(r("Ann Lee")), word__styles_xml=more))
    edits = [[] for _ in document.pieces]
    with pytest.raises(LeakError, match="name of a style") as error:
        document.write(edits, Tools([("Ann Lee", "PERSON")], str))
    assert "Ann" not in str(error.value)


def test_what_cannot_be_read(rich):
    def strict(old):
        own = "purl.oclc.org/ooxml/wordprocessingml/main"
        return old.replace("schemas.openxmlformats.org/wordprocessingml/2006/main", own)

    broken = with_parts(rich["docx"], word__footnotes_xml="<w:footnotes")
    for data, problem in (
        (b"", "damaged"),
        (rich["docx"][:5000], "damaged"),
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
    assert old == words and text("docx", new) == "Dear [X], [X] of [X] & co. met [X]."
    body = parts(new)["word/document.xml"]
    assert not re.search("Ann|Lee|Robert|Murray|Leeds", body)
    assert re.findall("<w:[bi]/>", body) == [kind for kind in kinds if kind]
