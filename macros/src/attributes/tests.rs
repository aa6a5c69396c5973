use syn::ItemStruct;

use super::{check, is_kept};
use crate::diag::Diagnostics;
use crate::example::one_error;
use crate::kinds;

fn errors(item: &str) -> Vec<String> {
    let item: ItemStruct = syn::parse_str(item).expect(item);
    let mut dx = Diagnostics::default();
    check(&item, &mut dx);
    dx.messages()
}

#[test]
fn what_has_no_effect_on_the_struct_is_an_error() {
    let of = |attributes: &str| errors(&format!("{attributes}\nstruct Top {{ }}"));
    for fine in [
        "/// Spins.",
        "#[allow(dead_code)] #[deny(warnings)] #[deprecated]",
        "#[derive(Clone, Copy, Debug, Default)]",
        "#[derive(core::fmt::Debug)]",
    ] {
        assert_eq!(of(fine), [""; 0], "{fine}");
    }
    one_error(&of("#[repr(C)]"), "would have no effect");
    one_error(
        &of("#[derive(Debug, serde::Serialize)]"),
        "cannot be derived",
    );
    let two = of("#[derive(PartialEq, Eq)] #[must_use]");
    assert_eq!(two.len(), 3, "{two:?}");
}

#[test]
fn attributes_that_are_kept_stay_on_the_type() {
    let item: ItemStruct =
        syn::parse_str("/// A.\n#[deprecated] #[warn(a)] #[repr(C)] #[derive(A)] struct T;")
            .expect("a struct");
    let kept: Vec<bool> = item.attrs.iter().map(is_kept).collect();
    assert_eq!(kept, [true, true, true, false, false]);
}

#[test]
fn what_means_nothing_on_a_field_is_an_error() {
    let of = |field: &str| errors(&format!("struct Top {{ {field} }}"));
    for fine in [
        "/// Spins.\n #[body(mass = 1.0)] #[start(position = X)] #[allow(a)] top: Body<SE3>",
        "#[joint(ground, top)] #[rustfmt::skip] pivot: Spherical",
        "#[force(top)] push: Load",
        "#[param(default = 1.0)] length: f64",
        "#[count(default = 3)] n: usize",
        "#[start(position = X)] #[body(mass = 1.0)] nodes: [Node<SE3>; 3]",
        "#[rod(a, b)] edges: [RodElement; 3]",
        // Errors about these are found where they are read.
        "#[joint(ground, top)] top: Body<SE3>",
        "#[bdy(mass = 1.0)] top: Body<SE3>",
        "#[anything] thing: Unknown",
    ] {
        assert_eq!(of(fine), [""; 0], "{fine}");
    }
    let check = |field: &str, words: &str| one_error(&of(field), words);
    check(
        "#[body(mass = 1.0)] #[stat(position = X)] top: Body<SE3>",
        "did you mean `#[start(..)]`?",
    );
    check(
        "#[body(mass = 1.0)] #[joint(a, b)] top: Body<SE3>",
        "`#[joint]` means nothing here: this field is read from `#[body(..)]`",
    );
    check(
        "#[body(mass = 1.0)] #[joint(a, b)] tops: [Body<SE3>; 3]",
        "or move it to the field that it belongs to",
    );
    check(
        "#[joint(a, b)] #[start(position = X)] pivot: Spherical",
        "this field is read from `#[joint(..)]`",
    );
    check(
        "#[cfg(test)] #[body(mass = 1.0)] top: Body<SE3>",
        "cannot be configured",
    );
}

/// The list of kinds is that of the stage that reads them.
#[test]
fn every_kind_of_field_is_read_from_one_attribute() {
    let check = |kind: &str, attribute: Option<&str>| {
        assert_eq!(
            kinds::role_of(kind).map(|role| role.attributes().0),
            attribute,
            "{kind}"
        );
    };
    check("Body", Some("body"));
    check("Node", Some("start"));
    check("Revolute", Some("joint"));
    check("ModalSpring", Some("force"));
    check("f64", Some("param"));
    check("f32", None);
}
