"""Tables of people: comma-separated, piped, tabbed or of fixed width."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from .grammar import Piece, parse_template
from .people import People

Cell = list[Piece]

_parsed = cache(parse_template)


class Tables(People):
    """Adds the slot `table`: rows of people under a header."""

    def slot_table(self) -> list[Piece]:
        """Some people, one a line, with the same facts about each."""
        rng = self.rng
        titles, forms = self._columns()
        people = [f"p{20 + i}" for i in range(rng.randint(2, 12))]
        rows = [[self._cell(form, role) for form in forms] for role in people]
        if rng.random() < 0.9:
            case = rng.choice((str, str, str.upper, str.lower))
            rows.insert(0, [[Piece(case(title))] for title in titles])
        ways = self._separated, self._separated, self._piped, self._fixed_width
        write = rng.choice(ways)
        return [piece for line in write(rows) for piece in (*line, Piece("\n"))][:-1]

    def _columns(self) -> tuple[list[str], list[str]]:
        """Titles of the columns and templates of their cells; the name comes first."""
        rng = self.rng
        name, *others = self.words["columns"].items()
        chosen = [name, *rng.sample(others, rng.randint(1, 6))]
        if rng.random() < 0.3:
            rng.shuffle(chosen)
        titles = [rng.choice(title.split("|")) for title, _ in chosen]
        forms = [rng.choice(options) for _, options in chosen]
        if rng.random() < 0.3:
            at = chosen.index(name)
            pairs = list(self.words["split_name"].items())
            if rng.random() < 0.5:
                pairs.reverse()
            titles[at : at + 1] = [rng.choice(title.split("|")) for title, _ in pairs]
            forms[at : at + 1] = [form for _, form in pairs]
        return titles, forms

    def _cell(self, form: str, role: str) -> Cell:
        pieces = self.render(_parsed(form.replace("{.", f"{{{role}.")))
        for piece in pieces:
            piece.text = piece.text.replace("\n", ", ")
            piece.source = piece.source.replace("\n", ", ")
        return pieces

    def _separated(self, rows: list[list[Cell]]) -> list[Cell]:
        """Values between separators, quoted where they hold one."""
        mark = self.rng.choice(",,;\t")
        always = self.rng.random() < 0.2

        def quoted(cell: Cell) -> Cell:
            needed = always or any(mark in piece.text for piece in cell)
            return [Piece('"'), *cell, Piece('"')] if needed else cell

        return [_joined(map(quoted, row), mark) for row in rows]

    def _piped(self, rows: list[list[Cell]]) -> list[Cell]:
        """Values between upright lines, as Markdown and terminals show them."""
        lines = [[Piece("| "), *_joined(row, " | "), Piece(" |")] for row in rows]
        if self.rng.random() < 0.6:
            lines.insert(1, [Piece("|" + "---|" * len(rows[0]))])
        return lines

    def _fixed_width(self, rows: list[list[Cell]]) -> list[Cell]:
        """Values under each other, filled up with blanks."""
        lengths = [[sum(len(p.text) for p in cell) for cell in row] for row in rows]
        widths = [max(column) + self.rng.randint(1, 3) for column in zip(*lengths)]
        lines = []
        for row, sizes in zip(rows, lengths):
            blanks = (" " * (width - size) for size, width in zip(sizes, widths))
            filled = ([*cell, Piece(blank)] for cell, blank in zip(row, blanks))
            lines.append([piece for cell in filled for piece in cell])
        if self.rng.random() < 0.4:
            lines.insert(1, [Piece(self.rng.choice("-=_") * sum(widths))])
        return lines


def _joined(row: Iterable[Cell], mark: str) -> Cell:
    return [piece for cell in row for piece in (Piece(mark), *cell)][1:]
