"""Short ways to say that a claim holds, fails, or cannot be judged, with what a user is told."""

from __future__ import annotations

import pytest

from roofdsl.diagnostics import RoofError
from roofdsl.quantities.session import Session
from roofdsl.report.message import render_diagnostics
from roofdsl.report.verdict import render_verdict
from tests.asking import verdict


def holds(session: Session, text: str) -> None:
    found = verdict(session, text)
    assert found.outcome == "proved", render_verdict(found, session)


def fails(session: Session, text: str, *said: str) -> None:
    """Refuted, with these words in what is said about it."""
    found = verdict(session, text)
    assert found.outcome == "refuted", render_verdict(found, session)
    shown = render_verdict(found, session)
    for words in said:
        assert words in shown, shown


def message_of(session: Session, text: str) -> str:
    """What a user is told about a claim that cannot be judged."""
    with pytest.raises(RoofError) as caught:
        verdict(session, text)
    return render_diagnostics(caught.value.diagnostics, colour=False)
