//! What could be read of a model with errors, so that the checks that need no more can report the
//! rest, and none reports what only follows from another error.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::{Attribute, ItemStruct};

use super::reader::Reader;
use super::{Part, Role};
use crate::model::Model;
use crate::syntax::{Arguments, Items};

/// Which parts of a model were read.
#[derive(Clone, Debug, Default)]
pub(crate) struct Read {
    /// For each body, whether its mass and inertia were.
    pub(crate) bodies: Vec<bool>,
    /// Whether all that positions and velocities depend on was.
    pub(crate) motion: bool,
}

impl Reader<'_> {
    /// Counts the bodies as free that components with errors may hold.
    pub(super) fn spare(&self, misread: &[&Part<'_>], model: &mut Model) {
        for part in misread {
            let attributes = part.field.attrs.iter();
            let parsed = attributes
                .filter(|a| a.path().is_ident("joint") || a.path().is_ident("force"))
                .map(Attribute::parse_args::<Items>);
            let names: Option<Vec<String>> = parsed
                .map(|items| Some(items.ok()?.places))
                .collect::<Option<Vec<_>>>()
                .map(|places| {
                    places
                        .iter()
                        .flatten()
                        .map(|p| p.name.to_string())
                        .collect()
                });
            let is_known = |name: &String| {
                let mut known = self.scope.bodies.iter().chain(&self.scope.joints);
                name == "ground" || known.any(|known| known == name)
            };
            let enough = if part.role == Role::Joint { 2 } else { 1 };
            // Without a name, or with one that is misspelt, it may be any body.
            let names = names.filter(|names| names.len() >= enough && names.iter().all(is_known));
            for body in &mut model.bodies {
                let name = body.name.to_string();
                body.free |= names.as_ref().is_none_or(|names| names.contains(&name));
            }
        }
    }

    /// Parameters that nothing reads. After an error, only those that are nowhere written: what has
    /// an error may read the others, and a name that is not known may be meant for one of them.
    pub(super) fn unused(&mut self, model: &Model, arguments: &Arguments, item: &ItemStruct) {
        if self.scope.unknown {
            return;
        }
        let mut written = Vec::new();
        if !self.dx.is_empty() {
            let fields = item.fields.iter().flat_map(|field| &field.attrs);
            for attribute in fields {
                names(attribute.to_token_stream(), &mut written);
            }
            for setting in arguments.items.settings.iter().chain(&arguments.constants) {
                names(setting.value.to_token_stream(), &mut written);
            }
        }
        for (parameter, used) in model.parameters.iter().zip(&self.scope.used) {
            if !used && !written.contains(&parameter.name.to_string()) {
                self.dx.error(
                    parameter.name.span(),
                    format!("nothing reads the parameter `{}`", parameter.name),
                    "use it in an attribute, or remove the field",
                );
            }
        }
    }
}

/// All names among tokens.
pub(super) fn names(tokens: TokenStream, out: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Ident(name) => out.push(name.unraw().to_string()),
            TokenTree::Group(group) => names(group.stream(), out),
            _ => {}
        }
    }
}
