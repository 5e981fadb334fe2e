"""`audit benchmark NAME`: approaches to one job, their accuracy beside their audited epsilon."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter

from audit.declaration import Benchmark, Compared, parameters_of
from audit.engine.run import run
from audit.errors import InputError
from audit.frontends.cli.carrying_out import check_budget
from audit.frontends.cli.catalogs import benchmarks, loaded
from audit.frontends.cli.commands.mechanism import flags_of
from audit.frontends.cli.flags import CLAIM, BudgetFlags, OutputFlags
from audit.frontends.cli.folding import printing_folded, say
from audit.frontends.cli.invocation import Call, Invocation
from audit.frontends.cli.output import check_kind_of_many, check_writable, worst_code, write
from audit.frontends.cli.progress import steps
from audit.progress import nobody
from audit.report.benchmark import BenchmarkReport, Measured

_PREFIX = "data"
_MOST_STEPS = 1000


def group(help: str, usage: str, page: dict[str, Any]) -> App:
    """The command with one subcommand for each installed benchmark.

    Args:
        help: its purpose.
        usage: the line at the head of its help page.
        page: further arguments of `App` for help pages.

    Raises:
        InputError: a benchmark cannot be loaded.
    """
    app = App(name="benchmark", help=help, usage=usage, **page)
    app.default(_unknown)
    for name, point in benchmarks().items():
        app.command(command_for(name, loaded(point)), name=name, **page)
    return app


def _unknown(*name: str) -> int:
    wrong = f"{name[0]!r} is no benchmark; " if name else ""
    raise InputError(f"{wrong}name one of: {', '.join(benchmarks()) or '(none is installed)'}")


def command_for(name: str, benchmark: Benchmark) -> Callable[..., int]:
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
        chosen: Any = benchmark
        chosen = replace(chosen, **{f: getattr(own, f) for f in parameters_of(benchmark)})
        report = _report(name, _over(chosen, epsilon, sweep), budget, output, invocation)
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


def _report(
    name: str, benchmark: Benchmark, budget: BudgetFlags, output: OutputFlags, call: Invocation
) -> BenchmarkReport:
    compared = benchmark.compared()
    with printing_folded(name), steps(output.progress, len(compared)) as tell:
        rows = list(_measured(compared, budget, call, tell))
    summary = (inspect.getdoc(type(benchmark)) or name).partition("\n")[0]
    return BenchmarkReport(name, summary, parameters_of(benchmark), rows, call.reproducing)


def _measured(
    compared: Sequence[Compared], budget: BudgetFlags, call: Invocation, tell: Callable[[str], None]
) -> Iterator[Measured]:
    for one in compared:
        result = run(
            one.entry,
            **budget.given(),
            shared=True,
            command=call.reproducing,
            on_event=nobody,
        )
        tell(f"{one.approach}, ε = {one.epsilon:g}")
        yield Measured(one, result)


def _deliver(report: BenchmarkReport, output: OutputFlags) -> int:
    kinds = {"text": report.text, "json": report.json, "markdown": report.markdown}
    write(kinds[output.format](), output.output)
    if output.report is not None:
        say(f"report in {report.write(Path(output.report))[0]}")
    return worst_code([row.result for row in report.rows], output.fail_on)
