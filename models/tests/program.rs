//! Runs the program as a user would.

mod program_support;

use program_support::{Scratch, json, number, polhode, stderr, stdout};
use serde_json::Value;

fn names(list: &Value) -> Vec<&str> {
    let items = list.as_array().expect("a list").iter();
    items.map(|item| item.as_str().expect("a name")).collect()
}

#[test]
fn every_model_runs_with_every_method_in_every_group() {
    let list = json(&["list", "--json"]);
    let models = list["models"].as_array().expect("models");
    assert!(models.len() >= 3);
    for model in models {
        let name = model["name"].as_str().expect("a name");
        for group in names(&model["groups"]) {
            for method in names(&model["methods"]) {
                let arguments = ["run", name, "--method", method, "--group", group];
                let until = 100.0 * number(&model["step"]);
                let rest = ["--until", &until.to_string(), "--json"];
                let run = json(&[&arguments[..], &rest].concat());
                check_run(&run, [name, group, method], until);
            }
        }
    }
}

/// A measurement starts with a comparison of the paths.
#[test]
fn paths_of_every_model_agree() {
    let bench = json(&["bench", "all", "--batches", "1", "--json"]);
    let rows = bench["rows"].as_array().expect("rows");
    let of = |path: &str| rows.iter().filter(|row| row["path"] == path).count();
    assert!(of("generated") > 100 && of("generic") > 200, "{bench}");
}

fn check_run(run: &Value, [model, group, method]: [&str; 3], until: f64) {
    let context = format!("{model} {group} {method}");
    assert_eq!(run["model"], model);
    assert_eq!(run["group"], group);
    assert_eq!(run["method"], method);
    // The fastest path is the default.
    let described = json(&["describe", model, "--group", group, "--json"]);
    assert_eq!(run["path"], described["paths"][0], "{context}");
    assert!((number(&run["t"]) - until).abs() < 1e-15);
    assert_eq!(run["steps"]["accepted"], 100);
    assert_eq!(run["steps"]["rejected"], 0);
    let implicit = method.starts_with("ga");
    assert_eq!(number(&run["newton"]["iterations"]) > 0.0, implicit);
    assert_eq!(number(&run["newton"]["factorizations"]) > 0.0, implicit);
    assert!(number(&run["ns_per_step"]) > 0.0);
    for body in run["state"].as_object().expect("bodies").values() {
        for (field, len) in [
            ("position", 3),
            ("rotation", 4),
            ("velocity", 3),
            ("angular_velocity", 3),
        ] {
            assert_eq!(body[field].as_array().map(Vec::len), Some(len), "{context}");
        }
    }
    let lambda = run["lambda"].as_array().expect("multipliers");
    let mut reactions = 0;
    for joint in run["joints"].as_object().expect("joints").values() {
        assert_eq!(joint["coordinate"].is_null(), joint["rate"].is_null());
        assert_eq!(joint["reaction"]["force"].as_array().map(Vec::len), Some(3));
        assert!(joint["reaction"]["unique"].is_boolean(), "{context}");
        reactions += joint["multipliers"].as_object().expect("a map").len();
    }
    // Chains and rods do not list their joints.
    if !LINES.contains(&model) {
        assert_eq!(lambda.len(), reactions, "{context}");
    }
    let (start, end) = (&run["energy"]["start"], &run["energy"]["end"]);
    let drift = number(end) - number(start);
    assert!((number(&run["energy"]["drift"]) - drift).abs() < 1e-9);
    // Control, dampers and loads change the energy of these.
    if !["puma560", "rotor", "roll-up", "spaghetti"].contains(&model) {
        let size = number(start).abs().max(1.0);
        assert!(drift.abs() < 1e-2 * size, "{context} {drift}");
    }
    // Index 2 and half-explicit methods drift in position, index 3 in velocity.
    assert!(number(&run["constraint"]["position"]) < 1e-2, "{context}");
    assert!(number(&run["constraint"]["velocity"]) < 0.1, "{context}");
    let bound = if implicit || method == "he2" {
        0.5
    } else {
        0.05
    };
    if run["error"].is_null() {
        return; // no reference
    }
    if run["error"]["rotation"].is_null() {
        // Where a point is: of mechanisms, over their whole run.
        let error = number(&run["error"]["position"]);
        assert!(error < bound, "{context}: {error}");
        return;
    }
    for field in ["position", "rotation", "velocity"] {
        let error = number(&run["error"][field]);
        assert!(error < bound, "{context}: {field} {error}");
    }
    assert_eq!(run["error"]["lambda"].is_null(), lambda.is_empty());
}

