#!/usr/bin/env bash
# What a model costs to compile: lines of its generated code (one statement a line), time of
# `cargo check`, not incremental, and of a release build after the file was touched. Each example is a
# crate with one model and a run; the row `json_model` has no generated model, so it is what a
# run costs without one. `benches/compile_times.sh > docs/compile-times.md`
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_INCREMENTAL=0 # or nothing is checked that did not change

seconds() { # of a command, with everything else built
    local start end
    start=$(date +%s.%N)
    "$@" >/dev/null 2>&1
    end=$(date +%s.%N)
    echo "$end $start" | awk '{ printf "%.1f", $1 - $2 }'
}

cat <<'EOF'
# What a model costs to compile

Written by `benches/compile_times.sh`, on the machine of whoever ran it last. Each example is a crate
with one model and one run; `json_model` has no generated model. Lines are those of the file that
`POLHODE_EXPAND` writes, one statement a line; times are of `cargo check` and of a release build
after the example was touched, everything else being built.

EOF
echo "| example | generated lines | check, s | release build, s |"
echo "|---------|-----------------|----------|------------------|"
for example in json_model heavy_top driven_pendulum slider_crank robot_arm; do
    cargo check --quiet --example "$example"
    cargo build --quiet --release --example "$example"
    lines=0
    for model in $(sed -n 's/^\(pub \)\?struct \([A-Za-z0-9]*\) *{.*/\2/p' "examples/$example.rs"); do
        touch "examples/$example.rs"
        POLHODE_EXPAND=$model cargo check --quiet --example "$example"
        lines=$((lines + $(wc -l <"$model.expanded.rs")))
        rm "$model.expanded.rs"
    done
    touch "examples/$example.rs"
    check=$(seconds cargo check --example "$example")
    touch "examples/$example.rs"
    build=$(seconds cargo build --release --example "$example")
    echo "| \`$example\` | $lines | $check | $build |"
done
