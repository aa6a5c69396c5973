//! Names of generated code against names of the program.

use std::collections::BTreeSet;

use proc_macro2::{TokenStream, TokenTree};
use quote::quote;

use super::{closed, derive, item_name, locals, outside, parsed};
use crate::expand::multibody;
use crate::model::Model;

#[test]
fn what_patterns_bind_is_found() {
    let code =
        "fn force(&self, t: f64, (n, steady): (f64, bool), out: &mut [f64; 3]) -> rt::Result<()> {
        let &rt::Point { h, sigma } = point; let [q0, _, q2, ..] = *q; let mut z = [0.0; 2];
        let x0 = rt::dot2(q0, a, q2, b); rt::LazyLock::new(|| c); rt::out_of_line(s, |k| [sin(k)]);
        rt::nodes(&mut p, |i , j| { outlet = letter; d.e[3] += x0; } ) }";
    let expected: BTreeSet<&str> = [
        "t", "n", "steady", "out", "h", "sigma", "q0", "q2", "z", "x0", "k", "i", "j",
    ]
    .into();
    let found = locals(code);
    // Types are found, too, and mean nothing among values.
    let types = ["f64", "bool"];
    let found: BTreeSet<&str> = found
        .into_iter()
        .filter(|name| !types.contains(name))
        .collect();
    assert_eq!(found, expected);
}

/// Every pattern of every generated function, as the parser sees it.
#[test]
fn no_pattern_is_missed() {
    let joint = "#[body(mass = 1, inertia = [1, 1, 1], free)] a: Body<SE3>,
        #[body(mass = m, inertia = [1, 1, 1])] #[start(position = [p, 0, 0])] b: Body<S3xR3>,
        #[joint(a, b, axis = x)] hinge: Revolute, #[force(hinge, stiffness = 1)] spring: TorsionSpring,
        #[param(default = 0)] p: f64, #[param(default = 1)] m: f64,";
    let array = "#[body(mass = 1, inertia = [1, 1, 1])] links: [Body<SO3xR3>; 3],
        #[joint(links[i] at [0.5, 0, 0], links[i + 1] at [-0.5, 0, 0])] inner: [Spherical; 2],
        #[joint(ground at [0, 0, 0], links[0] at [-0.5, 0, 0])] pivot: Spherical,";
    for fields in [joint, array] {
        let item = format!("struct Example {{ {fields} }}");
        let expansion = multibody(quote! { gravity = [0, 0, self::G] }, parsed(&item));
        let text = expansion.to_string();
        assert!(!text.contains("compile_error"), "{text}");
        let (_, imports) = text.split_once("use rt :: {").expect("imports");
        let (imports, _) = imports.split_once('}').expect("a list");
        let mut names = BTreeSet::new();
        idents(expansion, &mut names);
        assert!(names.contains("p") && names.contains("o0"), "{names:?}");
        for name in names {
            let hidden = imports.contains(&format!("local as {name}"));
            assert!(hidden, "{name} is not in {imports}");
        }
    }
}

/// Names before a `=` after `let`, before a `:` in parameters, and between bars, token by token.
fn idents(tokens: TokenStream, names: &mut BTreeSet<String>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let is = |i: usize, text: &str| tokens.get(i).is_some_and(|token| token.to_string() == text);
    let mut collect = |tokens: &[TokenTree]| {
        let flat = tokens.iter().flat_map(|token| match token {
            TokenTree::Group(group) => group.stream(),
            token => TokenStream::from(token.clone()),
        });
        let words = flat.map(|token| token.to_string());
        let variable = |word: &String| word.starts_with(char::is_lowercase);
        names.extend(
            words.filter(|word| variable(word) && !["mut", "rt", "self"].contains(&&**word)),
        );
    };
    for (i, token) in tokens.iter().enumerate() {
        let end = |mark: &str| {
            (i + 1..tokens.len())
                .find(|j| is(*j, mark))
                .expect("an end")
        };
        match (token.to_string().as_str(), token) {
            ("let", _) => collect(&tokens[i + 1..end("=")]),
            ("|", _)
                if !is(i + 1, "|") && (is(i + 2, "|") || is(i + 4, "|")) && !is(i - 1, "|") =>
            {
                collect(&tokens[i + 1..end("|")]);
            }
            (_, TokenTree::Group(group)) if i > 1 && is(i - 2, "fn") => {
                let inner: Vec<TokenTree> = group.stream().into_iter().collect();
                for (j, token) in inner.iter().enumerate() {
                    let before_type = inner.get(j + 1).is_some_and(|next| next.to_string() == ":");
                    let single = inner.get(j + 2).is_none_or(|next| next.to_string() != ":");
                    if before_type && single {
                        collect(std::slice::from_ref(token));
                    }
                }
            }
            _ => {}
        }
    }
    for token in tokens {
        if let TokenTree::Group(group) = token {
            idents(group.stream(), names);
        }
    }
}

#[test]
fn constants_of_the_program_are_read_outside() {
    let mut model = Model::new(&quote::format_ident!("Example"));
    assert_eq!(outside(&model), (Vec::new(), String::new()));
    let plain = closed(&model, "", &quote! { struct Inner; }).to_string();
    assert!(!plain.contains("outside"), "{plain}");
    model.outside = vec![quote! { rt::LENGTH }, quote! { self::MASS }];
    model.krate = quote! { ph };
    let (names, statement) = outside(&model);
    assert_eq!(names, ["o0", "o1"]);
    assert_eq!(statement, "let [o0, o1] = outside();\n");
    let text = closed(&model, "let h = 1;", &quote! { struct Inner; }).to_string();
    let place = |part: &str| {
        text.find(part)
            .unwrap_or_else(|| panic!("{part} in {text}"))
    };
    // `rt` is the program's where its constants are read.
    assert!(place("rt :: LENGTH") < place("use ph :: __private as rt"));
    assert!(place("local as h") < place("struct Inner"));
}

#[test]
fn names_of_items() {
    let name = |text: &str| item_name(&quote::format_ident!("{text}")).to_string();
    assert_eq!(name("top"), "top");
    let keyword = proc_macro2::Ident::new("type", proc_macro2::Span::call_site());
    assert_eq!(item_name(&keyword).to_string(), "r#type");
}

#[test]
fn derives_name_their_traits() {
    let text = derive(&["Clone", "PartialEq"]).to_string().replace(' ', "");
    assert_eq!(
        text,
        "#[::core::prelude::v1::derive(::core::clone::Clone,::core::cmp::PartialEq)]"
    );
}
