//! Tables in plain text.

use core::fmt::Write as _;

/// Rows of cells under headings; the first columns are words, the rest numbers.
#[derive(Debug)]
pub(crate) struct Table {
    words: usize,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table whose first `words` columns are aligned to the left.
    pub(crate) fn new(words: usize, headings: &[&str]) -> Self {
        Self {
            words,
            rows: vec![headings.iter().map(ToString::to_string).collect()],
        }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }

    /// The lines, indented.
    pub(crate) fn text(&self) -> String {
        let columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(width).collect();
        let mut text = String::new();
        for (i, row) in self.rows.iter().enumerate() {
            let mut line = " ".to_owned();
            for (column, (cell, &width)) in row.iter().zip(&widths).enumerate() {
                // Writing to a string cannot fail.
                let _ = if column < self.words {
                    write!(line, " {cell:<width$} ")
                } else {
                    write!(line, " {cell:>width$} ")
                };
            }
            text += line.trim_end();
            text.push('\n');
            if i == 0 {
                let rule: Vec<String> = widths.iter().map(|&w| "-".repeat(w)).collect();
                text += &format!("  {}\n", rule.join("  "));
            }
        }
        text
    }
}

/// Three digits in scientific notation, or a dash.
pub(crate) fn scientific(x: Option<f64>) -> String {
    x.map_or_else(|| "-".to_owned(), |x| format!("{x:.2e}"))
}
