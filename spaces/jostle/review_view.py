"""A review as HTML: the case with its edit marked, and how two reviewers agree. All text of the data is escaped."""

from __future__ import annotations

import math
from collections.abc import Mapping
from html import escape

from review_session import ANSWERS, Agreement, Session

from jostle.pairs.marks import GONE, NEW, Piece, marked
from jostle.perturb import available
from jostle.review_queue import Case

DIFFERENCES_SHOWN = 20
_WHOLE = 10**9  # no stretch of a text is left out: a reviewer reads all of it

CSS = """
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: .8rem; }
.side { border: 1px solid var(--border-color-primary); border-radius: 10px; padding: .8rem 1rem; min-width: 0;
  background: var(--background-fill-primary); }
.side .head { margin: 0 0 .5rem; font-size: .9rem; font-weight: 600; display: flex; flex-wrap: wrap; gap: .5rem;
  justify-content: space-between; }
.gold { border: 1px solid currentColor; border-radius: 99px; padding: 0 .6em; font-weight: 600;
  overflow-wrap: anywhere; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 1.05rem; line-height: 1.55; margin: 0 0 .6rem; }
.name { font-size: .8rem; margin: 0; }
ins, del { border-radius: 3px; padding: 0 .12em; color: inherit; }
ins { background: rgba(17, 145, 85, .22); text-decoration: underline; text-decoration-thickness: 2px; }
del { background: rgba(200, 45, 30, .20); text-decoration: line-through; }
.where { display: flex; flex-wrap: wrap; gap: .2rem 1rem; justify-content: space-between; margin: 0; }
progress { appearance: none; width: 100%; height: .5rem; margin: .3rem 0 .8rem; border: 0; border-radius: 99px;
  background: var(--border-color-primary); overflow: hidden; }
progress::-webkit-progress-bar { background: var(--border-color-primary); }
progress::-webkit-progress-value { background: #2f9e6b; } progress::-moz-progress-bar { background: #2f9e6b; }
.ask { font-size: 1.2rem; margin: .9rem 0 .2rem; }
.promise { margin: 0 0 .8rem; } .key { font: .8rem ui-monospace, monospace; overflow-wrap: anywhere; margin: 0; }
.figure { font-size: 1.5rem; font-weight: 700; margin: .2rem 0; }
table { border-collapse: collapse; margin: .6rem 0; } th, td { padding: .2rem .7rem; text-align: right; }
th { font-weight: 600; } td, th { border-bottom: 1px solid var(--border-color-primary); }
.differ li { overflow-wrap: anywhere; }
"""


def panel(session: Session) -> str:
    """The case that is shown, or what became of all of them."""
    case = session.case
    body = _end(session) if case is None else _case(case) + _earlier(session, case)
    return f"{_progress(session)}{body}"


def _progress(session: Session) -> str:
    total, counts = len(session.cases), session.counts()
    said = ", ".join(f"{counts[answer]} {answer}" for answer in ANSWERS.values())
    where = f"{session.at + 1} of {total}" if session.case else f"End of {total}"
    return (
        f'<p class="where"><strong>{where}</strong><span>{counts.total()} decided: {said}</span></p>'
        f'<progress max="{total}" value="{counts.total()}" aria-label="cases decided"></progress>'
    )


def _end(session: Session) -> str:
    left = len(session.cases) - session.counts().total()
    said = "Every case is decided." if not left else f"{left} cases are open: go back, or export and resume later."
    return f'<p class="ask">{said}</p>'


def _case(case: Case) -> str:
    edits = {name: marked(text, case.edited[name], _WHOLE) for name, text in case.base.items()}
    sides = (
        _side("Base", case.base_label, edits, NEW, "del"),
        _side("Variant", case.edited_label, edits, GONE, "ins"),
    )
    return (
        f'{_promise(case)}<div class="sides">{"".join(sides)}</div>{_question(case)}<p class="key">{_e(case.key)}</p>'
    )


def _promise(case: Case) -> str:
    """What is promised of the label, and by what kind of edit."""
    operator = available().get(case.operator)
    if case.relation == "invariant":
        kept = f"the label stays {_e(case.base_label)}" if case.base_label else "the meaning stays"
    else:
        source = f" from {_e(case.base_label)}" if case.base_label else ""
        kept = f"the label changes{source} to {_e(case.edited_label)}"
    by = f"<strong>{_e(case.operator)}</strong>: " if case.operator else ""
    return f'<p class="promise">{by}{kept}. {_e(operator.promise) if operator else ""}</p>'


def _question(case: Case) -> str:
    if not case.edited_label:
        return '<p class="ask">Does the variant keep the meaning of the base?</p>'
    when = "still" if case.relation == "invariant" else "now"
    return f'<p class="ask">Is <strong>{_e(case.edited_label)}</strong> {when} the right label?</p>'


def _side(title: str, label: str, edits: Mapping[str, list[Piece]], other: str, tag: str) -> str:
    """One side: what it shares with the other as it is, its own words marked."""
    gold = f'<span class="gold">{_e(label)}</span>' if label else ""
    parts = [f'<div class="side"><p class="head"><span>{title}</span>{gold}</p>']
    for name, pieces in edits.items():
        text = "".join(
            f"<{tag}>{_e(piece.text)}</{tag}>" if piece.kind in (GONE, NEW) else _e(piece.text)
            for piece in pieces
            if piece.kind != other
        )
        parts.append((f'<p class="name">{_e(name)}</p>' if len(edits) > 1 else "") + f'<p class="text">{text}</p>')
    return "".join(parts) + "</div>"


def _earlier(session: Session, case: Case) -> str:
    row = session.decisions.get(case.key)
    if row is None:
        return ""
    who = f" by {_e(str(row['reviewer']))}" if row["reviewer"] else ""
    when = f" on {_e(str(row['date']))}" if row["date"] else ""
    return f"<p>Answered <strong>{ANSWERS[row['status']]}</strong>{who}{when}; a new answer takes its place.</p>"


def agreement_html(found: Agreement) -> str:
    """Kappa in a sentence, the table of answers, and the cases where the two differ."""
    first, second = (_e(name) for name in found.names)
    kappa, n = found.kappa["kappa"], found.kappa["n"]
    said = "not defined (both gave one answer to everything)" if math.isnan(kappa) else f"{kappa:.3f}"
    answers = list(ANSWERS.values())
    head = "".join(f"<th scope='col'>{answer}</th>" for answer in answers)
    rows = "".join(
        f"<tr><th scope='row'>{own}</th>{''.join(f'<td>{found.table[own, other]}</td>' for other in answers)}</tr>"
        for own in answers
    )
    return (
        f'<p class="figure">Cohen\'s kappa {said}</p>'
        f"<p>{first} and {second} both judged {n} of them and gave the same answer to "
        f"{n - len(found.differ)} ({found.kappa['agreement']:.1%}).</p>"
        f"<table><caption>{first} (rows) and {second} (columns)</caption><tr><td></td>{head}</tr>{rows}</table>"
        f"{_differences(found)}"
    )


def _differences(found: Agreement) -> str:
    shown = found.differ[:DIFFERENCES_SHOWN]
    if not shown:
        return ""
    lines = "".join(f"<li>{_e(key)}: {own} / {other}</li>" for key, own, other in shown)
    rest = len(found.differ) - len(shown)
    more = f"<p>and {rest} more</p>" if rest else ""
    return f'<p>They differ on {len(found.differ)}:</p><ul class="differ">{lines}</ul>{more}'


def _e(text: str) -> str:
    return escape(text)
