//! Text that comes from outside, made harmless where it enters and where it is shown.

/// Control characters, those that change the direction of writing, and what no XML may hold are
/// written as escapes: a terminal and a picture then show a name instead of obeying it.
pub(crate) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        let turns = matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        if c.is_control() || turns || matches!(c, '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}')
        {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// For the content of elements of XML and HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_visible_becomes_so() {
        assert_eq!(visible("a\u{1b}[31m\n"), "a\\u{1b}[31m\\n");
        assert_eq!(
            visible("\u{202e}\u{ffff}\u{9b}"),
            "\\u{202e}\\u{ffff}\\u{9b}"
        );
        let plain = "\u{3b1}\u{3b2} <b> \u{1f600} \"'\\";
        assert_eq!(visible(plain), plain);
    }
}
