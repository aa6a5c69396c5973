//! Attributes of the struct and of its fields: what a model does not use is an error, not ignored.

use syn::punctuated::Punctuated;
use syn::{Attribute, Field, ItemStruct, Path, Token, Type};

use crate::arrays;
use crate::diag::{At, Diagnostics, nearest};
use crate::kinds::{self, Role};

/// Attributes of fields that mean something.
const OURS: [&str; 7] = ["body", "start", "joint", "force", "param", "count", "rod"];

/// What is derived for a model anyway.
const DERIVED: [&str; 4] = ["Debug", "Clone", "Copy", "Default"];

/// Levels of lints.
const LINTS: [&str; 5] = ["allow", "expect", "warn", "deny", "forbid"];

/// Whether an attribute of the struct belongs on the generated type.
pub(crate) fn is_kept(attribute: &Attribute) -> bool {
    is_one_of(attribute, &["doc", "deprecated"]) || is_one_of(attribute, &LINTS)
}

/// Reports attributes that would have no effect.
pub(crate) fn check(item: &ItemStruct, dx: &mut Diagnostics) {
    for attribute in &item.attrs {
        if attribute.path().is_ident("derive") {
            derives(attribute, arrays::has_arrays(item), dx);
        } else if !is_kept(attribute) {
            dx.error(
                At::of(attribute.path()),
                "this attribute would have no effect: the fields of the type are generated",
                "remove it",
            );
        }
    }
    for field in &item.fields {
        of_field(field, dx);
    }
}

fn is_one_of(attribute: &Attribute, names: &[&str]) -> bool {
    names.iter().any(|name| attribute.path().is_ident(name))
}

fn derives(attribute: &Attribute, arrays: bool, dx: &mut Diagnostics) {
    let parse = Punctuated::<Path, Token![,]>::parse_terminated;
    let Ok(traits) = attribute.parse_args_with(parse) else {
        return;
    };
    for path in traits {
        let name = path.segments.last().map(|last| last.ident.to_string());
        if arrays && name.as_deref() == Some("Default") {
            dx.error(
                At::of(&path),
                "a model with arrays has no `Default`: it is put together when the program runs, and that can fail",
                "remove it, and write `Model::new(..)?`; `ModelParameters` has a `Default`",
            );
        } else if name.is_none_or(|name| !DERIVED.contains(&name.as_str())) {
            dx.error(
                At::of(&path),
                "this cannot be derived: the fields of the type are generated",
                "remove it; a model has `Debug` and `Clone`, without parameters also `Copy`, and `parameters()` can be compared",
            );
        }
    }
}

fn of_field(field: &Field, dx: &mut Diagnostics) {
    let role = kind(&field.ty).and_then(|kind| kinds::role_of(&kind));
    let expected = role.map(Role::attributes);
    // Without its own attribute the field has an error that says what to write.
    let own = expected.is_some_and(|(first, _)| {
        let mut attributes = field.attrs.iter();
        attributes.any(|attribute| attribute.path().is_ident(first))
    });
    for attribute in &field.attrs {
        let path = attribute.path();
        if is_one_of(attribute, &["cfg", "cfg_attr"]) {
            dx.error(
                At::of(path),
                "a field of a model cannot be configured: the model is read before the compiler takes anything out",
                "write two structs with `#[cfg(..)]` above each, or a parameter that switches the component off",
            );
            continue;
        }
        let harmless = is_one_of(attribute, &["doc"]) || is_one_of(attribute, &LINTS);
        let tool = path.segments.len() > 1;
        let Some((first, more)) = expected.filter(|_| own && !harmless && !tool) else {
            continue;
        };
        if is_one_of(attribute, &[first]) || is_one_of(attribute, more) {
            continue;
        }
        let name = path.segments.last().map(|last| last.ident.to_string());
        let name = name.unwrap_or_default();
        let help = match nearest(&name, OURS) {
            Some(near) if near != name => format!("did you mean `#[{near}(..)]`? Or remove it"),
            _ => "remove it, or move it to the field that it belongs to".to_owned(),
        };
        dx.error(
            At::of(path),
            format!("`#[{name}]` means nothing here: this field is read from `#[{first}(..)]`"),
            help,
        );
    }
}

/// The name of a type, or of the elements of an array.
fn kind(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => path.path.segments.last().map(|last| last.ident.to_string()),
        Type::Array(array) => kind(&array.elem),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
