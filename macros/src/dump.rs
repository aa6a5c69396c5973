//! The expansion as a file, for reading: with `POLHODE_EXPAND=Name` in the environment the code
//! that is generated for the model `Name` is written to `Name.expanded.rs` where the compiler
//! runs, and formatted if `rustfmt` is there; with `POLHODE_EXPAND=*` that of every model. The first
//! line says how long the expansion took.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use proc_macro2::TokenStream;

/// Writes the expansion of a model if the environment asks for it. A file that cannot be written
/// is no reason to fail: the model compiles all the same.
pub(crate) fn write(name: &str, expansion: &TokenStream, took: Duration) {
    let wanted = std::env::var("POLHODE_EXPAND");
    if wanted.is_ok_and(|wanted| wanted == name || wanted == "*") {
        let file = format!("{name}.expanded.rs");
        write_to(Path::new(&file), expansion, took);
    }
}

/// Straight-line code reads best with one statement on a line.
const ONE_STATEMENT_PER_LINE: &str = "max_width=160,use_small_heuristics=Max";
const WIDTH: usize = 160;

fn write_to(path: &Path, expansion: &TokenStream, took: Duration) {
    let text = format!("// Expanded in {} ms.\n{expansion}", took.as_millis());
    if std::fs::write(path, text).is_ok() {
        let _ = Command::new("rustfmt")
            .args(["--edition", "2024", "--config", ONE_STATEMENT_PER_LINE])
            .arg(path)
            .status();
        if let Ok(text) = std::fs::read_to_string(path) {
            let _ = std::fs::write(path, with_full_lines(&text));
        }
    }
}

/// Fills the lines of long lists of names, `let [`, names, `] = *q;`, of which `rustfmt` puts each
/// on a line of its own.
fn with_full_lines(text: &str) -> String {
    let mut full = String::with_capacity(text.len());
    // Length of the line that is being filled, in a list.
    let mut length = None;
    for line in text.lines() {
        let name = line.trim_start();
        match &mut length {
            Some(_) if name.starts_with(']') => {
                full.push('\n');
                length = None;
            }
            Some(length) if *length > 0 && *length + name.len() < WIDTH => {
                full.push(' ');
                full.push_str(name);
                *length += name.len() + 1;
                continue;
            }
            Some(length) => {
                if *length > 0 {
                    full.push('\n');
                }
                full.push_str(line);
                *length = line.len();
                continue;
            }
            None => {}
        }
        full.push_str(line);
        full.push('\n');
        if name == "let [" {
            length = Some(0);
        }
    }
    full
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{WIDTH, with_full_lines, write_to};

    #[test]
    fn lists_of_names_fill_their_lines() {
        let names: Vec<String> = (0..100).map(|i| format!("        q{i},\n")).collect();
        let text = format!("    let [\n{}    ] = *q;\n    f();\n", names.concat());
        let full = with_full_lines(&text);
        let lines: Vec<&str> = full.lines().collect();
        assert_eq!(lines.len(), 7, "{full}");
        assert!(lines[1].starts_with("        q0, q1, q2,") && lines[4].ends_with(" q99,"));
        assert_eq!(lines[5..], ["    ] = *q;", "    f();"]);
        assert!(lines.iter().all(|line| line.len() <= WIDTH), "{full}");
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words(&full), words(&text));
    }

    #[test]
    fn expansions_are_written() {
        let path = std::env::temp_dir().join(format!("polhode-{}.rs", std::process::id()));
        let tokens = "fn f () -> f64 { 1.0 + 2.0 }".parse().unwrap();
        write_to(&path, &tokens, Duration::from_millis(12));
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(text.starts_with("// Expanded in 12 ms.\n"), "{text}");
        assert!(text.contains("1.0 + 2.0"), "{text}");
    }
}