/// Models with any number of elements.
const LINES: [&str; 4] = ["chain", "roll-up", "spaghetti", "rod-pendulum"];

#[test]
fn accurate_runs_agree_with_the_reference_in_every_group() {
    for (model, groups) in [
        ("heavy-top", &["SO3xR3", "SE3", "S3xR3", "S3sR3"][..]),
        ("heavy-top-free", &["SO3", "S3"]),
        ("pendulum", &["R2"]),
    ] {
        for group in groups {
            let arguments = ["run", model, "--group", group, "--rtol", "1e-10", "--json"];
            let run = json(&arguments);
            for field in ["position", "rotation", "velocity"] {
                let error = number(&run["error"][field]);
                assert!(error < 1e-7, "{model} {group} {field}: {error}");
            }
            let lambda = run["error"]["lambda"].as_f64().unwrap_or(0.0);
            assert!(lambda < 1e-4, "{model} {group}: {lambda}");
        }
    }
}

/// References that are a point of a body at some time, and both variants of the robot.
#[test]
fn accurate_runs_agree_with_points() {
    for options in [
        &["slider-crank", "--until", "1"][..],
        &["slider-crank", "--until", "1", "--param", "center=0"],
        &["double-pendulum", "--until", "1"],
        &["four-bar"],
        &["gyroscope"],
        &["puma560"],
        &["puma560", "--param", "variant=1"],
    ] {
        let run = json(&[&["run"], options, &["--rtol", "1e-9", "--json"]].concat());
        let error = number(&run["error"]["position"]);
        assert!(error < 1e-6, "{options:?}: {error}");
    }
}

#[test]
fn options_of_the_methods_reach_them() {
    let base = ["run", "heavy-top", "--until", "0.1", "--json", "--method"];
    let with = |rest: &[&str]| json(&[&base[..], rest].concat());
    let plain = with(&["ga3"]);
    for options in [
        &["ga3", "--rho", "0.5"][..],
        &["ga3", "--sigma", "1"],
        &["ga3", "--sigma", "opt"],
        &["ga3", "--sigma", "0.3"],
        &["ga3", "--start", "classical"],
        &["ga3", "--start", "acceleration"],
    ] {
        assert_ne!(with(options)["state"], plain["state"], "{options:?}");
    }
    let modified = with(&["ga3", "--newton", "modified"]);
    let factorizations = |run: &Value| number(&run["newton"]["factorizations"]);
    assert!(factorizations(&modified) < factorizations(&plain));

    let (raw, recomputed) = (
        with(&["he3"]),
        with(&["he3", "--multipliers", "recomputed"]),
    );
    assert_eq!(raw["state"], recomputed["state"]);
    let error = |run: &Value| number(&run["error"]["lambda"]);
    assert!(error(&recomputed) < 0.2 * error(&raw));
}

#[test]
fn the_same_input_gives_the_same_bits() {
    for method in ["he5", "ga2s"] {
        let scratch = Scratch::new(&format!("bits-{method}"));
        let run = |directory: &str| {
            let out = scratch.path(directory);
            let arguments = ["run", "heavy-top", "--method", method, "--json"];
            let mut run = json(&[&arguments[..], &["--until", "0.1", "--out", &out]].concat());
            run.as_object_mut()
                .expect("an object")
                .remove("ns_per_step");
            run
        };
        assert_eq!(run("first").to_string(), run("second").to_string());
        for file in ["trajectory.csv", "positions.svg", "view.html"] {
            let (first, second) = (format!("first/{file}"), format!("second/{file}"));
            assert_eq!(scratch.read(&first), scratch.read(&second), "{file}");
        }
    }
}

