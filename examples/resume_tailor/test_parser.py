"""From LaTeX to a résumé: macros, accents, odd files."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from probare.grading import usercode

FOLDER = Path(__file__).parent
parse_resume = usercode.load("tailor.parser:parse_resume", FOLDER)
ResumeError = usercode.load("tailor.parser:ResumeError", FOLDER)
read = usercode.load("tailor.latex:read", FOLDER)


def texts(source: str) -> list[str]:
    return [line.text for line in read(source)]


def fixture(name: str) -> Any:
    return parse_resume((FOLDER / "fixtures" / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (r"Ren\'ee, Ren\'{e}e, Ren{\'e}e", "Renée, Renée, Renée"),
        (r"\"uber \c{c}a \o{}l \ss{} \v{s} \L{}odz", "über ça øl ß š Łodz"),
        (r"R\&D, 40\%, \$5, \#1, a\_b", "R&D, 40%, $5, #1, a_b"),
        (r"\textbf{Go} and {\bf Rust {\em both}}", "Go and Rust both"),
        (r"\href{https://a.example/x\_y}{my page}", "my page"),
        (r"\textcolor{red}{hot} \vspace{-3pt}\small text", "hot text"),
        (r"$\sim$5, 3$\times$ and $|$", "∼5, 3× and |"),
        ("2019--2020 --- ``quoted''", "2019–2020 — “quoted”"),
        (r"\unknown{kept} too", "kept too"),
        (r"\LaTeX{} and \TeX", "LaTeX and TeX"),
        ("half % a comment\na line", "half a line"),
    ],
)
def test_macros_come_out_as_text(source: str, text: str) -> None:
    assert texts(source) == [text]


def test_a_blank_line_ends_a_line_and_an_invisible_macro_does_not() -> None:
    assert texts("one\n\ntwo") == ["one", "two"]
    assert texts("one\n\\vspace{2pt}\ntwo") == ["one two"]
    assert texts("one % \\section{not this}\n\n% nor \\item this\ntwo") == ["one", "two"]


def test_only_the_body_is_read_where_there_is_one() -> None:
    source = (
        "\\documentclass{article}\n% \\begin{document} is further down\n"
        "\\newcommand{\\start}{\\begin{itemize}}\n"
        "\\begin{document}\nAda\n\\end{document}\nleft over"
    )
    assert texts(source) == ["Ada"]


@pytest.mark.parametrize("source", ["\\textbf{Ada", "Ada}", "\\begin{itemize}\\item a", "$x"])
def test_what_is_not_closed_is_said_with_its_place(source: str) -> None:
    document = f"\\newcommand{{\\a}}{{b}}\n\n\\begin{{document}}\n{source}"
    with pytest.raises(ResumeError, match="line 4, column"):
        parse_resume(document)


@pytest.mark.parametrize("source", ["", "   \n", "% nothing but a comment"])
def test_an_empty_file_is_no_resume(source: str) -> None:
    with pytest.raises(ResumeError, match="empty"):
        parse_resume(source)


def test_missing_sections_are_empty() -> None:
    master = parse_resume("Ada Example")
    assert master.contact.name == "Ada Example"
    assert (master.experience, master.education, master.skills) == ((), (), ())
    assert (master.awards, master.other, master.summary) == ((), (), "")


def test_a_section_of_no_known_kind_is_kept() -> None:
    master = parse_resume("Ada\n\\section{Publications}\nOn engines, 1843\n\nOn notes")
    [section] = master.other
    assert (section.title, section.lines) == ("Publications", ("On engines, 1843", "On notes"))
    assert "On engines" in master.text()


@pytest.mark.parametrize(
    "header",
    [
        r"Ada \\ ada@example.org $|$ +44 20 5555 0000 $|$ London \\ \href{https://a.example}{Home}",
        r"""Ada\\ \href{https://a.example}{a.example} \textbullet{}
        \href{mailto:ada@example.org}{mail} \textbullet{} \href{tel:+44 20 5555 0000}{call}""",
        r"""\name{Ada} London \hfill +44 20 5555 0000 \\
        ada@example.org \hfill \url{https://a.example}""",
    ],
)
def test_contacts_in_any_order(header: str) -> None:
    contact = parse_resume(header).contact
    assert (contact.name, contact.email) == ("Ada", "ada@example.org")
    assert (contact.phone, contact.links) == ("+44 20 5555 0000", ("https://a.example",))
    if "mailto" not in header:
        assert contact.location == "London"


