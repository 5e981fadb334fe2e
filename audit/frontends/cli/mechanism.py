"""`audit MECHANISM` and `audit benchmark`: what is declared, its parameters as flags."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import fields, make_dataclass, replace
from pathlib import Path
from typing import Annotated, Any, get_type_hints

from cyclopts import App, Group, Parameter
from numpy.random import default_rng

from audit.blackbox.python import PythonBlackBox
from audit.claims import ApproxDP, PureDP, claim_from
from audit.declaration import Benchmark, Entry, Mechanism, parameters_of
from audit.engine.plan import as_dataset
from audit.engine.run import run
from audit.errors import InputError
from audit.frontends.cli.app import MECHANISM
from audit.frontends.cli.carrying_out import carry_out, check_budget, entry_arguments
from audit.frontends.cli.flags import (
    CLAIM,
    AuditFlags,
    BudgetFlags,
    ClaimFlags,
    DataFlags,
    NameFlag,
    OutputFlags,
    whole_number,
)
from audit.frontends.cli.folding import printing_folded, say
from audit.frontends.cli.invocation import Call, Invocation
from audit.frontends.cli.listing import benchmarks, loaded
from audit.frontends.cli.output import check_kind_of_many, check_writable, worst_code, write
from audit.frontends.cli.progress import steps
from audit.progress import nobody
from audit.report.benchmark import BenchmarkReport, Measured

PARAMETERS = Group(MECHANISM, sort_key=0)
AUDIT_FLAGS = (ClaimFlags, DataFlags, BudgetFlags, NameFlag, OutputFlags)
CLAIM_PARAMETERS = frozenset({"epsilon", "delta", "rho", "mu"})
"""Flags of a claim that set the mechanism's own parameter of that name where it has one."""


def flags_of(
    declared: object,
    prefix: str = "mechanism",
    beside: Sequence[type] = AUDIT_FLAGS,
    left_out: Collection[str] = CLAIM_PARAMETERS,
) -> type:
    """A dataclass with one flag for each parameter.

    Args:
        declared: a mechanism or a benchmark.
        prefix: what stands before a parameter with the name of another flag.
        beside: the other flags of the same command.
        left_out: parameters without a flag.
    """
    texts, hints = described(type(declared)), get_type_hints(type(declared))
    taken = {f.name for kind in beside for f in fields(kind)}
    return _made(
        "OwnFlags",
        [
            (name, _flag(name, hints[name], texts.get(name, ""), prefix * (name in taken)), value)
            for name, value in parameters_of(declared).items()
            if name not in left_out
        ],
    )


def _made(name: str, flags: list[tuple[str, Any, Any]], bases: tuple[type, ...] = ()) -> type:
    # The module in which annotations are read; without one the class would seem to be
    # built into Python, and get no flags.
    module = {"__module__": ClaimFlags.__module__}
    return make_dataclass(
        name, flags, bases=bases, namespace=module, frozen=True, kw_only=True, slots=True
    )


def _flag(name: str, hint: Any, text: str, prefix: str) -> Any:
    shown = f"--{prefix}-{name.replace('_', '-')}" if prefix else None
    converter = whole_number if hint is int else None
    return Annotated[hint, Parameter(name=shown, group=PARAMETERS, help=text, converter=converter)]


def claim_flags_of(mechanism: Mechanism) -> type[ClaimFlags]:
    """The flags of a claim, saying which of them are parameters of the mechanism."""
    texts = described(type(mechanism))
    words = {
        name: f"{texts.get(name, 'claimed ' + name)} [its own parameter: {value:g}]"
        for name, value in parameters_of(mechanism).items()
        if name in CLAIM_PARAMETERS
    }
    hints = {n: Annotated[float | None, Parameter(group=CLAIM, help=w)] for n, w in words.items()}
    flags = [(name, hint, None) for name, hint in hints.items()]
    return _made("OwnClaimFlags", flags, (ClaimFlags,))