#[test]
fn wrong_usage_ends_with_one_line_and_code_2() {
    let scratch = Scratch::new("usage");
    std::fs::write(scratch.path("file"), "{}").expect("a file");
    let (blocked, not_a_model) = (scratch.path("file/out"), scratch.path("file"));
    for (arguments, told) in [
        (&["run", "heavytop"][..], "did you mean `heavy-top`?"),
        (&["run", "xyzzy"], "the models are heavy-top"),
        (&["run"], "<MODEL>"),
        (&["frobnicate"], "frobnicate"),
        (&["run", "heavy-top", "--method", "he9"], "ga2s"),
        (
            &["run", "heavy-top", "--group", "SO3"],
            "SO3xR3, SE3, S3xR3, S3sR3",
        ),
        (
            &["run", "heavy-top", "--step", "1e-3", "--rtol", "1e-6"],
            "--rtol",
        ),
        (&["run", "heavy-top", "--step", "0"], "step size 0"),
        (&["run", "heavy-top", "--step", "-1"], "step size -1"),
        (&["run", "heavy-top", "--rtol", "-1"], "tolerance"),
        (&["run", "heavy-top", "--until", "-1"], "--until -1"),
        (
            &["run", "heavy-top", "--method", "ga3", "--rtol", "1e-6"],
            "only he5",
        ),
        (
            &["run", "heavy-top", "--method", "ga3", "--rho", "3"],
            "rho = 3",
        ),
        (
            &["run", "heavy-top", "--method", "ga3", "--sigma", "x"],
            "0, 1, opt",
        ),
        (
            &["run", "heavy-top", "--method", "he5", "--rho", "1"],
            "--rho",
        ),
        (&["run", "heavy-top", "--param", "x0=1"], "no parameters"),
        (&["run", "pendulum", "--param", "y=1"], "it has x0"),
        (
            &["run", "pendulum", "--param", "x0=7"],
            "between -0.31 and 0.31",
        ),
        (&["run", "pendulum", "--param", "x0"], "NAME=VALUE"),
        (&["run", "heavy-top", "--out", &blocked], "cannot write"),
        (&["--out", &blocked], "cannot write"),
        (&["--out", &blocked, "list"], "--out"),
        (&["run", "--file", &not_a_model], "not a description"),
        (&["run", "--file", &blocked], "cannot read"),
        (
            &["converge", "heavy-top", "--method", "he2", "--until", "0.3"],
            "no exact",
        ),
        (
            &["converge", "pendulum", "--method", "he2", "--steps", "-1"],
            "--steps -1",
        ),
        (&["bench", "heavy-top", "--group", "R7"], "R7"),
        (
            &["run", "four-bar", "--group", "SE3", "--path", "generated"],
            "no generated path; it has generic",
        ),
        (
            &["converge", "heavy-top", "--method", "he2", "--path", "x"],
            "generated, hand, generic",
        ),
        (&["reproduce", "03-fig21"], "did you mean `003-fig21`?"),
        (&["reproduce", "--out", &blocked], "cannot write"),
        (&["describe", "heavy-top", "--dot", "--json"], "--dot"),
    ] {
        let output = polhode(arguments);
        let errors = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
        assert!(errors.starts_with("error: "), "{errors}");
        assert!(errors.contains(told), "{arguments:?}: {errors}");
    }
}

#[test]
fn a_failed_run_ends_with_code_1_and_keeps_what_it_has() {
    let scratch = Scratch::new("failed");
    let out = scratch.path("out");
    let arguments = ["run", "heavy-top", "--method", "he2", "--step", "0.1"];
    let output = polhode(&[&arguments[..], &["--json", "--out", &out]].concat());
    let errors = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(output.stdout.is_empty());
    assert_eq!(errors.lines().count(), 1, "{errors}");
    assert!(
        errors.contains("t = 0.3") && errors.contains(&out),
        "{errors}"
    );
    assert!(scratch.read("out/trajectory.csv").lines().count() > 2);
}

