#!/bin/sh
# Repeats the audits of a library in an environment of its own.
#   reproduce.sh LIBRARY                      all of its calls
#   reproduce.sh LIBRARY --entry NAME         one of them; further flags go to the runner
#   reproduce.sh findings                     one finding of each library
# PYTHON names the interpreter (3.11 to 3.12), ENVIRONMENTS the folder for environments.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH= cd -- "$here/../.." && pwd)
environments=${ENVIRONMENTS:-"$root/.venv-libraries"}

audit() {
    library=$1
    shift
    place="$environments/$library"
    if [ ! -x "$place/bin/python" ]; then
        "${PYTHON:-python3.11}" -m venv "$place"
        "$place/bin/pip" install --quiet --requirement "$here/requirements/$library.txt"
        "$place/bin/pip" install --quiet --no-deps --editable "$root"
    fi
    "$place/bin/python" -m mechanisms.external "$library" "$@" || [ $? -eq 1 ]
}

if [ "${1:-}" = findings ]; then
    audit opendp --entry opendp-laplace-threshold --max-samples 12000
    audit diffprivlib --entry diffprivlib-nanmean --max-samples 8000
    audit inf-tda --entry inf-tda-bounded-repeated --max-samples 5000
    audit smartnoise-sql --entry smartnoise-sql-columns-unclamped --max-samples 2000
    audit pure-ldp --entry pure-ldp-rappor --max-samples 20000
    audit multi-freq-ldpy --entry multi-freq-ldpy-subset --max-samples 20000
    audit pydp --entry pydp-gaussian-bits --max-samples 10000
elif [ $# -gt 0 ]; then
    audit "$@"
else
    sed -n '2,6s/^# //p' "$0" >&2
    exit 2
fi