def rebuilt(entry: Entry, chosen: Any, claim: ClaimFlags) -> Entry:
    """The entry with the parameters that were chosen; its claim follows.

    Raises:
        InputError: the mechanism refuses a parameter.
    """
    own = parameters_of(entry.mechanism)
    given = {name: getattr(chosen, name) for name in own if hasattr(chosen, name)}
    given |= {name: value for name, value in claim.given().items() if name in own}
    changed = {name: value for name, value in given.items() if value != own[name]}
    if not changed:
        return entry
    mechanism: Any = _rebuilt(entry, changed)
    # The summary speaks of the default parameters; a claim's do not change what it says.
    summary = entry.summary if changed.keys() <= CLAIM_PARAMETERS else ""
    return replace(entry, mechanism=mechanism, summary=summary)


def _rebuilt(entry: Entry, changed: dict[str, Any]) -> Any:
    try:
        mechanism: Any = replace(entry.mechanism, **changed)  # type: ignore[type-var]
    except InputError:
        if changed.get("epsilon") != 0:
            raise
        mechanism = None
    if changed.get("epsilon") == 0 and not _releases(mechanism, entry):
        raise InputError(
            f"--epsilon 0 is the parameter of {entry.name} that its noise follows from as well, "
            "and none follows from 0; give one above 0, or to claim 0 of it as it is, --profile "
            "FILE with the two lines epsilon,delta and 0,0",
            0.0,
        )
    return mechanism


def _releases(mechanism: Any, entry: Entry) -> bool:
    """True if there is a mechanism whose noise can be computed."""
    if mechanism is None:
        return False
    try:
        box = PythonBlackBox(mechanism.release, entry.name)
        box.bind(as_dataset(entry.data)).draw(default_rng(0), 1)
    except (ArithmeticError, ValueError):
        return False
    except Exception:  # of whatever else is wrong, the audit tells
        return True
    return True


def claim_arguments(mechanism: Mechanism, claim: ClaimFlags) -> dict[str, Any]:
    """The claim to audit instead of the mechanism's own, as arguments of `claim_from`.

    What set a parameter of the mechanism is part of its own claim already, but
    for a delta that this claim does not speak of.
    """
    given = claim.given()
    own = parameters_of(mechanism)
    stated = {name: value for name, value in given.items() if name not in own}
    if "delta" not in given or "epsilon" in stated:
        return stated
    held = mechanism.claim
    stands = isinstance(held, ApproxDP) and held.delta_claimed == given["delta"]
    if isinstance(held, (PureDP, ApproxDP)) and not stands:
        return {**stated, "epsilon": held.level, "delta": given["delta"]}
    return stated


_ATTRIBUTE = re.compile(r"^    (\w+): (.*(?:\n(?:     .*)?$)*)", re.MULTILINE)
_HEADING = re.compile(r"^(?=\S)", re.MULTILINE)


def described(kind: type) -> dict[str, str]:
    """The words behind each name in the sections "Attributes:" of a class and its bases."""
    found: dict[str, str] = {}
    for part in reversed(kind.__mro__):
        _, _, rest = inspect.cleandoc(part.__doc__ or "").partition("Attributes:\n")
        named = _ATTRIBUTE.findall(_HEADING.split(rest)[0])
        found |= {name: " ".join(words.split()).rstrip(".") for name, words in named}
    return found


def command_for(entry: Entry) -> Callable[..., int]:
    """The command that audits an entry."""
    own_flags, claim_flags = flags_of(entry.mechanism), claim_flags_of(entry.mechanism)
    all_flags = _made("OwnAuditFlags", [("claim", claim_flags, claim_flags())], (AuditFlags,))
    own_default, default = own_flags(), all_flags()

    def audited(*, own: Any = own_default, flags: Any = default, invocation: Call) -> int:
        chosen = rebuilt(entry, own, flags.claim)
        arguments = entry_arguments(entry, flags)
        arguments["claim"] = claim_from(**claim_arguments(chosen.mechanism, flags.claim))
        return carry_out(chosen, arguments, flags, invocation)

    flattened = Parameter(name="*")
    audited.__annotations__ |= {
        "own": Annotated[own_flags, flattened],
        "flags": Annotated[all_flags, flattened],
    }
    audited.__doc__ = f"Audit {entry.name}: {entry.summary}."
    return audited


def examples(entry: Entry) -> tuple[str, ...]:
    """Command lines worth trying."""
    return (
        f"audit {entry.name}",
        f"audit {entry.name} --report reports",
        f"audit {entry.name} --max-samples 2000000 --format json",
    )