#[test]
fn a_run_writes_whole_files_and_nothing_else() {
    let scratch = Scratch::new("files");
    let out = scratch.path("deep/out");
    let arguments = ["run", "heavy-top", "--rtol", "1e-6", "--until", "0.1"];
    let output = polhode(&[&arguments[..], &["--out", &out]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let mut files: Vec<String> = std::fs::read_dir(&out)
        .expect("a directory")
        .map(|entry| entry.expect("a file").file_name().to_string_lossy().into())
        .collect();
    files.sort();
    let expected = [
        "energy.svg",
        "joints.csv",
        "multipliers.svg",
        "positions.svg",
        "steps.svg",
        "trajectory.csv",
        "view.html",
    ];
    assert_eq!(files, expected);
    let csv = scratch.read("deep/out/trajectory.csv");
    let columns = csv.lines().next().expect("names").matches(',').count();
    assert_eq!(
        columns,
        12 + 6 + 6 + 3 + 3,
        "commas in the names of multipliers"
    );
    let view = scratch.read("deep/out/view.html");
    assert!(
        !view.contains("__DATA__") && !view.contains("http"),
        "no network"
    );
    let start = view.find("application/json\">").expect("data") + "application/json\">".len();
    let end = start + view[start..].find("</script>").expect("end of data");
    let scene: Value = serde_json::from_str(&view[start..end]).expect("JSON");
    assert_eq!(scene["bodies"][0]["name"], "top");
    let frames = scene["t"].as_array().expect("times").len();
    assert_eq!(scene["poses"].as_array().map(Vec::len), Some(frames));
}

#[test]
fn descriptions_can_be_written_read_and_run() {
    let scratch = Scratch::new("describe");
    let described = json(&["describe", "heavy-top", "--group", "SE3", "--json"]);
    for (field, expected) in [
        ("bodies", 1),
        ("configuration", 12),
        ("velocities", 6),
        ("constraints", 3),
        ("rank", 3),
        ("mobility", 3),
        ("redundant", 0),
    ] {
        assert_eq!(described[field], expected, "{field}");
    }
    let file = scratch.path("top.json");
    std::fs::write(&file, described["description"].to_string()).expect("a file");
    let rest = ["--method", "ga3", "--until", "0.1", "--json"];
    let by_name = ["run", "heavy-top", "--group", "SE3", "--path", "generic"];
    let by_name = json(&[&by_name, &rest[..]].concat());
    let by_file = json(&[&["run", "--file", &file], &rest[..]].concat());
    assert_eq!(by_name["state"], by_file["state"]);
    assert!(by_file["error"].is_null());
    std::fs::write(&file, described.to_string()).expect("a file");
    let by_report = json(&[&["run", "--file", &file], &rest[..]].concat());
    assert_eq!(by_report["state"], by_file["state"]);

    let dot = stdout(&polhode(&["describe", "pendulum", "--dot"]));
    assert!(dot.starts_with("graph \"pendulum\" {") && dot.contains("\"ground\" -- \"bob\""));
}

/// A pendulum whose names are those of the arguments.
fn pendulum(model: &str, body: &str, joint: &str) -> String {
    serde_json::json!({
        "name": model,
        "gravity": [0.0, 0.0, -9.81],
        "bodies": [{
            "name": body, "group": "SO3xR3", "mass": 1.0,
            "inertia": [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]],
            "start": { "position": [1.0, 0.0, 0.0] },
        }],
        "joints": [{
            "name": joint, "kind": "spherical",
            "first": { "body": "ground" },
            "second": { "body": body, "point": [-1.0, 0.0, 0.0] },
        }],
    })
    .to_string()
}

#[test]
fn a_file_runs_with_adaptive_steps() {
    let scratch = Scratch::new("adaptive-file");
    let file = scratch.path("pendulum.json");
    std::fs::write(&file, pendulum("pendulum", "bob", "pin")).expect("a file");
    let run = |rest: &[&str]| json(&[&["run", "--file", &file, "--json"], rest].concat());
    let (default, asked) = (run(&[]), run(&["--rtol", "1e-6", "--atol", "1e-8"]));
    assert_eq!(default["state"], asked["state"]);
    assert_eq!(default["method"], "he5");
    let steps = |run: &Value| number(&run["steps"]["accepted"]);
    assert!(steps(&default) < 100.0, "{default}");
    let sharp = run(&["--rtol", "1e-11"]);
    let place = |run: &Value| {
        let position = run["state"]["bob"]["position"].as_array().expect("three");
        position.iter().map(number).collect::<Vec<f64>>()
    };
    for (x, y) in place(&default).iter().zip(place(&sharp)) {
        assert!(
            (x - y).abs() < 1e-5 && steps(&sharp) > steps(&default),
            "{x} {y}"
        );
    }
    // A step or another method that was asked for is what runs.
    for rest in [
        &["--step", "1e-2"][..],
        &["--step", "1e-2", "--method", "ga3"],
    ] {
        assert!((steps(&run(rest)) - 100.0).abs() < 0.5, "{rest:?}");
    }
    assert!((steps(&run(&["--method", "ga3"])) - 1000.0).abs() < 0.5);
}

#[test]
fn names_with_control_characters_are_shown_and_not_obeyed() {
    let scratch = Scratch::new("control");
    let (file, out) = (scratch.path("odd.json"), scratch.path("out"));
    let odd = "a\u{1b}[2J\u{7}\n\u{202e}<b>";
    std::fs::write(&file, pendulum(odd, odd, odd)).expect("a file");
    let harmless = |text: &str, what: &str| {
        let odd = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
        assert!(!text.contains(odd), "{what}: {text:?}");
    };
    let output = polhode(&["run", "--file", &file, "--out", &out]);
    assert!(output.status.success(), "{}", stderr(&output));
    harmless(&stdout(&output), "terminal");
    assert!(
        stdout(&output).contains("a\\u{1b}[2J"),
        "{}",
        stdout(&output)
    );
    let files = std::fs::read_dir(&out).expect("a directory");
    for entry in files {
        let name = entry.expect("a file").file_name();
        let name = name.to_string_lossy();
        let text = scratch.read(&format!("out/{name}"));
        harmless(&text, &name);
        assert!(
            !name.ends_with("svg") || !text.contains("<b>"),
            "{name}: {text}"
        );
    }
    for arguments in [
        &["describe", "--file", &file][..],
        &["describe", "--file", &file, "--dot"],
    ] {
        harmless(&stdout(&polhode(arguments)), "describe");
    }
    // What is wrong is told in the same way, also by the parser.
    for text in [
        pendulum("x", odd, "ground"),
        pendulum(odd, "bob", "").replace("mass", odd),
    ] {
        std::fs::write(&file, text).expect("a file");
        let output = polhode(&["run", "--file", &file]);
        assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
        harmless(&stderr(&output), "error");
    }
}

#[test]
fn names_are_no_formulas_of_a_spreadsheet() {
    let scratch = Scratch::new("formula");
    let (file, out) = (scratch.path("odd.json"), scratch.path("out"));
    std::fs::write(&file, pendulum("x", "=1+1", "@SUM(1,2)")).expect("a file");
    let output = polhode(&["run", "--file", &file, "--out", &out]);
    assert!(output.status.success(), "{}", stderr(&output));
    let mut files = 0;
    for entry in std::fs::read_dir(&out).expect("a directory") {
        let name = entry.expect("a file").file_name();
        let name = name.to_string_lossy();
        if !name.ends_with("csv") {
            continue;
        }
        files += 1;
        let text = scratch.read(&format!("out/{name}"));
        let (head, rest) = text.split_once('\n').expect("a line of names");
        assert!(
            head.contains(",'=1+1.x") || head.contains(",\"'@SUM(1,2).force.x\""),
            "{head}"
        );
        assert!(
            !head.contains(",=") && !head.contains(",@") && !head.contains(",\"@"),
            "{head}"
        );
        // Numbers stay numbers.
        let mut cells = rest.lines().flat_map(|line| line.split(','));
        assert!(
            cells.clone().all(|cell| cell.parse::<f64>().is_ok()),
            "{name}: {rest:.200}"
        );
        assert!(cells.any(|cell| cell.starts_with('-')), "{name}");
    }
    assert_eq!(files, 2);
}

/// Somebody else may have put a link where the program wants to write.
#[test]
#[cfg(unix)]
fn files_that_are_there_are_not_written_through() {
    use std::os::unix::fs::symlink;
    use std::process::{Command, Stdio};
    let scratch = Scratch::new("links");
    let (out, victim) = (scratch.path("out"), scratch.path("victim"));
    std::fs::create_dir_all(&out).expect("a directory");
    std::fs::write(&victim, "mine").expect("a file");
    // The shell puts links at the temporary names of its own process, which becomes the program.
    let links = "for n in probe trajectory.csv view.html; do \
                 for k in \"\" .0 .1; do ln -s \"$1\" \"$2/.$n.$$$k\"; done; done; \
                 exec \"$0\" run pendulum --until 0.1 --out \"$2\"";
    let status = Command::new("sh")
        .args(["-c", links, env!("CARGO_BIN_EXE_polhode"), &victim, &out])
        .stdout(Stdio::null())
        .status();
    assert!(status.expect("a shell").success());
    assert_eq!(scratch.read("victim"), "mine");
    // A link at the final name is replaced, not followed.
    std::fs::remove_file(scratch.path("out/trajectory.csv")).expect("a file");
    symlink(&victim, scratch.path("out/trajectory.csv")).expect("a link");
    let output = polhode(&["run", "pendulum", "--until", "0.1", "--out", &out]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(scratch.read("victim"), "mine");
    assert!(scratch.read("out/trajectory.csv").starts_with("t,"));
}

#[test]
fn orders_are_observed() {
    for (method, q, lambda) in [("he3", 3.0, 2.0), ("he4", 4.0, 3.0), ("ga3", 2.0, 2.0)] {
        let arguments = ["converge", "heavy-top", "--method", method, "--json"];
        let report = json(&arguments);
        let rows = report["rows"].as_array().expect("rows");
        assert_eq!(rows.len(), 5);
        assert_eq!(report["path"], "generated");
        assert!(number(&rows[0]["h"]) > number(&rows[4]["h"]));
        for (quantity, expected) in [("q", q), ("v", q), ("lambda", lambda)] {
            let order = number(&report["order"][quantity]);
            assert!(order > expected - 0.3, "{method} {quantity}: {order}");
        }
    }
}

/// The time per node and step of rods and chains, for four lengths.
#[test]
fn the_bench_of_chains_has_rods() {
    let report = json(&[
        "bench",
        "chain",
        "--method",
        "he5",
        "--batches",
        "1",
        "--json",
    ]);
    let rows = report["rows"].as_array().expect("rows");
    for model in ["chain", "roll-up"] {
        for n in [10, 100, 1000, 10_000] {
            let row =
                |row: &&Value| row["model"] == model && row["n"] == n && row["path"] == "hand";
            let row = rows.iter().find(row).expect("a length of a model");
            assert!(number(&row["ns_per_node"]) > 0.0, "{row}");
        }
    }
    let other = json(&[
        "bench",
        "roll-up",
        "--n",
        "10",
        "--method",
        "he5",
        "--batches",
        "1",
        "--json",
    ]);
    let rows = other["rows"].as_array().expect("rows");
    assert!(rows.iter().all(|row| row["model"] == "roll-up"), "{other}");
}

#[test]
fn the_bench_measures_every_case_asked_for() {
    let report = json(&[
        "bench",
        "all",
        "--method",
        "he2",
        "--batches",
        "1",
        "--json",
    ]);
    let rows = report["rows"].as_array().expect("rows");
    for row in rows {
        assert!(number(&row["ns_per_step"]) > 0.0);
        assert!(number(&row["n"]) >= 1.0);
    }
    let paths = |path: &str| rows.iter().filter(|row| row["path"] == path).count();
    // The generic system in every group of every mechanism and of the shortest chain and rods, and
    // a ratio for every generated one beside it; four sizes of chains and rods.
    let list = json(&["list", "--json"]);
    let models = list["models"].as_array().expect("models");
    let mechanisms = models
        .iter()
        .filter(|model| model["n"].is_null() && names(&model["methods"]).contains(&"he2"));
    let groups: usize = mechanisms
        .clone()
        .map(|model| names(&model["groups"]).len())
        .sum();
    let sizes = 4 * LINES.len();
    let generic = groups + LINES.len();
    assert_eq!((paths("generic"), paths("hand")), (generic, sizes));
    for model in mechanisms {
        let generated = |row: &&Value| row["path"] == "generated" && row["model"] == model["name"];
        assert!(rows.iter().any(|row| generated(&row)), "{model}");
    }
    let ratios = report["ratio"].as_array().expect("ratios");
    // Of the four sizes of a chain or rod the shortest has a generic system.
    assert_eq!(ratios.len(), paths("generated") - 3 * LINES.len());
    assert!(ratios.iter().all(|row| number(&row["ratio"]) > 0.0));
}

#[test]
fn the_tour_shows_numbers_and_writes_pictures() {
    let scratch = Scratch::new("tour");
    let out = scratch.path("tour");
    let output = polhode(&["--out", &out]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    for method in ["he5", "ga3", "ga2s"] {
        assert!(text.contains(method));
    }
    assert!(text.contains(&out) && !text.contains("NaN"), "{text}");
    assert!(scratch.read("tour/convergence.svg").ends_with("</svg>\n"));
    assert!(scratch.read("tour/energy-errors.svg").ends_with("</svg>\n"));
}

#[test]
#[cfg(unix)]
fn a_full_disk_is_told() {
    use std::process::{Command, Stdio};
    let full = std::fs::File::create("/dev/full").expect("the device");
    let output = Command::new(env!("CARGO_BIN_EXE_polhode"))
        .args(["run", "pendulum", "--until", "0.1", "--json"])
        .stdout(Stdio::from(full))
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(2));
    let errors = stderr(&output);
    assert!(
        errors.starts_with("error: cannot write to standard output") && errors.lines().count() == 1,
        "{errors}"
    );
}

#[test]
#[cfg(unix)]
fn a_file_that_cannot_be_completed_is_told_and_goes_away() {
    let scratch = Scratch::new("limit");
    let out = scratch.path("out");
    // The shell limits files to 16 blocks and has the system say so instead of ending the program.
    let output = std::process::Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 16; exec \"$0\" \"$@\""])
        .arg(env!("CARGO_BIN_EXE_polhode"))
        .args(["run", "heavy-top", "--out", &out])
        .output()
        .expect("a shell");
    let errors = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(
        errors.contains("cannot write to") && errors.contains(&out),
        "{errors}"
    );
    assert_eq!(errors.lines().count(), 1, "{errors}");
    let left: Vec<_> = std::fs::read_dir(&out).expect("a directory").collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_ends_with_code_130_and_leaves_no_file() {
    // Both would take minutes.
    interrupted(&["heavy-top", "--step", "1e-8"]);
    interrupted(&["chain", "--n", "1000", "--step", "1e-7"]);
}

#[cfg(unix)]
fn interrupted(model: &[&str]) {
    use std::process::{Command, Stdio};
    use std::time::Duration;
    let scratch = Scratch::new(&format!("interrupt-{}", model[0]));
    let out = scratch.path("out");
    let child = Command::new(env!("CARGO_BIN_EXE_polhode"))
        .arg("run")
        .args(model)
        .args(["--out", &out])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // It has begun when its directory is there.
    while !std::path::Path::new(&out).exists() {
        std::thread::sleep(Duration::from_millis(10));
    }
    std::thread::sleep(Duration::from_millis(200));
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.expect("kill starts").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(130), "{}", stderr(&output));
    assert_eq!(stderr(&output), "error: interrupted\n");
    assert!(output.stdout.is_empty());
    assert_eq!(std::fs::read_dir(&out).expect("a directory").count(), 0);
}
