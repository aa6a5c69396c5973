//! What Cargo.lock brings in: licences, the compiler that it needs, where it comes from, and that the
//! library brings nothing twice. Cargo is asked.

use serde_json::Value;
use std::process::Command;

/// Licences that a user of the library can accept beside its own.
const ACCEPTED: [&str; 7] = [
    "Apache-2.0",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

fn cargo(arguments: &[&str]) -> Option<String> {
    let output = Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(arguments)
        .output()
        .expect("cargo starts");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    output.status.success().then_some(text)
}

/// All packages for all platforms. Cargo fetches those that no build needed yet, once.
fn packages() -> Vec<Value> {
    let metadata = cargo(&["metadata", "--locked", "--format-version", "1"]);
    let metadata = metadata.expect("Cargo.lock fits to the manifests, and its packages are here");
    let metadata: Value = serde_json::from_str(&metadata).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    assert!(packages.len() > 50, "{}", packages.len());
    packages.clone()
}

fn text<'a>(package: &'a Value, field: &str) -> &'a str {
    package[field].as_str().unwrap_or_default()
}

/// Whether an expression of licences allows use under accepted ones. `AND` binds stronger than `OR`,
/// which old packages write as a slash.
fn accepted(expression: &str) -> bool {
    let spaced = expression
        .replace('/', " OR ")
        .replace('(', " ( ")
        .replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    let accepted = either(&mut words);
    accepted && words.next().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn either(words: &mut Words<'_>) -> bool {
    let mut accepted = both(words);
    while words.next_if_eq(&"OR").is_some() {
        accepted |= both(words);
    }
    accepted
}

fn both(words: &mut Words<'_>) -> bool {
    let mut accepted = one(words);
    while words.next_if_eq(&"AND").is_some() {
        accepted &= one(words);
    }
    accepted
}

fn one(words: &mut Words<'_>) -> bool {
    match words.next() {
        Some("(") => {
            let accepted = either(words);
            words.next() == Some(")") && accepted
        }
        Some(name) => ACCEPTED.contains(&name),
        None => false,
    }
}

#[test]
fn licences_are_accepted() {
    for (expression, expected) in [
        ("MIT OR Apache-2.0", true),
        ("MIT/GPL-3.0", true),
        ("GPL-3.0", false),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("MIT AND GPL-3.0", false),
        ("GPL-3.0 OR MIT AND Zlib", true),
        ("(GPL-3.0 OR MIT", false),
        ("MIT WITH something", false),
        ("", false),
    ] {
        assert_eq!(accepted(expression), expected, "{expression}");
    }
    for package in packages() {
        let [name, licence] = ["name", "license"].map(|field| text(&package, field));
        assert!(accepted(licence), "{name} has the licence `{licence}`");
    }
}

/// `1.89` or `1.89.0`, as numbers.
fn version(text: &str) -> Vec<u32> {
    let mut parts: Vec<u32> = text
        .split('.')
        .map(|part| part.parse().expect("a number"))
        .collect();
    parts.resize(3, 0);
    parts
}

/// No package needs a newer compiler than the workspace declares.
#[test]
fn the_declared_compiler_is_new_enough() {
    let declared = env!("CARGO_PKG_RUST_VERSION");
    assert!(version("1.100") > version("1.89.1") && version("1.89") == version("1.89.0"));
    for package in packages() {
        let needed = text(&package, "rust_version");
        if needed.is_empty() {
            continue;
        }
        let name = text(&package, "name");
        assert!(
            version(needed) <= version(declared),
            "{name} needs Rust {needed}, not {declared}"
        );
    }
}

/// From the registry or from here, not from a repository that may change or go away.
#[test]
fn packages_come_from_the_registry() {
    for package in packages() {
        let source = text(&package, "source");
        let name = text(&package, "name");
        assert!(
            source.is_empty() || source.starts_with("registry+"),
            "{name} is from {source}"
        );
        assert!(source.is_empty() != package["source"].is_string(), "{name}");
    }
}

/// What the users of the library compile, each package once.
#[test]
fn the_library_brings_nothing_twice() {
    let tree = cargo(&[
        "tree", "--locked", "-p", "polhode", "-e", "normal", "--prefix", "none",
    ]);
    let tree = tree.expect("a tree");
    let mut found: Vec<(&str, &str)> = tree
        .lines()
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            Some((words.next()?, words.next()?))
        })
        .collect();
    found.sort_unstable();
    found.dedup();
    assert!(found.iter().any(|(name, _)| *name == "syn"), "{tree}");
    for pair in found.windows(2) {
        assert_ne!(pair[0].0, pair[1].0, "{pair:?}");
    }
}