_PREFIX = "data"
_MOST_STEPS = 1000


def group(help: str, usage: str, page: dict[str, Any]) -> App:
    """The command with one subcommand for each installed benchmark, all with the same help page.

    Raises:
        InputError: a benchmark cannot be loaded.
    """
    app = App(name="benchmark", help=help, usage=usage, **page)
    app.default(_unknown)
    for name, point in benchmarks().items():
        app.command(benchmark_command(name, loaded(point)), name=name, **page)
    return app


def _unknown(*name: str) -> int:
    wrong = f"{name[0]!r} is no benchmark; " if name else ""
    raise InputError(f"{wrong}name one of: {', '.join(benchmarks()) or '(none is installed)'}")


def benchmark_command(name: str, benchmark: Benchmark) -> Callable[..., int]:
    """The command that runs a benchmark."""
    own_flags = flags_of(benchmark, _PREFIX, (BudgetFlags, OutputFlags), ())
    own_default = own_flags()

    def compared(
        *,
        own: Any = own_default,
        epsilon: Annotated[
            float | None, Parameter(group=CLAIM, help="one claimed ε instead of several")
        ] = None,
        sweep: Annotated[
            str | None, Parameter(group=CLAIM, help="claimed ε, as LOW:HIGH:STEP")
        ] = None,
        budget: BudgetFlags = BudgetFlags(),
        output: OutputFlags = OutputFlags(),
        invocation: Call,
    ) -> int:
        check_kind_of_many(output)
        check_writable(output, budget.store)
        check_budget(budget)
        if budget.ledger is not None:
            raise InputError("--ledger is for audits, not for comparisons; leave it out", budget)
        if output.format == "sarif":
            raise InputError("--format sarif is for audits; give text, json or markdown", output)
        chosen: Any = benchmark
        chosen = replace(chosen, **{f: getattr(own, f) for f in parameters_of(benchmark)})
        report = _benchmark_report(name, _over(chosen, epsilon, sweep), budget, output, invocation)
        return _deliver(report, output)

    compared.__annotations__ |= {"own": Annotated[own_flags, Parameter(name="*")]}
    compared.__doc__ = inspect.getdoc(type(benchmark))
    return compared


def _over(benchmark: Benchmark, epsilon: float | None, sweep: str | None) -> Benchmark:
    if epsilon is not None and sweep is not None:
        raise InputError("--epsilon and --sweep say two things; give one of them", sweep)
    if epsilon is not None:
        return benchmark.over(epsilon, epsilon, 1.0)
    if sweep is None:
        return benchmark
    try:
        low, high, step = map(float, sweep.split(":"))
    except ValueError:
        raise InputError(
            f"--sweep {sweep!r} is not LOW:HIGH:STEP; write for example 0.5:2.0:0.5", sweep
        ) from None
    if step > 0 and high - low > _MOST_STEPS * step:
        raise InputError(
            f"--sweep {sweep!r} is more than {_MOST_STEPS:,} steps; take larger ones", sweep
        )
    return benchmark.over(low, high, step)


def _benchmark_report(
    name: str, benchmark: Benchmark, budget: BudgetFlags, output: OutputFlags, call: Invocation
) -> BenchmarkReport:
    compared = benchmark.compared()
    with printing_folded(name), steps(output.progress, len(compared)) as tell:
        rows = []
        for one in compared:
            given = budget.given() | {"shared": True, "command": call.reproducing}
            rows.append(Measured(one, run(one.entry, **given, on_event=nobody)))
            tell(f"{one.approach}, ε = {one.epsilon:g}")
    summary = (inspect.getdoc(type(benchmark)) or name).partition("\n")[0]
    return BenchmarkReport(name, summary, parameters_of(benchmark), rows, call.reproducing)


def _deliver(report: BenchmarkReport, output: OutputFlags) -> int:
    kinds = {"text": report.text, "json": report.json, "markdown": report.markdown}
    write(kinds[output.format](), output.output)
    if output.report is not None:
        say(f"report in {report.write(Path(output.report))[0]}")
    return worst_code([row.result for row in report.rows], output.fail_on)
