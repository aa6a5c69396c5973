//! Chains and rods in the program: any number of elements.

mod program_support;

use program_support::{Scratch, json, number, polhode, stderr, stdout};
use serde_json::Value;

const LINES: [&str; 4] = ["chain", "roll-up", "spaghetti", "rod-pendulum"];

#[test]
fn accurate_runs_agree_with_the_references() {
    // The velocities of the references are certain to 5e-10, their multipliers to 3e-8.
    for (model, group) in [
        ("roll-up", "S3sR3"),
        ("roll-up", "SO3xR3"),
        ("spaghetti", "S3xR3"),
        ("spaghetti", "SE3"),
    ] {
        for held in ["held=2", "held=3"] {
            let arguments = ["run", model, "--group", group, "--param", held];
            let run = json(&[&arguments[..], &["--until", "1", "--json"]].concat());
            for (field, bound) in [
                ("position", 1e-10),
                ("rotation", 1e-10),
                ("velocity", 1e-8),
                ("lambda", 1e-6),
            ] {
                let error = number(&run["error"][field]);
                assert!(error < bound, "{model} {group} {held} {field}: {error}");
            }
        }
    }
    for group in ["SO3xR3", "SE3"] {
        for n in ["2", "10"] {
            let run = json(&["run", "chain", "--n", n, "--group", group, "--json"]);
            let error = number(&run["error"]["position"]);
            assert!(error < 1e-9, "{n} links in {group}: {error}");
        }
    }
}

#[test]
fn any_number_of_elements_runs() {
    for model in LINES {
        for n in ["1", "2", "33"] {
            let rest = ["--method", "ga2s", "--step", "1e-4", "--until", "1e-3"];
            let run = json(&[&["run", model, "--n", n, "--json"][..], &rest].concat());
            assert_eq!(run["path"], "generated");
            let described = json(&["describe", model, "--n", n, "--json"]);
            let bodies = number(&described["bodies"]);
            let shown = run["state"].as_object().expect("bodies").len();
            if bodies <= 24.0 {
                assert!((bodies - f64::from(u8::try_from(shown).expect("few"))).abs() < 0.5);
                assert!(run["omitted"].is_null());
            } else {
                assert_eq!(shown, 6, "both ends of {model}");
                assert!((number(&run["omitted"]["bodies"]) - (bodies - 6.0)).abs() < 0.5);
            }
            let dot = stdout(&polhode(&["describe", model, "--n", n, "--dot"]));
            assert!(
                dot.starts_with("graph") && dot.matches("--").count() >= 1,
                "{dot}"
            );
        }
    }
}

/// The rod with its bob as it is declared, put together by hand, and as data.
#[test]
fn all_paths_of_the_rod_pendulum_agree() {
    let end = |path: &str| {
        let rest = ["--n", "4", "--until", "0.05", "--path", path, "--json"];
        let run = json(&[&["run", "rod-pendulum"][..], &rest].concat());
        let bob = run["state"]["bob"]["position"].clone();
        let bob = bob.as_array().expect("three").iter().map(number);
        bob.collect::<Vec<f64>>()
    };
    let hand = end("hand");
    assert!(hand[2] < -1e-3, "it falls: {hand:?}");
    for path in ["generated", "generic"] {
        for (x, y) in end(path).iter().zip(&hand) {
            assert!((x - y).abs() < 1e-10, "{path}: {x} {y}");
        }
    }
}

#[test]
fn the_generic_system_moves_like_the_chain() {
    let state = |path| {
        let run = json(&["run", "chain", "--n", "4", "--path", path, "--json"]);
        run["state"]["link.3"]["position"].clone()
    };
    for (x, y) in state("hand")
        .as_array()
        .expect("three")
        .iter()
        .zip(state("generic").as_array().expect("three"))
    {
        assert!((number(x) - number(y)).abs() < 1e-9, "{x} {y}");
    }
}

