#!/usr/bin/env bash
# What a model costs to compile: the time of its expansion, lines of its generated code (one
# statement a line), time of `cargo check`, not incremental, and of a release build after the file
# was touched. Each example is a crate with one model and a run; the row `json_model` has no generated
# model, so it is what a run costs without one. The models of `models` share one crate: expansion and
# lines of each, and the times of all. `benches/compile_times.sh > docs/compile-times.md`
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_INCREMENTAL=0 # or nothing is checked that did not change

# Expansions are written where the compiler runs, which is here: an older one would be counted.
rm -f -- *.expanded.rs
trap 'rm -f -- *.expanded.rs' EXIT

seconds() { # of a command, with everything else built
    local start end
    start=$(date +%s.%N)
    "$@" >/dev/null 2>&1
    end=$(date +%s.%N)
    echo "$end $start" | awk '{ printf "%.1f", $1 - $2 }'
}

milliseconds() { # that the expansion of a file took
    sed -n '1s/^\/\/ Expanded in \([0-9]*\) ms\.$/\1/p' "$1"
}

sum() { # of numbers, one a line
    awk '{ sum += $1 } END { print sum + 0 }'
}

lines() { # of code, without the line that says how long the expansion took
    echo $(($(wc -l <"$1") - 1))
}

expansions() { # milliseconds and lines of each file
    local file
    for file in *.expanded.rs; do
        [ -e "$file" ] || continue
        echo "${file%.expanded.rs} $(milliseconds "$file") $(lines "$file")"
    done
}

cat <<'TEXT'
# What a model costs to compile

Written by `benches/compile_times.sh`, on the machine of whoever ran it last. Expansion is the time that
the macro takes; lines are those of the file that `POLHODE_EXPAND` writes, one statement a line; times
are of `cargo check` and of a release build after the file was touched, everything else being built.

Each example is a crate with one model and one run; `json_model` has no generated model.

TEXT
echo "| example | expansion, ms | generated lines | check, s | release build, s |"
echo "|---------|---------------|-----------------|----------|------------------|"
for example in json_model heavy_top driven_pendulum slider_crank robot_arm; do
    cargo check --quiet --example "$example"
    cargo build --quiet --release --example "$example"
    touch "examples/$example.rs"
    POLHODE_EXPAND='*' cargo check --quiet --example "$example"
    found=$(expansions)
    rm -f -- *.expanded.rs
    expansion=$(echo "$found" | awk '{ print $2 }' | sum)
    lines=$(echo "$found" | awk '{ print $3 }' | sum)
    touch "examples/$example.rs"
    check=$(seconds cargo check --example "$example")
    touch "examples/$example.rs"
    build=$(seconds cargo build --release --example "$example")
    echo "| \`$example\` | $expansion | $lines | $check | $build |"
done

cargo check --quiet -p polhode-models --lib
cargo build --quiet --release -p polhode-models --lib
touch models/src/lib.rs
POLHODE_EXPAND='*' cargo check --quiet -p polhode-models --lib
found=$(expansions)
rm -f -- *.expanded.rs
touch models/src/lib.rs
check=$(seconds cargo check -p polhode-models --lib)
touch models/src/lib.rs
build=$(seconds cargo build --release -p polhode-models --lib)
cat <<TEXT

The models of \`models\`, which are one crate: ${check} s to check and ${build} s to build for release, with
the solvers of each for the program.

TEXT
echo "| model | expansion, ms | generated lines |"
echo "|-------|---------------|-----------------|"
echo "$found" | awk '{ printf "| `%s` | %s | %s |\n", $1, $2, $3 }'
