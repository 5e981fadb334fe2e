"""Five real systems under audit, a folder each; `entries` lists those of the catalogue."""

from audit.declaration import Entry
from mechanisms.systems.dp_sum import entries as dp_sum
from mechanisms.systems.inf_tda import entries as inf_tda
from mechanisms.systems.noisy_average import entries as noisy_average
from mechanisms.systems.primer import entries as primer
from mechanisms.systems.report_noisy_max import entries as report_noisy_max

_SYSTEMS = (noisy_average, report_noisy_max, primer, dp_sum, inf_tda)

ENTRIES: tuple[Entry, ...] = tuple(entry for system in _SYSTEMS for entry in system.ENTRIES)