#[test]
fn files_of_a_rod_show_its_shape() {
    let scratch = Scratch::new("rod");
    let out = scratch.path("out");
    let arguments = ["run", "rod-pendulum", "--until", "0.05", "--out", &out];
    let output = polhode(&arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(scratch.read("out/shapes.svg").ends_with("</svg>\n"));
    let view = scratch.read("out/view.html");
    let start = view.find("application/json\">").expect("data") + "application/json\">".len();
    let end = start + view[start..].find("</script>").expect("end of data");
    let scene: Value = serde_json::from_str(&view[start..end]).expect("JSON");
    assert_eq!(scene["bodies"][0]["name"], "bob");
    assert_eq!(
        scene["curves"][0]["points"].as_array().map(Vec::len),
        Some(13)
    );
    assert_eq!(scene["poses"][0].as_array().map(Vec::len), Some(14));
}

#[test]
fn steps_end_where_the_load_has_a_kink() {
    let scratch = Scratch::new("kink");
    let out = scratch.path("out");
    let arguments = [
        "run",
        "spaghetti",
        "--n",
        "2",
        "--rtol",
        "1e-6",
        "--until",
        "2.6",
    ];
    let output = polhode(&[&arguments[..], &["--out", &out]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let csv = scratch.read("out/trajectory.csv");
    assert!(csv.lines().any(|line| line.starts_with("2.5,")));
}

#[test]
fn the_bench_measures_several_sizes() {
    for model in ["chain", "roll-up"] {
        let report = json(&["bench", model, "--batches", "1", "--json"]);
        let rows = report["rows"].as_array().expect("rows");
        for method in ["he5", "ga3"] {
            for n in [10.0, 100.0, 1000.0, 10_000.0] {
                let found = rows.iter().find(|row| {
                    row["method"] == method && row["path"] == "hand" && number(&row["n"]) == n
                });
                let row = found.unwrap_or_else(|| panic!("{model} {method} {n}"));
                let ratio = number(&row["ns_per_step"]) / number(&row["ns_per_node"]);
                assert!((ratio / n - 1.0).abs() < 1e-9, "{ratio}");
            }
        }
    }
    let page = stdout(&polhode(&[
        "bench",
        "chain",
        "--n",
        "10",
        "--batches",
        "1",
        "--markdown",
    ]));
    assert!(
        page.starts_with("# Benchmarks")
            && page.contains("| chain | `SO3xR3` | `he5` | hand | 10 |")
    );
}

#[test]
fn wrong_sizes_end_with_one_line_and_code_2() {
    for (arguments, told) in [
        (&["run", "chain", "--n", "0"][..], "between 1 and"),
        (&["run", "roll-up", "--n", "-3"], "elements"),
        (&["run", "spaghetti", "--n", "1.5"], "whole number"),
        (
            &["run", "chain", "--n", "99999999999999999999"],
            "between 1 and",
        ),
        (&["run", "heavy-top", "--n", "3"], "has no --n"),
        (&["bench", "heavy-top", "--n", "3"], "has no --n"),
        (&["bench", "chain", "--n", "0"], "between 1 and"),
        (&["bench", "chain", "--json", "--markdown"], "--markdown"),
        (&["describe", "chain", "--n", "x"], "whole number"),
        (
            &["converge", "chain", "--method", "he2", "--n", "3"],
            "no exact",
        ),
        (&["run", "roll-up", "--param", "held=1"], "one of 0, 2, 3"),
        (
            &["run", "roll-up", "--param", "bending=-1"],
            "between 1 and",
        ),
        (
            &["run", "roll-up", "--n", "33", "--path", "generic"],
            "it has generated, hand",
        ),
        (
            &["run", "roll-up", "--group", "SE3", "--path", "generated"],
            "it has hand, generic",
        ),
        (
            &["run", "chain", "--n", "101", "--path", "generic"],
            "with n = 101",
        ),
        (&["run", "chain", "--group", "S3"], "SO3xR3"),
    ] {
        let output = polhode(arguments);
        let errors = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
        assert!(errors.contains(told), "{arguments:?}: {errors}");
    }
}

#[test]
fn a_step_that_is_too_large_for_a_rod_is_told() {
    let output = polhode(&[
        "run", "roll-up", "--method", "he5", "--step", "0.1", "--json",
    ]);
    let errors = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(
        output.stdout.is_empty() && errors.lines().count() == 1,
        "{errors}"
    );
}

/// Elimination along a tree makes no fill but the blocks of the multipliers themselves, and at most
/// two blocks of a body where it ends.
#[test]
fn a_tree_is_eliminated_without_fill() {
    for (model, blocks) in [
        ("rod-pendulum", f64::from(12 * 2 * 2 + 3 * 3 + 6 * 6)),
        ("roll-up", f64::from(8 * 2 * 2)),
    ] {
        let described = json(&["describe", model, "--json"]);
        let fill = number(&described["elimination"]["fill"]);
        assert!((blocks..blocks + 72.0).contains(&fill), "{model}: {fill}");
    }
}

#[test]
fn the_same_input_gives_the_same_bits() {
    for (model, method) in [("chain", "ga3"), ("spaghetti", "he5"), ("roll-up", "ga2s")] {
        let run = || {
            let arguments = [
                "run", model, "--method", method, "--until", "0.05", "--json",
            ];
            let mut run = json(&arguments);
            let fields = run.as_object_mut().expect("an object");
            fields.remove("ns_per_step");
            run.to_string()
        };
        assert_eq!(run(), run(), "{model} {method}");
    }
}

/// A description that `describe` writes is one that `run` reads.
#[test]
fn a_chain_can_be_written_and_read() {
    let scratch = Scratch::new("chain");
    let file = scratch.path("chain.json");
    let described = json(&["describe", "chain", "--n", "3", "--json"]);
    std::fs::write(&file, described.to_string()).expect("a file");
    // The program takes adaptive steps for models that it does not know.
    let rest = ["--step", "1e-3", "--until", "0.1", "--json"];
    let by_file = json(&[&["run", "--file", &file][..], &rest].concat());
    let by_name = ["run", "chain", "--n", "3", "--path", "generic"];
    let by_name = json(&[&by_name[..], &rest].concat());
    assert_eq!(by_file["state"], by_name["state"]);
    // Rods too, as long as dense equations can be borne; a longer one says so by its absence.
    let rods = |n: &str| json(&["describe", "roll-up", "--n", n, "--json"])["description"].clone();
    assert_eq!(rods("5")["rods"].as_array().map(Vec::len), Some(5));
    assert!(rods("33").is_null());
}