@pytest.mark.parametrize(
    "heading",
    [
        r"\resumeSubheading{Engineer}{2019 -- 2020}{Acme \& Sons}{Oslo}",
        "\\resumeSubheading\n  {Acme \\& Sons}{Oslo}\n  {Engineer}{2019 -- 2020}",
        r"\textbf{Acme \& Sons} \hfill Oslo \\ \textit{Engineer} \hfill 2019 -- 2020\\",
        r"\textbf{Engineer} \hfill 2019 -- 2020 \\ Acme \& Sons \hfill Oslo",
        r"\begin{tabular}{lr} Acme \& Sons & Oslo \\ Engineer & 2019 -- 2020 \end{tabular}",
    ],
)
def test_columns_are_told_by_what_stands_in_them(heading: str) -> None:
    bullets = r"\begin{itemize}\item Built it\end{itemize}"
    [job] = parse_resume(f"Ada\n\\section{{Experience}}\n{heading}\n{bullets}").experience
    assert (job.title, job.company, job.location) == ("Engineer", "Acme & Sons", "Oslo")
    assert (job.dates, job.bullets) == ("2019 – 2020", ("Built it",))


def test_entries_without_bullets_are_kept_apart() -> None:
    source = r"""Ada
    \section{Education}
    \textbf{ETH} \hfill 2015--2017\\ \textit{M.Sc. Physics} \hfill Zürich

    \textbf{EPFL} \hfill 2012--2015\\ \textit{B.Sc. Physics} \hfill Lausanne\\ Grade 1.3

    Abitur, Gymnasium, 2012
    """
    first, second, third = parse_resume(source).education
    assert (first.degree, first.school, first.dates) == ("M.Sc. Physics", "ETH", "2015–2017")
    assert (second.school, second.details) == ("EPFL", ("Grade 1.3",))
    assert (third.degree, third.school, third.dates) == ("Abitur", "Gymnasium", "2012")


def test_nested_lists_and_broken_lines_lose_nothing() -> None:
    source = r"""Ada
    \section{Experience}
    \textbf{Engineer} \hfill 2020 \\ Acme
    \begin{itemize}
      \item Outer \begin{itemize} \item Inner {\bf {deep}} \end{itemize}
      \item First line \\ second line
    \end{itemize}
    """
    [job] = parse_resume(source).experience
    assert job.bullets == ("Outer", "Inner deep", "First line second line")


@pytest.mark.parametrize(
    ("item", "title", "date"),
    [
        (r"Prize \hfill 2019", "Prize", "2019"),
        ("Prize, Academy (May 2019)", "Prize, Academy", "May 2019"),
        ("Prize, 2019", "Prize", "2019"),
        ("Prize", "Prize", ""),
    ],
)
def test_awards_with_and_without_dates(item: str, title: str, date: str) -> None:
    [award] = parse_resume(
        rf"Ada\section{{Awards}}\begin{{itemize}}\item {item}\end{{itemize}}"
    ).awards
    assert (award.title, award.date) == (title, date)


def test_skills_as_rows_items_and_plain_lists() -> None:
    rows = parse_resume(r"Ada\section{Skills}\textbf{Web}{: A, B} \\ Data: C; D").skills
    assert [(group.category, group.items) for group in rows] == [
        ("Web", ("A", "B")),
        ("Data", ("C", "D")),
    ]
    [plain] = parse_resume(r"Ada\section{Skills} A, B (x, y), C.").skills
    assert (plain.category, plain.items) == ("", ("A", "B (x, y)", "C"))


def test_control_characters_and_line_ends_do_no_harm() -> None:
    source = (FOLDER / "fixtures" / "sample.tex").read_text(encoding="utf-8")
    odd = source.replace("\n", "\r\n").replace("Kubernetes", "Kuber\x01netes")
    assert parse_resume(odd) == fixture("sample.tex")


def test_a_parsed_resume_cannot_be_changed() -> None:
    master = fixture("sample.tex")
    with pytest.raises(AttributeError):
        master.experience[0].title = "King"
    assert hash(master) == hash(fixture("sample.tex"))
    assert set(master.sources()) >= {"experience[0].bullets[4]", "experience[1].bullets[2]"}
    assert asdict(master)["contact"]["name"] == "Renée Müller-Okafor"
