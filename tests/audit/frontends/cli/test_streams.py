"""What is said on standard error neither steers a terminal nor fills it."""

from __future__ import annotations

import pytest

from audit.frontends.cli.folding import say


@pytest.mark.parametrize(
    ("message", "said"),
    [
        ("one\n two\tthree ", "audit: one two three\n"),
        ("\x1b[2Jgone\x07", "audit: \\x1b[2Jgone\\x07\n"),
        ("\u202ereversed \ud800", "audit: \\u202ereversed \\ud800\n"),
        ("é 日本", "audit: é 日本\n"),
    ],
)
def test_a_message_is_one_visible_line(
    capsys: pytest.CaptureFixture[str], message: str, said: str
) -> None:
    say(message)
    assert capsys.readouterr().err == said


def test_a_long_message_keeps_its_start_and_its_end(capsys: pytest.CaptureFixture[str]) -> None:
    say(f"--flag '{'9' * 5000}' is no number; write 1")
    said = capsys.readouterr().err
    assert said.startswith("audit: --flag '999")
    assert said.endswith("999' is no number; write 1\n")
    assert len(said) < 1500
