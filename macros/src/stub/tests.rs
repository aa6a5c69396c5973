//! Beside errors there is everything that a program may name.

use proc_macro2::TokenStream;

use crate::example::{asked_for, items, lowered};
use crate::expand::multibody;

fn stub(fields: &str) -> Vec<String> {
    let (model, ..) = lowered("", fields);
    let (definition, text) = super::system(&model, &syn::parse_quote!(pub));
    let mut all = items(definition);
    all.extend(items(crate::scope::parsed(&text)));
    all
}

const BODY: &str = "#[body(mass = 1, free)] a: Body<R3>,";

#[test]
fn the_interface_is_implemented() {
    let found = stub(BODY);
    for asked in asked_for() {
        assert!(found.contains(&asked), "{asked} is missing in {found:#?}");
    }
}

#[test]
fn nothing_is_implemented_that_is_not_required() {
    let asked = asked_for();
    let found = stub(BODY);
    for item in found
        .iter()
        .filter(|item| item.starts_with("<Example as ") && item.contains(">::"))
    {
        assert!(asked.contains(item), "{item}");
    }
}

#[test]
fn constructors_take_parameters_if_there_are_some() {
    let plain = stub(BODY);
    assert!(plain.contains(&"Example::new/0".to_owned()));
    assert!(
        !plain.iter().any(|item| item.contains("Parameters")),
        "{plain:?}"
    );
    let with = stub(&format!("{BODY} #[param(default = 1)] p: f64,"));
    for item in [
        "Example::new/1",
        "Example::parameters/1",
        "struct ExampleParameters",
        "<ExampleParameters as Default>",
    ] {
        assert!(
            with.contains(&item.to_owned()),
            "{item} is missing in {with:#?}"
        );
    }
}

/// The expansion of fields, and of the same fields with an error more.
fn with_and_without_error(arguments: &str, fields: &str) -> [Vec<String>; 2] {
    ["", "#[joint(ground, nothing)] wrong: Spherical,"].map(|more| {
        let item: TokenStream = format!("pub struct Example {{ {fields} {more} }}")
            .parse()
            .expect("tokens");
        let expansion = multibody(arguments.parse().expect("tokens"), item);
        let error = expansion.to_string().contains("compile_error");
        assert_eq!(error, !more.is_empty(), "{expansion}");
        let mut items = items(expansion);
        items.dedup();
        items
    })
}

/// What a program can call of a model, it can call of its stub: no second error follows.
#[test]
fn a_stub_has_all_that_its_model_has() {
    let joint = "#[body(mass = 1)] #[start(position = p * x)] b: Body<R3>,
        #[joint(ground, b, length = p)] rod: Distance, #[param(default = 1)] p: f64,";
    let plain = "#[body(mass = [1, 2], free)] m: Body<R2>,";
    for (arguments, fields) in [
        ("", joint),
        ("assemble", joint),
        ("", plain),
        ("assemble", BODY),
    ] {
        let [model, stub] = with_and_without_error(arguments, fields);
        let inner = [
            "<Example as Manifold>",
            "<Example as Mechanics>",
            "<Example as Constrained>",
            "<Example as Implicit>",
            "<Example as Bodies>",
            "Example::unchecked",
            "Example::started",
        ];
        for item in model {
            // What is inside of the constructor, and functions with defaults.
            if inner.iter().any(|inner| item.starts_with(inner)) {
                continue;
            }
            assert!(stub.contains(&item), "{item} is missing in {stub:#?}");
        }
    }
}
