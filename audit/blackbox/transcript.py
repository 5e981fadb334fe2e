"""Sessions as a black box: what is asked is part of the data, the transcript is the output."""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Callable
from typing import Any

from numpy.random import Generator

from audit.blackbox.callables import shape_of
from audit.blackbox.python import name_of
from audit.errors import AuditError, InputError

DATA, QUESTIONS = "data", "questions"
"""Keys of a dataset with what is asked about it."""
_MUTABLE = (list, dict, set)


def transcripts_of(factory: Any) -> Callable[..., list[Any]]:
    """The function that opens a session, asks one question after the other, and keeps the answers.

    Args:
        factory: f(data) or f(data, rng), or a class, that opens a session: an object whose
            `ask(question)` answers, or a function that does.

    Returns:
        f(data) or f(data, rng), where data is {"data": ..., "questions": [...]}. It gives one
        answer for each question; of a question that ended in an exception "raised" and its
        type, and the session goes on.

    Raises:
        InputError: the factory takes something else.
    """
    shape = shape_of(factory, name_of(factory))
    if shape.size is not None:
        raise InputError(
            f"{name_of(factory)} takes a size, but a session is one draw; give f(data) or "
            "f(data, rng)",
            factory,
        )
    names = () if shape.rng is None else (shape.rng,)

    def transcript(data: Any, *rng: Generator) -> list[Any]:
        ask = answering(factory(data[DATA], **dict(zip(names, rng, strict=True))))
        return [_answer(ask, question) for question in data[QUESTIONS]]

    # With name, module and place of the factory, so that its code is what is looked at.
    functools.update_wrapper(transcript, factory, updated=())
    given = ("data", "rng")[: 1 + len(names)]
    parameters = [inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD) for n in given]
    transcript.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return transcript


def answering(session: Any) -> Callable[[Any], Any]:
    """Callable that answers a question.

    Raises:
        InputError: nothing can be asked.
    """
    ask = getattr(session, "ask", session)
    if not callable(ask):
        raise InputError(
            f"a session of type {type(session).__name__} has no method ask; let the factory give "
            "an object with ask(question), or a function",
            session,
        )
    return ask  # type: ignore[no-any-return]


def _answer(ask: Callable[[Any], Any], question: Any) -> Any:
    try:
        found = ask(question)
    except AuditError:
        raise
    except Exception as error:
        return f"raised {type(error).__name__}"
    # The session may go on changing what it has given.
    return copy.copy(found) if isinstance(found, _MUTABLE) else found
