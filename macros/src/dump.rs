//! The expansion as a file, for reading: with `POLHODE_EXPAND=Name` in the environment the code
//! that is generated for the model `Name` is written to `Name.expanded.rs` where the compiler
//! runs, and formatted if `rustfmt` is there.

use std::path::Path;
use std::process::Command;

use proc_macro2::TokenStream;

/// Writes the expansion of a model if the environment asks for it. A file that cannot be written
/// is no reason to fail: the model compiles all the same.
pub(crate) fn write(name: &str, expansion: &TokenStream) {
    if std::env::var("POLHODE_EXPAND").as_deref() == Ok(name) {
        let file = format!("{name}.expanded.rs");
        write_to(Path::new(&file), expansion);
    }
}

/// Straight-line code reads best with one statement on a line.
const ONE_STATEMENT_PER_LINE: &str = "max_width=160,use_small_heuristics=Max";

fn write_to(path: &Path, expansion: &TokenStream) {
    if std::fs::write(path, expansion.to_string()).is_ok() {
        let _ = Command::new("rustfmt")
            .args(["--edition", "2024", "--config", ONE_STATEMENT_PER_LINE])
            .arg(path)
            .status();
    }
}

#[cfg(test)]
mod tests {
    use super::write_to;

    #[test]
    fn expansions_are_written() {
        let path = std::env::temp_dir().join(format!("polhode-{}.rs", std::process::id()));
        let tokens = "fn f () -> f64 { 1.0 + 2.0 }".parse().unwrap();
        write_to(&path, &tokens);
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(text.contains("1.0 + 2.0"), "{text}");
    }
}
