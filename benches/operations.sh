#!/usr/bin/env bash
# Floating-point operations per step of the heavy top in a release build: generated code,
# code written by hand, and their ratio.
#
# What is executed is counted: callgrind counts every instruction, objdump says what it
# is. The build has no packed operations, or halves of them that are not used would count,
# and how many there are changes with everything around. Needs valgrind and objdump.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TARGET_DIR=target/scalar RUSTFLAGS="-C no-vectorize-slp -C no-vectorize-loops"
cargo build --release -p polhode-benches --bin steps
program=$CARGO_TARGET_DIR/release/steps
files=$(mktemp -d)
trap 'rm -r "$files"' EXIT
objdump -d --no-show-raw-insn $program |
    sed -nE 's/^ +([0-9a-f]+):\t(add|sub|mul|div|sqrt)(sd|pd).*/\1 \3/p' >"$files/operations"
count() {
    valgrind --tool=callgrind --dump-instr=yes --compress-pos=no --compress-strings=no \
        --callgrind-out-file="$files/counts" $program "$@" >"$files/log" 2>&1
    # A line with the cost of a call follows the line of the call: not an instruction here.
    awk -v program="$program" '
        NR == FNR { weight["0x" $1] = $2 == "pd" ? 2 : 1; next }
        /^ob=/ { own = index($0, program) > 0 }
        /^calls=/ { call = 1; next }
        /^0x/ { if (!call && own) total += weight[$1] * $NF; call = 0 }
        END { printf "%d", total }' "$files/operations" "$files/counts"
}
for method in he5 ga3; do
    for group in SO3xR3 SE3; do
        for path in generated hand; do
            few=$(count $path $group $method 100)
            many=$(count $path $group $method 1100)
            eval $path=$(((many - few) / 1000))
        done
        echo "$method $group generated $generated hand $hand" \
            "ratio $(awk "BEGIN { printf \"%.3f\", $generated / $hand }")"
    done
done
