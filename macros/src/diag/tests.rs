use proc_macro2::{Span, TokenStream};

use super::{At, Diagnostics, nearest};

impl Diagnostics {
    /// The texts of all errors.
    pub(crate) fn messages(&self) -> Vec<String> {
        self.errors.iter().map(ToString::to_string).collect()
    }
}

#[test]
fn no_error_hides_the_next() {
    let mut dx = Diagnostics::default();
    assert!(dx.is_empty());
    dx.error(Span::call_site(), "first", "do this");
    dx.syntax(syn::Error::new(Span::call_site(), "second"));
    dx.error(At::of(&TokenStream::new()), format_args!("{}", 3), "that");
    assert_eq!((dx.len(), dx.is_empty()), (3, false));
    let expected = ["first\n  help: do this", "second", "3\n  help: that"];
    assert_eq!(dx.messages(), expected);
    // As tokens they have the same order.
    let tokens = dx.into_tokens().to_string();
    let parts: Vec<&str> = tokens.split("compile_error").skip(1).collect();
    assert_eq!(parts.len(), 3, "{tokens}");
    for (part, text) in parts.iter().zip(expected) {
        assert!(part.contains(&format!("{text:?}")), "{part}");
    }
}

#[test]
fn the_nearest_name_is_close() {
    let names = ["crank", "rod", "slider", "rot"];
    let check = |name: &str, near: Option<&str>| assert_eq!(nearest(name, names), near, "{name}");
    check("crank", Some("crank"));
    check("crnk", Some("crank"));
    check("slidre", Some("slider"));
    // As many changes as a third of the name and one more, not two.
    check("slixxx", Some("slider"));
    check("slxxxx", None);
    // Of names that are as close, the first one in the alphabet.
    check("rox", Some("rod"));
    check("", None);
    assert_eq!(nearest("a", []), None);
}
