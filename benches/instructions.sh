#!/usr/bin/env bash
# Instructions per step of the heavy top in the default release build, counted
# by callgrind as the difference of two runs. Needs valgrind.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build --release -p polhode-benches --bin steps
count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null target/release/steps "$@" 2>&1 |
        sed -n 's/.*Collected : //p'
}
for path in generated hand generic; do
    groups="SO3xR3 SE3 S3xR3 S3sR3"
    if [ $path = hand ]; then groups="SO3xR3 SE3"; fi
    for method in he5 ga3; do
        for group in $groups; do
            few=$(count $path $group $method 100)
            many=$(count $path $group $method 1100)
            echo "$path $method $group $(((many - few) / 1000))"
        done
    done
done
