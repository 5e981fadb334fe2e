"""Five real systems under audit, a folder each; `entries` lists what the catalogue shows of it."""

from mechanisms.systems.dp_sum import entries as dp_sum
from mechanisms.systems.inf_tda import entries as inf_tda
from mechanisms.systems.noisy_average import entries as noisy_average
from mechanisms.systems.primer import entries as primer
from mechanisms.systems.report_noisy_max import entries as report_noisy_max

SYSTEMS = (
    noisy_average.ENTRIES,
    report_noisy_max.ENTRIES,
    primer.ENTRIES,
    dp_sum.ENTRIES,
    inf_tda.ENTRIES,
)
