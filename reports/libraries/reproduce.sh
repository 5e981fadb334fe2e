#!/bin/sh
# Repeats the audits of a library in an environment of its own.
#   reproduce.sh LIBRARY                      all of its calls
#   reproduce.sh LIBRARY --entry NAME         one of them, written by hand or enumerated; further
#                                             flags go to the runner
#   reproduce.sh LIBRARY --enumerated         its enumerated calls; with --list, their names
#   reproduce.sh findings [LIBRARY]           every broken promise, of all libraries or of one
#   reproduce.sh drafts [LIBRARY]             the examples of drafts/, without the auditor
# PYTHON names the interpreter (3.11 to 3.12), ENVIRONMENTS the folder for environments, INSTALL
# what installs into one ("uv pip" is faster than its own pip).
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
root=$(CDPATH= cd -- "$here/../.." && pwd)
environments=${ENVIRONMENTS:-"$root/.venv-libraries"}
python=${PYTHON:-python3.11}

say() {
    printf '%s %s\n' "$(date +%H:%M:%S)" "$*" >&2
}

prepare() {
    place="$environments/$1"
    if [ ! -x "$place/bin/python" ]; then
        say "$1: a new environment in $place"
        "$python" -m venv "$place"
        install="${INSTALL:-$place/bin/python -m pip} install --quiet"
        [ -z "${INSTALL:-}" ] || install="$install --python $place/bin/python"
        $install --requirement "$here/requirements/$1.txt"
        $install --no-deps --editable "$root"
    fi
}

audit() {
    library=$1
    shift
    prepare "$library"
    "$environments/$library/bin/python" -m mechanisms.external "$library" "$@" || [ $? -eq 1 ]
}

# name library call samples, a line for each broken promise
promises() {
    "$python" -c '
import sys, tomllib
for cause in tomllib.load(open(sys.argv[1], "rb"))["cause"]:
    if cause["kind"] == "real" and sys.argv[2] in ("", cause["library"]):
        print(cause["name"], cause["library"], cause["calls"][0], cause.get("samples", 8000))
' "$here/causes.toml" "${1:-}"
}

findings() {
    list=$(promises "${1:-}")
    total=$(printf '%s\n' "$list" | wc -l)
    started=$(date +%s)
    done=0
    missed=0
    while read -r name library call samples; do
        done=$((done + 1))
        prepare "$library"
        verdict=0
        "$environments/$library/bin/python" -m mechanisms.external "$library" --line \
            --entry "$call" --max-samples "$samples" --until violation </dev/null || verdict=$?
        [ "$verdict" -eq 1 ] || missed=$((missed + 1))
        say "$done of $total, $(($(date +%s) - started)) s: $name" \
            "$([ "$verdict" -eq 1 ] && echo reproduced || echo NOT REPRODUCED)"
    done <<EOF
$list
EOF
    say "$((total - missed)) of $total broken promises reproduced"
    [ "$missed" -eq 0 ]
}

drafts() {
    promises "${1:-}" | while read -r name library _; do
        prepare "$library"
        say "$name"
        sed -n '/^```python$/,/^```$/p' "$here/drafts/$name.md" | sed '/^```/d' |
            "$environments/$library/bin/python" -
    done
}

case ${1:-} in
    findings | drafts) "$@" ;;
    "") sed -n '2,10s/^# //p' "$0" >&2; exit 2 ;;
    *) audit "$@" ;;
esac
